"""Holds a session to what was negotiated in it: nothing is sent that the client did not announce.

It knows the protocol (LSP 3.17) and our own extension (``initializationOptions``), not the server's code. ``sent`` and
``received`` take every message from the client's point of view; ``received`` raises ``Violation``.
"""

from __future__ import annotations

import re
from typing import Any

Json = dict[str, Any]

ALWAYS = frozenset(
    {
        "textDocument/publishDiagnostics",
        "window/showMessage",
        "window/logMessage",
        "$/logTrace",
        "$/cancelRequest",
        "telemetry/event",
    }
)
"""What a server may send to every client."""
ANNOUNCED = {
    "workspace/applyEdit": "workspace.applyEdit",
    "workspace/configuration": "workspace.configuration",
    "workspace/workspaceFolders": "workspace.workspaceFolders",
    "workspace/codeLens/refresh": "workspace.codeLens.refreshSupport",
    "workspace/semanticTokens/refresh": "workspace.semanticTokens.refreshSupport",
    "workspace/inlayHint/refresh": "workspace.inlayHint.refreshSupport",
    "workspace/diagnostic/refresh": "workspace.diagnostics.refreshSupport",
    "workspace/foldingRange/refresh": "workspace.foldingRange.refreshSupport",
    "window/showDocument": "window.showDocument.support",
    "window/showMessageRequest": "window.showMessage",
    "window/workDoneProgress/create": "window.workDoneProgress",
}
"""Methods and the capability that allows them; an object counts as announced."""
REGISTERED = {
    "workspace/didChangeWatchedFiles": "workspace.didChangeWatchedFiles",
    "workspace/didChangeConfiguration": "workspace.didChangeConfiguration",
    "workspace/executeCommand": "workspace.executeCommand",
    "workspace/symbol": "workspace.symbol",
    "workspace/willRenameFiles": "workspace.fileOperations",
    "workspace/didRenameFiles": "workspace.fileOperations",
    "workspace/willDeleteFiles": "workspace.fileOperations",
    "workspace/didDeleteFiles": "workspace.fileOperations",
    "textDocument/didOpen": "textDocument.synchronization",
    "textDocument/didChange": "textDocument.synchronization",
    "textDocument/didSave": "textDocument.synchronization",
    "textDocument/didClose": "textDocument.synchronization",
}
"""Methods and the capability whose ``dynamicRegistration`` allows to register them; others: ``textDocument.<name>``."""
PROVIDERS = {
    "textDocument/hover": "hoverProvider",
    "textDocument/definition": "definitionProvider",
    "textDocument/references": "referencesProvider",
    "textDocument/documentLink": "documentLinkProvider",
    "textDocument/codeLens": "codeLensProvider",
    "textDocument/codeAction": "codeActionProvider",
    "textDocument/completion": "completionProvider",
    "textDocument/documentSymbol": "documentSymbolProvider",
    "textDocument/foldingRange": "foldingRangeProvider",
    "textDocument/rename": "renameProvider",
    "textDocument/prepareRename": "renameProvider",
    "workspace/symbol": "workspaceSymbolProvider",
    "workspace/executeCommand": "executeCommandProvider",
}
"""Requests of the client and what the server announces if it answers them."""
KINDS_OF_RESOURCES = ("create", "rename", "delete")
_KIND = re.compile(r"\w+(\.\w+)*\Z")


class Violation(AssertionError):
    """The server sent what was not negotiated."""


