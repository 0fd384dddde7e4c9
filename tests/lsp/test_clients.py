"""The whole story with the announced capabilities of real clients, each in its own position encoding, over pytest-lsp.

``capabilities/`` holds the params of ``initialize`` as the editors sent them.
"""

from __future__ import annotations

import asyncio
import json
import shutil
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any, Union

import pytest
import pytest_lsp
from cattrs import Converter
from lsprotocol import types
from lsprotocol.converters import get_converter
from pygls.protocol import default_converter
from pytest_lsp import ClientServerConfig, LanguageClient
from pytest_lsp.client import register_lsp_features
from pytest_lsp.protocol import LanguageClientProtocol

from memory_lsp.core.model import TextEdit, apply_edits
from memory_lsp.core.text import Encoding, LineIndex
from tests.lsp.store import CHANGED, make_project
from tests.wire import Violation, Wire

HERE = Path(__file__).parent
PROFILES: dict[str, Encoding] = {
    "vscode-1.139.1": "utf-16",
    "neovim-0.11.4": "utf-8",
    "emacs-29.1": "utf-32",
    "helix-25.01.1": "utf-8",
}
pytestmark = pytest.mark.filterwarnings("error::pytest_lsp.LspSpecificationWarning")


class Editor:
    """What an editor does with what it gets: it keeps documents, applies edits, saves files."""

    def __init__(self, client: LanguageClient, root: Path, encoding: Encoding) -> None:
        self.client = client
        self.root = root
        self.encoding: Encoding = encoding
        self.texts: dict[str, str] = {}
        self.versions: dict[str, int] = {}
        self.created: list[str] = []
        # pygls's decorator marks what it registers, which bound functions do not take.
        client.protocol.fm.features.update(
            {
                types.WORKSPACE_APPLY_EDIT: self._apply_edit,
                types.CLIENT_REGISTER_CAPABILITY: lambda params: self.registered.extend(params.registrations),
                types.WINDOW_SHOW_DOCUMENT: self._show,
                types.WORKSPACE_CODE_LENS_REFRESH: lambda params: None,
            }
        )
        self.registered: list[types.Registration] = []
        self.shown: list[str] = []

    def uri(self, path: str) -> str:
        return (self.root / path).as_uri()

    def open(self, path: str, text: str | None = None) -> None:
        """Open a file, or a new one with no text."""
        file = self.root / path
        self.texts[path] = text if text is not None else file.read_text("utf-8")
        self.versions[path] = 1
        self.client.text_document_did_open(
            types.DidOpenTextDocumentParams(types.TextDocumentItem(self.uri(path), "text", 1, self.texts[path]))
        )

    def change(self, path: str, text: str) -> None:
        """Replace the text."""
        self.texts[path] = text
        self.versions[path] += 1
        identifier = types.VersionedTextDocumentIdentifier(self.versions[path], self.uri(path))
        changes = [types.TextDocumentContentChangeWholeDocument(text)]
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(identifier, changes))

    def save(self, path: str) -> None:
        """Write the file and say so."""
        (self.root / path).write_text(self.texts[path], "utf-8")
        self.client.text_document_did_save(
            types.DidSaveTextDocumentParams(types.TextDocumentIdentifier(self.uri(path)))
        )

    def position(self, path: str, text: str) -> types.Position:
        """Where a text stands first, in the client's units."""
        lines = LineIndex(self.texts[path])
        return types.Position(*lines.position(self.texts[path].index(text), self.encoding))

    def at(self, path: str, place: types.Range) -> str:
        """The text of a range."""
        lines = LineIndex(self.texts[path])
        start = lines.offset(place.start.line, place.start.character, self.encoding)
        return self.texts[path][start : lines.offset(place.end.line, place.end.character, self.encoding)]

    async def diagnostics(self, path: str, wanted: Callable[[list[types.Diagnostic]], bool]) -> list[types.Diagnostic]:
        """The diagnostics of a document once they are as wanted."""
        while not wanted(found := list(self.client.diagnostics.get(self.uri(path), ()))):
            await asyncio.wait_for(
                self.client.wait_for_notification(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS), timeout=20
            )
        return found

    async def actions(self, path: str, place: types.Range, found: list[types.Diagnostic]) -> list[types.CodeAction]:
        """The code actions that a person asks for."""
        context = types.CodeActionContext(found, trigger_kind=types.CodeActionTriggerKind.Invoked)
        params = types.CodeActionParams(types.TextDocumentIdentifier(self.uri(path)), place, context)
        answer = await self.client.text_document_code_action_async(params)
        return [action for action in answer or () if isinstance(action, types.CodeAction)]

    def apply(self, edit: types.WorkspaceEdit) -> None:
        """Apply a workspace edit in the form that was announced."""
        announced = self.client.capabilities
        assert (
            announced is not None and announced.workspace is not None and announced.workspace.workspace_edit is not None
        )
        creates = "create" in (announced.workspace.workspace_edit.resource_operations or ())
        known = all((self.root / self._path(uri)).exists() for uri in edit.changes or ())
        if announced.workspace.workspace_edit.document_changes and (known or creates):
            assert edit.changes is None and edit.document_changes
            for change in edit.document_changes:
                if isinstance(change, types.CreateFile):
                    assert creates and change.options is not None and change.options.ignore_if_exists
                    self.created.append(change.uri)
                    continue
                assert isinstance(change, types.TextDocumentEdit)
                path = self._path(change.text_document.uri)
                assert change.text_document.version == self.versions.get(path)
                self._edit(path, [item for item in change.edits if isinstance(item, types.TextEdit)])
        else:
            assert edit.document_changes is None and edit.changes
            for uri, edits in edit.changes.items():
                self._edit(self._path(uri), list(edits))

    def _edit(self, path: str, edits: list[types.TextEdit]) -> None:
        if path not in self.texts:
            self.open(path, None if (self.root / path).exists() else "")
        lines = LineIndex(self.texts[path])

        def offset(position: types.Position) -> int:
            return lines.offset(position.line, position.character, self.encoding)

        converted = tuple(TextEdit(offset(edit.range.start), offset(edit.range.end), edit.new_text) for edit in edits)
        self.change(path, apply_edits(self.texts[path], converted))

    def _path(self, uri: str) -> str:
        assert uri.startswith(self.root.as_uri() + "/")
        return uri[len(self.root.as_uri()) + 1 :]

    def _apply_edit(self, params: types.ApplyWorkspaceEditParams) -> types.ApplyWorkspaceEditResult:
        self.apply(params.edit)
        return types.ApplyWorkspaceEditResult(applied=True)

    def _show(self, params: types.ShowDocumentParams) -> types.ShowDocumentResult:
        self.shown.append(params.uri)
        return types.ShowDocumentResult(success=True)


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_project(tmp_path_factory.mktemp("template") / "project")


