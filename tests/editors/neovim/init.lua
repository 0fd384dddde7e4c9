-- A Neovim configuration with nothing but this project's plugin. $LSP_COMMAND is the server's command as a JSON array.
-- With $PLAIN nothing but lsp/memory_lsp.lua is used, as by somebody who has only that file: the document is the form.
vim.opt.swapfile = false
vim.opt.shadafile = "NONE"
vim.opt.shortmess:append("FW") -- no words about files that were read or written
vim.opt.runtimepath:prepend(vim.env.PLUGIN)
local command = vim.json.decode(vim.env.LSP_COMMAND)
if vim.env.PLAIN then
  vim.lsp.config("memory_lsp", { cmd = command })
  vim.lsp.enable("memory_lsp")
else
  require("memory_lsp").setup({ cmd = command })
end
