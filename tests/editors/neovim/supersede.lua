-- What a memory says is no longer so: another takes its place, in a new buffer; both records name each other.
return function(editor)
  local buffer = editor.open("payments/gateway.py")
  editor.replace(buffer, "range(MAX_ATTEMPTS)", "range(2 * MAX_ATTEMPTS)")
  editor.findings(buffer, { "memory-changed" })
  vim.cmd.write()
  local record = editor.code_action(buffer, "charge(self", "No longer true", function()
    return editor.record("/.memory/", "<statement:")
  end)
  editor.ok("the action makes a new record, with a form")
  local id = table.concat(editor.lines(record), "\n"):match("\nid: (%S+)")
  local old = editor.wait("the old record names the new one", function() return editor.record("/.memory/three-attempts", id) end)
  editor.ok("the old record names the new one")

  editor.findings(record, { "memory-draft", "memory-draft" })
  for _ = 1, 2 do
    local draft = vim.diagnostic.get(record)[1]
    local count = #vim.diagnostic.get(record)
    vim.api.nvim_buf_set_text(record, draft.lnum, draft.col, draft.end_lnum, draft.end_col, { "Six attempts, one key" })
    editor.wait("one finding less", function() return #vim.diagnostic.get(record) < count end)
  end
  for _, written in ipairs({ record, old }) do
    vim.api.nvim_buf_call(written, vim.cmd.write)
  end
  editor.findings(old, { "memory-superseded" })
  editor.findings(record, {})
  editor.findings(buffer, {})
  editor.ok("the finding in the code is gone")
  local hover = editor.hover(buffer, "charge(self")
  editor.holds("the hover tells the new claim", hover, "Six attempts, one key")
end
