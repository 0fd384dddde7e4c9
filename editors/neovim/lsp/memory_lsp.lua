---@brief
---
--- The language server for what coding agents remember: claims about code, held against the code.
---
--- `memory-lsp` is installed with `pip install memory-lsp`. It serves projects that hold a store of memories
--- (`.memory`, `.agent_memory/packets` or `.kiyo`), and every file type in them: a memory may cite any file.

---@type vim.lsp.Config
return {
  cmd = { 'memory-lsp', 'serve' },
  -- One list inside the list: the nearest folder with any of them is the root, whichever store it is.
  root_markers = { { '.memory', '.agent_memory', '.kiyo' } },
  workspace_required = true,
}