class CheckedProtocol(LanguageClientProtocol):
    """Remembers what the server sent that was not negotiated."""

    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self.wire = Wire()
        self.violations: list[Violation] = []

    def structure_message(self, data: dict[str, Any]) -> Any:
        """Called for every object of a message, the whole one last."""
        if "jsonrpc" in data:
            try:
                self.wire.received(data)
            except Violation as violation:
                self.violations.append(violation)
        return super().structure_message(data)

    def _send_data(self, data: Any) -> None:
        self.wire.sent(json.loads(json.dumps(data, default=self._serialize_message)))
        super()._send_data(data)


def make_client() -> LanguageClient:
    """A client whose converter tells a code action with a command from a command (lsprotocol's takes it for one)."""

    def converter() -> Converter:
        made = default_converter()
        made.register_structure_hook(
            Union[types.Command, types.CodeAction],  # noqa: UP007  # the type that lsprotocol uses
            lambda value, _: (
                made.structure(value, types.Command if isinstance(value["command"], str) else types.CodeAction)
                if "command" in value
                else made.structure(value, types.CodeAction)
            ),
        )
        return made

    client = LanguageClient(converter_factory=converter, protocol_cls=CheckedProtocol)
    register_lsp_features(client)
    return client


@pytest_lsp.fixture(
    params=list(PROFILES),
    config=ClientServerConfig(server_command=[sys.executable, "-m", "memory_lsp", "serve"], client_factory=make_client),
)
async def client(
    lsp_client: LanguageClient, request: pytest.FixtureRequest, tmp_path: Path, template: Path
) -> AsyncIterator[None]:
    root = Path(shutil.copytree(template, tmp_path / "with space"))
    profile = json.loads((HERE / "capabilities" / f"{request.param}.json").read_text("utf-8"))
    folder = {"uri": root.as_uri(), "name": root.name}
    profile |= {"rootUri": root.as_uri(), "rootPath": str(root), "workspaceFolders": [folder], "processId": None}
    lsp_client.editor = Editor(lsp_client, root, PROFILES[request.param])  # type: ignore[attr-defined]
    lsp_client.profile = request.param  # type: ignore[attr-defined]
    result = await lsp_client.initialize_session(get_converter().structure(profile, types.InitializeParams))
    assert result.capabilities.position_encoding == PROFILES[request.param]
    yield
    await lsp_client.shutdown_session()
    protocol = lsp_client.protocol
    assert isinstance(protocol, CheckedProtocol) and protocol.wire.server
    assert not protocol.violations, protocol.violations


