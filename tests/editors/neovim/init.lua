-- A Neovim configuration with nothing but this project's plugin. $LSP_COMMAND is the server's command as a JSON array.
vim.opt.swapfile = false
vim.opt.shadafile = "NONE"
vim.opt.shortmess:append("FW") -- no words about files that were read or written
vim.opt.runtimepath:prepend(vim.env.PLUGIN)
require("memory_lsp").setup({ cmd = vim.json.decode(vim.env.LSP_COMMAND) })
