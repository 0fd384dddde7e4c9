"""What the demo prints: the pieces of an editor's screen, drawn with rich, and the same as an SVG picture."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.markdown import Markdown
from rich.padding import Padding
from rich.panel import Panel
from rich.syntax import Syntax
from rich.text import Text
from rich.theme import Theme

WIDTH = 110
_STYLES = {1: "red", 2: "yellow", 3: "cyan", 4: "dim"}
_SEVERITIES = {1: "error", 2: "warning", 3: "info", 4: "hint"}
_WEB_FONT = re.compile(r"@font-face \{\{.*?\}\}\s*", re.DOTALL)
"""rich's template loads a font from the network; the picture does with the reader's own monospace font."""

_FENCE = re.compile(r"```diff\n(.*?)\n```\n*", re.DOTALL)


class Screen:
    """A console that remembers what it printed: ``WIDTH`` columns, fewer on a narrower terminal."""

    def __init__(self, *, drawn: bool) -> None:
        """``drawn``: a picture is made of it, which always has all columns."""
        narrow = sys.stdout.isatty() and not drawn
        width = min(WIDTH, shutil.get_terminal_size().columns) if narrow else WIDTH
        theme = Theme({"markdown.code": "bold cyan", "markdown.code_block": "none"})
        self._console = Console(width=width, record=True, highlight=False, theme=theme)

    def title(self, text: str) -> None:
        """The first lines."""
        self._console.print(Text.from_markup(text))

    def step(self, number: int, text: str) -> None:
        """The heading of a step of the story."""
        self._console.print(f"\n[bold]{number}  {text}[/]")

    def say(self, text: str, style: str = "") -> None:
        """One line below a step."""
        self._console.print(Padding(Text(text, style=style), (0, 0, 0, 3)))

    def command(self, text: str) -> None:
        """A command as typed in a shell."""
        self.say(f"$ {text}", "bold")

    def code(self, path: str, text: str, first: int, last: int, findings: Sequence[Any] = (), lens: str = "") -> None:
        """Lines ``first`` to ``last`` (0-based, inclusive) of a document, with findings below their names."""
        lexer = Syntax.guess_lexer(path)
        self.say(path, "dim")
        for number, line in enumerate(text.split("\n")[first : last + 1], first):
            if lens and number == first:
                indent = len(line) - len(line.lstrip())
                self.say(f"     │ {' ' * indent}{lens}", "dim italic")
            shown = Syntax(line, lexer, theme="ansi_dark", background_color="default").highlight(line)
            shown.rstrip()
            self._console.print(
                Padding(Text.assemble((f"{number + 1:4} │ ", "dim"), shown), (0, 0, 0, 3)), no_wrap=True
            )
            for finding in findings:
                if finding["range"]["start"]["line"] == number:
                    self._finding(finding)

    def _finding(self, finding: Any) -> None:
        start, end = finding["range"]["start"], finding["range"]["end"]
        width = max(1, end["character"] - start["character"]) if end["line"] == start["line"] else 1
        style = _STYLES[finding["severity"]]
        label = f"{_SEVERITIES[finding['severity']]} {finding['code']}: {finding['message']}"
        mark = Text.assemble(("     │ ", "dim"), (" " * start["character"] + "~" * width, style))
        self._console.print(Padding(mark, (0, 0, 0, 3)))
        self._console.print(Padding(Text(label, style=style), (0, 0, 0, 10)))

    def hover(self, markdown: str) -> None:
        """A hover window."""
        pieces: list[RenderableType] = []
        for number, piece in enumerate(_FENCE.split(_plain_links(markdown))):
            pieces += map(_diff_line, piece.split("\n")) if number % 2 else [Markdown(piece)]
        self._console.print(
            Padding(Panel(Group(*pieces), border_style="dim", width=self._console.width - 8), (0, 0, 0, 3))
        )

    def menu(self, titles: Sequence[str], chosen: str) -> None:
        """The code action menu."""
        for title in titles:
            self.say(f"{'▸' if title == chosen else ' '} {title}", "bold" if title == chosen else "dim")

    def save(self, file: Path) -> None:
        """Write all that was printed as an SVG picture that needs nothing from the network."""
        from rich._export_format import CONSOLE_SVG_FORMAT

        template = _WEB_FONT.sub("", CONSOLE_SVG_FORMAT)
        svg = self._console.export_svg(title="memory-lsp demo", code_format=template, unique_id="demo")
        file.write_text(svg, encoding="utf-8")


def _diff_line(line: str) -> Text:
    return Text(f"  {line}", style={"+": "green", "-": "red"}.get(line[:1], "dim"))


def _plain_links(markdown: str) -> str:
    """The text of links alone: a terminal has nothing to click, and a picture should not name a temporary folder."""
    return re.sub(r"\[([^\]]*)\]\(<?file:[^)]*\)", r"\1", markdown)
