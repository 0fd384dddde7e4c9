-- Servers that are missing, do not start, die, or are of another version: one clear message each, and nothing broken.
return function(editor)
  local plugin = require("memory_lsp")
  local python = vim.json.decode(vim.env.LSP_COMMAND)[1]
  local said = editor.messages()
  local function trial(command)
    for index in ipairs(said) do said[index] = nil end
    plugin.setup({ cmd = command })
    vim.cmd("silent! %bwipeout!")
    for _, name in ipairs({ "payments/gateway.py", "payments/retry.py", "payments/timing.py" }) do
      vim.cmd.edit(name)
    end
  end
  local function quiet(count)
    editor.wait("a message", function() return #said >= count end)
    vim.wait(500)
    for _, name in ipairs({ "payments/gateway.py", "web/src/api.ts" }) do vim.cmd.edit(name) end
    vim.wait(500)
    return #said
  end

  trial({ "memory-lsp-of-nobody", "serve" })
  editor.equal("missing: one message for several files", quiet(1), 1)
  editor.holds("it says how to get it", said[1], "there is no program `memory-lsp-of-nobody`: pip install memory-lsp")
  trial({ python, "-c", "raise SystemExit('wrong Python')" })
  editor.equal("it does not start: one message", quiet(1), 1)
  editor.holds("it says where to look", said[1], "did not start (exit code 1); :checkhealth memory_lsp")

  local killer = { python, "-m", "memory_lsp", "serve" }
  trial(killer)
  for round = 1, 3 do
    vim.cmd.edit()
    local client = editor.wait("a server in round " .. round, function()
      local found = vim.lsp.get_clients({ bufnr = 0, name = "memory_lsp" })[1]
      return found and found.initialized and found
    end)
    local pid = tonumber(vim.fn.systemlist({ "pgrep", "-P", tostring(vim.fn.getpid()), "-f", "memory_lsp serve" })[1])
    vim.uv.kill(pid, "sigkill")
    editor.wait("its end", function() return #said == round and client:is_stopped() and vim.lsp.get_client_by_id(client.id) == nil end)
  end
  editor.holds("a server that dies: a message", said[1], "the server ended (signal 9); :edit starts it again")
  editor.holds("one that dies again and again is left alone", said[3], "again and again")
  editor.equal("no more messages, whatever is opened", quiet(3), 3)
  vim.lsp.enable("memory_lsp")
  vim.cmd.edit()
  editor.wait("a server", function() return #vim.lsp.get_clients({ bufnr = 0, name = "memory_lsp" }) == 1 end)
  editor.ok("until somebody enables it")
  vim.lsp.enable("memory_lsp", false)
  editor.wait("its end", function() return #vim.lsp.get_clients() == 0 end)

  plugin.version = "9.9.0"
  trial({ python, "-m", "memory_lsp", "serve" })
  editor.open("payments/gateway.py")
  editor.wait("a message", function() return #said > 0 end)
  editor.holds("another version: which one to update", said[1], "pip install --upgrade memory-lsp")
  plugin.version = "0.1.0"
end
