"""C and C++: names inside declarators, access specifiers, macro bodies, string pieces."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memory_lsp.core.syntax.rules import Named, Rules, kinds
from memory_lsp.core.syntax.shared import LINTERS, only_child, stray, text_of

if TYPE_CHECKING:
    from tree_sitter import Node

    from memory_lsp.core.canonical import Writer

_NAMES = kinds(
    "identifier field_identifier type_identifier qualified_identifier destructor_name operator_name operator_cast "
    "template_function template_method template_type dependent_name"
)
_TYPES = kinds("struct_specifier union_specifier enum_specifier class_specifier")
_FUNCTION_NAMES = kinds("destructor_name operator_name operator_cast")
_TOKEN = re.compile(
    rb"/\*.*?\*/|//[^\n]*|(?:u8|[LuUR])?\"(?:\\.|[^\"\\])*\"|(?:[LuU]|u8)?'(?:\\.|[^'\\])*'|\.?\d[\w.']*|[^\W\d][\w$]*|"
    rb"<<=|>>=|\.\.\.|<=>|->\*|##|::|->|\+\+|--|&&|\|\||[-+*/%&|^<>=!]=|<<|>>|\S",
    re.DOTALL,
)
_CONTINUED = re.compile(rb"\\\r?\n")
_MACRO_NAME = re.compile(rb"[A-Z][A-Z0-9_]+\Z")
_NUMERIC_ESCAPE = re.compile(rb"\\(?:x[0-9a-fA-F]+|[0-7]{1,2})\Z")
_DEDUCED = re.compile(rb"decltype\s*\(\s*auto\s*\)")
_TYPE_NAMES = kinds("identifier qualified_identifier template_function primitive_type")
_DECLARING = kinds("identifier qualified_identifier template_function call_expression pointer_expression comment")
_PLAIN_STRING = re.compile(rb'(?:u8|[LuU])?"')


def _declared(node: Node) -> tuple[Node | None, bool]:
    """The name inside a declarator, and whether it names a function."""
    function = False
    while node.type not in _NAMES:
        inner = node.child_by_field_name("declarator")
        if inner is None and node.named_child_count:
            inner = next((child for child in reversed(node.named_children) if _declares(child)), None)
        if inner is None:
            return None, False
        if node.type == "function_declarator":
            function = inner.type != "parenthesized_declarator"
        elif node.type in ("pointer_declarator", "array_declarator") and not function:
            function = False
        node = inner
    return node, function or node.type in _FUNCTION_NAMES


def _declares(node: Node) -> bool:
    return node.type.endswith("declarator") or node.type in _NAMES


def _levels(name: Node) -> tuple[tuple[str, ...], Node]:
    """The levels of a name, which may be qualified and have template arguments, and the node of its last level."""
    levels: list[str] = []
    while name.type == "qualified_identifier":
        scope = name.child_by_field_name("scope")
        inner = name.child_by_field_name("name")
        if scope is not None:
            levels += _levels(scope)[0]
        if inner is None:
            break
        name = inner
    if name.type in ("template_type", "template_function", "template_method"):
        name = name.child_by_field_name("name") or name
    if name.type == "nested_namespace_specifier":
        for child in name.named_children:
            inside, name = _levels(child)
            levels += inside
        return tuple(levels), name
    if name.type == "operator_cast":
        kind = name.child_by_field_name("type")
        levels.append("operator " + text_of(kind) if kind is not None else "operator")
        name = name.children[0]
    else:
        levels.append("".join(text_of(name).split()))
    return tuple(levels), name


def _at_file_level(node: Node) -> bool:
    parent = node.parent
    while parent is not None and (parent.type.startswith("preproc_") or parent.type == "template_declaration"):
        parent = parent.parent
    return parent is not None and parent.type in (
        "translation_unit",
        "declaration_list",
        "field_declaration_list",
        "linkage_specification",
        "friend_declaration",
    )


def _identify(kind: str, node: Node, name: Node | None, bodies: tuple[Node, ...] | None) -> Named | None:
    if kind == "function":
        return _function(node)
    if name is None:
        return None
    if node.type in ("declaration", "field_declaration", "type_definition"):
        return _variable(kind, node, name)
    if node.type == "expression_statement" and not _at_file_level(node):
        return None
    if node.type in _TYPES and node.parent is not None and _typedef_name(node.parent) == text_of(name):
        return None
    levels, last = _levels(name)
    if node.type == "concept_definition":
        bodies = tuple(child for child in node.named_children[-2:] if child.type not in ("comment", "identifier"))[-1:]
    elif node.type == "enumerator" or node.type.startswith("preproc_"):
        value = node.child_by_field_name("value")
        bodies = () if value is None else (value,)
    return Named(node, last, kind, levels, bodies)


def _function(node: Node) -> Named | None:
    declarator = node.child_by_field_name("declarator")
    name, _function = _declared(declarator) if declarator is not None else (None, False)
    if name is None or not _at_file_level(node):
        return None
    levels, last = _levels(name)
    bodies = tuple(
        child
        for child in node.children
        if child.type in ("field_initializer_list", "compound_statement", "try_statement")
    )
    return Named(node, last, "method" if _in_class(node) or len(levels) > 1 else "function", levels, bodies)


def _in_class(node: Node) -> bool:
    parent = node.parent
    while parent is not None and (parent.type.startswith("preproc_") or parent.type == "template_declaration"):
        parent = parent.parent
    return parent is not None and parent.type == "field_declaration_list"


def _variable(kind: str, node: Node, declarator: Node) -> Named | None:
    """One declarator of a declaration, a field or a typedef."""
    name, function = _declared(declarator)
    if name is None or (kind == "constant" and not _at_file_level(node)):
        return None
    levels, last = _levels(name)
    if kind == "type":
        return _typedef(node, declarator, last, levels)
    if function:
        kind = "method" if _in_class(node) or len(levels) > 1 else "function"
    value = declarator.child_by_field_name("value")
    following = declarator.next_sibling
    while value is None and following is not None and following.type not in (",", ";"):
        if following.type not in ("=", "comment") and following.is_named:
            value = following
        following = following.next_sibling
    specifier = node.child_by_field_name("type")
    whole = specifier is not None and specifier.type in _TYPES and specifier.child_by_field_name("name") is None
    if whole and specifier is not None and specifier.child_by_field_name("body") is not None and kind == "field":
        return Named(node, last, kind, levels, (specifier,))
    return Named(declarator, last, kind, levels, () if value is None else (value,))


def _typedef(node: Node, declarator: Node, last: Node, levels: tuple[str, ...]) -> Named:
    """A typedef of a struct without a name, or of the same name, is that struct; any other is an alias."""
    specifier = node.child_by_field_name("type")
    body = specifier.child_by_field_name("body") if specifier is not None and specifier.type in _TYPES else None
    if specifier is not None and body is not None and declarator.type == "type_identifier":
        name = specifier.child_by_field_name("name")
        if name is None or name.text == declarator.text:
            return Named(node, last, specifier.type.removesuffix("_specifier"), levels, (body,))
    return Named(declarator, last, "type", levels, () if specifier is None else (specifier,))


def _typedef_name(node: Node) -> str:
    declarator = node.child_by_field_name("declarator") if node.type == "type_definition" else None
    return text_of(declarator) if declarator is not None else ""


def _access(top: Node) -> bytes:
    """The access that holds for a member of a class."""
    scope = top.parent
    if scope is not None and scope.type in ("declaration", "field_declaration"):
        scope = scope.parent
    while scope is not None and scope.type.startswith("preproc_"):
        scope = scope.parent
    if scope is None or scope.type != "field_declaration_list" or scope.parent is None:
        return b""
    access = b"private" if scope.parent.type == "class_specifier" else b"public"
    for child in scope.children:
        if child.start_byte >= top.start_byte:
            break
        if child.type == "access_specifier":
            access = b" ".join((child.text or b"").split())
    return access


def _access_specifier(_writer: Writer, node: Node) -> bool:
    """It is part of the members behind it."""
    return node.parent is not None and node.parent.type in ("field_declaration_list", "preproc_if", "preproc_ifdef")


def _attached(node: Node) -> str:
    """A pragma on the line above."""
    if node.type != "preproc_call":
        return ""
    text = b" ".join((node.text or b"").split())
    following = node.next_sibling
    adjacent = following is not None and following.start_point[0] - node.start_point[0] <= 1
    if not adjacent or not text.startswith((b"#pragma", b"# pragma")):
        return ""
    return "" if text.split()[-1] in (b"once", b"endregion") or b" region" in text else "decorator"


def _macro_text(writer: Writer, node: Node) -> bool:
    """Raw text of a directive: its tokens, without white space, comments and line continuations."""
    for match in _TOKEN.finditer(_CONTINUED.sub(b" ", writer.text(node))):
        token = match.group()
        if not token.startswith((b"/*", b"//")):
            writer.token(token)
    return True


def _string(writer: Writer, node: Node) -> bool:
    """Neighbouring literals are one."""
    pieces = (
        [node] if node.type == "string_literal" else [item for item in node.named_children if item.type != "comment"]
    )
    texts = [_CONTINUED.sub(b"", writer.text(piece)) for piece in pieces]
    prefixes = {text[: text.index(b'"')] if b'"' in text else b"?" for text in texts}
    if len(prefixes) != 1 or not all(_PLAIN_STRING.match(text) for text in texts):
        return False
    value = b""
    for text in texts:
        inner = text[text.index(b'"') + 1 : -1]
        value += (b'""' if value and _NUMERIC_ESCAPE.search(value) else b"") + inner
    writer.token(prefixes.pop() + b'"' + value)
    return True


def _parenthesized(writer: Writer, node: Node) -> bool:
    """Parentheses mean something around a macro's argument, where they decide a type, and where they tell from a declarator."""
    parent = node.parent
    if parent is not None and (parent.type == "decltype" or _decides_type(writer, node) or _tells_apart(node)):
        return _kept(writer, node)
    call = parent.parent if parent is not None and parent.type == "argument_list" else None
    called = call.child_by_field_name("function") if call is not None and call.type == "call_expression" else None
    if called is None or not _MACRO_NAME.match(writer.text(called)):
        return False
    inner = node.named_children[0] if node.named_child_count == 1 else None
    return False if inner is not None and inner.child_count == 0 else _kept(writer, node)


