"""``python -m memory_lsp``."""

from __future__ import annotations

import sys


def main() -> int:
    """Run the command line; returns the exit code."""
    from memory_lsp.cli.main import main as run

    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
