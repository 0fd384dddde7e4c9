-- A cited function changes; the finding on its name goes away once the memory is verified again, with evidence.
return function(editor)
  local buffer, client = editor.open("payments/gateway.py")
  editor.equal("the server is attached and speaks utf-8", { client.name, client.offset_encoding }, { "memory_lsp", "utf-8" })
  editor.equal("its root is the folder of the store", client.root_dir, vim.uv.cwd())

  editor.replace(buffer, "range(MAX_ATTEMPTS)", "range(MAX_ATTEMPTS + 2)")
  local finding = editor.findings(buffer, { "memory-changed" })[1]
  local line, column = editor.find(buffer, "charge(self")
  editor.equal("the finding is on the name of what changed", { finding.lnum, finding.col, finding.end_col, finding.source },
    { line - 1, column, column + #"charge", "memory" })
  local hover = editor.hover(buffer, "charge(self")
  editor.holds("the hover tells the claim", hover, "at most three times")
  editor.holds("the hover shows the change", hover, "MAX_ATTEMPTS + 2")
  vim.cmd.write()

  local evidence = "<evidence:"
  local record = editor.code_action(buffer, "charge(self", "Still true", function() return editor.record("/.memory/", evidence) end)
  editor.ok("the action fills the form in the record")
  editor.findings(record, { "memory-changed", "memory-draft" })
  editor.findings(buffer, { "memory-changed", "memory-draft" })
  editor.ok("the old verdict stands until there is evidence")

  local at = editor.find(record, evidence)
  local text = editor.lines(record)[at]:gsub("<evidence:[^>]*>", "read the processor's log of 12 June")
  vim.api.nvim_buf_set_lines(record, at - 1, at, false, { text })
  vim.api.nvim_buf_call(record, vim.cmd.write)
  editor.findings(record, {})
  editor.findings(buffer, {})
  editor.ok("with evidence, and saved, the finding is gone")
  editor.holds("the hover tells the evidence", editor.hover(buffer, "charge(self"), "12 June")
  local log = editor.wait("the audit log", function()
    local file = io.open(".memory-lsp/audit.jsonl")
    local written = file and file:read("a") or ""
    if file then file:close() end
    return written:find('"verify"', 1, true) and written
  end)
  editor.holds("the audit log tells of it", log, '"verify"')
end
