"""The demo's story: a claim drifts from its code, is verified again, follows a move; a made-up citation is refused.

Every step waits for what the server should show and ends the demo with one line if it does not come.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from pathlib import Path

from memory_lsp.demo.client import Client, Disappointed, Json
from memory_lsp.demo.prepare import command, prepare
from memory_lsp.demo.screen import Screen

GATEWAY, RETRY, TIMING = "payments/gateway.py", "payments/retry.py", "payments/timing.py"
CHARGE, PAUSE, REFUND = (
    "Three attempts, one idempotency key",
    "The longest pause is eight seconds",
    "A refund has one key per order",
)
EVIDENCE = "Read the processor's log of 12 June: five attempts under one key, billed once."


def play(*, keep: bool = False, svg: Path | None = None) -> int:
    """Play the story in a temporary folder; returns the exit code."""
    folder = Path(tempfile.mkdtemp(prefix="memory-lsp-demo-")).resolve()
    screen = Screen(drawn=svg is not None)
    try:
        return _play(folder / "parcel", screen, svg)
    except Disappointed as problem:
        print(f"memory-lsp demo: {problem}", file=sys.stderr)
        return 1
    finally:
        if keep:
            _how_to_open(folder / "parcel")
        else:
            _remove(folder)


def _play(root: Path, screen: Screen, svg: Path | None) -> int:
    started = time.monotonic()
    memories = prepare(root)
    screen.title(
        "[bold]parcel[/], a small shop in Python, TypeScript, Go and Rust, with what people and agents know about it:\n"
        "5 memories in .memory (okf) and 2 in .agent_memory/packets (kage), made by `memory-lsp capture`."
    )
    client = Client([sys.executable, "-m", "memory_lsp", "serve"], root)
    try:
        client.start()
        _open(client, screen)
        _edit(client, screen)
        _verify(client, screen, memories)
        _move(client, screen)
    finally:
        client.stop()
    _refuse(root, screen)
    screen.say(f"\nPlayed against the real server in {time.monotonic() - started:.1f} s.", "dim")
    if svg:
        screen.save(svg)
    return 0


def _open(client: Client, screen: Screen) -> None:
    screen.step(1, "Open a file: the claim stands where the code is")
    text = client.open(GATEWAY)
    line = _line_of(text, "def charge(")
    lens = client.until("a lens on charge", lambda: _lens_at(client, GATEWAY, line))
    screen.code(GATEWAY, text, line, line + 1, lens=lens)
    screen.hover(_hover(client, GATEWAY, "charge(self", "three times"))


def _edit(client: Client, screen: Screen) -> None:
    screen.step(2, "An edit, not saved yet: the memory is withheld, and the finding says what moved")
    client.replace(GATEWAY, "range(MAX_ATTEMPTS)", "range(MAX_ATTEMPTS + 2)")
    client.finding(GATEWAY, "memory-changed")
    findings = client.findings(GATEWAY)
    if len(findings) != 1:
        raise Disappointed(f"{GATEWAY}: {len(findings)} findings, where only one memory is about what was edited")
    text = client.documents[GATEWAY]
    line = _line_of(text, "def charge(")
    lens = client.until("a lens that says so", lambda: _lens_at(client, GATEWAY, line, "re-verify"))
    screen.code(GATEWAY, text, line, line + 4, findings, lens)
    screen.hover(_hover(client, GATEWAY, "charge(self", "MAX_ATTEMPTS + 2"))
    screen.say(f"The packet “{REFUND}” cites the same file: what it is about has not moved, so it is silent.", "dim")


def _verify(client: Client, screen: Screen, memories: dict[str, str]) -> None:
    screen.step(3, "Saved and looked at: it still holds, and evidence says why")
    client.save(GATEWAY)
    record = _act(client, screen, GATEWAY, client.finding(GATEWAY, "memory-changed"), "Still true")
    draft = client.finding(record, "memory-draft")
    line = draft["range"]["start"]["line"]
    screen.code(_short(record), client.documents[record], line, line, [draft])
    client.change(record, _filled(client.documents[record], draft, EVIDENCE))
    client.quiet(record, "memory-draft")
    client.quiet(GATEWAY, "memory-changed")
    client.save(record)
    _audited(client, memories[CHARGE])
    screen.code(_short(record), client.documents[record], line, line)
    line = _line_of(client.documents[GATEWAY], "def charge(")
    lens = client.until("a lens on charge", lambda: _lens_at(client, GATEWAY, line))
    screen.code(GATEWAY, client.documents[GATEWAY], line, line, lens=lens)
    screen.hover(_hover(client, GATEWAY, "charge(self", EVIDENCE[:40]))


def _move(client: Client, screen: Screen) -> None:
    screen.step(4, "A function moves to another file: the citation follows")
    source, target = client.open(RETRY), client.open(TIMING)
    start = source.index("def backoff(")
    end = source.index("def worth_retrying(")
    moved = source[start:end].rstrip() + "\n"
    client.change(RETRY, source[:start] + source[end:])
    client.change(TIMING, target.rstrip() + f"\nLONGEST_PAUSE = 8.0\n\n\n{moved}")
    client.save(RETRY)
    client.save(TIMING)
    place = client.until(
        "memory-moved in a code file",
        lambda: next((path for path in (TIMING, RETRY) if client.findings(path, "memory-moved")), None),
    )
    finding = client.finding(place, "memory-moved")
    line = finding["range"]["start"]["line"]
    screen.code(place, client.documents[place], line, line, [finding])
    record = _act(client, screen, place, finding, "Point the citation at")
    client.quiet(place, "memory-moved")
    client.save(record)
    text = client.documents[record]
    line = _line_of(text, TIMING)
    screen.code(_short(record), text, line, line)


def _refuse(root: Path, screen: Screen) -> None:
    screen.step(5, "An agent writes down what it made up: refused, with the names that exist")
    made_up = ["--title", "Chargebacks are automatic", "--statement", "A chargeback is answered by the gateway."]
    cited = ["--type", "Fact", "--cite", f"{GATEWAY}#Gateway.chargeback"]
    result = command(root, "capture", *made_up, *cited, "--store", ".memory", "--by", "process:agent", "--write")
    said = (result.stderr or result.stdout).strip()
    screen.command(f"memory-lsp capture --cite {GATEWAY}#Gateway.chargeback ...")
    if result.returncode != 3 or "Gateway.charge" not in said:
        raise Disappointed(f"capture of a made-up citation: exit {result.returncode} where 3 is right: {said}")
    for line in said.splitlines():
        screen.say(line, "red")
    screen.command("memory-lsp check")
    report = command(root, "check", "--format", "json")
    if report.returncode != 0:
        raise Disappointed(f"check: exit {report.returncode} at the end of the story, where all is fresh again")
    summary = json.loads(report.stdout)["summary"]
    if summary["served"] != summary["total"]:
        raise Disappointed(f"check: {summary['served']} of {summary['total']} served at the end of the story")
    for line in command(root, "check").stdout.strip().splitlines():
        screen.say(line, "green")


def _act(client: Client, screen: Screen, path: str, finding: Json, title: str) -> str:
    """Choose the action that starts with ``title`` from the menu; returns the record that it edited."""
    actions = client.actions(path, finding)
    titles = [action["title"] for action in actions]
    chosen = next((action for action in actions if action["title"].startswith(title)), None)
    if chosen is None:
        raise Disappointed(f"{path}: no action “{title} ...” is offered, only {titles or 'nothing'}")
    screen.menu(titles, chosen["title"])
    before = dict(client.documents)
    client.apply(chosen)
    changed = [path for path, text in client.documents.items() if text != before.get(path)]
    if len(changed) != 1:
        raise Disappointed(f"the action “{chosen['title']}” changed {changed or 'nothing'}, where one record is right")
    return changed[0]


def _hover(client: Client, path: str, name: str, expected: str) -> str:
    """The hover on a name once it says what is expected."""
    return client.until(
        f"a hover with “{expected}”", lambda: text if expected in (text := client.hover(path, name)) else None
    )


def _lens_at(client: Client, path: str, line: int, expected: str = "") -> str:
    titles = [lens["command"]["title"] for lens in client.lenses(path) if lens["range"]["start"]["line"] == line]
    return " | ".join(title for title in titles if expected in title)


def _audited(client: Client, memory: str) -> None:
    """Wait until the audit log tells of the verification."""
    log = client.root / ".memory-lsp" / "audit.jsonl"

    def told() -> bool:
        lines = log.read_text(encoding="utf-8").splitlines() if log.exists() else []
        return any(event["memory"] == memory and event["action"] == "verify" for event in map(json.loads, lines))

    client.until("the verification in .memory-lsp/audit.jsonl", told)


def _filled(text: str, draft: Json, value: str) -> str:
    """The record with the placeholder under a ``memory-draft`` finding replaced."""
    lines = text.split("\n")
    start, end = draft["range"]["start"], draft["range"]["end"]
    line = lines[start["line"]]
    lines[start["line"]] = line[: start["character"]] + value + line[end["character"] :]
    return "\n".join(lines)


def _line_of(text: str, words: str) -> int:
    if words not in text:
        raise Disappointed(f"{words!r} is not in the text where the demo looks for it")
    return text[: text.index(words)].count("\n")


def _short(record: str) -> str:
    return record if len(record) <= 80 else record[:77] + "..."


def _remove(folder: Path) -> None:
    import shutil

    shutil.rmtree(folder, ignore_errors=True)


def _how_to_open(root: Path) -> None:
    print(
        f"\nThe project is kept in {root}\n"
        f"  Neovim    cd {root} && nvim {GATEWAY}\n"
        f"  Helix     cd {root} && hx {GATEWAY}\n"
        f"  VS Code   code {root}\n"
        "How to set an editor up: docs/editors.md. Remove the folder when you are done."
    )
