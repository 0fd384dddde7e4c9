"""What the server does in a workspace: folders, settings, trust, files that change elsewhere, documents, commands."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memory_lsp.core.text import LineIndex, blob_id
from memory_lsp.server.wire import frame
from tests.lsp.store import CHANGED, PAY, git, make_project, remember
from tests.protocol.stdio import CAPABILITIES, Json, Stdio

SETTINGS = {"debounce": 0, "poll": 0.05}


def with_capabilities(**more: Any) -> Json:
    """The client's capabilities with some keys of ``workspace`` and ``window`` replaced."""
    copy = json.loads(json.dumps(CAPABILITIES))
    for name, value in more.items():
        copy.setdefault(name, {}).update(value)
    return copy


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_project(tmp_path_factory.mktemp("template") / "project")


@pytest.fixture
def root(template: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(template, tmp_path / "project"))


@pytest.fixture
def server() -> Iterator[Stdio]:
    with Stdio() as server:
        yield server
        assert server.shutdown() == 0
        assert not [message for message in server.log if message.get("method") == "window/showMessage"]
        assert server.stderr == ""


def start(server: Stdio, root: Path | None, capabilities: Json | None = None, **options: Any) -> Json:
    settings = {"settings": {**SETTINGS, **options.pop("settings", {})}, **options}
    return server.initialize(root, capabilities, initializationOptions=settings)


def flagged(found: list[Json]) -> list[str]:
    return sorted(item["code"] for item in found)


def hover(server: Stdio, uri: str, line: int, character: int) -> Any:
    position = {"line": line, "character": character}
    return server.request("textDocument/hover", {"textDocument": {"uri": uri}, "position": position})


def test_findings_come_only_when_they_differ(server: Stdio, root: Path) -> None:
    start(server, root)
    uri = server.open(root / "pay.py")
    assert "never retried" in hover(server, uri, 0, 5)["contents"]["value"]
    server.change(uri, CHANGED, 2)
    params = server.notification("textDocument/publishDiagnostics")
    assert params["version"] == 2
    assert flagged(params["diagnostics"]) == ["memory-changed"] * 2
    server.change(uri, CHANGED + "\n# more\n", 3)
    server.change(uri, "\n" + CHANGED, 4)
    params = server.notification("textDocument/publishDiagnostics")
    line = params["diagnostics"][0]["range"]["start"]["line"]
    assert line == 1, "version 3 had the same findings at the same places"
    related = params["diagnostics"][0]["relatedInformation"][0]
    assert related["location"]["uri"].endswith(".memory/mem-charge.md")
    server.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    assert server.diagnostics(uri) == [], "cleared on close"
    assert hover(server, uri, 0, 5) is None


def test_a_client_that_drops_other_versions_is_told_again(server: Stdio, root: Path) -> None:
    """Helix drops diagnostics of another version than the one it has: what crossed a change must not be lost."""
    start(server, root, with_capabilities(textDocument={"publishDiagnostics": {"versionSupport": True}}))
    uri = server.open(root / "pay.py")
    versions = []
    for version, text in ((2, CHANGED), (3, CHANGED + "#"), (4, PAY), (5, PAY + "#"), (6, PAY + "##"), (7, CHANGED)):
        server.change(uri, text, version)
        hover(server, uri, 0, 5)
    for message in server.log:
        if message.get("method") == "textDocument/publishDiagnostics":
            versions.append((message["params"]["version"], len(message["params"]["diagnostics"])))
    assert versions == [(2, 2), (3, 2), (4, 0), (5, 0), (7, 2)]


def test_a_burst_is_judged_once_after_the_debounce(server: Stdio, root: Path) -> None:
    versions = with_capabilities(textDocument={"publishDiagnostics": {"versionSupport": True}})
    start(server, root, versions, settings={"debounce": 500})
    uri = server.open(root / "pay.py")
    hover(server, uri, 0, 0)
    changes = (
        {
            "jsonrpc": "2.0",
            "method": "textDocument/didChange",
            "params": {
                "textDocument": {"uri": uri, "version": version},
                "contentChanges": [{"text": CHANGED + "#" * version}],
            },
        }
        for version in range(2, 30)
    )
    server.raw(b"".join(frame(change) for change in changes))
    params = server.notification("textDocument/publishDiagnostics")
    assert params["version"] == 29
    published = [message for message in server.log if message.get("method") == "textDocument/publishDiagnostics"]
    assert len(published) == 1


