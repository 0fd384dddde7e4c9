"""Chains of infix operators for grammars that know no precedence: which parentheses only group must be worked out."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from memory_lsp.core.syntax.shared import only_child

if TYPE_CHECKING:
    from tree_sitter import Node

    from memory_lsp.core.canonical import Writer

Precedence = Callable[[bytes], "tuple[int, str] | None"]
"""How tightly an operator binds, and to which side (``l``, ``r``, ``n``); ``None`` if nobody knows."""

_LONGEST = 300
"""A longer chain is written flat."""
_SIGN = 6
"""How tightly Haskell's sign binds: no tighter than a binary ``-``, so that it holds for the powers and products behind it."""


class Chains:
    """Handlers for a grammar's infix expressions and its parentheses. ``fields``: left operand, operator, right operand."""

    def __init__(self, kind: str, parentheses: str, fields: tuple[str, str, str], precedence: Precedence) -> None:
        self.kind = kind
        self.parentheses = parentheses
        self.fields = fields
        self.precedence = precedence

    def infix(self, writer: Writer, node: Node) -> bool:
        """Write a chain as the tree that its operators make of it."""
        operands, operators = self._chain(node)
        if not operands:
            return False
        binding = [self.precedence(writer.text(operator)) for operator in operators]
        known = [item for item in binding if item is not None]
        signed = [operand.type == "negation" for operand in operands]
        inner = [self._bare(_unsigned(operand)) for operand in operands]
        if len(known) < len(binding) or len(operands) > _LONGEST or not all(map(self._is_known, inner)):
            writer.open(self.kind)
            for index, operand in enumerate(operands):
                if index:
                    writer.node(operators[index - 1])
                if signed[index] or inner[index].type == "negation":
                    writer.node(operand) if signed[index] else _kept(writer, inner[index])
                else:
                    self._closed(writer, operand, inner[index])
            writer.close()
            return True
        self._write(writer, inner, operators, known, signed, 0, len(operands) - 1)
        return True

    def parenthesized(self, writer: Writer, node: Node) -> bool:
        """Parentheses outside of a chain only group, except around a chain in a section."""
        inner = self._bare(node)
        parent = node.parent
        if inner.type == self.kind and parent is not None and "section" in parent.type:
            self._closed(writer, node, inner)
            return True
        return False

    def _chain(self, node: Node) -> tuple[list[Node], list[Node]]:
        operands: list[Node] = []
        operators: list[Node] = []
        stack: list[tuple[Node, bool]] = [(node, False)]
        while stack:
            item, is_operator = stack.pop()
            if is_operator:
                operators.append(item)
                continue
            parts = [item.child_by_field_name(field) for field in self.fields] if item.type == self.kind else []
            left, operator, right = parts or (None, None, None)
            if left is None or operator is None or right is None:
                operands.append(item)
            else:
                stack += [(right, False), (operator, True), (left, False)]
        return (operands, operators) if len(operands) == len(operators) + 1 > 1 else ([], [])

    def _bare(self, node: Node) -> Node:
        while node.type == self.parentheses and (inner := only_child(node)) is not None:
            node = inner
        return node

    def _is_known(self, node: Node) -> bool:
        if node.type != self.kind:
            return True
        _operands, operators = self._chain(node)
        return all(self.precedence(operator.text or b"") is not None for operator in operators)

    def _closed(self, writer: Writer, operand: Node, inner: Node) -> None:
        """An operand, in parentheses if these may mean something."""
        if inner.type != self.kind or inner.id == operand.id:
            writer.node(inner)
        else:
            _kept(writer, inner)

    def _write(
        self,
        writer: Writer,
        operands: list[Node],
        operators: list[Node],
        binding: list[tuple[int, str]],
        signed: list[bool],
        first: int,
        last: int,
    ) -> None:
        """Write the operands from ``first`` to ``last``: split at the operator that binds least."""
        if signed[first] and all(level > _SIGN for level, _side in binding[first:last]):
            writer.open("negation")
            writer.token(b"-")
            self._write(writer, operands, operators, binding, [False] * len(signed), first, last)
            writer.close()
            return
        if first == last:
            writer.node(operands[first])
            return
        split = first
        for index in range(first + 1, last):
            if binding[index][0] < binding[split][0] or (
                binding[index][0] == binding[split][0] and binding[index][1] == "l"
            ):
                split = index
        writer.open(self.kind)
        self._write(writer, operands, operators, binding, signed, first, split)
        writer.node(operators[split])
        self._write(writer, operands, operators, binding, signed, split + 1, last)
        writer.close()


def _unsigned(operand: Node) -> Node:
    """What follows the sign of an operand that has one."""
    return operand.named_children[-1] if operand.type == "negation" else operand


def _kept(writer: Writer, node: Node) -> None:
    writer.open("parenthesized")
    writer.node(node)
    writer.close()
