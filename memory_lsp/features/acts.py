"""The operations as an editor runs them: on one snapshot, for one person, with placeholders for what is not said yet."""

from __future__ import annotations

from dataclasses import dataclass

from memory_lsp.core.model import Memory, Plan, Refusal
from memory_lsp.workspace.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class Acts:
    """``by`` is the actor, ``at`` the moment (ISO 8601)."""

    snapshot: Snapshot
    by: str
    at: str

    def verify(self, memory: Memory, evidence: str = "") -> Plan | Refusal:
        """Still true."""
        return Refusal("not yet")

    def supersede(self, memory: Memory, title: str = "", statement: str = "", why: str = "") -> Plan | Refusal:
        """No longer true."""
        return Refusal("not yet")

    def retire(self, memory: Memory, reason: str = "") -> Plan | Refusal:
        """Does not apply."""
        return Refusal("not yet")

    def follow(self, memory: Memory, index: int | None, to: str) -> Plan | Refusal:
        """Point the citation elsewhere."""
        return Refusal("not yet")

    def capture(
        self, path: str, symbol: str, title: str = "", statement: str = "", why: str = "", type: str = "", **rest: str
    ) -> Plan | Refusal:
        """A new memory."""
        return Refusal("not yet")
