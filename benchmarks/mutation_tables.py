"""What single mutations put where: operators, keywords, directives and tokens of each language."""

from __future__ import annotations


def _words(text: str) -> list[str]:
    return text.split(" ")


_C_OPERATORS = _words("+ - * / % | & << >> && || == != < > <= >= += -= *= |= &= ^")
OPERATORS = {
    "python": _words("+ - * / // % ** @ | & ^ << >> < > <= >= == != += -= *= //= |= and or is in"),
    "javascript": [*_C_OPERATORS, "===", "!==", "??", "**", ">>>", "instanceof", "in", "||=", "??="],
    "go": [*_C_OPERATORS, "&^", ":="],
    "rust": [*_C_OPERATORS, "..", "..="],
}
KEYWORDS = {
    "python": {
        "def": ["async def"], "True": ["False"], "False": ["True"], "None": ["0"], "break": ["continue"], "continue": ["break"],
        "return": ["yield", "await"], "if": ["while"], "while": ["if"], "for": ["async for"], "with": ["async with"],
        "is": ["is not"], "in": ["not in"], "not": [""], "await": [""], "async": [""], "global": ["nonlocal"],
        "self": ["cls"], "lambda": ["lambda _:"], "yield": ["yield from", "await"], "import": ["import _x as"], "*": ["**", ""],
        "**": ["*"], "/": [""], "raise": ["return"], "except": ["except*"], "pass": ["..."], "...": ["pass"], "del": ["return"],
    },
    "javascript": {
        "const": ["let", "var"], "let": ["const", "var"], "var": ["let"], "true": ["false"], "false": ["true"], "null": ["undefined"],
        "break": ["continue"], "continue": ["break"], "return": ["return\n", "throw", "yield"], "function": ["async function", "function*"],
        "async": [""], "await": ["", "void"], "static": ["", "static async"], "readonly": [""], "private": ["public", "protected", ""],
        "public": ["private", ""], "protected": ["private"], "export": ["", "export default"], "?": ["", "!:"], "?.": [".", "!."],
        ".": ["?."], "=>": ["=> await"], "new": [""], "typeof": ["keyof", "void"], "keyof": ["typeof", ""], "extends": ["implements"],
        "of": ["in"], "in": ["of"], "yield": ["yield*", "await"], "get": ["set", "static get", ""], "set": ["get"], "if": ["while"],
        "while": ["if"], "as": ["satisfies"], "type": ["declare type"], "interface": ["declare interface"], "enum": ["const enum"],
        "class": ["abstract class"], "abstract": [""], "default": [""], "declare": [""], "infer": [""], "is": ["extends"],
        "throw": ["return"], "this": ["super", "self"], "!": ["", "!!"], "++": ["--"], "--": ["++"], "...": [""], "void": ["never"],
        "string": ["number"], "number": ["string"], "boolean": ["string"], "any": ["unknown"], "unknown": ["any"], "never": ["any"],
        "import": ["import type"], "delete": ["void"],
    },
    "go": {
        "func": ["go func"], "true": ["false"], "false": ["true"], "nil": ["0"], "break": ["continue"], "continue": ["break"],
        "defer": ["go", ""], "go": ["defer", ""], "return": ["panic", "break"], "chan": ["<-chan", "chan<-"], "*": ["", "&"], "&": ["", "*"],
        "...": [""], "range": [""], "<-": [""], "const": ["var"], "var": ["const"], "type": ["const"], "=": [":=", "+="], ":=": ["="],
        "struct": ["interface"], "map": ["chan"], "if": ["for"], "for": ["if"], "switch": ["select"], "fallthrough": ["break"], "!": [""],
        "++": ["--"], "--": ["++"], "string": ["byte"], "int": ["int64"], "case": ["default"], "goto": ["break"],
    },
    "rust": {
        "fn": ["const fn", "unsafe fn", "async fn", "pub fn"], "pub": ["", "pub(crate)"], "mut": [""], "true": ["false"], "false": ["true"],
        "break": ["continue"], "continue": ["break"], "return": ["", "break"], "let": ["let mut"], "unsafe": [""], "async": ["", "async move"],
        "move": [""], "ref": ["", "ref mut"], "&": ["&mut ", "", "&&"], "*": ["", "&"], "const": ["static"], "static": ["const"], "dyn": ["impl"],
        "impl": ["dyn"], "self": ["Self"], "Self": ["self"], "?": ["", "??"], "..": ["..="], "..=": [".."], "if": ["while"], "while": ["if"],
        "loop": ["unsafe"], "match": ["if"], "for": ["while"], "in": [".."], "as": ["is"], "where": [""], "!": ["", "!!"], "extern": [""],
        "struct": ["enum"], "use": ["pub use"], "crate": ["super", "self"], "super": ["crate"], "::": ["."], ".": ["::"], "->": ["=>"],
        "=>": ["->"], "'": [""], "u8": ["i8"], "usize": ["u32"], "u32": ["usize"], "bool": ["char"], "str": ["String"],
    },
}  # fmt: skip
for _name in ("typescript", "tsx"):
    OPERATORS[_name], KEYWORDS[_name] = OPERATORS["javascript"], KEYWORDS["javascript"]
DIRECTIVES = {
    "python": [b"# type: ignore", b"# noqa: E501", b"# pragma: no cover"],
    "javascript": [b"// eslint-disable-next-line", b"// @ts-ignore", b"/* istanbul ignore next */"],
    "go": [b"//go:noinline", b"//nolint:errcheck"],
    "rust": [b"#[allow(unused)]", b"#[inline]"],
}
ATTRIBUTES = {
    "python": [b"@staticmethod\n", b"@functools.cache\n"],
    "typescript": [b"@sealed\n"],
    "rust": [b"#[must_use]\n", b"#[cfg(test)]\n"],
}
POOLS = {
    "python": _words(
        "( ) [ ] { } , : ; . = == + - * ** not and or if else for in lambda await async yield return None 0 1 'a' x \n del pass"
    ),
    "javascript": _words(
        "( ) [ ] { } , : ; . = == + - * ** ! && || ?? ?. ... => await async yield return null 0 1 'a' x \n static get new of in ?"
    ),
    "go": _words("( ) [ ] { } , : ; . = := + - * & ! && || ... <- go defer return nil 0 1 x \n func struct map chan"),
    "rust": _words("( ) [ ] { } , : ; . = == + - * & ! && || .. => -> mut ref move return 0 1 x ? 'a :: < > | @ _ dyn"),
}
POOLS["typescript"] = POOLS["tsx"] = [*POOLS["javascript"], "as", "!", "readonly", "keyof", "<T>", ":"]
