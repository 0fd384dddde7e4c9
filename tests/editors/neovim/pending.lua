-- Memories that a process captured wait for a person, who approves or rejects them; several at one place are a choice.
return function(editor)
  local said = editor.messages()
  local server = vim.json.decode(vim.env.LSP_COMMAND)
  local function captured(title)
    local line = { server[1], "-m", "memory_lsp", "capture", "--write", "--by", "process:agent", "--store", ".memory", "--type", "Fact", "--title", title }
    vim.list_extend(line, { "--statement", title .. ".", "--cite", "payments/retry.py#backoff" })
    local done = vim.system(line, { text = true }):wait()
    if done.code ~= 0 then error(done.stderr, 0) end
  end
  captured("Pauses double")
  captured("Pauses are in seconds")
  local buffer = editor.open("payments/retry.py")
  local line = editor.find(buffer, "backoff(") - 1
  editor.wait("a lens of three", function() return vim.startswith(editor.lenses(buffer)[line] or "", "3 memories") end)
  local function at() vim.api.nvim_set_current_buf(buffer); vim.api.nvim_win_set_cursor(0, { line + 1, 4 }) end
  local function record(words) -- the record is shown
    return function()
      local found = editor.record("/.memory/", words)
      return found == vim.api.nvim_get_current_buf() and found
    end
  end

  local _, _, lines = editor.person({}, "Pauses double", function() at(); vim.lsp.codelens.run() end, function()
    return vim.api.nvim_buf_get_name(0):find("pauses-double", 1, true)
  end)
  editor.equal("a lens of several memories lets one choose", #lines, 3)
  editor.person({}, "Pauses double", function() at(); vim.cmd.LspMemoryApprove() end, function()
    local found = editor.record("/.memory/", 'title: "Pauses double"')
    return found and not table.concat(editor.lines(found), "\n"):find("status: draft", 1, true)
  end)
  editor.ok("one is approved")
  vim.cmd.wall()

  vim.cmd.edit(vim.fn.glob(".memory/pauses-are*"))
  local other = vim.api.nvim_get_current_buf()
  editor.wait("the server", function() return vim.fn.exists(":LspMemoryReject") == 2 end)
  local _, asked = editor.person({ "not what the code does" }, nil, vim.cmd.LspMemoryReject, record("not what the code does"))
  editor.equal("one is rejected, in its record; the reason is asked for", asked, { "Why is it not accepted?" })
  vim.cmd.wall()
  editor.findings(other, {})

  editor.person({ false }, "Pauses double", function() at(); vim.cmd.LspMemoryRetire() end, function(questions) return #questions == 1 end)
  vim.wait(300)
  editor.equal("who leaves a question without an answer changes nothing", { vim.bo[editor.record("/.memory/", 'title: "Pauses double"')].modified, said }, { false, {} })

  vim.api.nvim_win_set_cursor(0, { 1, 0 })
  vim.cmd.LspMemoryOpen()
  editor.wait("a message", function() return #said == 1 end)
  editor.holds("where no memory is, that is said", said[1], "no memory cites")
end
