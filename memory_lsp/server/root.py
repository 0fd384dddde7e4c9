"""One root of the workspace: its project, who may change it now, and the edits that wait to be judged."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from memory_lsp.server.documents import Document
from memory_lsp.workspace.project import Project


@dataclass(slots=True, eq=False)
class Root:
    """``path`` and ``uri`` are spelled as the client spelled the folder. ``project`` is there once ``loaded`` is set.

    Whoever changes the project holds ``lock``. ``pending`` are open documents by path whose newest text the project does not know (``None``: closed).
    """

    path: str
    uri: str
    project: Project | None = None
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    loaded: asyncio.Event = field(default_factory=asyncio.Event)
    pending: dict[str, Document | None] = field(default_factory=dict)
    timer: asyncio.TimerHandle | None = None
    dropped: bool = False

    def history(self) -> dict[tuple[str, int], str]:
        """What is known of when cited code changed, as phrases."""
        return {}

    def cancel_timer(self) -> None:
        """No judging is due any more."""
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None
