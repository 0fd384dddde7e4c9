"""memory-lsp: the language server for what coding agents remember."""

__version__ = "0.1.0"
