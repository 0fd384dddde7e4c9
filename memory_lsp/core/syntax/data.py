"""TOML, YAML and JSON: keys are names, values are what they denote, order of keys and quote style mean nothing."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import yaml

from memory_lsp.core.syntax.rules import Rules, field_of, kinds
from memory_lsp.core.syntax.shared import shallow

if TYPE_CHECKING:
    from tree_sitter import Node

    from memory_lsp.core.canonical import Writer

_KEY_LEVEL = re.compile(r"""\s*("(?:[^"\\]|\\.)*"|'[^']*'|[^.\s]+)\s*(?:\.|$)""")

_RESOLVER: Any = yaml.resolver.Resolver()
"""What YAML 1.1 resolves a plain scalar to."""
_OTHER_TYPES = re.compile(
    r"[yYnN]|[-+]?(?:0o[0-7_]+|0x[0-9a-fA-F_]+|0b[01_]+|(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?)"
)
"""What it leaves out of YAML 1.1, and the numbers of YAML 1.2."""


@lru_cache(maxsize=4096)
def _scalar(text: str) -> str | None:
    """The value of one YAML scalar as text, or ``None`` if it is none."""
    try:
        value = yaml.load(text, Loader=yaml.BaseLoader)
    except (yaml.YAMLError, RecursionError, ValueError):
        return None
    return value if isinstance(value, str) else None


def _yaml_scalar(writer: Writer, node: Node) -> bool:
    text = writer.text(node).decode("utf-8", "surrogateescape").replace("\r\n", "\n")
    value = _scalar(text) if len(text) < 100_000 else None
    if value is None:
        value = " ".join(text.split())
    writer.token(b"'" + value.encode("utf-8", "surrogatepass"))
    return True


def _is_text(node: Node) -> bool:
    """Whether a plain scalar is text for readers of YAML 1.1 as well as of 1.2."""
    inner = node.named_children[0] if node.named_child_count else None
    if inner is not None and inner.type != "string_scalar":
        return False
    text = (node.text or b"").decode("utf-8", "surrogateescape")
    if _OTHER_TYPES.fullmatch(text):
        return False
    return str(_RESOLVER.resolve(yaml.ScalarNode, text, (True, False))) == "tag:yaml.org,2002:str"


def _yaml_plain(writer: Writer, node: Node) -> bool:
    """A plain scalar that is text equals a quoted one; numbers, booleans, dates and null do not."""
    if _is_text(node):
        return _yaml_scalar(writer, node)
    writer.token(writer.text(node))
    return True


def _typed_key(node: Node) -> bytes:
    """A key that is no text (``on`` is a boolean in YAML 1.1) is another than the same in quotes."""
    key = field_of(node, "key")
    while key is not None and key.type == "flow_node" and key.named_child_count == 1:
        key = key.named_children[0]
    return b"\x02typed" if key is not None and key.type == "plain_scalar" and not _is_text(key) else b""


def _mapping(writer: Writer, node: Node) -> bool:
    """Block and flow style are one mapping."""
    writer.open("mapping")
    writer.children(node, frozenset({b"{", b"}", b","}))
    writer.close()
    return True


def _sequence(writer: Writer, node: Node) -> bool:
    writer.open("sequence")
    writer.children(node, frozenset({b"[", b"]", b",", b"-"}))
    writer.close()
    return True


def _pair(writer: Writer, node: Node) -> bool:
    writer.open("pair")
    writer.children(node)
    writer.close()
    return True


def _item(writer: Writer, node: Node) -> bool:
    writer.children(node, frozenset({b"-"}))
    return True


def _toml_string(writer: Writer, node: Node) -> bool:
    text = writer.text(node).replace(b"\r\n", b"\n")
    quote = text[:3] if text[:3] in (b'"""', b"'''") else text[:1]
    value = text[len(quote) : -len(quote)]
    if len(quote) == 3:
        value = value.removeprefix(b"\n")
    plain = quote[:1] == b"'" or b"\\" not in value
    writer.token((b"'" if plain else b'"') + value)
    return True


def _toml_key(writer: Writer, node: Node) -> bool:
    for level in key_levels(writer.text(node).decode("utf-8", "surrogateescape")):
        writer.token(b"key " + level.encode("utf-8", "surrogateescape"))
    return True


def key_levels(text: str) -> tuple[str, ...]:
    """The levels of a dotted key: ``tool."a.b"`` has two."""
    levels = []
    for match in _KEY_LEVEL.finditer(text.strip()):
        level = match.group(1)
        levels.append(level[1:-1] if level[:1] in "\"'" else level)
    return tuple(levels)


def one_level(text: str) -> tuple[str, ...]:
    """A key of YAML or JSON is one level, whatever stands in it."""
    text = text.strip()
    return (text[1:-1] if text[:1] in ("'", '"') and text[-1:] == text[:1] and len(text) > 1 else text,)


RULES = {
    "toml": Rules(
        comments=kinds("comment"),
        barriers=kinds("array table_array_element"),
        container_bodies=kinds("inline_table"),
        unordered=True,
        handlers={
            "string": _toml_string,
            "bare_key": _toml_key,
            "quoted_key": _toml_key,
            "dotted_key": _toml_key,
        },
        levels=key_levels,
    ),
    "yaml": Rules(
        prepare=shallow(rb"[ \t]|[-?:](?=[ \t\r\n])", 200),
        comments=kinds("comment"),
        directive=re.compile(r"^#\s*(?:yamllint|noqa|prettier-ignore|yaml-language-server|nosemgrep)"),
        parentheses=kinds("block_node flow_node"),
        barriers=kinds("block_sequence flow_sequence"),
        container_bodies=kinds("block_mapping flow_mapping block_node flow_node"),
        unordered=True,
        handlers={
            "plain_scalar": _yaml_plain,
            "double_quote_scalar": _yaml_scalar,
            "single_quote_scalar": _yaml_scalar,
            "block_scalar": _yaml_scalar,
            "block_mapping": _mapping,
            "flow_mapping": _mapping,
            "block_sequence": _sequence,
            "flow_sequence": _sequence,
            "block_sequence_item": _item,
            "block_mapping_pair": _pair,
            "flow_pair": _pair,
        },
        levels=one_level,
        context=_typed_key,
    ),
    "json": Rules(
        comments=kinds("comment"),
        barriers=kinds("array"),
        container_bodies=kinds("object"),
        unordered=True,
        verbatim=kinds("string"),
        levels=one_level,
    ),
}
