"""How a root's memories stand, in numbers and in one line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from memory_lsp.core.model import Verdict
from memory_lsp.workspace.snapshot import Snapshot

_TO_VERIFY = frozenset({Verdict.CHANGED, Verdict.MISSING, Verdict.AMBIGUOUS, Verdict.EXPIRED, Verdict.CONFLICT})


@dataclass(frozen=True, slots=True)
class Status:
    """``withheld`` counts memories by the status or verdict that withholds them; ``to_verify`` are those moved by code."""

    memories: int = 0
    served: int = 0
    unverified: int = 0
    withheld: Mapping[str, int] = field(default_factory=dict)
    to_verify: int = 0
    refusal: str = ""

    @property
    def text(self) -> str:
        """``12 memories, all fresh`` or ``12 memories, 2 to re-verify``."""
        counted = "1 memory" if self.memories == 1 else f"{self.memories} memories"
        if self.refusal:
            return f"{counted}, store conflict"
        return f"{counted}, {self.to_verify} to re-verify" if self.to_verify else f"{counted}, all fresh"


def status_of(snapshot: Snapshot) -> Status:
    """Count the states of a snapshot."""
    served: Counter[str] = Counter()
    withheld: Counter[str] = Counter()
    for state in snapshot.states.values():
        served[state.served] += 1
        if state.withheld:
            withheld[state.withheld] += 1
    return Status(
        memories=len(snapshot.memories),
        served=served["served"],
        unverified=served["unverified"],
        withheld=dict(withheld),
        to_verify=sum(withheld[verdict.value] for verdict in _TO_VERIFY),
        refusal=snapshot.refusal,
    )


def needs_look(snapshot: Snapshot, memory: str) -> bool:
    """Whether code moved away from a memory that would otherwise be served."""
    state = snapshot.states.get(memory)
    return state is not None and state.withheld in {verdict.value for verdict in _TO_VERIFY}
