"""How the server begins and ends (LSP 3.17, "Server lifecycle"), over the raw stream."""

from __future__ import annotations

import signal
import subprocess
import sys
import time

import pytest

from memory_lsp.server.wire import frame
from tests.protocol.stdio import Stdio

HOVER = {"textDocument": {"uri": "file:///nowhere.py"}, "position": {"line": 0, "character": 0}}


def test_a_request_before_initialize_is_refused() -> None:
    with Stdio() as server:
        assert server.failure("textDocument/hover", HOVER)["code"] == -32002
        assert server.failure("no/such/method")["code"] == -32002
        server.initialize()
        assert server.request("textDocument/hover", HOVER) is None


def test_a_notification_before_initialize_is_dropped_but_exit_ends() -> None:
    with Stdio() as server:
        server.notify("textDocument/didSave", {"textDocument": {"uri": "file:///a"}})
        server.notify("exit")
        assert server.exit_code() == 1
        assert server.receive() is None


def test_initialize_is_answered_once() -> None:
    with Stdio() as server:
        server.initialize()
        assert server.failure("initialize", {"processId": None, "rootUri": None, "capabilities": {}})["code"] == -32600
        assert server.request("textDocument/hover", HOVER) is None


@pytest.mark.parametrize(
    "params",
    [
        None,
        [],
        {"processId": None, "rootUri": None},
        {"capabilities": 3},
        {"capabilities": {}, "processId": "1"},
        {"capabilities": {}, "workspaceFolders": [{}]},
        {"capabilities": {}, "rootUri": 1},
    ],
)
def test_an_initialize_that_does_not_fit_is_refused_and_can_be_repeated(params: object) -> None:
    with Stdio() as server:
        assert server.failure("initialize", params)["code"] == -32602
        assert server.initialize()["capabilities"]["hoverProvider"] is True


def test_capabilities_of_odd_shape_count_as_absent() -> None:
    with Stdio() as server:
        result = server.initialize(
            capabilities={"general": {"positionEncodings": "utf-8"}, "workspace": [], "textDocument": None}
        )
        assert result["capabilities"]["positionEncoding"] == "utf-16"
        assert server.request("textDocument/hover", HOVER) is None


def test_after_shutdown_only_exit_is_taken() -> None:
    with Stdio() as server:
        server.initialize()
        assert server.request("shutdown") is None
        assert server.failure("textDocument/hover", HOVER)["code"] == -32600
        assert server.failure("shutdown")["code"] == -32600
        server.notify("textDocument/didSave", {"textDocument": {"uri": "file:///a"}})
        server.notify("exit")
        assert server.exit_code() == 0


def test_exit_without_shutdown_is_an_error() -> None:
    with Stdio() as server:
        server.initialize()
        server.notify("exit")
        assert server.exit_code() == 1


@pytest.mark.parametrize("shut_down", [False, True])
def test_the_end_of_the_stream_ends_the_server_at_once(shut_down: bool) -> None:
    with Stdio() as server:
        server.initialize()
        if shut_down:
            server.request("shutdown")
        assert server.process.stdin is not None
        server.process.stdin.close()
        started = time.monotonic()
        assert server.exit_code() == (0 if shut_down else 1)
        assert time.monotonic() - started < 3.0


def test_the_end_of_the_stream_right_after_initialize_ends_the_server() -> None:
    with Stdio() as server:
        server.request("initialize", {"capabilities": {}})
        assert server.process.stdin is not None
        server.process.stdin.close()
        assert server.exit_code() == 1


def test_the_end_of_the_stream_inside_a_message_ends_the_server() -> None:
    with Stdio() as server:
        server.initialize()
        server.raw(b'Content-Length: 100\r\n\r\n{"jsonrpc"')
        assert server.process.stdin is not None
        server.process.stdin.close()
        assert server.exit_code() == 1


def test_an_empty_stream_ends_the_server() -> None:
    with Stdio() as server:
        assert server.process.stdin is not None
        server.process.stdin.close()
        assert server.exit_code() == 1


def test_a_client_that_stops_reading_ends_the_server() -> None:
    server = subprocess.Popen(
        [sys.executable, "-m", "memory_lsp", "serve"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    try:
        assert server.stdin is not None and server.stdout is not None
        server.stdin.write(frame({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}}))
        server.stdin.flush()
        assert server.stdout.readline().startswith(b"Content-Length")
        server.stdout.close()
        server.stdin.write(frame({"jsonrpc": "2.0", "id": 2, "method": "no/such/method"}))
        server.stdin.flush()
        assert server.wait(5) == 1
    finally:
        server.kill()
        server.wait()
        server.stdin.close()


def test_a_termination_signal_ends_the_server() -> None:
    with Stdio() as server:
        server.initialize()
        server.process.send_signal(signal.SIGTERM)
        assert server.exit_code() == -signal.SIGTERM


def test_a_dead_parent_ends_the_server() -> None:
    parent = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    try:
        with Stdio() as server:
            server.initialize(processId=parent.pid)
            assert server.request("textDocument/hover", HOVER) is None
            parent.kill()  # and not waited for: a zombie is dead, too
            started = time.monotonic()
            assert server.exit_code() == 1
            assert time.monotonic() - started < 3.0
    finally:
        parent.kill()
        parent.wait()
        assert parent.stdin is not None
        parent.stdin.close()


def test_a_parent_that_is_gone_already_ends_the_server() -> None:
    parent = subprocess.Popen([sys.executable, "-c", ""])
    parent.wait()
    with Stdio() as server:
        server.ask("initialize", {"processId": parent.pid, "rootUri": None, "capabilities": {}})
        assert server.exit_code() == 1


def test_initialize_is_answered_before_the_heavy_imports() -> None:
    probe = (
        "import sys, io, memory_lsp.server.start as start\n"
        'start._answer_initialize(b\'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}\','
        " type('W', (), {'write': lambda self, data: None})())\n"
        "print(sorted({'pygls', 'lsprotocol', 'asyncio', 'pydantic', 'tree_sitter', 'attrs', 'yaml'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