@pytest.fixture
def editor(client: LanguageClient) -> Editor:
    return client.editor  # type: ignore[attr-defined,no-any-return]


async def test_from_an_edit_to_verified_again(client: LanguageClient, editor: Editor) -> None:
    """Open, edit, see it, hover, re-verify with evidence, save: it is fresh again and the audit log says why."""
    capabilities = client.capabilities
    assert capabilities is not None and capabilities.text_document is not None
    editor.open("pay.py")
    editor.change("pay.py", CHANGED)
    found = await editor.diagnostics("pay.py", lambda found: len(found) == 2)
    assert [editor.at("pay.py", item.range) for item in found] == ["charge", "rate"]
    assert {item.source for item in found} == {"memory"} and {item.code for item in found} == {"memory-changed"}
    announced = capabilities.text_document.publish_diagnostics
    assert announced is not None
    for item in found:
        assert bool(item.related_information) == bool(announced.related_information)
        assert (item.data is not None) == bool(announced.data_support)
        assert (item.code_description is not None) == bool(announced.code_description_support)

    identifier = types.TextDocumentIdentifier(editor.uri("pay.py"))
    hover = await client.text_document_hover_async(types.HoverParams(identifier, editor.position("pay.py", "rate = 8")))
    assert hover is not None and hover.range is not None and editor.at("pay.py", hover.range) == "rate"
    assert isinstance(hover.contents, types.MarkupContent) and "fixed by law" in hover.contents.value

    lenses = await client.text_document_code_lens_async(types.CodeLensParams(identifier))
    assert [lens.command.title for lens in lenses or () if lens.command] == ["1 memory, 1 to re-verify"] * 2

    actions = await editor.actions("pay.py", found[1].range, found[1:])
    blocked = [action for action in actions if action.disabled]
    assert capabilities.text_document.code_action is not None
    assert bool(blocked) == bool(capabilities.text_document.code_action.disabled_support)
    assert all("save pay.py" in action.disabled.reason for action in blocked if action.disabled)
    titles = [action.title for action in actions]

    editor.save("pay.py")
    actions = await editor.actions("pay.py", found[1].range, found[1:])
    assert [action.title for action in actions] == titles, "nothing changes its place in the menu"
    verify = next(action for action in actions if action.title.startswith("Still true"))
    assert verify.edit is not None and not verify.is_preferred and list(verify.diagnostics or ()) == found[1:]
    editor.apply(verify.edit)
    record = ".memory/mem-rate.md"
    assert "<evidence:" in editor.texts[record]
    drafts = await editor.diagnostics(record, lambda found: any(item.code == "memory-draft" for item in found))
    place = next(item.range for item in drafts if item.code == "memory-draft")
    assert editor.at(record, place).startswith("<evidence")
    assert any(item.code == "memory-changed" for item in client.diagnostics[editor.uri("pay.py")]), "not yet verified"

    lines = LineIndex(editor.texts[record])
    start = lines.offset(place.start.line, place.start.character, editor.encoding)
    end = lines.offset(place.end.line, place.end.character, editor.encoding)
    editor.change(record, editor.texts[record][:start] + "Read the new law 🔑" + editor.texts[record][end:])
    left = await editor.diagnostics("pay.py", lambda found: len(found) == 1)
    assert editor.at("pay.py", left[0].range) == "charge"
    editor.save(record)
    log = editor.root / ".memory-lsp" / "audit.jsonl"
    for _ in range(1000):
        if log.exists() and log.read_text("utf-8").strip():
            break
        await asyncio.sleep(0.02)
    event = json.loads(log.read_text("utf-8"))
    assert (event["action"], event["memory"], event["actor"]) == ("verify", "mem-rate", "human:Ada")
    assert event["reason"] == "Read the new law 🔑" and event["before"] != event["after"]
    assert list(event) == ["at", "actor", "action", "memory", "before", "after", "reason", "result"]