def test_a_request_sees_the_newest_text_before_the_debounce_is_over(server: Stdio, root: Path) -> None:
    start(server, root, settings={"debounce": 10_000})
    uri = server.open(root / "pay.py")
    server.change(uri, "# a line\n\n" + CHANGED, 2)
    answer = hover(server, uri, 2, 5)
    assert "changed (body)" in answer["contents"]["value"] and answer["range"]["start"] == {"line": 2, "character": 4}


def test_a_folder_without_a_store_is_silent_until_it_has_one(server: Stdio, tmp_path: Path) -> None:
    (tmp_path / "pay.py").write_text(PAY, "utf-8")
    git(tmp_path, "init", "-q")
    start(server, tmp_path)
    uri = server.open(tmp_path / "pay.py")
    assert hover(server, uri, 0, 5) is None
    assert server.request("textDocument/codeLens", {"textDocument": {"uri": uri}}) is None
    assert not [message for message in server.log if message.get("method") == "textDocument/publishDiagnostics"]
    (tmp_path / ".memory").mkdir()
    remember(tmp_path, "mem-charge", "pay.py#charge")
    (tmp_path / "pay.py").write_text(CHANGED, "utf-8")
    server.change(uri, CHANGED, 2)
    assert flagged(server.diagnostics(uri)) == ["memory-changed"]


def test_a_file_outside_the_folders_is_silent(server: Stdio, root: Path, tmp_path: Path) -> None:
    other = Path(shutil.copytree(root, tmp_path / "other"))
    start(server, root)
    uri = server.open(other / "pay.py", CHANGED)
    inside = server.open(root / "pay.py", CHANGED)
    server.diagnostics(inside)
    assert hover(server, uri, 0, 5) is None
    assert {
        message["params"]["uri"] for message in server.log if "publishDiagnostics" in message.get("method", "")
    } == {inside}


def test_without_a_folder_the_file_decides(server: Stdio, root: Path) -> None:
    start(server, None)
    uri = server.open(root / "pay.py", CHANGED)
    assert flagged(server.diagnostics(uri)) == ["memory-changed"] * 2


def test_a_folder_inside_the_root(server: Stdio, tmp_path: Path) -> None:
    root = make_project(tmp_path / "project")
    (root / "src").mkdir()
    start(server, root / "src")
    uri = server.open(root / ".memory" / "mem-rate.md")
    link = server.request("textDocument/documentLink", {"textDocument": {"uri": uri}})[0]["target"]
    assert link == (root / "pay.py").as_uri() + "#L6"


def test_folders_added_and_removed(server: Stdio, root: Path, tmp_path: Path) -> None:
    other = Path(shutil.copytree(root, tmp_path / "other"))
    start(server, root)
    uri = server.open(other / "pay.py", CHANGED)
    assert hover(server, uri, 0, 5) is None
    folder = {"uri": other.as_uri(), "name": "other"}
    server.notify("workspace/didChangeWorkspaceFolders", {"event": {"added": [folder], "removed": []}})
    assert len(server.diagnostics(uri)) == 2
    server.notify("workspace/didChangeWorkspaceFolders", {"event": {"added": [], "removed": [folder]}})
    assert server.diagnostics(uri) == []
    assert hover(server, uri, 0, 5) is None


