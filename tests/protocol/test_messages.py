"""Messages that are malformed, out of place or merely unusual; one test for each repaired deviation of pygls."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.protocol.stdio import Stdio

HOVER = {"textDocument": {"uri": "file:///nowhere.py"}, "position": {"line": 0, "character": 0}}


@pytest.fixture(scope="module")
def process() -> Iterator[Stdio]:
    with Stdio() as server:
        server.initialize()
        yield server
        assert server.shutdown() == 0


@pytest.fixture
def server(process: Stdio) -> Iterator[Stdio]:
    """One server for all that it must survive."""
    yield process
    assert process.request("textDocument/hover", HOVER) is None, "the server still answers"


@pytest.mark.parametrize(
    "params",
    [
        {"textDocument": {"uri": "file:///a"}},
        {"textDocument": 1, "position": {"line": 0, "character": 0}},
        {"textDocument": {"uri": "file:///a"}, "position": {"line": "x", "character": []}},
        [],
        None,
    ],
)
def test_params_that_do_not_fit_are_refused(server: Stdio, params: object) -> None:
    assert server.failure("textDocument/hover", params)["code"] == -32602


def test_a_notification_that_does_not_fit_is_dropped(server: Stdio) -> None:
    server.notify("textDocument/didOpen", {"textDocument": 7})
    server.notify("textDocument/didChange", None)
    server.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": 1}]})


def test_a_nested_jsonrpc_key_is_data(server: Stdio) -> None:
    answer = server.failure(
        "workspace/executeCommand",
        {
            "command": "memoryLsp.server.verify",
            "arguments": [{"jsonrpc": "2.0", "id": 9, "method": "exit", "memory": "none"}],
        },
    )
    assert answer["code"] == -32803


def test_unknown_methods(server: Stdio) -> None:
    assert server.failure("no/such/method", {"a": 1})["code"] == -32601
    assert server.failure("$/noSuchMethod")["code"] == -32601
    server.notify("no/such/notification", {"a": 1})
    server.notify("$/noSuchNotification", {"a": 1})


def test_a_body_that_is_not_json(server: Stdio) -> None:
    for body in (b"{", b"\xff\xfe", b"", b"[" * 100_000):
        server.body(body)
        answer = server.answer(None)
        assert answer["error"]["code"] == -32700


@pytest.mark.parametrize(
    "message",
    [
        [],
        3,
        "text",
        {"id": 1},
        {"id": None, "method": "shutdown", "jsonrpc": "2.0"},
        {"id": True, "method": "shutdown", "jsonrpc": "2.0"},
        {"id": 1.5, "method": "shutdown", "jsonrpc": "2.0"},
        {"id": {}, "method": "shutdown", "jsonrpc": "2.0"},
        {"id": 77, "method": 3, "jsonrpc": "2.0"},
        {"id": 77, "method": "shutdown", "jsonrpc": "1.0"},
        {"id": 77, "method": "shutdown"},
        [{"jsonrpc": "2.0", "id": 1, "method": "shutdown"}],
    ],
)
def test_json_that_is_no_request(server: Stdio, message: object) -> None:
    server.body(json.dumps(message).encode())
    answer = server.until(lambda message: "error" in message)
    assert answer["error"]["code"] == -32600


def test_responses_that_nobody_asked_for(server: Stdio) -> None:
    for identity in (1, "x", None, 2.5):
        server.send({"id": identity, "result": None})
        server.send({"id": identity, "error": {"code": 1, "message": "m"}})
    server.body(b'{"jsonrpc":"2.0"}')


def test_chunks_split_and_glued(server: Stdio) -> None:
    def request(identity: int) -> bytes:
        body = json.dumps({"jsonrpc": "2.0", "id": identity, "method": "textDocument/hover", "params": HOVER}).encode()
        return b"Content-Length: %d\r\n\r\n" % len(body) + body

    for byte in request(901):
        server.raw(bytes([byte]))
    server.raw(request(902) + request(903))
    for identity in (901, 902, 903):
        assert server.answer(identity)["result"] is None


def test_headers_as_other_clients_write_them(server: Stdio) -> None:
    body = json.dumps({"jsonrpc": "2.0", "id": 904, "method": "textDocument/hover", "params": HOVER}).encode()
    server.raw(
        b"content-type: application/vscode-jsonrpc; charset=utf-8\r\nCONTENT-LENGTH:%d\r\n\r\n" % len(body) + body
    )
    assert server.answer(904)["result"] is None


def test_a_broken_header_costs_only_its_message(server: Stdio) -> None:
    server.raw(b"Content-Length: many\r\n\r\nContent-Length\r\n\r\nContent-Length: -4\r\n\r\n")
    assert server.request("textDocument/hover", HOVER) is None


def test_an_identity_in_use_is_refused_and_strings_are_identities(server: Stdio) -> None:
    server.send({"id": "seven", "method": "textDocument/hover", "params": HOVER})
    assert server.answer("seven")["result"] is None


def test_cancelling_an_unknown_request_is_ignored(server: Stdio) -> None:
    for identity in (12345, "x", None, [], {"a": 1}):
        server.notify("$/cancelRequest", {"id": identity})
    server.notify("$/cancelRequest")


def test_a_change_of_a_document_that_is_not_open_is_ignored(server: Stdio) -> None:
    server.change("file:///never/opened.py", "x = 1\n", 2)
    server.notify("textDocument/didClose", {"textDocument": {"uri": "file:///never/opened.py"}})
    server.notify("textDocument/didSave", {"textDocument": {"uri": "file:///never/opened.py"}})


def test_uris_that_are_no_files_are_left_alone(server: Stdio) -> None:
    for uri in ("untitled:Untitled-1", "git:/a.py?x", "", "file://", "file:///%00", "http://[bad", "file:///a%ZZ"):
        server.notify(
            "textDocument/didOpen",
            {"textDocument": {"uri": uri, "languageId": "python", "version": 1, "text": "def f(): pass\n"}},
        )
        assert server.request("textDocument/hover", {**HOVER, "textDocument": {"uri": uri}}) is None
        server.notify("textDocument/didClose", {"textDocument": {"uri": uri}})


def test_print_and_children_never_reach_the_stream() -> None:
    """Whatever writes to standard output in the server's process, or reads standard input, is not in the protocol."""
    program = (
        "import os, sys, subprocess, logging\n"
        "import memory_lsp.server.start as start\n"
        "original = start._answer_initialize\n"
        "def noisy(body, writer):\n"
        "    print('PRINTED', flush=True)\n"
        "    os.write(1, b'WRITTEN')\n"
        "    subprocess.run([sys.executable, '-c', 'import sys; print(\"CHILD\", len(sys.stdin.read()))'])\n"
        "    return original(body, writer)\n"
        "start._answer_initialize = noisy\n"
        "os._exit(start.serve())\n"
    )
    with Stdio(command=[sys.executable, "-c", program]) as server:
        server.initialize()
        assert server.request("textDocument/hover", HOVER) is None
        assert server.shutdown() == 0
        server._threads[1].join(5)
        assert "PRINTED" in server.stderr and "WRITTEN" in server.stderr and "CHILD 0" in server.stderr


