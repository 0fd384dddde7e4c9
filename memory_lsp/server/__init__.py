"""The only importer of pygls and lsprotocol."""
