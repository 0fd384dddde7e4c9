"""``memory-lsp demo``: the real server, played through the protocol on a small example project."""
