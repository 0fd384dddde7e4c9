"""What the client announced, and what the server announces back; plain dictionaries in, plain values out.

Imports nothing heavy, so that ``initialize`` can be answered before pygls is there (``server.start``). Everything the
server sends beyond the bare protocol asks ``ClientSupport`` first: no client's name decides anything.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from memory_lsp import __version__

if TYPE_CHECKING:
    from memory_lsp.core.text import Encoding

ENCODINGS: tuple[Encoding, ...] = ("utf-8", "utf-16", "utf-32")

COMMANDS = (
    "memoryLsp.server.open",
    "memoryLsp.server.capture",
    "memoryLsp.server.verify",
    "memoryLsp.server.supersede",
    "memoryLsp.server.retire",
    "memoryLsp.server.follow",
    "memoryLsp.server.narrow",
    "memoryLsp.server.approve",
    "memoryLsp.server.reject",
    "memoryLsp.server.finish",
    "memoryLsp.server.status",
    "memoryLsp.server.list",
    "memoryLsp.server.impact",
    "memoryLsp.server.repairIndex",
    "memoryLsp.server.compare",
)


@dataclass(frozen=True, slots=True)
class ClientSupport:
    """The client's capabilities and ``initializationOptions`` that decide what it is sent.

    ``create_files`` holds only where a ``CreateFile`` may be sent (it needs ``documentChanges``). ``prompt`` is the client
    command that asks a person for text (``{"prompt": {"command": ...}}``), empty if there is none; ``status`` asks for
    ``memoryLsp/status``; ``trusted`` is false in an untrusted workspace; ``settings`` are the initial client settings.
    """

    encoding: Encoding = "utf-16"
    configuration: bool = False
    register_configuration: bool = False
    register_watched_files: bool = False
    workspace_folders: bool = False
    apply_edit: bool = False
    document_changes: bool = False
    create_files: bool = False
    diagnostic_version: bool = False
    diagnostic_related: bool = False
    diagnostic_data: bool = False
    diagnostic_link: bool = False
    action_literals: bool = False
    action_disabled: bool = False
    hover_markdown: bool = False
    definition_links: bool = False
    link_tooltips: bool = False
    symbol_trees: bool = False
    lens_refresh: bool = False
    show_document: bool = False
    message_choices: bool = False
    progress: bool = False
    prompt: str = ""
    status: bool = False
    trusted: bool = True
    settings: Mapping[str, Any] = field(default_factory=dict)


def client_support(params: Mapping[str, Any]) -> ClientSupport:
    """Read the params of ``initialize``; what has an unexpected shape counts as not announced."""
    options = params.get("initializationOptions")
    options = options if isinstance(options, dict) else {}

    def said(path: str) -> bool:
        return _at(params.get("capabilities"), path) is True

    operations = _at(params.get("capabilities"), "workspace.workspaceEdit.resourceOperations")
    document_changes = said("workspace.workspaceEdit.documentChanges")
    formats = _at(params.get("capabilities"), "textDocument.hover.contentFormat")
    prompt = _at(options, "prompt.command")
    settings = options.get("settings")
    return ClientSupport(
        encoding=_encoding(_at(params.get("capabilities"), "general.positionEncodings")),
        configuration=said("workspace.configuration"),
        register_configuration=said("workspace.didChangeConfiguration.dynamicRegistration"),
        register_watched_files=said("workspace.didChangeWatchedFiles.dynamicRegistration"),
        workspace_folders=said("workspace.workspaceFolders"),
        apply_edit=said("workspace.applyEdit"),
        document_changes=document_changes,
        create_files=document_changes and isinstance(operations, list) and "create" in operations,
        diagnostic_version=said("textDocument.publishDiagnostics.versionSupport"),
        diagnostic_related=said("textDocument.publishDiagnostics.relatedInformation"),
        diagnostic_data=said("textDocument.publishDiagnostics.dataSupport"),
        diagnostic_link=said("textDocument.publishDiagnostics.codeDescriptionSupport"),
        action_literals=isinstance(
            _at(params.get("capabilities"), "textDocument.codeAction.codeActionLiteralSupport"), dict
        ),
        action_disabled=said("textDocument.codeAction.disabledSupport"),
        hover_markdown=isinstance(formats, list) and "markdown" in formats,
        definition_links=said("textDocument.definition.linkSupport"),
        link_tooltips=said("textDocument.documentLink.tooltipSupport"),
        symbol_trees=said("textDocument.documentSymbol.hierarchicalDocumentSymbolSupport"),
        lens_refresh=said("workspace.codeLens.refreshSupport"),
        show_document=said("window.showDocument.support"),
        message_choices=isinstance(_at(params.get("capabilities"), "window.showMessage"), dict),
        progress=said("window.workDoneProgress"),
        prompt=prompt if isinstance(prompt, str) else "",
        status=options.get("status") is True,
        trusted=options.get("trusted") is not False,
        settings=settings if isinstance(settings, dict) else {},
    )


def initialize_problem(params: Any) -> str:
    """Why the params of ``initialize`` cannot be used (-32602), empty if they can."""
    if not isinstance(params, dict):
        return "params must be an object"
    if not isinstance(params.get("capabilities"), dict):
        return "capabilities must be an object"
    process = params.get("processId")
    if process is not None and (not isinstance(process, int) or isinstance(process, bool)):
        return "processId must be an integer or null"
    for name in ("rootUri", "rootPath"):
        if not isinstance(params.get(name), str | None):
            return f"{name} must be a string or null"
    folders = params.get("workspaceFolders")
    if folders is not None and not (
        isinstance(folders, list)
        and all(isinstance(folder, dict) and isinstance(folder.get("uri"), str) for folder in folders)
    ):
        return "workspaceFolders must be a list of folders or null"
    return ""


def initialize_result(support: ClientSupport) -> dict[str, Any]:
    """The result of ``initialize`` for this client."""
    actions: object = {"codeActionKinds": ["quickfix", "refactor"]} if support.action_literals else True
    return {
        "capabilities": {
            "positionEncoding": support.encoding,
            "textDocumentSync": {"openClose": True, "change": 1, "save": {"includeText": False}},
            "hoverProvider": True,
            "definitionProvider": True,
            "referencesProvider": True,
            "documentSymbolProvider": True,
            "documentLinkProvider": {"resolveProvider": False},
            "codeLensProvider": {"resolveProvider": False},
            "codeActionProvider": actions,
            "executeCommandProvider": {"commands": list(COMMANDS)},
            "workspace": {"workspaceFolders": {"supported": True, "changeNotifications": True}},
        },
        "serverInfo": {"name": "memory-lsp", "version": __version__},
    }


def _encoding(offered: object) -> Encoding:
    """The first position encoding that the client offers and we have; the protocol's default is utf-16."""
    if isinstance(offered, list):
        for encoding in ENCODINGS:
            if offered[:1] == [encoding]:
                return encoding
        for encoding in ENCODINGS:
            if encoding in offered:
                return encoding
    return "utf-16"


def _at(value: Any, path: str) -> Any:
    for name in path.split("."):
        if not isinstance(value, dict):
            return None
        value = value.get(name)
    return value
