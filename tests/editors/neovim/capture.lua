-- What someone knows about a symbol becomes a record: a new buffer with a form, filled in and saved.
return function(editor)
  local buffer = editor.open("payments/gateway.py")
  local record, titles = editor.code_action(buffer, "idempotency_key(order: Order)", "Capture", function()
    return editor.record("/.memory/", "<statement:")
  end)
  editor.ok("the action opens a prefilled record (" .. #titles .. " actions offered)")
  editor.holds("the record cites the symbol", editor.lines(record), "idempotency_key")
  local drafts = editor.findings(record, { "memory-draft", "memory-draft" })
  editor.ok("what is to be filled in is a finding each, title and statement")
  table.sort(drafts, function(a, b) return a.lnum > b.lnum end) -- from below, so that the lines above stay what they were
  for _, draft in ipairs(drafts) do
    vim.api.nvim_buf_set_text(record, draft.lnum, draft.col, draft.end_lnum, draft.end_col, { "One order has one key" })
  end
  editor.findings(record, {})
  vim.api.nvim_buf_call(record, vim.cmd.write)
  editor.findings(record, {})
  editor.findings(buffer, {})
  editor.holds("the new memory is in the hover", editor.hover(buffer, "idempotency_key(order: Order)"), "One order has one key")
end