def _inside(node: Node) -> Node:
    while node.type == "parenthesized_expression" and (inner := only_child(node)) is not None:
        node = inner
    return node


def _decides_type(writer: Writer, node: Node) -> bool:
    """``decltype(auto)`` of a name in parentheses is a reference: of a variable and of what a function returns."""
    parent = node.parent
    if parent is None or _inside(node).type not in ("identifier", "qualified_identifier", "field_expression"):
        return False
    if parent.type in ("argument_list", "initializer_list") and parent.parent is not None:
        parent = parent.parent
    if parent.type == "return_statement":
        function: Node | None = parent
        while function is not None and function.type not in ("function_definition", "lambda_expression"):
            function = function.parent
        body = function.child_by_field_name("body") if function is not None else None
        if function is None or body is None:
            return False
        return bool(_DEDUCED.search(writer.data[function.start_byte : body.start_byte]))
    declaration = parent.parent if parent.type == "init_declarator" else None
    kind = declaration.child_by_field_name("type") if declaration is not None else None
    return kind is not None and bool(_DEDUCED.match(writer.text(kind)))


def _tells_apart(node: Node) -> bool:
    """``A x((B()))`` is a variable, ``A x(B())`` declares a function."""
    arguments, inner = node.parent, _inside(node)
    holder = arguments.parent if arguments is not None and arguments.type == "argument_list" else None
    if holder is None or holder.type != "init_declarator" or arguments is None or inner.type != "call_expression":
        return False
    return all(_declares_parameter(_inside(argument)) for argument in arguments.named_children)


