-- How the memories of each root stand, as the server tells it (`memoryLsp/status`).
local M = {}

local texts = {} ---@type table<integer, table<string, string>> client id -> root -> text

function M.on_status(_, status, context)
  local of_client = texts[context.client_id] or {}
  of_client[status.root] = status.state ~= 'closed' and status.text or nil
  texts[context.client_id] = of_client
  vim.cmd.redrawstatus({ bang = true })
end

---@param buffer integer
---@return string
function M.text(buffer)
  for _, client in ipairs(vim.lsp.get_clients({ bufnr = buffer, name = 'memory_lsp' })) do
    local roots = texts[client.id] or {}
    local mine = roots[client.root_dir and vim.uri_from_fname(client.root_dir)]
    return mine or roots[next(roots)] or ''
  end
  return ''
end

return M
