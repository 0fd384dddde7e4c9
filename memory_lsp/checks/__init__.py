"""One module per kind of finding."""
