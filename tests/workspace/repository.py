"""A real repository in a temporary folder, with memories that were verified on what it holds."""

from __future__ import annotations

import hashlib
import os
import subprocess
from dataclasses import replace
from pathlib import Path

from memory_lsp.core.citations import parse_citation
from memory_lsp.core.fingerprint import fingerprint, fingerprint_file
from memory_lsp.core.languages import language_of
from memory_lsp.core.model import Citation, Status
from memory_lsp.core.outline import outline
from memory_lsp.core.text import blob_id
from memory_lsp.dialects import DIALECTS
from memory_lsp.dialects.change import Draft

AT = "2026-01-31T09:30:00.000Z"


class Repository:
    """Files and memories below ``root``; ``git=True`` makes it a repository."""

    def __init__(self, root: Path, *, git: bool = True) -> None:
        self.root = root
        root.mkdir(parents=True, exist_ok=True)
        if git:
            self.git("init", "-q", "-b", "main")
            self.git("config", "user.name", "Ada")
            self.git("config", "user.email", "ada@example.org")

    def git(self, *arguments: str) -> str:
        environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
        done = subprocess.run(
            ["git", *arguments], cwd=self.root, capture_output=True, text=True, env=environment, check=True
        )
        return done.stdout

    def write(self, path: str, text: str) -> Path:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode())
        return file

    def read(self, path: str) -> str:
        return (self.root / path).read_bytes().decode()

    def commit(self, message: str = "change") -> str:
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message)
        return self.git("rev-parse", "HEAD").strip()

    def cite(self, text: str, *, verified: bool = True) -> Citation:
        """A citation of what is on disk now, with its fingerprint."""
        citation = parse_citation(text)
        if not verified:
            return citation
        data = (self.root / citation.path).read_bytes()
        language = language_of(citation.path)
        if citation.symbol:
            assert language is not None
            seen = fingerprint(outline(language, data), citation.symbol)
            assert seen is not None, text
        else:
            seen = fingerprint_file(language, data)
        return replace(
            citation, fingerprint=seen, blob=blob_id(data), sha256=hashlib.sha256(data).hexdigest(), size=len(data)
        )

    def remember(
        self,
        name: str,
        *cites: str,
        title: str = "Charges are idempotent",
        statement: str = "A charge is sent once.",
        status: Status = Status.APPROVED,
        dialect: str = "okf",
        verified: bool = True,
    ) -> str:
        """Write a record; its path."""
        draft = Draft(
            id=name,
            title=title,
            statement=statement,
            type="decision",
            citations=tuple(self.cite(text, verified=verified) for text in cites),
            author="human:ada",
            at=AT,
            status=status,
            evidence="read it" if verified else "",
        )
        folder = {"okf": ".memory", "kage": ".agent_memory/packets"}[dialect]
        path, text = DIALECTS[dialect].create(draft, folder, lambda path: (self.root / path).exists())
        self.write(path, text)
        return path
