"""The only access to disk and git."""
