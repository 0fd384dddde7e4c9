"""One module per record format: documents in, memories and text edits out."""