class Wire:
    """One session, from ``initialize`` on."""

    def __init__(self) -> None:
        self.asked: dict[int | str, list[Json]] = {}
        self.answered: dict[int | str, int] = {}
        self.open_requests: set[int | str] = set()
        self.capabilities: Json = {}
        self.options: Json = {}
        self.server: Json = {}
        self.versions: dict[str, int] = {}
        self.progress: dict[int | str, str] = {}
        self.registered: set[str] = set()

    # What goes out

    def sent(self, message: Json) -> None:
        """A message of the client; one that is not well formed on purpose is none of ours."""
        method, params = message.get("method"), message.get("params")
        params = params if isinstance(params, dict) else {}
        if isinstance(method, str) and isinstance(message.get("id"), int | str):
            self.asked.setdefault(message["id"], []).append(message)
        elif "id" in message and method is None:
            self.open_requests.discard(message["id"])
        if method == "initialize" and not self.server:
            self.capabilities = _object(params.get("capabilities"))
            self.options = _object(params.get("initializationOptions"))
        document = _object(params.get("textDocument"))
        if method in ("textDocument/didOpen", "textDocument/didChange") and isinstance(document.get("uri"), str):
            self.versions[document["uri"]] = document.get("version", 0)
        if method == "textDocument/didClose":
            self.versions.pop(document.get("uri", ""), None)
        for token in (params.get("workDoneToken"), params.get("partialResultToken")):
            if isinstance(token, int | str):
                self.progress[token] = "begun by the client"

    # What comes in

    def received(self, message: Json) -> None:
        """A message of the server. Raises ``Violation``."""
        _need(message.get("jsonrpc") == "2.0", "a message without jsonrpc 2.0", message)
        method = message.get("method")
        if method is None:
            self._response(message)
        elif "id" in message:
            _need(message["id"] not in self.open_requests, "two requests with one id", message)
            self.open_requests.add(message["id"])
            self._request(method, message.get("params"))
        else:
            self._notification(method, message.get("params"))

    def _response(self, message: Json) -> None:
        identity = message.get("id")
        _need(
            ("result" in message) != ("error" in message),
            "a response with both or neither of result and error",
            message,
        )
        if identity is None:
            _need("error" in message, "a result for no request", message)
            return
        requests = self.asked.get(identity, [])
        self.answered[identity] = self.answered.get(identity, 0) + 1
        if "error" in message:
            error = message["error"]
            _need(
                isinstance(error.get("code"), int) and isinstance(error.get("message"), str),
                "a malformed error",
                message,
            )
            return
        _need(bool(requests), "a result of nothing that was asked", message)
        _need(self.answered[identity] <= len(requests), "two answers to one request", message)
        method, result = requests[0]["method"], message["result"]
        if method == "initialize":
            self.server = result["capabilities"]
            self._announcements()
        elif method in PROVIDERS:
            provider = PROVIDERS[method]
            _need(
                bool(self.server.get(provider)) or method in self.registered, f"{provider} was not announced", message
            )
        check = getattr(self, "_result_" + re.sub(r"\W", "_", method), None)
        if check is not None and result is not None:
            check(result)

    def _request(self, method: str, params: Any) -> None:
        if method in ("client/registerCapability", "client/unregisterCapability"):
            for item in params.get("registrations") or params.get("unregisterations") or ():
                self._registration(item)
            return
        _need(method in ANNOUNCED, f"the request {method} is not one that a server may send", params)
        self._announced(ANNOUNCED[method], f"the request {method}")
        if method == "workspace/applyEdit":
            self._edit(params["edit"])
        elif method == "window/workDoneProgress/create":
            self.progress[params["token"]] = "created"

    def _notification(self, method: str, params: Any) -> None:
        if method == "textDocument/publishDiagnostics":
            self._diagnostics(params)
        elif method == "$/progress":
            self._progress(params)
        elif method == "memoryLsp/status":
            _need(self.options.get("status") is True, "memoryLsp/status was not asked for", params)
        else:
            _need(method in ALWAYS, f"the notification {method} is not one that a server may send", params)

    # The server's announcements

    def _announcements(self) -> None:
        offered = self._get("general.positionEncodings") or ["utf-16"]
        encoding = self.server.get("positionEncoding", "utf-16")
        _need(encoding in (*offered, "utf-16"), f"the encoding {encoding} was not offered", offered)
        actions = self.server.get("codeActionProvider")
        if isinstance(actions, dict) and "codeActionKinds" in actions:
            self._announced("textDocument.codeAction.codeActionLiteralSupport", "kinds of code actions")

    def _registration(self, item: Json) -> None:
        method = item["method"]
        capability = REGISTERED.get(method) or method.replace("/", ".", 1)
        announced = self._get(capability)
        dynamic = isinstance(announced, dict) and announced.get("dynamicRegistration") is True
        _need(dynamic, f"{capability}.dynamicRegistration was not announced", item)
        self.registered.add(method)
        for watcher in (item.get("registerOptions") or {}).get("watchers", ()):
            if not isinstance(watcher["globPattern"], str):
                self._announced("workspace.didChangeWatchedFiles.relativePatternSupport", "a relative pattern")

    # What is shown

    def _diagnostics(self, params: Json) -> None:
        announced = "textDocument.publishDiagnostics"
        if params.get("version") is not None and params["uri"] in self.versions:
            _need(params["version"] <= self.versions[params["uri"]], "a version that was never opened", params)
        for item in params["diagnostics"]:
            self._range(item["range"])
            _need(item.get("severity") in (1, 2, 3, 4), "a severity that there is not", item)
            if item.get("relatedInformation"):
                self._announced(f"{announced}.relatedInformation", "related information")
            if item.get("codeDescription"):
                self._announced(f"{announced}.codeDescriptionSupport", "a code description")
            if item.get("data") is not None:
                self._announced(f"{announced}.dataSupport", "data of a diagnostic")
            for tag in item.get("tags") or ():
                _need(
                    tag in (self._get(f"{announced}.tagSupport.valueSet") or ()),
                    f"the tag {tag} was not announced",
                    item,
                )

    def _progress(self, params: Json) -> None:
        token, kind = params["token"], params["value"].get("kind")
        state = self.progress.get(token)
        _need(state is not None, "progress on a token that nobody made", params)
        if kind == "begin":
            _need(state != "running", "progress that begins twice", params)
            self.progress[token] = "running"
        elif kind in ("report", "end"):
            _need(state == "running", f"progress that says {kind} before it begins", params)
            if kind == "end":
                self.progress[token] = "ended"

    # Results

    def _result_textDocument_hover(self, result: Json) -> None:  # named as the method
        contents = result["contents"]
        _need(isinstance(contents, dict) and "kind" in contents, "hover contents that are deprecated", result)
        formats = self._get("textDocument.hover.contentFormat") or ["plaintext"]
        _need(contents["kind"] in formats or contents["kind"] == "plaintext", "a format that was not announced", result)
        if "range" in result:
            self._range(result["range"])

    def _result_textDocument_definition(self, result: Any) -> None:
        for item in result if isinstance(result, list) else [result]:
            if "targetUri" in item:
                self._announced("textDocument.definition.linkSupport", "a location link")

    def _result_textDocument_documentLink(self, result: list[Json]) -> None:
        for item in result:
            self._range(item["range"])
            if item.get("tooltip") is not None:
                self._announced("textDocument.documentLink.tooltipSupport", "a tooltip of a link")

    def _result_textDocument_codeLens(self, result: list[Json]) -> None:
        for item in result:
            self._range(item["range"])
            if item.get("command"):
                self._command(item["command"])
            else:
                resolves = self.server.get("codeLensProvider", {}).get("resolveProvider")
                _need(bool(resolves), "a lens without a command that nobody resolves", item)

    def _result_textDocument_codeAction(self, result: list[Json]) -> None:
        literals = "textDocument.codeAction.codeActionLiteralSupport"
        for item in result:
            if isinstance(item.get("command"), str):
                self._command(item)
                continue
            self._announced(literals, "a code action literal")
            if item.get("disabled"):
                self._announced("textDocument.codeAction.disabledSupport", "a disabled code action")
                _need("edit" not in item and "command" not in item, "a disabled action that does something", item)
            if item.get("isPreferred"):
                self._announced("textDocument.codeAction.isPreferredSupport", "a preferred code action")
            if item.get("data") is not None:
                self._announced("textDocument.codeAction.dataSupport", "data of a code action")
            _need(_KIND.match(item.get("kind", "quickfix")) is not None, "a kind that is none", item)
            if item.get("edit"):
                self._edit(item["edit"])
            if item.get("command"):
                self._command(item["command"])

    def _result_textDocument_completion(self, result: Any) -> None:
        announced = "textDocument.completion.completionItem"
        for item in result["items"] if isinstance(result, dict) else result:
            if item.get("insertTextFormat") == 2:
                self._announced(f"{announced}.snippetSupport", "a snippet")
            if item.get("labelDetails"):
                self._announced(f"{announced}.labelDetailsSupport", "details of a label")
            if item.get("insertTextMode") is not None:
                self._announced(f"{announced}.insertTextModeSupport", "a mode of inserting")
            if item.get("commitCharacters"):
                self._announced(f"{announced}.commitCharactersSupport", "commit characters")
            for tag in item.get("tags") or ():
                _need(
                    tag in (self._get(f"{announced}.tagSupport.valueSet") or ()), "a tag that was not announced", item
                )
            text = item.get("textEdit") or {}
            if "insert" in text:
                self._announced(f"{announced}.insertReplaceSupport", "an edit to insert or replace")
            documentation = item.get("documentation")
            if isinstance(documentation, dict):
                formats = self._get(f"{announced}.documentationFormat") or ["plaintext"]
                _need(documentation["kind"] in formats, "a format that was not announced", item)

    def _result_textDocument_documentSymbol(self, result: list[Json]) -> None:
        for item in result:
            if "selectionRange" in item:
                self._announced("textDocument.documentSymbol.hierarchicalDocumentSymbolSupport", "a tree of symbols")

    def _result_workspace_symbol(self, result: list[Json]) -> None:
        for item in result:
            if "range" not in item["location"]:
                self._announced("workspace.symbol.resolveSupport", "a symbol without a range")

    def _result_textDocument_rename(self, result: Json) -> None:
        self._edit(result)

    def _result_workspace_willRenameFiles(self, result: Json) -> None:
        self._announced("workspace.fileOperations.willRename", "an edit for files that are renamed")
        self._edit(result)

    def _result_workspace_willDeleteFiles(self, result: Json) -> None:
        self._announced("workspace.fileOperations.willDelete", "an edit for files that are deleted")
        self._edit(result)

    # Their parts

    def _edit(self, edit: Json) -> None:
        announced = "workspace.workspaceEdit"
        _need(not (edit.get("changes") and edit.get("documentChanges")), "an edit in two forms", edit)
        annotations = edit.get("changeAnnotations")
        if annotations:
            self._announced(f"{announced}.changeAnnotationSupport", "annotations of changes")
        for edits in (edit.get("changes") or {}).values():
            self._text_edits(edits, annotations)
        if edit.get("documentChanges") is not None:
            self._announced(f"{announced}.documentChanges", "document changes")
        for change in edit.get("documentChanges") or ():
            if "kind" in change:
                allowed = self._get(f"{announced}.resourceOperations") or ()
                _need(
                    change["kind"] in KINDS_OF_RESOURCES and change["kind"] in allowed,
                    "an operation that was not announced",
                    change,
                )
                safe = change["kind"] != "create" or change.get("options", {}).get("ignoreIfExists") is True
                _need(safe, "a file that is created over another", change)
                continue
            document = change["textDocument"]
            _need("version" in document, "a versioned document without version", change)
            known = self.versions.get(document["uri"])
            _need(
                document["version"] is None or document["version"] <= (known or 0),
                f"an edit of another version than {known}",
                change,
            )
            self._text_edits(change["edits"], annotations)

    def _text_edits(self, edits: list[Json], annotations: Any) -> None:
        last = (0, 0)
        for item in sorted(
            edits, key=lambda item: (_position(item["range"]["start"]), _position(item["range"]["end"]))
        ):
            self._range(item["range"])
            _need("snippet" not in item and "insertTextFormat" not in item, "a snippet in an edit", item)
            _need("annotationId" not in item or bool(annotations), "an annotation that is not given", item)
            _need(_position(item["range"]["start"]) >= last, "edits that overlap", edits)
            last = _position(item["range"]["end"])

    def _command(self, command: Json) -> None:
        known = (self.server.get("executeCommandProvider") or {}).get("commands", ())
        prompt = _object(self.options.get("prompt")).get("command")
        _need(bool(command.get("title")), "a command without a title", command)
        name = command["command"]
        _need(name in known or (prompt and name == prompt), f"the command {name} was not announced", command)
        if name == prompt:
            for argument in command["arguments"]:
                _need(
                    argument["command"] in known,
                    f"the prompted command {argument['command']} was not announced",
                    command,
                )

    def _range(self, value: Json) -> None:
        start, end = _position(value["start"]), _position(value["end"])
        _need((0, 0) <= start <= end and min(*start, *end) >= 0, "a range that ends before it begins", value)

    def _announced(self, path: str, what: str) -> None:
        value = self._get(path)
        _need(
            value is not None and value is not False and value != [],
            f"{what} was sent, but {path} was not announced",
            value,
        )

    def _get(self, path: str) -> Any:
        value: Any = self.capabilities
        for name in path.split("."):
            value = value.get(name) if isinstance(value, dict) else None
        return value


def _position(value: Json) -> tuple[int, int]:
    return value["line"], value["character"]


def _object(value: Any) -> Json:
    return value if isinstance(value, dict) else {}


def _need(holds: bool, what: str, shown: Any) -> None:
    if not holds:
        raise Violation(f"{what}: {shown}")
