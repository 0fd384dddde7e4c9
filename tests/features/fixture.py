"""Marker fixtures: what a person sees, as text.

A fixture is a text file ``tests/features/<feature>/<what it shows>.txt``. It is a list of sections; a section begins with a line
``=== KIND ARGUMENT`` and holds the lines below it. Text above the first section says what the fixture shows.

Sections that make the project, in this order of doing:

``=== file PATH``        a file on disk
``=== memory ID``        a record of the okf store ``.memory``, verified on the files so far, approved by ``human:ada``;
                         lines ``dialect: kage`` (in ``.agent_memory/packets``), ``cites: PATH#SYMBOL`` or ``PATH#L4-L5`` (repeatable), ``title:``, ``statement:``, and optionally ``type:``, ``why:``,
                         ``risk_if_forgotten:``, ``rejected_alternatives:``, ``status: pending``
``=== record PATH``      a record as it is written, in any dialect
``=== settings``         ``.memory-lsp/config.toml``
``=== commit SUBJECT``   everything so far is committed by Ada

Sections that work on it:

``=== edit PATH``        the document is open with this text and not saved
``=== open PATH``        the document is open as it is on disk (the text below is what is on disk, with its marks)
``=== amend PATH``       the document is open with the first place of the first line below replaced by the second, not saved
``=== save PATH``        the file on disk is replaced by this text behind the editor's back; a look at the disk follows

In the text of ``edit`` and ``open``, a line of carets under a line of text is an expected diagnostic, written
``^^^^ code severity: message``; ``|`` marks an empty range. Every diagnostic of every open document must be expected, below
its last text. ``‹a›`` is
a cursor mark; marks are not part of the text.

Sections that say what is wanted (``--update`` writes their body, and the caret lines, anew):

``=== want hover MARK``                what a hover shows
``=== want lens PATH``                 one line for each code lens
``=== want actions MARK [automatic]``  one line for each code action: kind, title, why it is disabled; ``MARK-MARK`` is a
                                       selection, here and below
``=== want action MARK TITLE``         the differences that the action whose title begins so makes
``=== want definition MARK``           where it leads
``=== want references MARK``           the citations that are found
``=== want outline PATH``              the outline of a record
``=== want links PATH``                the document links
``=== want findings PATH``             the findings of a record that is not open
``=== want list``                       the memories to re-verify as a list to choose from
``=== want status``                    the line of the status bar

Random ids, fingerprints and hashes are shown as ``mem-NEW``, ``v1/...`` and ``<hash>``, the state of a Kage packet as ``{...}``.
"""

from __future__ import annotations

import difflib
import os
import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from memory_lsp.core.citations import parse_citation
from memory_lsp.core.model import Finding, Plan, Severity, Status
from memory_lsp.core.text import LineIndex
from memory_lsp.dialects import DIALECTS
from memory_lsp.dialects.change import Draft
from memory_lsp.features.acts import Acts
from memory_lsp.features.code_actions import code_actions
from memory_lsp.features.code_lens import code_lenses
from memory_lsp.features.definition import definition
from memory_lsp.features.document_links import document_links
from memory_lsp.features.hover import hover
from memory_lsp.features.listing import listed
from memory_lsp.features.outline import outline_of
from memory_lsp.features.references import references
from memory_lsp.features.status import status_of
from memory_lsp.features.view import DocumentView
from memory_lsp.operations.look import look
from memory_lsp.operations.narrow import tie_to_symbol
from memory_lsp.server.histories import phrase
from memory_lsp.workspace.history import first_change
from memory_lsp.workspace.project import Project
from memory_lsp.workspace.sources import View

WRITTEN_AT = "2026-01-31T09:30:00.000Z"
ACTS_AT = "2026-03-01T12:00:00.000Z"
ACTOR = "human:ada"
MARK = re.compile(r"‹(\w+)›")
CARETS = re.compile(r"^(\s*)(\^+|\|) (memory-[\w-]+) (\w+): (.*)$")
FACETS = ("why", "risk_if_forgotten", "rejected_alternatives", "trigger", "action")


@dataclass
class Section:
    """``head`` is what stands behind ``===``; ``lines`` the body without marks and carets, once ``read`` took them out."""

    head: str
    lines: list[str]
    marks: dict[str, int] = field(default_factory=dict)

    @property
    def kind(self) -> str:
        """The first word."""
        return self.head.partition(" ")[0]

    @property
    def argument(self) -> str:
        """What follows the first word."""
        return self.head.partition(" ")[2].strip()

    @property
    def text(self) -> str:
        """The body as a file's text."""
        return "".join(f"{line}\n" for line in self.lines)


