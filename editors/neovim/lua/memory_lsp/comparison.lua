-- What a memory cites, then and now, side by side in a tab of its own; `:tabclose` takes both away.
local M = {}

local count = 0

local function fill(buffer, side, comparison, text)
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, vim.split(text:gsub('\n$', ''), '\n'))
  local what = comparison.symbol ~= '' and comparison.path .. '#' .. comparison.symbol or comparison.path
  vim.api.nvim_buf_set_name(buffer, ('memory-%s://%d/%s'):format(side, count, what))
  vim.bo[buffer].buftype, vim.bo[buffer].bufhidden = 'nofile', 'wipe'
  vim.bo[buffer].filetype = vim.filetype.match({ filename = comparison.path, buf = buffer }) or ''
  vim.bo[buffer].modifiable = false
end

---@param comparison { path: string, symbol: string, ['then']: string, now: string }
function M.show(comparison)
  count = count + 1
  local before, now = vim.api.nvim_create_buf(false, true), vim.api.nvim_create_buf(false, true)
  vim.cmd.tabnew()
  local empty = vim.api.nvim_get_current_buf()
  vim.api.nvim_win_set_buf(0, before)
  vim.api.nvim_buf_delete(empty, { force = true })
  vim.cmd('rightbelow vsplit')
  vim.api.nvim_win_set_buf(0, now)
  fill(before, 'then', comparison, comparison['then'])
  fill(now, 'now', comparison, comparison.now)
  vim.cmd('windo diffthis')
end

return M
