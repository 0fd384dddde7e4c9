"""Who may act: ``human:<id>`` is a person, ``process:<id>`` and ``<producer>/<version>`` are programs."""

from __future__ import annotations

import re

from memory_lsp.core.model import Refusal

_ACTOR = re.compile(r"(?:human|process):[^\s:][^\r\n]*\Z|[^\s/:]+/[^\s/]+\Z")


def refuse_unknown(by: str) -> Refusal | None:
    """A refusal for an actor that is written in none of the three ways."""
    if _ACTOR.match(by):
        return None
    return Refusal(
        f"the actor `{by}` is not one of human:<name>, process:<name>, <producer>/<version>; give one with --by"
    )


def refuse_program(by: str, act: str, memory: str) -> Refusal | None:
    """A refusal for a program where only a person may decide; ``act`` completes "a program cannot ..."."""
    unknown = refuse_unknown(by)
    if unknown or by.startswith("human:"):
        return unknown
    return Refusal(
        f"{memory}: {by} is a program, and a program cannot {act} a memory: a person has to do it, in an editor or on a terminal"
    )