def _declares_parameter(node: Node) -> bool:
    """Whether an argument could be read as a parameter."""
    if node.type != "call_expression":
        return node.type in _DECLARING
    called = node.child_by_field_name("function")
    passed = node.child_by_field_name("arguments")
    return (
        called is not None
        and called.type in _TYPE_NAMES
        and passed is not None
        and all(argument.type in _DECLARING for argument in passed.named_children)
    )


def _kept(writer: Writer, node: Node) -> bool:
    writer.open("parenthesized")
    writer.children(node)
    writer.close()
    return True


_DECLARATORS = kinds(
    "identifier field_identifier type_identifier qualified_identifier init_declarator pointer_declarator "
    "reference_declarator array_declarator function_declarator parenthesized_declarator operator_cast"
)

_RULES = Rules(
    bare_methods=True,
    comments=kinds("comment"),
    directive=re.compile(
        rf"^(?://+|/\*+)\s*(?:{LINTERS}|clang-format|IWYU|cppcheck-suppress|uncrustify|\*INDENT|astyle|GCOVR_EXCL|"
        r"LCOV_EXCL|NOCOV|-V\d|lint |spell-?check|@suppress|c?spell:|fallthrough|fall through|falls through|"
        r"FALLTHRU|FALLTHROUGH|keep-sorted)"
    ),
    wrappers=kinds(
        "template_declaration declaration field_declaration type_definition linkage_specification friend_declaration"
    ),
    decorators=kinds("attribute_specifier attribute_declaration ms_declspec_modifier"),
    decorator_holders=kinds("function_declarator pointer_declarator reference_declarator init_declarator"),
    parentheses=kinds("parenthesized_expression init_declarator"),
    blocks=kinds(
        "translation_unit compound_statement declaration_list field_declaration_list enumerator_list case_statement"
    ),
    optional_semicolons=True,
    semicolon_parents=kinds("for_statement for_range_loop init_statement"),
    verbatim=kinds("string_literal raw_string_literal char_literal system_lib_string"),
    spaced=kinds("preproc_directive #define #include #if #ifdef #ifndef #elif #elifdef #elifndef #else #endif"),
    container_bodies=kinds("field_declaration_list enumerator_list"),
    openers=(b"/*", b'R"'),
    declarators=_DECLARATORS,
    handlers={
        "preproc_arg": _macro_text,
        "string_literal": _string,
        "concatenated_string": _string,
        "parenthesized_expression": _parenthesized,
        "expression_statement": stray("compound_statement", "case_statement", "translation_unit"),
        "access_specifier": _access_specifier,
    },
    identify=_identify,
    attached=_attached,
    context=_access,
)

RULES = {"c": _RULES, "cpp": _RULES}
