"""Python text that the grammar takes and Python does not: found; text that Python takes: never called flawed."""

from __future__ import annotations

import ast
import sysconfig
import warnings
from pathlib import Path

import pytest

from memory_lsp.core.flaws import flaws, problems
from memory_lsp.core.outline import outline
from memory_lsp.core.pairs import compare

FLAWED = {
    "a class without a body": "class A:\n\n\ndef f():\n    pass\n",
    "a function without a body": "def f():\n",
    "a body of comments": "def f():\n    # later\n\n\nx = 1\n",
    "an unexpected indent": "def f():\n    x = 1\n     y = 2\n",
    "an unexpected indent at the top": "x = 1\n  y = 2\n",
    "a block that is not deeper": "def f():\n    if x:\n    y = 1\n",
    "a dedent to nowhere": "def f():\n        x = 1\n    y = 2\n",
    "a header behind a comment sign": "def f(x):\n    # for i in x:\n        y = i\n    return y\n",
    "a clause at another depth": "if x:\n    y = 1\n  else:\n    y = 2\n",
    "a decorator at another depth": "@a\n  def f():\n    pass\n",
    "nothing behind the star": "def f(a, *):\n    pass\n",
    "a name for a header": "class A:\n    def f(self):\n        pass\n\n    de:\n        self.x = 1\n",
    "a header over a line end": "def \nf(x):\n    return x\n",
    "a condition over a line end": "if x and\\\n   y or\n   z:\n    a = 1\n".replace("\\\n", "\n"),
    "a value over a line end": "x = [1] +\n  [2]\n",
    "an empty last clause": "try:\n    x = 1\nfinally:\n\ny = 2\n",
}
READ = {
    "one line": "if x: a; b\nelse: c\n",
    "semicolons": "x = 1; y = 2; \nz = 3\n",
    "comments anywhere": "def f():\n  # one\n    # two\n    x = 1\n# three\n    return x\n",
    "tabs": "def f():\n\tif x:\n\t    y = 1\n\treturn y\n",
    "form feed": "x = 1\n\x0c\ndef f():\n    pass\n",
    "byte order mark": "\ufeffx = 1\ny = 2\n",
    "a backslash": "if x: \\\n  y = 1\nz = 2\n",
    "a comment that ends in a backslash": "def f():\n    # ends in \\\n    x = 1\n    # a colon: \\\n    return x\n",
    "strings over lines": 'def f():\n    x = """\nnot indented\n"""\n    return x\n',
    "annotations": "a: int = 1\nb: \\\n    str\nclass A:\n    c: list[\n        int\n    ] = []\n",
    "brackets over line ends": "def f(\n  a,\n  b=(1,\n2)\n) -> (\n  int\n):\n  return a[\n   1](\n)\nwith (a as b,\n  c):\n  d = {\n1: 2}\n",
    "backslashes over line ends": "x = 1 + \\\n  2\nif x and \\\n   y: z = \\\n 3\nfrom a import b, \\\n  c\nassert x, \\\n  y\n",
    "match": "match x:\n    case 1: a\n    case [2, *rest]:\n        b\n",
    "decorators": "class A:\n    @a\n    # why\n    @b(\n  c)\n    def f(self, *, d): ...\n",
    "CRLF": "def f():\r\n    if x:\r\n        y = 1\r\n    return y\r\n",
}


@pytest.mark.parametrize("text", FLAWED.values(), ids=FLAWED.keys())
def test_found(text: str) -> None:
    with pytest.raises(SyntaxError):
        ast.parse(text)
    item = outline("python", text.encode())
    assert not item.broken
    assert problems(item)


@pytest.mark.parametrize("text", READ.values(), ids=READ.keys())
def test_never_invented(text: str) -> None:
    ast.parse(text.encode())
    assert list(flaws(outline("python", text.encode()))) == []


def test_never_invented_in_the_standard_library() -> None:
    files = sorted(Path(sysconfig.get_paths()["stdlib"]).glob("*.py"))
    assert len(files) > 100
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for file in files[::3]:
            data = file.read_bytes()
            ast.parse(data)
            assert list(flaws(outline("python", data))) == [], file.name


@pytest.mark.parametrize(
    ("now", "verdict"),
    [
        ("def f(x):\n    # for i in x:\n        y = i\n    return y\n", "held"),
        ("def f(x):\n    for i in x:\n        y = i\n     return y\n", "held"),
        ("def f(x):\n    for i in x:\n        y = i\n        return y\n", "changed"),
        ("def f(x):\n    for i in x:\n        y = i\n    return y\n\n\nclass A:\n", "fresh"),
        ("def f(x):\n    for i in x:\n        z = i\n    return y\n\n\ndef g():\n    a = 1\n\n\nclass A:\n", "changed"),
    ],
)
def test_held_near_a_flaw_alone(now: str, verdict: str) -> None:
    before = {"a.py": b"def f(x):\n    for i in x:\n        y = i\n    return y\n"}
    assert compare(before, {"a.py": now.encode()}, "a.py", "f").verdict.value == verdict
