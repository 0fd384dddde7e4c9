"""What ``check PATH`` lists: the memories about the code that was named, each with its claim and whether it holds."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from memory_lsp.core.display import shown
from memory_lsp.core.model import Memory
from memory_lsp.workspace.project import Snapshot

if TYPE_CHECKING:
    from rich.console import Console


def print_known(target: Console, snapshot: Snapshot, names: Iterable[str]) -> None:
    """Each memory's id, title, verdict, standing and claim, also when all is well."""
    from rich.text import Text

    for name in names:
        memory, state = snapshot.memories[name], snapshot.states[name]
        standing = state.served + (f" ({state.withheld})" if state.served == "withheld" else "")
        target.print(Text.assemble((shown(memory.id, 80), "bold"), "  ", shown(memory.title or memory.statement, 200)))
        target.print(Text(f"  {state.verdict.value}: {standing}"))
        print_claim(target, memory)


def print_claim(target: Console, memory: Memory) -> None:
    """The claim, unless the title has said it."""
    from rich.text import Text

    if memory.statement and memory.statement != memory.title:
        target.print(Text(f"  claim: {shown(memory.statement, 600)}"))