def sections_of(text: str) -> tuple[list[str], list[Section]]:
    """The lines above the first section, and the sections."""
    about: list[str] = []
    found: list[Section] = []
    for line in text.splitlines():
        if line.startswith("=== "):
            found.append(Section(line[4:].strip(), []))
        elif found:
            found[-1].lines.append(line)
        else:
            about.append(line)
    return about, found


class Fixture:
    """One fixture, played in a folder."""

    def __init__(self, text: str, folder: Path) -> None:
        self.about, self.sections = sections_of(text)
        self.root = folder
        self.marks: dict[str, tuple[str, int]] = {}
        self.project: Project | None = None

    def play(self) -> str:
        """The fixture's text with what was found in place of what was wanted."""
        _git(self.root, "init", "-q", "-b", "main")
        if not any("dialect: kage" in section.lines for section in self.sections):
            (self.root / ".memory").mkdir()
        for section in self.sections:
            self._do(section)
        project = self._project()
        shown: list[str] = list(self.about)
        for section in self.sections:
            shown.append(f"=== {section.head}")
            if section.kind == "want":
                # One empty line keeps sections apart.
                shown += [*self._want(section.argument), ""]
            elif section.kind in ("edit", "open"):
                shown += self._marked(project, section)
            elif section.kind in ("file", "record"):
                shown += [*section.lines, ""]
            else:
                shown += section.lines
        project.close_down()
        return "\n".join(shown).rstrip("\n") + "\n"

    # Making the project

    def _do(self, section: Section) -> None:
        if section.kind == "want":
            return
        if section.kind == "amend":
            old, new = section.lines
            text = (self.root / section.argument).read_text("utf-8")
            at = text.index(old)
            mark = MARK.search(new)
            if mark is not None:
                self.marks[mark[1]] = (section.argument, at + mark.start())
            self._project().open(section.argument, text.replace(old, MARK.sub("", new), 1), 1)
            return
        if section.kind in ("edit", "open", "save"):
            self._take_marks(section)
            project = self._project()
            if section.kind == "save":
                self._write(section.argument, section.text)
                project.poll()
                project.poll()
            else:
                if section.kind == "open":
                    assert (self.root / section.argument).read_text("utf-8") == section.text, section.head
                project.open(section.argument, section.text, 1)
            return
        assert self.project is None, f"{section.head}: the project is made already"
        if section.kind in ("file", "record"):
            while section.lines and not section.lines[-1]:
                section.lines.pop()
            self._write(section.argument, section.text)
        elif section.kind == "settings":
            self._write(".memory-lsp/config.toml", section.text)
        elif section.kind == "memory":
            self._memory(section)
        elif section.kind == "commit":
            _git(self.root, "add", "-A")
            _git(self.root, "commit", "-q", "-m", section.argument)
        else:
            raise AssertionError(f"no section is called {section.head}")

    def _project(self) -> Project:
        if self.project is None:
            self.project = Project(self.root)
        return self.project

    def _write(self, path: str, text: str) -> None:
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8", newline="")

    def _memory(self, section: Section) -> None:
        values: dict[str, str] = {}
        cites: list[str] = []
        for line in section.lines:
            key, _, value = line.partition(":")
            if key == "cites":
                cites.append(value.strip())
            elif line.strip():
                values[key] = value.strip()
        sources = Project(self.root)
        seen = sources.snapshot.sources
        citations = tuple(
            look(tie_to_symbol(parse_citation(text), seen), seen)  # type: ignore[arg-type]  # a fixture cites what is there
            for text in cites
        )
        draft = Draft(
            id=section.argument,
            title=values.get("title", section.argument),
            statement=values.get("statement", values.get("title", section.argument)),
            type=values.get("type", "decision"),
            citations=citations,  # type: ignore[arg-type]  # a fixture cites what is there
            author=ACTOR,
            at=WRITTEN_AT,
            status=Status(values.get("status", "approved")),
            context={name: values[name] for name in FACETS if name in values},
        )
        sources.close_down()
        if values.get("dialect") == "kage":
            self._write(*DIALECTS["kage"].create(draft, ".agent_memory/packets", lambda path: False))
            return
        _, text = DIALECTS["okf"].create(draft, ".memory", lambda path: False)
        self._write(f".memory/{section.argument}.md", text)

    def _take_marks(self, section: Section) -> None:
        lines = []
        for line in section.lines:
            if CARETS.match(line):
                continue
            while (mark := MARK.search(line)) is not None:
                before = sum(len(known) + 1 for known in lines)
                self.marks[mark[1]] = (section.argument, before + mark.start())
                section.marks[mark[1]] = before + mark.start()
                line = line[: mark.start()] + line[mark.end() :]
            lines.append(line)
        while lines and not lines[-1]:
            lines.pop()
        section.lines = lines

    # What a person sees

    def _view(self, path: str) -> DocumentView:
        project = self._project()
        document = project.snapshot.documents.get(path)
        text = document.text if document is not None else (self.root / path).read_text("utf-8")
        return DocumentView(project.snapshot, path, LineIndex(text))

    def _marked(self, project: Project, section: Section) -> list[str]:
        """The text of an open document with its marks and a caret line for each diagnostic."""
        lines = list(section.lines)
        index = LineIndex(section.text)
        for name, offset in sorted(section.marks.items(), key=lambda item: -item[1]):
            line, column = index.position(offset, "utf-32")
            lines[line] = f"{lines[line][:column]}‹{name}›{lines[line][column:]}"
        below: dict[int, list[str]] = {}
        last = [
            other for other in self.sections if other.kind in ("edit", "open") and other.argument == section.argument
        ][-1]
        found = self._diagnostics(project, section.argument, index) if section is last else []
        for start, end, finding, severity in found:
            line, column = index.position(start, "utf-32")
            width = min(end, index.end(line)) - start
            carets = "^" * width if width > 0 else "|"
            below.setdefault(line, []).append(
                f"{' ' * column}{carets} {finding.code} {severity.value}: {finding.message}"
            )
        shown = []
        for number, line in enumerate(lines or [""]):
            shown += [line, *below.get(number, ())]
        return [*shown, ""]

    def _diagnostics(self, project: Project, path: str, index: LineIndex) -> list[tuple[int, int, Finding, Severity]]:
        found = [
            (finding.span.start, finding.span.end, finding, finding.severity)
            for finding in project.snapshot.findings.get(path, ())
            if finding.severity is not Severity.OFF
        ]
        for finding in project.snapshot.code_findings.get(path, ()):
            assert finding.in_code is not None
            if finding.in_code_severity is not Severity.OFF:
                start = index.byte_to_offset(finding.in_code.span.start)
                end = index.byte_to_offset(finding.in_code.span.end)
                found.append((start, end, finding, finding.in_code_severity))
        return found

    def _want(self, argument: str) -> list[str]:
        kind, _, rest = argument.partition(" ")
        return [normal(line) for line in getattr(self, f"_want_{kind}")(rest.strip())]

    def _want_hover(self, mark: str) -> list[str]:
        path, offset = self.marks[mark]
        view = self._view(path)
        snapshot = view.snapshot
        history = {
            (name, index): phrase(since)
            for name, judgements in snapshot.judgements.items()
            for index, judgement in enumerate(judgements)
            if (since := first_change(snapshot, snapshot.memories[name], index, judgement)) is not None
        }
        found = hover(view, offset, lambda target, line: f"{target}:{line + 1}", history)
        if found is None:
            return ["nothing"]
        return [f"on {view.lines.text[found.span.start : found.span.end]!r}", *found.text.split("\n")]

    def _want_lens(self, path: str) -> list[str]:
        view = self._view(path)
        return [
            f"{view.lines.position(lens.span.start, 'utf-32')[0] + 1}: {lens.title} ({', '.join(lens.memories)})"
            for lens in code_lenses(view)
        ] or ["nothing"]

    def _selection(self, mark: str) -> tuple[str, int, int]:
        """A cursor, or what stands between two marks."""
        first, _, last = mark.partition("-")
        path, start = self.marks[first]
        return path, start, self.marks[last or first][1]

    def _acts(self) -> Acts:
        project = self._project()
        return Acts(project.snapshot, project.snapshot.settings.actor or ACTOR, ACTS_AT, View(project.world))

    def _unsaved(self, path: str) -> bool:
        document = self._project().snapshot.documents.get(path)
        target = self.root / path
        return document is not None and (not target.exists() or target.read_text("utf-8") != document.text)

    def _want_actions(self, argument: str) -> list[str]:
        mark, _, trigger = argument.partition(" ")
        path, start, end = self._selection(mark)
        actions = code_actions(
            self._view(path), start, end, self._acts(), self._unsaved, invoked=trigger != "automatic"
        )
        return [
            f"{action.kind}: {action.title}" + (f"  [disabled: {action.disabled}]" if action.disabled else "")
            for action in actions
        ] or ["nothing"]

    def _want_action(self, argument: str) -> list[str]:
        mark, _, title = argument.partition(" ")
        path, start, end = self._selection(mark)
        actions = code_actions(self._view(path), start, end, self._acts(), self._unsaved, invoked=True)
        chosen = [action for action in actions if action.title.startswith(title)]
        assert len(chosen) == 1, [action.title for action in actions]
        plan = chosen[0].plan
        assert isinstance(plan, Plan), chosen[0].disabled
        shows = chosen[0].shows
        lines = [f"then shows {shows[0]}:{shows[1] + 1}"] if shows is not None else []
        for edit in plan.edits:
            before = (edit.before or "").splitlines()
            name = edit.path if edit.before is not None else f"{edit.path} (new)"
            lines += difflib.unified_diff(before, edit.after.splitlines(), name, name, lineterm="", n=1)
        return lines

    def _want_definition(self, mark: str) -> list[str]:
        path, offset = self.marks[mark]
        view = self._view(path)
        lines = []
        for target in definition(view, offset):
            data = view.snapshot.sources.read(target.place.path).data or b""
            line = data.count(b"\n", 0, target.place.span.start) + 1
            name = data[target.place.span.start : target.place.span.end].decode()
            lines.append(f"{target.place.path}:{line} {name!r}")
        return lines or ["nothing"]

    def _want_references(self, mark: str) -> list[str]:
        path, offset = self.marks[mark]
        view = self._view(path)
        lines = []
        for item in references(view, offset):
            text = view.snapshot.records[item.path].text
            line = text.count("\n", 0, item.span.start) + 1
            lines.append(f"{item.path}:{line} {text[item.span.start : item.span.end].split()}")
        return lines or ["nothing"]

    def _want_outline(self, path: str) -> list[str]:
        view = self._view(path)
        lines = []
        for entry in outline_of(view):
            for indent, item in (("", entry), *(("  ", child) for child in entry.children)):
                line, last = (view.lines.position(at, "utf-32")[0] + 1 for at in (item.span.start, item.span.end))
                place = view.lines.text[item.place.start : item.place.end]
                lines.append(f"{indent}{item.name} ({item.detail}) {line}-{last} at {place!r}")
        return lines or ["nothing"]

    def _want_links(self, path: str) -> list[str]:
        view = self._view(path)
        return [
            f"{view.lines.text[link.span.start : link.span.end]!r} -> {link.path}:{link.line + 1} ({link.tooltip})"
            for link in document_links(view)
        ] or ["nothing"]

    def _want_findings(self, path: str) -> list[str]:
        found = self._project().snapshot.findings.get(path, ())
        return [f"{finding.code} {finding.severity.value}: {finding.message}" for finding in found] or ["nothing"]

    def _want_list(self, _: str) -> list[str]:
        said = {True: "touched", False: "not touched", None: "no names"}
        return [
            f"{item.memory}: {item.title} ({item.verdict}, {said[item.touched]})"
            for item in listed(self._project().snapshot)
        ]

    def _want_status(self, _: str) -> list[str]:
        return [status_of(self._project().snapshot).text]


