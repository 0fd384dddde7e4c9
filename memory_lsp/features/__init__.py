"""One module per editor feature: a snapshot in, plain data out."""
