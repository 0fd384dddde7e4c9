-- The plugin for Neovim 0.11 and newer; `:help memory_lsp` describes it.
--
--   require('memory_lsp').setup()
--   require('memory_lsp').setup({ cmd = { '/path/to/memory-lsp', 'serve' }, settings = { ... }, codelens = false })
--
-- Everything else is Neovim's own: K hovers, gra opens the code actions, ]d goes to the next finding, gO outlines a record.
local M = {}

M.version = '0.1.0'
M.markers = { { '.memory', '.agent_memory', '.kiyo' } }

---@class memory_lsp.Options
---@field cmd? string[] The server's command (default: `memory-lsp serve`).
---@field settings? table The server's settings, below the key `memoryLsp`.
---@field codelens? boolean Whether lenses are shown (default: true).

--- What the last `setup` was given, with its defaults.
---@type memory_lsp.Options
M.options = { cmd = { 'memory-lsp', 'serve' }, codelens = true }

-- Of this client alone: the lenses of other servers stay as they are. Newer Neovims then keep them up to date themselves.
local function show_lenses(client, buffer)
  if vim.lsp.codelens.enable then
    vim.lsp.codelens.enable(true, { bufnr = buffer, client_id = client.id })
    return
  end
  local params = { textDocument = vim.lsp.util.make_text_document_params(buffer) }
  client:request('textDocument/codeLens', params, vim.lsp.codelens.on_codelens, buffer)
end

local function keep_lenses(client, buffer, group)
  show_lenses(client, buffer)
  if vim.lsp.codelens.enable then return end
  vim.api.nvim_clear_autocmds({ group = group, buffer = buffer })
  -- A verdict that moves changes the findings and the lens alike; an edit in its line takes a lens away.
  vim.api.nvim_create_autocmd({ 'DiagnosticChanged', 'BufEnter', 'BufWritePost', 'InsertLeave' }, {
    group = group,
    buffer = buffer,
    callback = function()
      if not client:is_stopped() then show_lenses(client, buffer) end
    end,
  })
end

-- What changes how memories stand can change lenses without any finding: a retirement, a capture.
local function on_status(problem, params, context)
  require('memory_lsp.status').on_status(problem, params, context)
  local client = vim.lsp.get_client_by_id(context.client_id)
  if not client or not M.options.codelens or vim.lsp.codelens.enable then return end
  for buffer in pairs(client.attached_buffers) do
    show_lenses(client, buffer)
  end
end

---@param options? memory_lsp.Options
function M.setup(options)
  M.options = vim.tbl_extend('force', { cmd = { 'memory-lsp', 'serve' }, codelens = true }, options or {})
  local process, commands = require('memory_lsp.process'), require('memory_lsp.commands')
  vim.lsp.config('memory_lsp', {
    cmd = process.start(M.options.cmd),
    settings = M.options.settings,
    init_options = { prompt = { command = 'memoryLsp.prompt' }, status = true },
    commands = commands.of_client,
    handlers = { ['memoryLsp/status'] = on_status },
  })
  local group = vim.api.nvim_create_augroup('memory_lsp', { clear = true })
  vim.api.nvim_create_autocmd('LspAttach', {
    group = group,
    callback = function(attached)
      local client = vim.lsp.get_client_by_id(attached.data.client_id)
      if not client or client.name ~= 'memory_lsp' then return end
      process.check_version(client, M.version)
      commands.create(attached.buf)
      if M.options.codelens then keep_lenses(client, attached.buf, group) end
    end,
  })
  vim.lsp.enable('memory_lsp')
end

--- One line for a statusline: `12 memories, 1 to re-verify`; empty where no server is.
---@param buffer? integer
---@return string
function M.status(buffer) return require('memory_lsp.status').text(buffer or 0) end

return M
