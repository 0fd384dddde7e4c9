"""One module per act on a memory: pure functions from documents to text edits."""
