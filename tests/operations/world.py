"""A little world for the operations: files before and after, and a record made by a capture."""

from __future__ import annotations

from dataclasses import dataclass, replace

from memory_lsp.core.citations import parse_citation
from memory_lsp.core.judge import judge_memory
from memory_lsp.core.model import FileEdit, Judgement, Memory, Plan, Refusal, Status
from memory_lsp.core.pairs import PairSources
from memory_lsp.dialects import DIALECTS
from memory_lsp.operations.capture import CaptureRequest, StoreView, capture

ANN, BO, BOT = "human:ann", "human:bo", "process:bot"
THEN, NOW = "2026-01-02T03:04:05.000Z", "2026-03-04T05:06:07.000Z"
STORES = {"okf": StoreView("okf", ".memory"), "kage": StoreView("kage", ".agent_memory/packets")}
FILES = {
    "src/pay.py": b"""class Gateway:
    def charge(self, order, amount):
        for attempt in range(3):
            answer = self.send(order, amount, attempt)
            if answer.ok:
                return answer.receipt
        raise Declined(order)

    def refund(self, order):
        return self.send(order, -order.paid, 0)


class Backup:
    def refund(self, order):
        return None
""",
    "src/util.py": b"def pause(attempt, most=8):\n    waits = [2**n for n in range(attempt)]\n    return min(most, sum(waits) + 1)\n",
    "logo.png": b"\x89PNG\x00\xff",
}
CHANGED = {**FILES, "src/pay.py": FILES["src/pay.py"].replace(b"range(3)", b"range(5)")}
LAYOUT = {**FILES, "src/pay.py": FILES["src/pay.py"].replace(b"range(3):", b"range( 3 ):  # three")}
MOVED = {**FILES, "src/pay.py": FILES["src/pay.py"].replace(b"def charge", b"def bill")}
GONE = {**FILES, "src/pay.py": b"class Gateway:\n    pass\n"}


def request(*cites: str, **values: object) -> CaptureRequest:
    asked = CaptureRequest(
        title="Three attempts", statement="`charge` tries 3 times.", citations=tuple(map(parse_citation, cites))
    )
    return replace(asked, **values)  # type: ignore[arg-type]


def plan_of(result: Plan | Refusal) -> Plan:
    assert isinstance(result, Plan), result
    return result


def refusal_of(result: Plan | Refusal) -> Refusal:
    assert isinstance(result, Refusal), result
    return result


@dataclass(frozen=True)
class Held:
    """A memory in its record, and the files as they are."""

    memory: Memory
    text: str
    sources: PairSources

    @property
    def judgements(self) -> tuple[Judgement, ...]:
        return judge_memory(self.memory, self.sources)

    def after(self, plan: Plan) -> Memory:
        """The memory once a plan is applied; its record must read without problems."""
        edit = next(edit for edit in plan.edits if edit.path == self.memory.path)
        return read(self.memory.dialect, edit)


def read(dialect: str, edit: FileEdit) -> Memory:
    parsed = DIALECTS[dialect].parse(edit.path, edit.after)
    assert parsed.problems == ()
    return parsed.memories[0]


def hold(
    dialect: str,
    *cites: str,
    now: dict[str, bytes] = FILES,
    status: Status = Status.APPROVED,
    **values: object,
) -> Held:
    """A captured memory about ``FILES``, while the files are as in ``now``."""
    by = ANN if status is Status.APPROVED else BOT
    made = capture(
        request(*(cites or ("src/pay.py#charge",)), **values),
        PairSources({}, FILES),
        STORES[dialect],
        by=by,
        at=THEN,
        exists=lambda path: False,
    )
    (edit,) = plan_of(made).edits
    return Held(read(dialect, edit), edit.after, PairSources(FILES, now))