async def test_capture_and_supersede(client: LanguageClient, editor: Editor) -> None:
    """A new record is made by whatever the client announced, and shown where it can be."""
    editor.open("pay.py")
    place = types.Range(editor.position("pay.py", "charge"), editor.position("pay.py", "charge"))
    capture = next(action for action in await editor.actions("pay.py", place, []) if action.title.startswith("Capture"))
    assert capture.edit is not None
    editor.apply(capture.edit)
    (path,) = [name for name in editor.texts if name.startswith(".memory/")]
    assert "symbol: charge" in editor.texts[path] and "<title:" in editor.texts[path]
    drafts = await editor.diagnostics(path, lambda found: len(found) == 2)
    assert {item.code for item in drafts} == {"memory-draft"}
    shows = client.capabilities.window.show_document if client.capabilities and client.capabilities.window else None
    assert (capture.command is not None) == bool(shows)
    if capture.command is not None:
        await client.workspace_execute_command_async(
            types.ExecuteCommandParams(capture.command.command, capture.command.arguments)
        )
        assert editor.shown == [editor.uri(path)]

    filled = editor.texts[path].replace("<title: one line that names the claim>", "Fees are ours")
    editor.change(path, filled.replace("<statement: the claim, in one or two sentences>", "We pay the fees."))
    await editor.diagnostics(path, lambda found: not found)
    editor.save(path)

    result = await client.workspace_execute_command_async(
        types.ExecuteCommandParams(
            "memoryLsp.server.supersede",
            [{"memory": "mem-charge", "title": "Charges are retried once", "statement": "Since the bank has keys."}],
        )
    )
    assert result["applied"] and "superseded_by" in editor.texts[".memory/mem-charge.md"]
    assert "Charges are retried once" in editor.texts[result["path"]]
    assert "- mem-charge" in editor.texts[result["path"]]


async def test_links_from_a_record(client: LanguageClient, editor: Editor) -> None:
    """Definition, links and hover on a citation, as announced."""
    path = ".memory/mem-rate.md"
    editor.open(path)
    identifier = types.TextDocumentIdentifier(editor.uri(path))
    place = editor.position(path, "rate\n    fingerprint")
    target = await client.text_document_definition_async(types.DefinitionParams(identifier, place))
    announced = client.capabilities.text_document if client.capabilities else None
    assert isinstance(target, list) and len(target) == 1 and announced is not None
    editor.open("pay.py")
    if announced.definition is not None and announced.definition.link_support:
        assert isinstance(target[0], types.LocationLink)
        assert editor.at("pay.py", target[0].target_selection_range) == "rate"
    else:
        assert isinstance(target[0], types.Location)
        assert editor.at("pay.py", target[0].range) == "rate"
    links = await client.text_document_document_link_async(types.DocumentLinkParams(identifier))
    assert [link.target for link in links or ()] == [f"{editor.uri('pay.py')}#L6"]
    hover = await client.text_document_hover_async(types.HoverParams(identifier, place))
    assert hover is not None and isinstance(hover.contents, types.MarkupContent) and "fresh" in hover.contents.value


async def test_only_what_was_announced_is_registered(client: LanguageClient, editor: Editor) -> None:
    editor.open("pay.py")
    identifier = types.TextDocumentIdentifier(editor.uri("pay.py"))
    await client.text_document_hover_async(types.HoverParams(identifier, types.Position(0, 5)))
    announced = client.capabilities.workspace if client.capabilities else None
    assert announced is not None
    watched = announced.did_change_watched_files
    settings = announced.did_change_configuration
    methods = {registration.method for registration in editor.registered}
    assert (types.WORKSPACE_DID_CHANGE_WATCHED_FILES in methods) == bool(watched and watched.dynamic_registration)
    assert (types.WORKSPACE_DID_CHANGE_CONFIGURATION in methods) == bool(settings and settings.dynamic_registration)
