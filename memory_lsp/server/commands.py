"""``workspace/executeCommand``: the actions as commands, for clients that ask a person for the text first.

Each command takes one object. ``root`` (a folder's URI) is needed only where two roots hold the same id; free texts are
optional, and what is left out becomes a placeholder in the record:

| command | argument |
|---|---|
| ``memoryLsp.server.open`` | ``{memory}`` or ``{path, root, line?}``: show the record |
| ``memoryLsp.server.verify`` | ``{memory, evidence?}`` |
| ``memoryLsp.server.supersede`` | ``{memory, title?, statement?, why?}`` |
| ``memoryLsp.server.retire`` | ``{memory, reason?}`` |
| ``memoryLsp.server.approve`` | ``{memory}`` |
| ``memoryLsp.server.reject`` | ``{memory, reason?}`` |
| ``memoryLsp.server.finish`` | ``{memory}`` |
| ``memoryLsp.server.follow`` | ``{memory, index?, to?}`` |
| ``memoryLsp.server.narrow`` | ``{memory, index?, lines}`` or ``{memory, index?, member}``, ``evidence?`` |
| ``memoryLsp.server.capture`` | ``{path, symbol?, root}`` or ``{uri, symbol?}`` or ``{uri, position}``, ``lines?, title?, statement?, why?, type?, store?`` (a path: where several stores may get it) |
| ``memoryLsp.server.status`` | none: the ``memoryLsp/status`` of every root |
| ``memoryLsp.server.list`` | ``{memories?}`` (ids): what they claim and how they stand; without ids all that are to be re-verified |
| ``memoryLsp.server.repairIndex`` | ``{path, root}``: put the index page of a Kiyo store in order |
| ``memoryLsp.server.impact`` | ``{memories?}`` (ids): what the state of the code means for the records of Kiyo stores, and drift |
| ``memoryLsp.server.compare`` | ``{memory}``: the text of what it cites, then and now, where that is not the same |

``lines`` are ``[first, last]``, counted from 1. With ``tell: true`` the person is told in a message what is refused, and the
result says that nothing was applied: so are actions sent that cannot be taken now, where a client shows none that are disabled. Edits are applied by ``workspace/applyEdit``. The result is ``{applied, summary, path?, uri?}``; what is refused is an error (-32803)
whose message says what to do.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from memory_lsp.core.display import shown
from memory_lsp.core.model import Memory, Plan, Refusal
from memory_lsp.features.acts import Acts
from memory_lsp.features.comparison import comparisons
from memory_lsp.features.listing import listed
from memory_lsp.features.memory_actions import place_to_fill
from memory_lsp.features.status import status_of
from memory_lsp.server.convert import offset_of
from memory_lsp.server.edits import acts_for, edit_of, unsaved, uri_of
from memory_lsp.server.protocol import INVALID_PARAMS, REQUEST_FAILED, MemoryServer
from memory_lsp.server.publisher import status_params
from memory_lsp.server.root import Root
from memory_lsp.server.session import Session
from memory_lsp.workspace.impact import drift, has_kiyo, impact, kiyo_ids
from memory_lsp.workspace.snapshot import Snapshot

PREFIX = "memoryLsp.server."
NO_FINGERPRINTS = ("retire", "approve", "reject", "finish")
"""What can be done while the cited files have unsaved edits."""
TEXTS = ("title", "statement", "why", "type", "evidence", "reason")


class Commands:
    """Runs the commands of one session."""

    def __init__(self, server: MemoryServer, session: Session) -> None:
        self._server = server
        self._session = session

    async def execute(self, params: types.ExecuteCommandParams) -> Any:
        """Run one command; its argument is checked here."""
        arguments = list(params.arguments or ())
        argument = arguments[0] if arguments else {}
        if not isinstance(argument, dict):
            raise _refused("the argument must be one object", INVALID_PARAMS)
        for name in (*TEXTS, "memory", "path", "symbol", "member", "to", "root", "uri", "store"):
            if not isinstance(argument.get(name), str | None):
                raise _refused(f"`{name}` must be text", INVALID_PARAMS)
        if argument.get("lines") is not None and _lines(argument) is None:
            raise _refused("`lines` must be two line numbers, counted from 1", INVALID_PARAMS)
        try:
            return await self._run(params.command, argument)
        except JsonRpcException as error:
            if error.code != REQUEST_FAILED or argument.get("tell") is not True:
                raise
            told = types.ShowMessageParams(type=types.MessageType.Info, message=error.message)
            self._server.window_show_message(told)
            return {"applied": False, "summary": error.message}

    async def _run(self, command: str, argument: Mapping[str, Any]) -> Any:
        name = command.removeprefix(PREFIX)
        for root in list(self._session.roots.values()):
            await root.loaded.wait()
        if name == "status":
            return self._status()
        if name == "list":
            return self._list(argument)
        if name == "impact":
            return self._impact(argument)
        if name == "compare":
            return self._compare(argument)
        if name == "open":
            return await self._open(argument)
        if name == "repairIndex":
            root = self._root(argument)
            async with self._session.quiet(root):
                plan = acts_for(self._session, root).repair_index(argument.get("path") or "")
            return await self._apply(root, plan, argument.get("path") or "")
        if name == "capture":
            return await self._capture(argument)
        if name in ("verify", "supersede", "retire", "follow", "narrow", "approve", "reject", "finish"):
            return await self._on_memory(name, argument)
        raise _refused(f"there is no command {shown(command, 100)}", INVALID_PARAMS)

    # What needs no edit

    def _status(self) -> list[dict[str, Any]]:
        return [
            status_params(root, "ready", status_of(root.project.snapshot))
            for root in self._session.roots.values()
            if root.project is not None
        ]

    def _list(self, argument: Mapping[str, Any]) -> list[dict[str, Any]]:
        named = argument.get("memories")
        if named is not None and not (isinstance(named, list) and all(isinstance(item, str) for item in named)):
            raise _refused("`memories` must be a list of ids", INVALID_PARAMS)
        return [
            {**asdict(item), "root": root.uri, "uri": uri_of(self._session, root, item.path)}
            for root in self._session.roots.values()
            if root.project is not None and argument.get("root") in (None, root.uri)
            for item in listed(root.project.snapshot, named)
        ]

    def _impact(self, argument: Mapping[str, Any]) -> list[dict[str, Any]]:
        named = argument.get("memories")
        if named is not None and not (isinstance(named, list) and all(isinstance(item, str) for item in named)):
            raise _refused("`memories` must be a list of ids", INVALID_PARAMS)
        found = []
        for root in self._session.roots.values():
            if root.project is None or argument.get("root") not in (None, root.uri):
                continue
            snapshot = root.project.snapshot
            if has_kiyo(snapshot):
                names = kiyo_ids(snapshot) if named is None else [name for name in named if name in snapshot.memories]
                value = impact(snapshot, names, named=named is not None)
                found.append({"root": root.uri, "impact": value.as_json(), "drift": drift(snapshot, names)})
        return found

    def _compare(self, argument: Mapping[str, Any]) -> list[dict[str, Any]]:
        _, snapshot, memory = self._memory(argument)
        return [asdict(item) for item in comparisons(snapshot, memory)]

    async def _open(self, argument: Mapping[str, Any]) -> dict[str, Any]:
        if argument.get("path") and argument.get("root"):
            root, path, line = self._root(argument), argument["path"], argument.get("line")
            await self.show(root, path, line if isinstance(line, int) else 0)
            return {"applied": True, "summary": path, "path": path, "uri": uri_of(self._session, root, path)}
        root, snapshot, memory = self._memory(argument)
        record = snapshot.records[memory.path]
        await self.show(root, memory.path, record.text.count("\n", 0, memory.span.start))
        uri = uri_of(self._session, root, memory.path)
        return {"applied": True, "summary": memory.title, "path": memory.path, "uri": uri}

    async def show(self, root: Root, path: str, line: int) -> None:
        """Show a file to the person; a client that cannot is told its name in a message."""
        if not self._session.support.show_document:
            text = f"{shown(path, 200)}:{line + 1}"
            self._server.window_show_message(types.ShowMessageParams(type=types.MessageType.Info, message=text))
            return
        place = types.Position(line=line, character=0)
        await self._server.window_show_document_async(
            types.ShowDocumentParams(
                uri=uri_of(self._session, root, path), take_focus=True, selection=types.Range(start=place, end=place)
            )
        )

    # What edits

    async def _on_memory(self, name: str, argument: Mapping[str, Any]) -> dict[str, Any]:
        root, _, known = self._memory(argument)
        async with self._session.quiet(root) as project:
            memory = project.snapshot.memories.get(known.id) if project is not None else None
            if memory is None:
                raise _refused(f"{shown(known.id, 80)} is gone; look at the store again")
            cited = () if name in NO_FINGERPRINTS else tuple(citation.path for citation in memory.citations)
            self._all_saved(root, cited)
            acts = acts_for(self._session, root)
            texts = {key: argument[key] for key in TEXTS if argument.get(key)}
            plan = _plan(name, acts, memory, texts, argument)
        return await self._apply(root, plan, memory.path)

    async def _capture(self, argument: Mapping[str, Any]) -> dict[str, Any]:
        if argument.get("uri"):
            async with self._session.view(argument["uri"]) as found:
                if found is None:
                    raise _refused("this document is not open, or no store of memories is responsible for it")
                root, view = found
                path, symbol = view.path, argument.get("symbol") or ""
                if not symbol and isinstance(argument.get("position"), dict):
                    position = argument["position"]
                    if not all(isinstance(position.get(key), int) for key in ("line", "character")):
                        raise _refused("`position` must have `line` and `character`", INVALID_PARAMS)
                    at = offset_of(
                        view.lines, types.Position(position["line"], position["character"]), self._session.encoding
                    )
                    outline = view.snapshot.sources.outline(path)
                    group = outline.at(view.lines.offset_to_byte(at)) if outline is not None else None
                    symbol = group.path if group is not None else ""
        elif argument.get("path"):
            root, path, symbol = self._root(argument), argument["path"], argument.get("symbol") or ""
        else:
            raise _refused("`path` or `uri` is needed", INVALID_PARAMS)
        async with self._session.quiet(root):
            self._all_saved(root, (path,))
            texts = {key: argument[key] for key in ("title", "statement", "why", "type") if argument.get(key)}
            store = argument.get("store") or ""
            plan = acts_for(self._session, root).capture(path, symbol, **texts, lines=_lines(argument), store=store)
        return await self._apply(root, plan, "")

    async def _apply(self, root: Root, plan: Plan | Refusal, record: str) -> dict[str, Any]:
        if isinstance(plan, Refusal):
            raise _refused(_told(plan))
        new, line = place_to_fill(plan) or (record, 0)
        told = {"summary": plan.summary, "path": new, "uri": uri_of(self._session, root, new)}
        if not plan.edits:
            return {"applied": False, **told}
        if not self._session.support.apply_edit:
            raise _refused("this client does not take edits from the server; use the code action")
        answer = await self._server.workspace_apply_edit_async(
            types.ApplyWorkspaceEditParams(edit=edit_of(self._session, root, plan), label=plan.summary)
        )
        if not answer.applied:
            raise _refused(f"the editor did not apply the edit: {shown(answer.failure_reason or 'no reason given')}")
        if new and self._session.support.show_document:
            await self.show(root, new, line)
        return {"applied": True, **told}

    # What the arguments name

    def _memory(self, argument: Mapping[str, Any]) -> tuple[Root, Snapshot, Memory]:
        identity = argument.get("memory")
        if not identity:
            raise _refused("`memory` is needed: the id of a memory", INVALID_PARAMS)
        for root in self._session.roots.values():
            if argument.get("root") not in (None, root.uri) or root.project is None:
                continue
            memory = root.project.snapshot.memories.get(identity)
            if memory is not None:
                return root, root.project.snapshot, memory
        raise _refused(f"no memory has the id {shown(identity, 80)}")

    def _root(self, argument: Mapping[str, Any]) -> Root:
        for root in self._session.roots.values():
            if argument.get("root") == root.uri and root.project is not None:
                return root
        if argument.get("root") is None and len(self._session.roots) == 1:
            return next(iter(self._session.roots.values()))
        raise _refused("`root` names no folder that holds memories", INVALID_PARAMS)

    def _all_saved(self, root: Root, paths: tuple[str, ...]) -> None:
        for path in paths:
            if unsaved(self._session, root, path):
                raise _refused(f"save {shown(path, 80)} first: fingerprints come from the saved file")


def _plan(
    name: str, acts: Acts, memory: Memory, texts: Mapping[str, str], argument: Mapping[str, Any]
) -> Plan | Refusal:
    if name == "verify":
        return acts.verify(memory, evidence=texts.get("evidence", ""))
    if name == "retire":
        return acts.retire(memory, reason=texts.get("reason", ""))
    if name == "approve":
        return acts.approve(memory)
    if name == "reject":
        return acts.reject(memory, reason=texts.get("reason", ""))
    if name == "finish":
        return acts.finish(memory)
    if name == "supersede":
        given = {key: texts[key] for key in ("title", "statement", "why") if key in texts}
        return acts.supersede(memory, **given)
    index = argument.get("index")
    if name == "narrow":
        member, lines = argument.get("member") or "", _lines(argument)
        if not member and lines is None:
            return Refusal("say what to narrow to: `lines` or `member`")
        return acts.narrow(memory, index if isinstance(index, int) else 0, lines, member, texts.get("evidence", ""))
    return acts.follow(memory, index if isinstance(index, int) else None, argument.get("to") or "")


def _lines(argument: Mapping[str, Any]) -> tuple[int, int] | None:
    lines = argument.get("lines")
    if not isinstance(lines, list) or len(lines) != 2:
        return None
    if not all(isinstance(line, int) and not isinstance(line, bool) for line in lines):
        return None
    return lines[0], lines[1]


def _told(refusal: Refusal) -> str:
    if not refusal.candidates or any(candidate in refusal.message for candidate in refusal.candidates):
        return refusal.message
    return f"{refusal.message}; did you mean {', '.join(refusal.candidates)}?"


def _refused(message: str, code: int = REQUEST_FAILED) -> JsonRpcException:
    return JsonRpcException(message=message, code=code)
