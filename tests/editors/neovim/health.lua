-- :checkhealth memory_lsp, :help memory_lsp, and what is beside other servers.
return function(editor)
  local _, client = editor.open("payments/gateway.py")
  local function health()
    vim.cmd("checkhealth memory_lsp")
    local text = table.concat(editor.lines(0), "\n")
    vim.cmd.bwipeout()
    return text
  end
  local text = health()
  editor.holds("health finds the server, and its version", text, "memory-lsp 0.")
  editor.holds("it fits the plugin", text, "it fits this plugin")
  editor.holds("health tells the root and the encoding", text, client.root_dir .. ": attached to 1 buffer(s), position encoding utf-8")
  editor.holds("and the stores", text, "store: .agent_memory/packets")
  editor.holds("and how the memories stand", text, "7 memories, all fresh")
  editor.holds("and who watches the files", text, "every 2 s")
  editor.equal("nothing is wrong", { text:find("ERROR"), text:find("WARNING") }, {})

  local plugin = require("memory_lsp")
  plugin.options.cmd = { vim.json.decode(vim.env.LSP_COMMAND)[1], "-m", "no_such_module", "serve" }
  editor.holds("a wrong Python: what it says", health(), "No module named no_such_module")
  plugin.options.cmd = { "/no/such/program" }
  editor.holds("a server that is missing: how to get it", health(), "pip install memory-lsp")
  local process = require("memory_lsp.process")
  editor.equal("versions that fit", process.version_problem("0.1.0", "0.1.7"), nil)
  editor.holds("an old server", process.version_problem("0.2.0", "0.1.7"), "pip install --upgrade memory-lsp")
  editor.holds("an old plugin", process.version_problem("0.2.0", "0.10.0"), "update the plugin")
  editor.holds("a server without a version", process.version_problem("0.2.0", nil), "update the server")

  vim.cmd("helptags " .. vim.fn.fnameescape(vim.env.PLUGIN .. "/doc"))
  for name in pairs(vim.api.nvim_buf_get_commands(vim.fn.bufnr("gateway.py"), {})) do
    vim.cmd.help(name == "LspMemoryList" and "memory_lsp" or ":" .. name)
  end
  editor.holds("every command has its help", vim.api.nvim_buf_get_name(0), "memory_lsp.txt")
end
