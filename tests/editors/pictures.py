"""Take the pictures of Neovim and of Helix for the docs, from their real screens.

usage: pictures.py FOLDER neovim=NVIM helix=HX      (writes FOLDER/neovim.svg and FOLDER/helix.svg)

The server is the one of this Python. The example project is made anew, its retry loop is changed, and the hover is opened.
"""

from __future__ import annotations

import io
import os
import re
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import TerminalTheme
from rich.text import Text
from terminal import Terminal

from memory_lsp.demo.prepare import prepare

PROJECT = Path(__file__).resolve().parents[2]
COLUMNS, ROWS = 132, 30
PAPER = {"neovim": "#14161b", "helix": "#3b224c"}
"""The background of each editor's own theme."""
THEME = TerminalTheme((20, 22, 27), (224, 226, 234), [(7, 8, 13)] * 8)
FRAME = """<svg class="screen" viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg">
<style>
.{unique_id}-matrix {{ font-family: Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: {char_height}px; line-height: {line_height}px; }}
{styles}
</style>
<defs>
{lines}
</defs>
<rect width="{width}" height="{height}" rx="8" fill="PAPER"/>
<g transform="translate({terminal_x}, 12)">
{backgrounds}
<g class="{unique_id}-matrix">
{matrix}
</g>
</g>
</svg>
"""


def picture(name: str, text: str) -> str:
    """An SVG of a screen with ANSI colours; it uses no font from the network."""
    console = Console(width=COLUMNS, record=True, file=io.StringIO(), highlight=False)
    console.print(Text.from_ansi(text.rstrip("\n")), overflow="crop", no_wrap=True, crop=True)
    svg = console.export_svg(title="", theme=THEME, code_format=FRAME.replace("PAPER", PAPER[name]), unique_id=name)
    return re.sub(r"[ \t]+$", "", svg, flags=re.MULTILINE)


def neovim(program: str, project: Path, scratch: Path) -> str:
    """The finding beside the name, and the hover."""
    (scratch / "init.lua").write_text(
        f"vim.opt.runtimepath:prepend({str(PROJECT / 'editors' / 'neovim')!r})\n"
        f"require('memory_lsp').setup({{ cmd = {{ {sys.executable!r}, '-m', 'memory_lsp', 'serve' }} }})\n"
        "vim.diagnostic.config({ virtual_text = true })\n"
        "vim.o.swapfile, vim.o.number, vim.o.laststatus, vim.o.termguicolors = false, true, 2, true\n"
        "vim.o.statusline = \" %f %m %= %{v:lua.require'memory_lsp'.status()} \"\n"
        "vim.o.shadafile, vim.o.winborder = 'NONE', 'rounded'\n",
        encoding="utf-8",
    )
    terminal = Terminal(
        f"'{program}' -u '{scratch}/init.lua' payments/gateway.py", project, scratch, homes(scratch), COLUMNS, ROWS
    )
    try:
        terminal.sees("7 memories, 1 to re-verify")
        terminal.type(":set nohlsearch scrolloff=2")
        terminal.keys("Enter")
        terminal.type("/def charge")
        terminal.keys("Enter")
        terminal.type("wzt")
        terminal.sees("cents: int.*1 memory")
        # Of two texts behind a line the older one is nearer, and the lens is the shorter one.
        terminal.type(":lua vim.diagnostic.hide() vim.diagnostic.show()")
        terminal.keys("Enter")
        terminal.sees("1 memory, 1 to re-verify")
        terminal.keys("C-l")
        terminal.type("K")
        terminal.sees("at most three times")
        return terminal.screen(colours=True)
    finally:
        terminal.close()


def helix(program: str, project: Path, scratch: Path) -> str:
    """The finding below the line, and the hover."""
    config = scratch / "config" / "helix"
    config.mkdir(parents=True)
    languages = (PROJECT / "editors" / "helix" / "languages.toml").read_text(encoding="utf-8")
    languages = languages.replace('command = "memory-lsp"', f'command = "{sys.executable}"')
    languages = languages.replace('args = ["serve"]', 'args = ["-m", "memory_lsp", "serve"]')
    (config / "languages.toml").write_text(languages, encoding="utf-8")
    settings = '[editor]\nend-of-line-diagnostics = "hint"\n[editor.inline-diagnostics]\ncursor-line = "hint"\n'
    (config / "config.toml").write_text(settings, encoding="utf-8")
    terminal = Terminal(f"'{program}' payments/gateway.py", project, scratch, homes(scratch), COLUMNS, ROWS)
    try:
        terminal.sees("The only module that talks")
        terminal.type("/def charge")
        terminal.keys("Enter")
        terminal.sees("Gateway.charge changed")
        terminal.type("zt")
        terminal.keys("Space", "k")
        terminal.sees("at most three times")
        return terminal.screen(colours=True)
    finally:
        terminal.close()


def homes(scratch: Path) -> dict[str, str]:
    """An environment without anybody's configuration."""
    folders = {f"XDG_{name}_HOME": str(scratch / name.lower()) for name in ("CONFIG", "CACHE", "DATA", "STATE")}
    return {**os.environ, **folders}


def main(arguments: list[str]) -> int:
    """The command line."""
    takers = {"neovim": neovim, "helix": helix}
    editors = dict(argument.split("=", 1) for argument in arguments[1:])
    if not editors or not editors.keys() <= takers.keys():
        print(__doc__, file=sys.stderr)
        return 2
    folder = Path(arguments[0]).absolute()
    for name, program in editors.items():
        with tempfile.TemporaryDirectory(prefix="shot-", ignore_cleanup_errors=True) as made:
            scratch = Path(made).resolve()
            project = scratch / "parcel"
            prepare(project)
            gateway = project / "payments" / "gateway.py"
            text = gateway.read_text(encoding="utf-8")
            gateway.write_text(text.replace("range(MAX_ATTEMPTS)", "range(MAX_ATTEMPTS + 2)"), encoding="utf-8")
            screen = takers[name](str(Path(program).absolute()), project, scratch)
            (folder / f"{name}.svg").write_text(picture(name, screen), encoding="utf-8")
            print(folder / f"{name}.svg")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
