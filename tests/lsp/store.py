"""A project with memories for tests of the real server: files, an okf store, a git repository."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from memory_lsp.core.citations import parse_citation
from memory_lsp.core.model import Citation, Status
from memory_lsp.dialects import DIALECTS
from memory_lsp.dialects.change import Draft
from memory_lsp.operations.look import look
from memory_lsp.workspace.project import Project

PAY = '''def charge(amount):  # 🔒 é
    """Charge once."""
    return post("/charge", amount)


𝐫 = 1; 𝐧ame = "🔑"; rate = 7  # astral names before a cited one
'''
CHANGED = PAY.replace('return post("/charge", amount)', 'return post("/charge", amount, retry=True)').replace(
    "= 7", "= 8"
)


def git(root: Path, *arguments: str) -> None:
    """Run git without anybody's configuration."""
    person = {"NAME": "Ada", "EMAIL": "ada@example.org", "DATE": "2026-02-01T10:00:00+00:00"}
    environment = {f"GIT_{role}_{key}": value for role in ("AUTHOR", "COMMITTER") for key, value in person.items()}
    subprocess.run(
        ["git", *arguments],
        cwd=root,
        check=True,
        env={**os.environ, **environment, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull},
    )


def remember(root: Path, identity: str, *cites: str, title: str = "Charges are never retried") -> str:
    """Write an approved okf record that was verified on what is on disk; returns its path."""
    project = Project(root)
    citations = tuple(look(parse_citation(text), project.snapshot.sources) for text in cites)
    project.close_down()
    assert all(isinstance(citation, Citation) for citation in citations), citations
    draft = Draft(
        id=identity,
        title=title,
        statement="A failed charge is reported, never sent again.",
        type="decision",
        citations=citations,  # type: ignore[arg-type]  # asserted above
        author="human:ada",
        at="2026-01-31T09:30:00.000Z",
        status=Status.APPROVED,
    )
    _, text = DIALECTS["okf"].create(draft, ".memory", lambda path: False)
    path = root / ".memory" / f"{identity}.md"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, "utf-8")
    return f".memory/{identity}.md"


def make_project(root: Path) -> Path:
    """A committed project: ``pay.py`` and two memories about it."""
    root.mkdir(parents=True)
    (root / "pay.py").write_text(PAY, "utf-8")
    (root / ".memory").mkdir()
    git(root, "init", "-q", "-b", "main")
    git(root, "config", "user.name", "Ada")
    remember(root, "mem-charge", "pay.py#charge")
    remember(root, "mem-rate", "pay.py#rate", title="The rate is fixed by law")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "Start")
    return root
