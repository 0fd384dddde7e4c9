"""Make the demo's example project, with its two stores, in FOLDER (which must not exist yet).

usage: workspace.py FOLDER
"""

from __future__ import annotations

import sys
from pathlib import Path

from memory_lsp.demo.prepare import prepare

if __name__ == "__main__":
    prepare(Path(sys.argv[1]).resolve())
