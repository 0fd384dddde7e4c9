"""One root of the workspace: its project, who may change it now, and the edits that wait to be judged."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from memory_lsp.server.documents import Document
from memory_lsp.server.histories import Histories
from memory_lsp.workspace.actor import actor_of
from memory_lsp.workspace.project import Project
from memory_lsp.workspace.settings import Settings


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
    actor: tuple[Settings, str] | None = None
    problems: tuple[str, ...] = ()
    histories: Histories | None = None
    timer: asyncio.TimerHandle | None = None
    dropped: bool = False

    def person(self) -> str:
        """The actor at the editor; git is asked once for each change of the settings."""
        assert self.project is not None
        settings = self.project.snapshot.settings
        if self.actor is None or self.actor[0] is not settings:
            self.actor = settings, actor_of(self.project.world, settings, person=True)
        return self.actor[1]

    def cancel_timer(self) -> None:
        """No judging is due any more."""
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None
