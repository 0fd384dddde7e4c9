-- The buffer-local commands, with a person who types answers, and without one: each act, the list, the diff.
return function(editor)
  local buffer, client = editor.open("payments/gateway.py")
  local said = editor.messages()
  local function at(words)
    vim.api.nvim_set_current_buf(buffer)
    vim.api.nvim_win_set_cursor(0, { editor.find(buffer, words) })
  end
  local function record(words) -- the record is shown
    return function()
      local found = editor.record("/.memory/", words)
      return found == vim.api.nvim_get_current_buf() and found
    end
  end
  editor.equal("the commands are there, in this buffer alone", { vim.fn.exists(":LspMemoryVerify"), vim.api.nvim_get_commands({}).LspMemoryVerify }, { 2 })

  local line = editor.find(buffer, "charge(self") - 1
  editor.wait("a lens", function() return editor.lenses(buffer)[line] == "1 memory" end)
  editor.ok("the lens says that there is a memory")
  editor.equal("the status for a statusline", require("memory_lsp").status(), "7 memories, all fresh")
  at("charge(self")
  vim.cmd.LspMemoryList()
  editor.wait("a message", function() return #said == 1 end)
  editor.holds("an empty list is said", said[1], "nothing is to be re-verified")
  vim.cmd.LspMemoryDiff()
  editor.wait("a message", function() return #said == 2 end)
  editor.holds("nothing to compare is said", said[2], "nothing to compare")

  editor.replace(buffer, "range(MAX_ATTEMPTS)", "range(MAX_ATTEMPTS + 2)")
  editor.findings(buffer, { "memory-changed" })
  editor.wait("a lens", function() return editor.lenses(buffer)[line] == "1 memory, 1 to re-verify" end)
  editor.ok("the lens follows the edit")
  editor.wait("the status", function() return require("memory_lsp").status() == "7 memories, 1 to re-verify" end)
  editor.ok("so does the status")
  at("charge(self")
  vim.cmd.LspMemoryVerify()
  editor.wait("a message", function() return #said == 3 end)
  editor.holds("with the file unsaved it is refused, with the reason", said[3], "save payments/gateway.py first")
  vim.cmd.write()

  vim.cmd.LspMemoryList()
  local listed = editor.wait("a quickfix list", function()
    local found = vim.fn.getqflist({ title = 0, items = 0, winid = 0 })
    return found.winid ~= 0 and found
  end)
  editor.equal("the quickfix list", { listed.title, #listed.items }, { "Memories to re-verify", 1 })
  editor.holds("its line tells the claim and the verdict", listed.items[1].text, "Three attempts, one idempotency key (")
  vim.cmd("cfirst | cclose")
  editor.holds("it leads to the record", vim.api.nvim_buf_get_name(0), "/.memory/three-attempts")

  at("charge(self")
  vim.cmd.LspMemoryDiff()
  editor.wait("a diff", function() return vim.wo.diff and #vim.api.nvim_tabpage_list_wins(0) == 2 end)
  local sides = vim.tbl_map(function(window)
    local shown = vim.api.nvim_win_get_buf(window)
    return { vim.wo[window].diff, vim.bo[shown].filetype, table.concat(editor.lines(shown), "\n"):match("range%b()") }
  end, vim.api.nvim_tabpage_list_wins(0))
  editor.equal("then and now in a diff split", sides, { { true, "python", "range(MAX_ATTEMPTS)" }, { true, "python", "range(MAX_ATTEMPTS + 2)" } })
  vim.cmd.tabclose()

  at("key = idempotency_key(order)") -- inside of what is cited
  vim.cmd.LspMemoryOpen()
  editor.wait("the record", function() return vim.api.nvim_buf_get_name(0):find("/.memory/three", 1, true) end)
  editor.ok("the record is opened")

  at("charge(self")
  local asked, verified
  verified, asked = editor.person({ "read the log of 12 June" }, nil, function() at("charge(self"); vim.cmd.LspMemoryVerify() end, record("12 June"))
  editor.holds("the evidence is asked for", asked, "What did you check")
  vim.api.nvim_buf_call(verified, vim.cmd.write)
  editor.findings(buffer, {})
  editor.ok("and with it the memory is verified")

  editor.replace(buffer, "MAX_ATTEMPTS + 2", "MAX_ATTEMPTS + 3")
  at("charge(self")
  vim.cmd.write()
  editor.findings(buffer, { "memory-changed" })
  vim.cmd("LspMemoryVerify read the log of 13 June")
  verified = editor.wait("the record", record("13 June"))
  vim.api.nvim_buf_call(verified, vim.cmd.write)
  editor.findings(buffer, {})
  editor.ok("evidence typed after the command needs no question")

  editor.replace(buffer, "MAX_ATTEMPTS + 3", "MAX_ATTEMPTS + 4")
  vim.api.nvim_buf_call(buffer, vim.cmd.write)
  local new
  new, asked = editor.person({ "Seven attempts", "A charge is tried seven times." }, nil, function() at("charge(self"); vim.cmd.LspMemorySupersede() end, record("A charge is tried seven times."))
  editor.equal("the new claim is asked for", #asked, 2)
  vim.cmd.wall()
  editor.findings(buffer, {})
  editor.findings(new, {})
  editor.holds("the hover tells the new claim", editor.hover(buffer, "charge(self"), "tried seven times")

  local kept, questions = editor.person({ "", "" }, nil, function() at("idempotency_key(order: Order)"); vim.cmd.LspMemoryCapture() end, record("<statement:"))
  editor.equal("a capture asks for title and claim; left empty, the record is the form", #questions, 2)
  vim.api.nvim_buf_delete(kept, { force = true })
  at("idempotency_key(order: Order)")
  local first = vim.api.nvim_win_get_cursor(0)[1]
  editor.person({ "One order has one key." }, nil, function()
    at("idempotency_key(order: Order)")
    vim.cmd(("%d,%dLspMemoryCapture One key"):format(first + 1, first + 1))
  end, record("One order has one key."))
  editor.ok("a capture of lines, its title typed after the command")
  vim.cmd.wall()

  local retired
  retired, asked = editor.person({ "the processor dropped it" }, nil, function() at("charge(self"); vim.cmd.LspMemoryRetire() end, record("the processor dropped it"))
  editor.equal("the reason for a retirement is asked for", #asked, 1)
  vim.cmd.wall()
  editor.wait("no lens", function() return editor.lenses(buffer)[line] == nil end)
  editor.ok("what is retired has no lens")
  editor.equal("the server lives", client:is_stopped(), false)
end
