"""A small client of the language server: JSON-RPC over stdio, one reader thread, and the documents that are open.

It speaks like an editor that offers UTF-32 positions, so that a character is an index into a Python string. Nothing
here sleeps: :meth:`Client.until` waits for a message that makes its condition true.
"""

from __future__ import annotations

import json
import subprocess
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from queue import Empty, Queue
from typing import Any, TypeVar
from urllib.parse import unquote

from memory_lsp.core.model import TextEdit, apply_edits
from memory_lsp.core.text import LineIndex

Json = dict[str, Any]
T = TypeVar("T")

CAPABILITIES: Json = {
    "general": {"positionEncodings": ["utf-32"]},
    "workspace": {
        "workspaceEdit": {"documentChanges": False, "resourceOperations": ["create", "rename", "delete"]},
        "applyEdit": True,
        "configuration": True,
    },
    "textDocument": {
        "publishDiagnostics": {"versionSupport": True, "relatedInformation": True},
        "hover": {"contentFormat": ["markdown"]},
        "codeAction": {
            "codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["", "quickfix", "refactor", "source"]}},
            "resolveSupport": {"properties": ["edit"]},
            "dataSupport": True,
            "disabledSupport": True,
        },
        "codeLens": {},
    },
}


class Disappointed(Exception):
    """The server did not show what it should; the message is the one line that says so."""


