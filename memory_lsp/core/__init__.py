"""Pure values and functions: no disk, no git, no protocol."""
