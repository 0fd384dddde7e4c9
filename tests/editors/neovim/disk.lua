-- Another program (an agent, a formatter, git) changes a cited file that no buffer holds; Neovim watches nothing on Linux.
return function(editor)
  local records = vim.fn.glob(".memory/*.md", false, true)
  local cites
  for _, name in ipairs(records) do
    if table.concat(vim.fn.readfile(name), "\n"):find("web/src/checkout.ts", 1, true) then cites = name end
  end
  local record = editor.open(cites)
  editor.findings(record, {})
  local path = "web/src/checkout.ts"
  local text = table.concat(vim.fn.readfile(path), "\n")
  vim.fn.writefile(vim.split(text:gsub("disabled = true", "disabled = !basket.cents", 1), "\n"), path)
  local finding = editor.findings(record, { "memory-changed" })[1]
  editor.holds("a change on disk is found, the finding is on the citation", editor.lines(record)[finding.lnum + 1], "Checkout.submit")
  vim.fn.writefile(vim.split(text, "\n"), path)
  editor.findings(record, {})
  editor.ok("and gone when the change is taken back")

  vim.cmd.edit(vim.fs.joinpath(vim.fs.dirname(vim.uv.cwd()), "elsewhere", "a.py"))
  editor.equal("no server where there is no store", vim.lsp.get_clients({ bufnr = 0 }), {})
end