class Client:
    """One server process and what a client knows of it. ``documents`` maps a root-relative path to its text."""

    def __init__(self, command: Sequence[str], root: Path, timeout: float = 20.0) -> None:
        self.root = root
        self.timeout = timeout
        self.documents: dict[str, str] = {}
        self.diagnostics: dict[str, list[Json]] = {}
        self._versions: dict[str, int] = {}
        self._next = 0
        self._answers: dict[int, Json] = {}
        self._inbox: Queue[Json | None] = Queue()
        self._process = subprocess.Popen(
            list(command), cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        threading.Thread(target=self._read, daemon=True).start()

    # Protocol -----------------------------------------------------------------------------------------------------

    def start(self) -> Json:
        """Initialize; returns the server's answer."""
        folder = {"uri": self.root.as_uri(), "name": self.root.name}
        result: Json = self.request(
            "initialize",
            {
                "processId": None,
                "clientInfo": {"name": "memory-lsp demo"},
                "rootUri": folder["uri"],
                "workspaceFolders": [folder],
                "capabilities": CAPABILITIES,
            },
        )
        encoding = result["capabilities"].get("positionEncoding", "utf-16")
        if encoding != "utf-32":
            raise Disappointed(f"initialize: the server chose {encoding}, only utf-32 was offered")
        self.notify("initialized", {})
        return result

    def stop(self) -> None:
        """Shut down as an editor does; the process is ended if it does not end itself."""
        try:
            if self._process.poll() is None:
                self.request("shutdown", None)
                self.notify("exit", None)
                self._process.wait(5)
        except (Disappointed, OSError, subprocess.TimeoutExpired):
            pass
        finally:
            if self._process.poll() is None:
                self._process.kill()
            self._process.wait()

    def request(self, method: str, params: Any) -> Any:
        """Send a request and wait for its result."""
        self._next += 1
        number = self._next
        self._send({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        answer = self.until(f"an answer to {method}", lambda: self._answers.pop(number, None))
        if "error" in answer:
            raise Disappointed(f"{method}: {answer['error'].get('message', answer['error'])}")
        return answer.get("result")

    def notify(self, method: str, params: Any) -> None:
        """Send a notification."""
        self._send({"jsonrpc": "2.0", "method": method, "params": params})

    def until(self, what: str, condition: Callable[[], T | None]) -> T:
        """Take in messages until ``condition`` answers something true, and return that.

        The condition is asked again after every message, and at least every 50 ms for the sake of what is on the disk.
        """
        end = time.monotonic() + self.timeout
        while time.monotonic() < end:
            if value := condition():
                return value
            with suppress(Empty):
                message = self._inbox.get(timeout=0.05)
                if message is None:
                    raise Disappointed(f"the server ended while waiting for {what}")
                self._take(message)
        raise Disappointed(f"waited {self.timeout:.0f} s for {what}")

    # Documents ----------------------------------------------------------------------------------------------------

    def open(self, path: str, text: str | None = None) -> str:
        """Open a document (once), by default with the file's text; returns its text."""
        if path not in self.documents:
            self.documents[path] = (self.root / path).read_text(encoding="utf-8") if text is None else text
            self._versions[path] = 1
            document = {
                "uri": self.uri(path),
                "languageId": _language(path),
                "version": 1,
                "text": self.documents[path],
            }
            self.notify("textDocument/didOpen", {"textDocument": document})
        return self.documents[path]

    def change(self, path: str, text: str) -> None:
        """Replace the text of an open document, as typing would."""
        self.documents[path] = text
        self._versions[path] += 1
        identifier = {"uri": self.uri(path), "version": self._versions[path]}
        self.notify("textDocument/didChange", {"textDocument": identifier, "contentChanges": [{"text": text}]})

    def replace(self, path: str, old: str, new: str) -> None:
        """Replace the one place where ``old`` stands."""
        text = self.documents[path]
        if text.count(old) != 1:
            raise Disappointed(f"{path}: {old!r} stands there {text.count(old)} times, not once")
        self.change(path, text.replace(old, new))

    def save(self, path: str) -> None:
        """Write an open document to the disk and say so."""
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(self.documents[path], encoding="utf-8", newline="")
        self.notify("textDocument/didSave", {"textDocument": {"uri": self.uri(path)}})

    def findings(self, path: str, code: str | None = None) -> list[Json]:
        """Diagnostics of a document as last published (all, or those of one code)."""
        return [item for item in self.diagnostics.get(path, []) if code is None or item.get("code") == code]

    def finding(self, path: str, code: str) -> Json:
        """Wait for a diagnostic with that code."""
        return self.until(f"{code} in {path}", lambda: next(iter(self.findings(path, code)), None))

    def quiet(self, path: str, code: str) -> None:
        """Wait until the last published diagnostics of a document hold none with that code."""
        self.until(f"{code} to vanish from {path}", lambda: path in self.diagnostics and not self.findings(path, code))

    def hover(self, path: str, name: str) -> str:
        """The hover's Markdown on the first place where ``name`` stands; empty if there is none."""
        answer = self.request("textDocument/hover", self.place(path, name))
        return str(answer["contents"]["value"]) if answer else ""

    def lenses(self, path: str) -> list[Json]:
        """The code lenses of a document, resolved."""
        found = self.request("textDocument/codeLens", {"textDocument": {"uri": self.uri(path)}}) or []
        return [lens if lens.get("command") else self.request("codeLens/resolve", lens) for lens in found]

    def actions(self, path: str, finding: Json) -> list[Json]:
        """The code actions offered at a finding."""
        context = {"diagnostics": [finding], "triggerKind": 1}
        params = {"textDocument": {"uri": self.uri(path)}, "range": finding["range"], "context": context}
        return self.request("textDocument/codeAction", params) or []

    def apply(self, action: Json) -> list[str]:
        """Carry out a code action as an editor does; returns the paths of the documents that it changed."""
        if "disabled" in action:
            raise Disappointed(f"the action {action['title']!r} is disabled: {action['disabled']['reason']}")
        if "edit" not in action and "data" in action:
            action = self.request("codeAction/resolve", action)
        changed = self.edit(action["edit"]) if action.get("edit") else []
        if command := action.get("command"):
            arguments = {"command": command["command"], "arguments": command.get("arguments", [])}
            self.request("workspace/executeCommand", arguments)
        return changed

    def edit(self, edit: Json) -> list[str]:
        """Apply a ``WorkspaceEdit`` to documents (opened first); returns their paths."""
        changes: list[tuple[str, list[Json]]] = list((edit.get("changes") or {}).items())
        for item in edit.get("documentChanges") or []:
            if item.get("kind") == "create":
                self.open(self.path(item["uri"]), "")
            elif "kind" not in item:
                changes.append((item["textDocument"]["uri"], item["edits"]))
        for uri, edits in changes:
            path = self.path(uri)
            text = self.open(path, None if (self.root / path).exists() else "")
            self.change(path, _applied(text, edits))
        return [self.path(uri) for uri, _ in changes]

    def place(self, path: str, name: str) -> Json:
        """Parameters of a request at the first place where ``name`` stands in a document."""
        offset = self.documents[path].find(name)
        if offset < 0:
            raise Disappointed(f"{path}: there is no {name!r}")
        before = self.documents[path][:offset]
        position = {"line": before.count("\n"), "character": offset - before.rfind("\n") - 1}
        return {"textDocument": {"uri": self.uri(path)}, "position": position}

    def uri(self, path: str) -> str:
        """The document's URI."""
        return (self.root / path).as_uri()

    def path(self, uri: str) -> str:
        """The root-relative path of a URI below the root."""
        prefix = self.root.as_uri() + "/"
        if not uri.startswith(prefix):
            raise Disappointed(f"the server speaks of {uri}, which is outside of the project")
        return unquote(uri[len(prefix) :])

    # Wire ---------------------------------------------------------------------------------------------------------

    def _send(self, message: Json) -> None:
        body = json.dumps(message).encode()
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
            self._process.stdin.flush()
        except OSError:
            raise Disappointed("the server has ended") from None

    def _read(self) -> None:
        stream = self._process.stdout
        assert stream is not None
        while True:
            length = 0
            while (line := stream.readline().strip()) != b"":
                if line.lower().startswith(b"content-length:"):
                    length = int(line.split(b":")[1])
            if not length:
                break
            self._inbox.put(json.loads(stream.read(length)))
        self._inbox.put(None)

    def _take(self, message: Json) -> None:
        method, params = message.get("method"), message.get("params") or {}
        if method is None:
            self._answers[message["id"]] = message
        elif "id" in message:
            self._send({"jsonrpc": "2.0", "id": message["id"], "result": self._answer(method, params)})
        elif method == "textDocument/publishDiagnostics":
            self.diagnostics[self.path(params["uri"])] = params["diagnostics"]

    def _answer(self, method: str, params: Json) -> Any:
        if method == "workspace/applyEdit":
            self.edit(params["edit"])
            return {"applied": True}
        if method == "workspace/configuration":
            return [None for _ in params["items"]]
        return None


def _applied(text: str, edits: list[Json]) -> str:
    """``text`` with LSP edits in UTF-32 positions applied."""
    index = LineIndex(text)

    def offset(position: Json) -> int:
        return index.offset(position["line"], position["character"], "utf-32")

    spans = (TextEdit(offset(e["range"]["start"]), offset(e["range"]["end"]), e["newText"]) for e in edits)
    return apply_edits(text, tuple(spans))


def _language(path: str) -> str:
    names = {".py": "python", ".ts": "typescript", ".go": "go", ".rs": "rust", ".md": "markdown", ".toml": "toml"}
    return names.get(Path(path).suffix, "plaintext")