def test_a_folder_behind_a_link_keeps_its_spelling(server: Stdio, root: Path, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(root)
    start(server, link)
    uri = server.open(link / "pay.py", CHANGED)
    found = server.diagnostics(uri)
    assert found[0]["relatedInformation"][0]["location"]["uri"] == (link / ".memory" / "mem-charge.md").as_uri()
    assert (link / ".memory").as_uri() in hover(server, uri, 0, 5)["contents"]["value"]
    real = server.open(root / "pay.py", CHANGED)
    assert hover(server, real, 0, 5)["contents"]["value"], "spelled without the link it is the same file"


def test_files_that_change_elsewhere_are_noticed(server: Stdio, root: Path) -> None:
    """Agents edit files that no editor has open: looked at by stat, since this client watches nothing."""
    start(server, root)
    uri = server.open(root / ".memory" / "mem-charge.md")
    hover(server, uri, 0, 0)
    (root / "pay.py").write_text(CHANGED, "utf-8")
    assert flagged(server.diagnostics(uri)) == ["memory-changed"]
    (root / "pay.py").unlink()
    assert flagged(server.diagnostics(uri)) == ["memory-missing"]
    (root / "pay.py").write_text(PAY, "utf-8")
    assert server.diagnostics(uri) == []
    code = server.open(root / "pay.py")
    assert len(server.request("textDocument/codeLens", {"textDocument": {"uri": code}})) == 2
    remember(root, "mem-new", "pay.py#charge")
    server.notify(
        "workspace/didChangeWatchedFiles", {"changes": [{"uri": (root / ".memory/mem-new.md").as_uri(), "type": 1}]}
    )
    titles = ""
    while "2 memories" not in titles:
        lenses = server.request("textDocument/codeLens", {"textDocument": {"uri": code}})
        titles = " ".join(lens["command"]["title"] for lens in lenses)


def test_a_commit_is_told_in_the_hover(server: Stdio, root: Path) -> None:
    start(server, root)
    (root / "pay.py").write_text(CHANGED, "utf-8")
    uri = server.open(root / "pay.py")
    server.diagnostics(uri)
    shown = ""
    while "not committed" not in shown:
        shown = hover(server, uri, 0, 5)["contents"]["value"]
    git(root, "commit", "-q", "-a", "-m", "Retry <b>charges</b>")
    while "by Ada: Retry" not in shown:
        server.change(uri, CHANGED, len(server.log) + 10)
        shown = hover(server, uri, 0, 5)["contents"]["value"]
    assert "<b>" not in shown.replace("\\<b\\>", "")


def test_settings_without_a_restart(server: Stdio, root: Path) -> None:
    """The client's settings win over the file, the file over the default; a code can be switched off."""
    current: dict[str, Any] = {"settings": dict(SETTINGS)}
    server.answers["workspace/configuration"] = lambda params: [current["settings"] for _ in params["items"]]
    start(server, root, with_capabilities(workspace={"configuration": True}))
    uri = server.open(root / "pay.py", CHANGED)
    assert {item["severity"] for item in server.diagnostics(uri)} == {3}
    asked = next(message for message in server.log if message.get("method") == "workspace/configuration")
    assert asked["params"]["items"] == [{"scopeUri": root.as_uri(), "section": "memoryLsp"}]
    config = root / ".memory-lsp" / "config.toml"
    config.parent.mkdir()
    config.write_text('[severity]\nmemory-changed = { code = "hint" }\n', "utf-8")
    assert {item["severity"] for item in server.diagnostics(uri)} == {4}
    current["settings"] = {**SETTINGS, "severity": {"memory-changed": "off"}}
    server.notify("workspace/didChangeConfiguration", {"settings": None})
    assert server.diagnostics(uri) == []
    current["settings"] = {**SETTINGS, "severity": {"memory-changed": {"code": "warning"}}, "nonsense": [1]}
    server.notify("workspace/didChangeConfiguration", {"settings": None})
    assert {item["severity"] for item in server.diagnostics(uri)} == {2}


def test_settings_pushed_by_a_client_that_cannot_be_asked(server: Stdio, root: Path) -> None:
    start(server, root)
    uri = server.open(root / "pay.py", CHANGED)
    server.diagnostics(uri)
    off = {"memoryLsp": {**SETTINGS, "severity": {"memory-changed": "off"}}}
    server.notify("workspace/didChangeConfiguration", {"settings": off})
    assert server.diagnostics(uri) == []
    for odd in (None, 3, [], {"memoryLsp": None}, {"memoryLsp": 4}):
        server.notify("workspace/didChangeConfiguration", {"settings": odd})
    assert len(server.diagnostics(uri)) == 2


def test_a_client_that_never_tells_its_settings(root: Path) -> None:
    with Stdio() as server:
        server.answers["workspace/configuration"] = lambda params: "nonsense"
        start(server, root, with_capabilities(workspace={"configuration": True}))
        uri = server.open(root / "pay.py", CHANGED)
        assert len(server.diagnostics(uri)) == 2


def test_an_untrusted_workspace_may_only_set_severities(server: Stdio, root: Path) -> None:
    config = root / ".memory-lsp" / "config.toml"
    config.parent.mkdir()
    config.write_text('actor = "human:mallory"\n[severity]\nmemory-changed = { code = "hint" }\n', "utf-8")
    start(server, root, trusted=False)
    (root / "pay.py").write_text(CHANGED, "utf-8")
    uri = server.open(root / "pay.py")
    assert {item["severity"] for item in server.diagnostics(uri)} == {4}
    applied: list[Json] = []
    server.answers["workspace/applyEdit"] = lambda params: applied.append(params) or {"applied": True}
    argument = {"memory": "mem-charge", "evidence": "read it"}
    server.request("workspace/executeCommand", {"command": "memoryLsp.server.verify", "arguments": [argument]})
    assert "human:Ada" in json.dumps(applied) and "mallory" not in json.dumps(applied)


def test_trust_is_a_setting_too(server: Stdio, root: Path) -> None:
    """The file of an untrusted workspace switches nothing but severities; once trusted, all of it counts."""
    config = root / ".memory-lsp" / "config.toml"
    config.parent.mkdir()
    config.write_text('store = "kage"\n', "utf-8")
    current: dict[str, Any] = {"settings": {**SETTINGS, "trusted": False, "command": "a key of the client's own"}}
    server.answers["workspace/configuration"] = lambda params: [current["settings"] for _ in params["items"]]
    start(server, root, with_capabilities(workspace={"configuration": True}))
    uri = server.open(root / ".memory" / "mem-charge.md")
    assert hover(server, uri, 0, 0) is None
    current["settings"] = {**SETTINGS, "trusted": True}
    server.notify("workspace/didChangeConfiguration", {"settings": None})
    assert flagged(server.diagnostics(uri)) == ["memory-store-conflict"]


def test_status_only_for_clients_that_ask(server: Stdio, root: Path) -> None:
    start(server, root, status=True)
    states = [server.notification("memoryLsp/status")["state"]]
    while states[-1] != "ready":
        states.append(server.notification("memoryLsp/status")["state"])
    assert states == ["indexing", "ready"]
    uri = server.open(root / "pay.py", CHANGED)
    status = server.notification("memoryLsp/status")
    assert (status["text"], status["toVerify"], status["withheld"]) == ("2 memories, 2 to re-verify", 2, {"changed": 2})
    assert status["root"] == root.as_uri()
    server.change(uri, PAY, 2)
    assert server.notification("memoryLsp/status")["text"] == "2 memories, all fresh"
    answer = server.request("workspace/executeCommand", {"command": "memoryLsp.server.status"})
    assert answer[0]["text"] == "2 memories, all fresh"


def test_no_status_unless_asked_for(server: Stdio, root: Path) -> None:
    start(server, root)
    server.diagnostics(server.open(root / "pay.py", CHANGED))
    assert not [message for message in server.log if message.get("method") == "memoryLsp/status"]


def actions(server: Stdio, uri: str, place: Json, **context: Any) -> list[Json]:
    params = {"textDocument": {"uri": uri}, "range": place, "context": {"diagnostics": [], **context}}
    return server.request("textDocument/codeAction", params) or []


def test_triggers_and_kinds_of_code_actions(server: Stdio, root: Path) -> None:
    start(server, root)
    uri = server.open(root / "pay.py")
    name = {"start": {"line": 0, "character": 5}, "end": {"line": 0, "character": 5}}
    assert actions(server, uri, name, triggerKind=2) == [], "nothing to fix here, and nobody asked"
    asked = actions(server, uri, name, triggerKind=1)
    assert {action["kind"] for action in asked} == {"refactor"}
    assert not any("isPreferred" in action for action in asked)
    (root / "pay.py").write_text(CHANGED, "utf-8")
    server.change(uri, CHANGED, 2)
    automatic = actions(server, uri, name, triggerKind=2)
    assert len(automatic) == len(asked) == 5 and {action["kind"] for action in automatic} == {"quickfix", "refactor"}
    assert [action["kind"] for action in actions(server, uri, name, only=["refactor"])] == ["refactor"]
    assert len(actions(server, uri, name, only=[""])) == 5
    for kinds in (
        ["source"],
        ["source.fixAll"],
        ["source.organizeImports"],
        ["refactor.extract"],
        ["quickfix.other"],
        [],
    ):
        assert actions(server, uri, name, only=kinds) == []
    assert actions(server, uri, name, triggerKind=2, only=["quickfix"]) == [], "a save asks for kinds by itself"


def test_a_client_without_action_literals_gets_commands(server: Stdio, root: Path) -> None:
    capabilities = with_capabilities()
    del capabilities["textDocument"]["codeAction"]
    start(server, root, capabilities)
    (root / "pay.py").write_text(CHANGED, "utf-8")
    uri = server.open(root / "pay.py")
    server.diagnostics(uri)
    place = {"start": {"line": 0, "character": 4}, "end": {"line": 0, "character": 4}}
    offered = actions(server, uri, place)
    assert all(set(item) == {"title", "command", "arguments"} for item in offered)
    verify = next(item for item in offered if item["command"] == "memoryLsp.server.verify")
    edits: list[Json] = []
    server.answers["workspace/applyEdit"] = lambda params: edits.append(params["edit"]) or {"applied": True}
    answer = server.request(
        "workspace/executeCommand", {"command": verify["command"], "arguments": verify["arguments"]}
    )
    assert answer["applied"] and "<evidence: what did you check?>" in json.dumps(edits)


def test_a_client_with_a_prompt_gets_the_prompt(server: Stdio, root: Path) -> None:
    start(server, root, prompt={"command": "memoryLsp.prompt"})
    (root / "pay.py").write_text(CHANGED, "utf-8")
    uri = server.open(root / "pay.py")
    server.diagnostics(uri)
    place = {"start": {"line": 0, "character": 4}, "end": {"line": 0, "character": 4}}
    verify = next(action for action in actions(server, uri, place) if action["title"].startswith("Still true"))
    assert "edit" not in verify and verify["command"]["command"] == "memoryLsp.prompt"
    request = verify["command"]["arguments"][0]
    assert request["command"] == "memoryLsp.server.verify" and request["asks"][0]["name"] == "evidence"
    edits: list[Json] = []
    server.answers["workspace/applyEdit"] = lambda params: edits.append(params["edit"]) or {"applied": True}
    argument = {**request["argument"], "evidence": "ran the tests"}
    answer = server.request("workspace/executeCommand", {"command": request["command"], "arguments": [argument]})
    assert answer["applied"] and "ran the tests" in json.dumps(edits) and "<evidence" not in json.dumps(edits)


@pytest.mark.parametrize(
    ("command", "argument", "code", "says"),
    [
        ("verify", {}, -32602, "`memory` is needed"),
        ("verify", {"memory": 3}, -32602, "must be text"),
        ("verify", {"memory": "mem-none"}, -32803, "no memory has the id mem-none"),
        ("verify", {"memory": "mem-charge", "evidence": "<evidence: what did you check?>"}, -32803, "placeholder"),
        ("capture", {"path": "pay.py", "symbol": "chargee"}, -32803, "did you mean"),
        ("capture", {"path": "../secret.py"}, -32803, "outside the root"),
        ("capture", {"path": "/etc/passwd"}, -32803, "outside the root"),
        ("capture", {"uri": "file:///etc/passwd"}, -32803, "not open"),
        ("capture", {}, -32602, "`path` or `uri` is needed"),
        ("capture", {"path": "pay.py", "root": "file:///elsewhere"}, -32602, "`root` names no folder"),
        ("follow", {"memory": "mem-charge"}, -32803, "nothing that has moved"),
        ("follow", {"memory": "mem-charge", "index": 7, "to": "pay.py#rate"}, -32803, "no citation 8"),
        ("open", {"memory": "mem-none"}, -32803, "no memory"),
        ("explode", {}, -32602, "there is no command"),
    ],
)
def test_commands_refuse_what_they_cannot_do(root: Path, command: str, argument: Json, code: int, says: str) -> None:
    server = _shared(root)
    error = server.failure(
        "workspace/executeCommand", {"command": f"memoryLsp.server.{command}", "arguments": [argument]}
    )
    assert error["code"] == code and says in error["message"]


_SERVERS: list[Stdio] = []


def _shared(root: Path) -> Stdio:
    """One server for many refusals: they leave nothing behind."""
    if not _SERVERS:
        server = Stdio()
        start(server, root)
        hover(server, server.open(root / "pay.py"), 0, 0)
        _SERVERS.append(server)
    return _SERVERS[0]


def teardown_module() -> None:
    for server in _SERVERS:
        with server:
            assert server.shutdown() == 0


def test_commands_with_odd_arguments_are_refused(server: Stdio, root: Path) -> None:
    start(server, root)
    for arguments in ([1], ["x"], [[]], [None]):
        error = server.failure(
            "workspace/executeCommand", {"command": "memoryLsp.server.verify", "arguments": arguments}
        )
        assert error["code"] == -32602


def test_an_edit_that_the_editor_refuses_is_told(server: Stdio, root: Path) -> None:
    start(server, root)
    hover(server, server.open(root / "pay.py"), 0, 0)
    server.answers["workspace/applyEdit"] = lambda params: {"applied": False, "failureReason": "read-only"}
    argument = {"memory": "mem-charge", "reason": "gone"}
    error = server.failure("workspace/executeCommand", {"command": "memoryLsp.server.retire", "arguments": [argument]})
    assert error["code"] == -32803 and "read-only" in error["message"]


def test_nothing_is_written_by_the_server_but_the_audit_line(server: Stdio, root: Path) -> None:
    """A record that is saved without a completed act leaves no line; the first completed one does."""
    start(server, root)
    before = {path: path.read_bytes() for path in root.rglob("*") if path.is_file() and ".git" not in path.parts}
    record = root / ".memory" / "mem-charge.md"
    uri = server.open(record)
    text = record.read_text("utf-8")
    server.change(uri, text + "\nMore.\n", 2)
    record.write_text(text + "\nMore.\n", "utf-8")
    server.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
    hover(server, uri, 0, 0)
    server.change(uri, text.replace("status: stable", "status: deprecated"), 3)
    record.write_text(text.replace("status: stable", "status: deprecated"), "utf-8")
    server.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
    log = root / ".memory-lsp" / "audit.jsonl"
    while not log.exists() or not log.read_text("utf-8"):
        hover(server, uri, 0, 0)
    (event,) = [json.loads(line) for line in log.read_text("utf-8").splitlines()]
    assert (event["action"], event["memory"], event["result"]) == ("retire", "mem-charge", "written")
    after = {path: path.read_bytes() for path in root.rglob("*") if path.is_file() and ".git" not in path.parts}
    written = {path for path in after if after[path] != before.get(path)}
    assert written == {record, log, root / ".memory-lsp" / ".gitattributes"}


def test_fingerprints_come_from_the_saved_file(server: Stdio, root: Path) -> None:
    """A byte order mark that the editor does not show, another encoding or a link do not make a file unsaved."""
    start(server, root)
    edits: list[Json] = []
    server.answers["workspace/applyEdit"] = lambda params: edits.append(params["edit"]) or {"applied": True}
    (root / "pay.py").write_bytes(b"\xef\xbb\xbf" + CHANGED.encode())
    uri = server.open(root / "pay.py", CHANGED)
    server.diagnostics(uri)
    argument = {"memory": "mem-charge", "evidence": "read it"}
    verify = {"command": "memoryLsp.server.verify", "arguments": [argument]}
    assert server.request("workspace/executeCommand", verify)["applied"]
    assert blob_id((root / "pay.py").read_bytes()) in json.dumps(edits)
    server.change(uri, CHANGED + "#", 2)
    assert "save pay.py first" in server.failure("workspace/executeCommand", verify)["message"]
    (root / "pay.py").write_bytes(CHANGED.encode() + b"#")
    assert server.request("workspace/executeCommand", verify)["applied"], "saved by somebody else"
    (root / "real").mkdir()
    (root / "pay.py").rename(root / "real" / "pay.py")
    (root / "pay.py").symlink_to("real/pay.py")
    assert server.request("workspace/executeCommand", verify)["applied"]


def test_positions_outside_the_document_clamp(server: Stdio, root: Path) -> None:
    start(server, root)
    uri = server.open(root / "pay.py")
    for line, character in ((0, 10_000), (10_000, 0), (2**31 - 1, 2**31 - 1), (1, 2**31 - 1)):
        assert hover(server, uri, line, character) is None
        place = {"start": {"line": line, "character": character}, "end": {"line": 0, "character": 0}}
        actions(server, uri, place)


def test_separators_that_are_no_lines(server: Stdio, root: Path) -> None:
    """U+2028, U+2029, U+0085, VT and FF do not end a line; a lone CR does."""
    start(server, root)
    text = "x = 'a\u2028b\u2029c\u0085d\x0b\x0c'\n# one\rand another\n\n" + CHANGED
    uri = server.open(root / "pay.py", text)
    found = server.diagnostics(uri)
    index = LineIndex(text)
    assert found[0]["range"]["start"] == {"line": 4, "character": 4}
    place = found[1]["range"]["start"]
    assert text[index.offset(place["line"], place["character"], "utf-16") :].startswith("rate")


def test_lone_surrogates_are_survived(server: Stdio, root: Path) -> None:
    start(server, root)
    uri = server.open(root / "pay.py", "s = '\ud800'\n" + CHANGED)
    assert flagged(server.diagnostics(uri))
    record = (root / ".memory" / "mem-charge.md").read_text("utf-8")
    server.open(root / ".memory" / "mem-charge.md", record.replace("retried", "\udfff"))
    assert hover(server, uri, 1, 5)["contents"]["value"]


SLOW = """
import os, time
import memory_lsp.server.start as start
import memory_lsp.server.session as session
import memory_lsp.server.publisher as publisher
publisher.PROGRESS_AFTER_SECONDS = 0.05
quick = session.Project
def slow(*arguments, **options):
    time.sleep(0.5)
    return quick(*arguments, **options)
session.Project = slow
os._exit(start.serve())
"""


@pytest.mark.parametrize("announced", [True, False])
def test_progress_only_where_announced_and_when_it_takes_long(root: Path, announced: bool) -> None:
    with Stdio(command=[sys.executable, "-c", SLOW]) as server:
        start(server, root, with_capabilities(window={"workDoneProgress": announced}))
        hover(server, server.open(root / "pay.py"), 0, 5)
        assert server.shutdown() == 0
        while server.receive() is not None:
            pass
        created = [
            message["params"]["token"]
            for message in server.log
            if message.get("method") == "window/workDoneProgress/create"
        ]
        told = [message["params"] for message in server.log if message.get("method") == "$/progress"]
        assert len(created) == announced and {params["token"] for params in told} == set(created)
        assert [params["value"]["kind"] for params in told] == ["begin", "end"] * announced


def test_two_stores_are_read_and_nothing_is_offered(server: Stdio, root: Path) -> None:
    start(server, root, settings={"store": "kage"})
    (root / "pay.py").write_text(CHANGED, "utf-8")
    uri = server.open(root / "pay.py")
    assert len(server.diagnostics(uri)) == 2
    record = server.open(root / ".memory" / "mem-charge.md")
    assert "memory-store-conflict" in flagged(server.diagnostics(record))
    argument = {"memory": "mem-charge", "evidence": "read it"}
    error = server.failure("workspace/executeCommand", {"command": "memoryLsp.server.verify", "arguments": [argument]})
    assert "store" in error["message"]
