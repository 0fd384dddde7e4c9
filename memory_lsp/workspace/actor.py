"""Who acts (design section 5.7). ``human:`` is for people only; a program acts as ``process:``."""

from __future__ import annotations

from memory_lsp.workspace.settings import Settings
from memory_lsp.workspace.sources import World

PROCESS = "process:memory-lsp"


def actor_of(world: World, settings: Settings, *, person: bool, given: str = "") -> str:
    """The actor to record: ``given`` (``--by``), else the setting ``actor``, else ``human:<git user.name>`` for a person.

    ``person`` says that somebody sits in front: an editor, or a terminal.
    """
    chosen = given.strip() or settings.actor.strip()
    if chosen:
        return chosen
    name = world.git.user_name() if person and world.git is not None else ""
    return f"human:{' '.join(name.split())}" if name.strip() else PROCESS
