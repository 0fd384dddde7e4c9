"""Text for people from untrusted parts: Markdown with everything neutralised, or plain text.

*Invariant:* nothing from a record or from code can make a link, an image, HTML, a heading or a code block: it is one line,
capped, without control or bidirectional characters, and each character that Markdown would act on is escaped.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from memory_lsp.core.display import shown

MAX_TEXT = 240
"""Code points of one piece of text."""
MAX_CODE_LINE = 120

# Autolinks of GitHub's dialect start at "www.", "scheme:" and addresses; everywhere else only what CommonMark acts on.
_ACTIVE = re.compile(
    r"[\\`*\[\]<>|~$]|(?<!\w)_|_(?!\w)|&(?=[#\w])|:(?=//)|(?<=mailto):|(?<=xmpp):|(?<=www)\.|@|^(?:[#+\-=]|\d+(?=[.)]))",
    re.IGNORECASE,
)


_CODE = re.compile(r"(?<!`)`([^`]+)`(?!`)")


def escape(text: str, limit: int = MAX_TEXT) -> str:
    """One line of Markdown that shows ``text`` and does nothing else; names in code form stay in code form."""
    pieces = []
    for index, piece in enumerate(_CODE.split(shown(text, limit))):
        pieces.append(f"`{piece}`" if index % 2 else _ACTIVE.sub(_escaped, piece))
    return "".join(pieces)


def _escaped(match: re.Match[str]) -> str:
    found = match[0]
    return f"{found}\\" if found.isdigit() else f"\\{found}"


class Markup:
    """Writes Markdown, or plain text for a client that shows nothing else."""

    def __init__(self, markdown: bool) -> None:
        self.markdown = markdown

    def text(self, text: str, limit: int = MAX_TEXT) -> str:
        """Untrusted text on one line."""
        return escape(text, limit) if self.markdown else shown(text, limit)

    def strong(self, text: str, limit: int = MAX_TEXT) -> str:
        """Untrusted text, emphasised."""
        return f"**{escape(text, limit)}**" if self.markdown else shown(text, limit)

    def code(self, text: str, limit: int = 100) -> str:
        """Untrusted text as code: an id, a path, a symbol."""
        line = shown(text, limit)
        if not self.markdown or not line:
            return line
        if "`" not in line:
            return f"`{line}`"
        fence = _fence(line, 1)
        return f"{fence} {line} {fence}"

    def link(self, label: str, address: str) -> str:
        """A link to an address of ours; the label is untrusted."""
        return f"[{escape(label) or '…'}](<{address}>)" if self.markdown else shown(label)

    def block(self, language: str, lines: Iterable[str]) -> str:
        """Untrusted lines as a block of code that they cannot end."""
        shown_lines = [_code_line(line) for line in lines]
        if not self.markdown:
            return "\n".join(shown_lines)
        fence = _fence("\n".join(shown_lines), 3)
        return "\n".join([fence + language, *shown_lines, fence])


def _fence(text: str, least: int) -> str:
    """More backticks than stand together anywhere in ``text``."""
    return "`" * max(least, 1 + max((len(match[0]) for match in re.finditer("`+", text)), default=0))


def _code_line(line: str) -> str:
    """One line of code: its layout kept, nothing that steers a terminal or reorders the line."""
    line = line.expandtabs(4)[: MAX_CODE_LINE + 1]
    if not line.isascii() or not line.isprintable():
        line = "".join(part if part == " " else shown(part) for part in re.split("( )", line))
    return line if len(line) <= MAX_CODE_LINE else line[: MAX_CODE_LINE - 1] + "…"