def test_an_internal_error_is_told_once_and_its_traceback_stays_in_the_log(tmp_path: Path) -> None:
    program = (
        "import os\n"
        "import memory_lsp.server.start as start\n"
        "import memory_lsp.server.session as session\n"
        "def broken(self, *rest): raise ValueError('SECRET DETAIL')\n"
        "session.Session.open = broken\n"
        "session.Session.view = broken\n"
        "os._exit(start.serve())\n"
    )
    with Stdio(command=[sys.executable, "-c", program]) as server:
        server.initialize()
        for version in range(3):
            server.open(tmp_path / "a.py", "x = 1\n", version)
        for _ in range(3):
            assert server.failure("textDocument/hover", HOVER) == {
                "code": -32603,
                "message": "internal error; see the server's log",
            }
        assert server.shutdown() == 0
        shown = [message for message in server.log if message.get("method") == "window/showMessage"]
        assert len(shown) == 1 and shown[0]["params"]["type"] == 1
        assert "SECRET" not in json.dumps(server.log)
        server._threads[1].join(5)
        assert "SECRET DETAIL" in server.stderr and "Traceback" in server.stderr


def test_payloads_are_not_logged_at_info(tmp_path: Path) -> None:
    log = tmp_path / "server.log"
    with Stdio("--log-file", str(log), "--log-level", "info") as server:
        server.initialize(tmp_path)
        uri = server.open(tmp_path / "a.py", "PAYLOAD = 1\n")
        server.change(uri, "PAYLOAD = 2\n", 2)
        server.failure("textDocument/hover", {"textDocument": "PAYLOAD"})
        server.notify("textDocument/didChange", {"textDocument": "PAYLOAD"})
        server.notify("workspace/didChangeConfiguration", {"settings": {"memoryLsp": {"actor": "PAYLOAD"}}})
        server.notify("unknown/thing", {"text": "PAYLOAD"})
        server.body(b"PAYLOAD")
        server.answer(None)
        assert server.shutdown() == 0
        server._threads[1].join(5)
        assert log.stat().st_size > 0
        assert "PAYLOAD" not in log.read_text() + server.stderr


def test_a_request_is_cancelled_at_once() -> None:
    program = (
        "import asyncio, contextlib, os\n"
        "import memory_lsp.server.start as start\n"
        "import memory_lsp.server.session as session\n"
        "@contextlib.asynccontextmanager\n"
        "async def slow(self, uri):\n"
        "    await asyncio.sleep(60)\n"
        "    yield None\n"
        "session.Session.view = slow\n"
        "os._exit(start.serve())\n"
    )
    with Stdio(command=[sys.executable, "-c", program]) as server:
        server.initialize()
        first, second, third = (server.ask("textDocument/hover", HOVER) for _ in range(3))
        server.notify("$/cancelRequest", {"id": second})
        assert server.answer(second)["error"]["code"] == -32800
        server.send({"id": first, "method": "textDocument/hover", "params": HOVER})
        assert server.answer(first)["error"]["code"] == -32600, "an id in use"
        shutdown = server.ask("shutdown")
        ended = {server.until(lambda message: "id" in message)["id"]: None for _ in range(3)}
        assert set(ended) == {first, third, shutdown}


def test_the_process_needs_no_standard_error(tmp_path: Path) -> None:
    with Stdio(command=["sh", "-c", f"exec {sys.executable} -m memory_lsp serve 2>&-"]) as server:
        server.initialize()
        assert server.request("textDocument/hover", HOVER) is None
        assert server.shutdown() == 0


def test_help_does_not_start_a_server() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "memory_lsp", "serve", "--help"],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        env={**os.environ, "COLUMNS": "100"},
        check=True,
    )
    assert "standard input" in done.stdout
