"""``textDocument/codeAction``: the feature's actions in the form that the client announced."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lsprotocol import types

from memory_lsp.features.code_actions import code_actions
from memory_lsp.features.memory_actions import CodeAction
from memory_lsp.server.convert import offset_of
from memory_lsp.server.edits import acts_for, edit_of, unsaved
from memory_lsp.server.root import Root
from memory_lsp.server.session import Session

PREFIX = "memoryLsp.server."


class Actions:
    """Answers for one session."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def answer(self, params: types.CodeActionParams) -> list[types.CodeAction | types.Command] | None:
        """Nothing for automatic requests without a finding or for kinds (on save), nothing for kinds that are not ours."""
        invoked = params.context.trigger_kind is not types.CodeActionTriggerKind.Automatic
        if params.context.only and not invoked:
            return None
        async with self._session.view(params.text_document.uri) as found:
            if found is None or not _wanted_at_all(params.context.only):
                return None
            root, view = found
            encoding = self._session.encoding
            actions = code_actions(
                view,
                offset_of(view.lines, params.range.start, encoding),
                offset_of(view.lines, params.range.end, encoding),
                acts_for(self._session, root),
                lambda path: unsaved(self._session, root, path),
                invoked=invoked,
            )
            converted = [
                self._action(root, action, params.context.diagnostics)
                for action in actions
                if _wanted(action.kind, params.context.only)
            ]
            return [action for action in converted if action is not None]

    def _action(
        self, root: Root, action: CodeAction, diagnostics: Sequence[types.Diagnostic]
    ) -> types.CodeAction | types.Command | None:
        """An action that cannot be taken now keeps its place: disabled where the client shows why, else as a command that tells it."""
        support = self._session.support
        told = bool(action.disabled) and not (support.action_disabled and support.action_literals)
        command = telling(action, root) if told else twin(action, root, support.prompt)
        if not support.action_literals:
            return command
        codes = {(finding.code, finding.message) for finding in action.findings}
        answer = types.CodeAction(
            title=action.title,
            kind=action.kind,
            diagnostics=[item for item in diagnostics if (item.code, item.message) in codes] or None,
        )
        if told:
            answer.command = command
        elif action.disabled:
            answer.disabled = types.CodeActionDisabled(reason=action.disabled)
        elif action.plan is None or (support.prompt and action.asks):
            answer.command = command
        else:
            answer.edit = edit_of(self._session, root, action.plan)
            if action.shows and support.show_document:
                answer.command = types.Command(
                    title="Open memory",
                    command=f"{PREFIX}open",
                    arguments=[{"path": action.shows[0], "line": action.shows[1], "root": root.uri}],
                )
        return answer


def twin(action: CodeAction, root: Root, prompt: str) -> types.Command:
    """The command that does what the action does; where the client has a prompt, the prompt that asks and then runs it.

    The prompt command gets ``{"command", "argument", "asks": [{"name", "question"}]}``; it runs ``command`` with
    ``argument`` to which the answers are added under their names.
    """
    argument: dict[str, Any] = {**action.arguments, "root": root.uri}
    if prompt and action.asks:
        asks = [{"name": name, "question": question} for name, question in action.asks.items()]
        request = {"command": PREFIX + action.act, "argument": argument, "asks": asks}
        return types.Command(title=action.title, command=prompt, arguments=[request])
    return types.Command(title=action.title, command=PREFIX + action.act, arguments=[argument])


def telling(action: CodeAction, root: Root) -> types.Command:
    """The command of an action that cannot be taken now: it tells the person why, unless it can be taken by then."""
    argument = {**action.arguments, "root": root.uri, "tell": True}
    return types.Command(title=action.title, command=PREFIX + action.act, arguments=[argument])


def _wanted_at_all(only: object) -> bool:
    return not isinstance(only, list | tuple) or any(_wanted(kind, only) for kind in ("quickfix", "refactor"))


def _wanted(kind: str, only: object) -> bool:
    """Whether a kind is one of those asked for, or below one of them."""
    if not isinstance(only, list | tuple):
        return True
    asked = [item.value if isinstance(item, types.CodeActionKind) else str(item) for item in only]
    return any(item == "" or kind == item or kind.startswith(item + ".") for item in asked)