def normal(line: str) -> str:
    """A line without what differs from run to run or from grammar to grammar."""
    line = re.sub(r"mem-[a-z2-7]{10}", "mem-NEW", line)
    line = re.sub(r"v1/\S+.*", "v1/...", line)
    line = re.sub(r"(?<!mem)-(?:[a-z2-7]{6}|[0-9a-f]{8})\.md", "-NEW.md", line)
    line = re.sub(r":[0-9a-f]{10}\b", ":NEW", line)
    line = re.sub(r'^([-+ ]?){"schema_version".*', r"\1{...}", line)
    line = re.sub(r"commit [0-9a-f]{9}\b", "commit <id>", line)
    return re.sub(r'"?\b(?:[0-9a-f]{64}|[0-9a-f]{40})\b"?', "<hash>", line).rstrip()


def _git(root: Path, *arguments: str) -> None:
    when = "2026-02-01T10:00:00+00:00"
    person = {"NAME": "Ada", "EMAIL": "ada@example.org", "DATE": when}
    environment = {f"GIT_{role}_{key}": value for role in ("AUTHOR", "COMMITTER") for key, value in person.items()}
    subprocess.run(
        ["git", "-c", "core.hooksPath=/dev/null", *arguments],
        cwd=root,
        check=True,
        env={**os.environ, **environment, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull},
    )
