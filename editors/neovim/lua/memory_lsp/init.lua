-- The plugin for Neovim 0.11 and newer: starts the server where there is a store, and keeps its code lenses up to date.
--
--   require('memory_lsp').setup()
--   require('memory_lsp').setup({ cmd = { '/path/to/memory-lsp', 'serve' }, settings = { ... }, codelens = false })
--
-- Everything else is Neovim's own: K hovers, gra opens the code actions, ]d goes to the next finding, gO outlines a record.
local M = {}

---@class memory_lsp.Options
---@field cmd? string[] The server's command (default: `memory-lsp serve`).
---@field settings? table The server's settings, below the key `memoryLsp`.
---@field codelens? boolean Whether lenses are shown (default: true).

local function refresh(buffer)
  if vim.lsp.codelens.enable then
    vim.lsp.codelens.enable(true, { bufnr = buffer })
  else
    vim.lsp.codelens.refresh({ bufnr = buffer })
  end
end

---@param options? memory_lsp.Options
function M.setup(options)
  options = options or {}
  if options.cmd or options.settings then
    vim.lsp.config('memory_lsp', { cmd = options.cmd, settings = options.settings })
  end
  vim.lsp.enable('memory_lsp')
  if options.codelens == false then return end

  local group = vim.api.nvim_create_augroup('memory_lsp', { clear = true })
  vim.api.nvim_create_autocmd('LspAttach', {
    group = group,
    callback = function(attached)
      local client = vim.lsp.get_client_by_id(attached.data.client_id)
      if not client or client.name ~= 'memory_lsp' then return end
      refresh(attached.buf)
      if vim.lsp.codelens.enable then return end -- newer Neovims keep lenses up to date themselves
      -- A verdict that moves changes the findings and the lens alike.
      vim.api.nvim_create_autocmd({ 'DiagnosticChanged', 'BufEnter', 'BufWritePost' }, {
        group = group,
        buffer = attached.buf,
        callback = function() refresh(attached.buf) end,
      })
    end,
  })
end

return M
