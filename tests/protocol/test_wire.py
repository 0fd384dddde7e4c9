"""The checker of sessions finds what it is there to find."""

from __future__ import annotations

from typing import Any

import pytest

from tests.wire import Json, Violation, Wire

URI = "file:///p/a.py"
PLACE = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 3}}
SERVER = {
    "positionEncoding": "utf-16",
    "codeActionProvider": True,
    "hoverProvider": True,
    "executeCommandProvider": {"commands": ["ours"]},
}
LITERALS = {"textDocument": {"codeAction": {"codeActionLiteralSupport": {}}}}
CHANGES = {"workspace": {"workspaceEdit": {"documentChanges": True}}}


def session(capabilities: Json, **options: Any) -> Wire:
    wire = Wire()
    params = {"capabilities": capabilities, "initializationOptions": options}
    wire.sent({"id": 1, "method": "initialize", "params": params})
    wire.received({"jsonrpc": "2.0", "id": 1, "result": {"capabilities": SERVER}})
    document = {"uri": URI, "version": 3, "languageId": "python", "text": ""}
    wire.sent({"method": "textDocument/didOpen", "params": {"textDocument": document}})
    for identity, method in ((2, "textDocument/codeAction"), (3, "textDocument/hover"), (4, "textDocument/completion")):
        wire.sent({"id": identity, "method": method, "params": {"textDocument": {"uri": URI}}})
    return wire


def diagnostics(version: int | None = None, **more: Any) -> Json:
    item = {"range": PLACE, "severity": 2, "message": "m", **more}
    told = {} if version is None else {"version": version}
    return {"method": "textDocument/publishDiagnostics", "params": {"uri": URI, "diagnostics": [item], **told}}


def actions(**action: Any) -> Json:
    return {"id": 2, "result": [{"title": "t", **action}]}


def announced(*names: str) -> Json:
    return {"textDocument": {"publishDiagnostics": dict.fromkeys(names, True)}}


def changes(version: int | None, *more: Json) -> Json:
    edit = {"range": PLACE, "newText": "x"}
    return {"documentChanges": [*more, {"textDocument": {"uri": URI, "version": version}, "edits": [edit]}]}


CREATE = {"kind": "create", "uri": URI, "options": {"ignoreIfExists": True}}
CREATES = {"workspace": {"workspaceEdit": {"documentChanges": True, "resourceOperations": ["create"]}}, **LITERALS}
SENT: list[tuple[Json, Json]] = [
    (diagnostics(relatedInformation=[{}]), announced("relatedInformation")),
    (diagnostics(codeDescription={"href": "x"}), announced("codeDescriptionSupport")),
    (diagnostics(data={"a": 1}), announced("dataSupport")),
    (actions(edit={"changes": {}}), LITERALS),
    (actions(edit=changes(3)), {**LITERALS, **CHANGES}),
    (actions(edit=changes(None, CREATE)), CREATES),
    (
        actions(disabled={"reason": "r"}),
        {"textDocument": {"codeAction": {"codeActionLiteralSupport": {}, "disabledSupport": True}}},
    ),
    (
        {"id": 3, "result": {"contents": {"kind": "markdown", "value": "v"}}},
        {"textDocument": {"hover": {"contentFormat": ["markdown"]}}},
    ),
    (
        {"id": 9, "method": "window/showDocument", "params": {"uri": URI}},
        {"window": {"showDocument": {"support": True}}},
    ),
    (
        {"id": 9, "method": "window/workDoneProgress/create", "params": {"token": 1}},
        {"window": {"workDoneProgress": True}},
    ),
    (
        {"id": 9, "method": "workspace/applyEdit", "params": {"edit": {"changes": {}}}},
        {"workspace": {"applyEdit": True}},
    ),
    ({"id": 9, "method": "workspace/codeLens/refresh"}, {"workspace": {"codeLens": {"refreshSupport": True}}}),
    (
        {
            "id": 9,
            "method": "client/registerCapability",
            "params": {"registrations": [{"method": "textDocument/hover"}]},
        },
        {"textDocument": {"hover": {"dynamicRegistration": True}}},
    ),
]


@pytest.mark.parametrize(("message", "capabilities"), SENT)
def test_what_needs_an_announcement(message: Json, capabilities: Json) -> None:
    session(capabilities).received({"jsonrpc": "2.0", **message})
    with pytest.raises(Violation):
        session({}).received({"jsonrpc": "2.0", **message})


@pytest.mark.parametrize(
    "message",
    [
        {"id": 2, "result": None, "jsonrpc": "1.0"},
        {"id": 2, "result": None, "error": {"code": 1, "message": "m"}},
        {"id": 77, "result": None},
        {"id": 4, "result": []},
        {"id": 9, "method": "textDocument/hover", "params": {}},
        {"method": "memoryLsp/status", "params": {}},
        {"method": "no/such"},
        {"method": "$/progress", "params": {"token": 5, "value": {"kind": "begin"}}},
        {"id": 2, "result": [{"title": "t", "command": "theirs"}]},
        diagnostics(4),
        actions(edit=changes(4)),
        actions(edit={"changes": {URI: [{"range": PLACE, "newText": "a"}, {"range": PLACE, "newText": "b"}]}}),
        actions(edit={"changes": {URI: [{"range": PLACE, "snippet": {"value": "$1"}}]}}),
        actions(edit=changes(3, {**CREATE, "options": {"overwrite": True}})),
        actions(edit=changes(3, {"kind": "delete", "uri": URI})),
    ],
)
def test_what_is_never_right(message: Json) -> None:
    wire = session(CREATES)
    with pytest.raises(Violation):
        wire.received({"jsonrpc": "2.0", **message})


def test_two_answers_to_one_request() -> None:
    wire = session({})
    wire.received({"jsonrpc": "2.0", "id": 2, "result": None})
    with pytest.raises(Violation):
        wire.received({"jsonrpc": "2.0", "id": 2, "result": None})


def test_a_prompt_is_sent_where_it_was_offered() -> None:
    request = {"command": "ours", "argument": {}, "asks": []}
    message = {"jsonrpc": "2.0", "id": 2, "result": [{"title": "t", "command": "ask", "arguments": [request]}]}
    session({}, prompt={"command": "ask"}).received(message)
    with pytest.raises(Violation):
        session({}).received(message)
