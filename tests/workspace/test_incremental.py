"""Whatever happened before, a project that was kept up to date says what a new one says."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from repository import Repository

from memory_lsp.core.model import Status
from memory_lsp.workspace.project import Project, Snapshot

PAY = (
    "RATE = 7\n\n\n"
    "def price(order, rate):\n    total = order.net * (1 + rate)\n    return round(total + order.shipping - order.credit, 2)\n\n\n"
    "class Cart:\n    def add(self, line):\n        self.lines.append(line)\n        self.total += line.price * line.count\n"
)
VARIANTS = {
    "src/pay.py": (
        PAY,
        PAY.replace("RATE = 7", "RATE = 19"),
        PAY.replace("(1 + rate)", "( 1+rate )"),
        PAY.replace("shipping - ", "shipping + "),
        PAY.replace("def price", "def gross_price"),
        PAY.replace("line.count", "line.number"),
        PAY.split("class Cart")[0],
        "# nothing\n",
        None,
    ),
    "src/more.py": (None, "X = 1\n", PAY.split("class Cart")[0], "class Cart" + PAY.split("class Cart")[1]),
    ".memory/extra.md": (
        None,
        "---\ntype: note\nid: mem-extra00001\ntitle: Extra\nstatus: stable\n---\n\nText.\n",
        "---\ntype: [\n",
    ),
}
STEPS = st.lists(
    st.sampled_from(sorted(VARIANTS)).flatmap(
        lambda path: st.tuples(
            st.just(path),
            st.integers(0, len(VARIANTS[path]) - 1),
            st.sampled_from(["save", "buffer", "close", "commit"]),
        )
    ),
    min_size=1,
    max_size=8,
)


def said(snapshot: Snapshot) -> object:
    return (
        {key: found for key, found in snapshot.findings.items() if found},
        {key: found for key, found in snapshot.code_findings.items() if found},
        {key: (state.verdict, state.served) for key, state in snapshot.states.items()},
    )


def store(root: Path) -> Repository:
    repository = Repository(root)
    repository.write("src/pay.py", PAY)
    for number, cite in enumerate(("src/pay.py#price", "src/pay.py#Cart", "src/pay.py#RATE", "src/pay.py")):
        repository.remember(f"m{number}", cite, status=Status.APPROVED)
    repository.remember("kage", "src/pay.py", statement="`price` rounds once.", dialect="kage")
    repository.commit("start")
    return repository


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(STEPS)
@example([("src/more.py", 2, "save"), ("src/pay.py", 7, "save"), ("src/more.py", 0, "save")])
@example([("src/pay.py", 8, "commit"), ("src/more.py", 2, "save")])
@example([("src/more.py", 2, "buffer"), ("src/pay.py", 4, "save")])
def test_incremental_equals_rebuilt(steps: list[tuple[str, int, str]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        repository = store(Path(folder).resolve() / "project")
        project = Project(repository.root)
        documents: dict[str, str] = {}
        try:
            for path, number, how in steps:
                text = VARIANTS[path][number]
                if how == "buffer" and text is not None:
                    documents[path] = text
                    project.open(path, text, None)
                elif how == "close":
                    documents.pop(path, None)
                    project.close(path)
                elif text is None:
                    (repository.root / path).unlink(missing_ok=True)
                else:
                    repository.write(path, text)
                if how == "commit":
                    repository.commit()
                project.poll()
                project.poll()
            fresh = Project(repository.root)
            try:
                for path, text in documents.items():
                    fresh.open(path, text, None)
                # A definition that went away is searched for everywhere at the next look at the disk.
                fresh.poll()
                assert said(project.snapshot) == said(fresh.snapshot)
            finally:
                fresh.close_down()
        finally:
            project.close_down()
