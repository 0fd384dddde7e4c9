-- What someone knows about a symbol becomes a record: a new buffer with a form, filled in and saved.
return function(editor)
  local buffer = editor.open("payments/gateway.py")
  local record, titles = editor.code_action(buffer, "idempotency_key(order: Order)", "Capture", function()
    return editor.record("/.memory/", "<statement:")
  end)
  editor.ok("the action opens a prefilled record (" .. #titles .. " actions offered)")
  editor.holds("the record cites the symbol", editor.lines(record), "idempotency_key")
  editor.wait("the draft's findings", function() return #vim.diagnostic.get(record) > 0 end)

  for _ = 1, 10 do -- a form has fewer fields than that
    local draft = vim.diagnostic.get(record)[1]
    if not draft then break end
    editor.equal("a placeholder is a finding", draft.code, "memory-draft")
    local count = #vim.diagnostic.get(record)
    vim.api.nvim_buf_set_text(record, draft.lnum, draft.col, draft.end_lnum, draft.end_col, { "One order has one key" })
    editor.wait("one finding less", function() return #vim.diagnostic.get(record) < count end)
  end
  vim.api.nvim_buf_call(record, vim.cmd.write)
  editor.findings(record, {})
  editor.findings(buffer, {})
  editor.holds("the new memory is in the hover", editor.hover(buffer, "idempotency_key(order: Order)"), "One order has one key")
end
