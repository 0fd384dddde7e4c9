"""Definitions that went away are found by what they are: within a file, between files and scopes, however far the change has got.

Each move is made committed, staged, only in the working tree, and only in open buffers; a project that was running before and
one that is started afterwards must say the same.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent / "workspace"))

from repository import Repository

from memory_lsp.core.model import Judgement
from memory_lsp.workspace.project import Project

WALK = '''def walk(node, seen):
    """Visit every node once."""
    if node in seen:
        return []
    seen.add(node)
    return [node, *(inner for child in node.children for inner in walk(child, seen))]
'''
GATEWAY = '''class Gateway:
    """Talks to the bank."""

    retries = 3

    def charge(self, amount, key):
        if key in self.seen:
            return self.seen[key]
        self.seen[key] = self.send(amount * 100, key)
        return self.seen[key]

    @classmethod
    def open(cls, address):
        return Gateway(address, retries=Gateway.retries)
'''
TOTAL = """def total(items, tax):
    result = 0
    for item in items:
        result += item.price * item.count + tax.of(item)
    return round(result, 2)
"""
TINY = "def tiny(a):\n    return a\n"
CHARGE = GATEWAY[GATEWAY.index("    def charge") : GATEWAY.index("    @classmethod")]


def shop(*parts: str) -> str:
    return "\n\n".join(("import bank\n", *parts))


def indented(text: str) -> str:
    return "".join(f"    {line}" if line.strip() else line for line in text.splitlines(keepends=True))


@dataclass(frozen=True)
class Move:
    """Files before and after (``None``: deleted), what is cited, and what must be said of it."""

    name: str
    cite: str
    before: Mapping[str, str]
    after: Mapping[str, str | None]
    verdict: str = "moved"
    to: str = ""
    candidates: Iterable[str] = field(default_factory=tuple)


GO = """package shop

type Cart struct{ items []Item }

func (c *Cart) Total(rate float64) float64 {
	sum := 0.0
	for _, item := range c.items {
		sum += item.Price * rate
	}
	return sum
}
"""
RUST = """struct Cart { items: Vec<Item> }

impl Cart {
    fn total(&self, rate: f64) -> f64 {
        self.items.iter().map(|item| item.price * rate).fold(0.0, |sum, price| sum + price)
    }
}
"""
TYPESCRIPT = """export class Cart {
  items: Item[] = [];

  total(rate: number): number {
    return this.items.map((item) => item.price * rate).reduce((sum, price) => sum + price, 0);
  }
}

export const slug = (title: string): string => title.toLowerCase().split(" ").filter(Boolean).join("-");
"""

MOVES = [
    Move("renamed in place", "shop.py#total", {"shop.py": shop(TOTAL, WALK)},
         {"shop.py": shop(TOTAL.replace("total", "grand_total"), WALK)}, to="shop.py#grand_total"),
    Move("renamed with its recursive calls", "shop.py#walk", {"shop.py": shop(WALK)},
         {"shop.py": shop(WALK.replace("walk", "visit"))}, to="shop.py#visit"),
    Move("renamed, reformatted, documented anew", "shop.py#walk", {"shop.py": shop(WALK)},
         {"shop.py": shop(WALK.replace("walk", "visit").replace("once.", "once, in order.")
                          .replace("(node, seen):", "(\n    node,\n    seen,\n):"))}, to="shop.py#visit"),
    Move("to a file that is there", "shop.py#total", {"shop.py": shop(TOTAL, WALK), "lib/sums.py": "ZERO = 0\n"},
         {"shop.py": shop(WALK), "lib/sums.py": "ZERO = 0\n\n\n" + TOTAL}, to="lib/sums.py#total"),
    Move("to a new file", "shop.py#total", {"shop.py": shop(TOTAL, WALK)},
         {"shop.py": shop(WALK), "sums.py": TOTAL}, to="sums.py#total"),
    Move("to a new file under a new name", "shop.py#walk", {"shop.py": shop(TOTAL, WALK)},
         {"shop.py": shop(TOTAL), "trees.py": WALK.replace("walk", "visit")}, to="trees.py#visit"),
    Move("from one class to another", "shop.py#Gateway.charge", {"shop.py": shop(GATEWAY, "class Till:\n    pass\n")},
         {"shop.py": shop(GATEWAY.replace(CHARGE, ""), "class Till:\n" + CHARGE)}, to="shop.py#Till.charge"),
    Move("into a function", "shop.py#total", {"shop.py": shop(TOTAL)},
         {"shop.py": shop("def bill(order):\n" + indented(TOTAL) + "    return total(order.items, order.tax)\n")},
         to="shop.py#bill.total"),
    Move("out of a class", "shop.py#Sums.total", {"shop.py": shop("class Sums:\n" + indented(TOTAL))},
         {"shop.py": shop(TOTAL)}, to="shop.py#total"),
    Move("class renamed with its members: the class", "shop.py#Gateway", {"shop.py": shop(GATEWAY)},
         {"shop.py": shop(GATEWAY.replace("Gateway", "Bank"))}, to="shop.py#Bank"),
    Move("class renamed with its members: a member", "shop.py#Gateway.charge", {"shop.py": shop(GATEWAY)},
         {"shop.py": shop(GATEWAY.replace("Gateway", "Bank"))}, to="shop.py#Bank.charge"),
    Move("class renamed: a member that names it", "shop.py#Gateway.open", {"shop.py": shop(GATEWAY)},
         {"shop.py": shop(GATEWAY.replace("Gateway", "Bank"))}, to="shop.py#Bank.open"),
    Move("class moved to a file: a member", "shop.py#Gateway.charge", {"shop.py": shop(TOTAL, GATEWAY)},
         {"shop.py": shop(TOTAL), "bank.py": GATEWAY}, to="bank.py#Gateway.charge"),
    Move("git mv: a symbol", "shop.py#total", {"shop.py": shop(TOTAL)},
         {"shop.py": None, "src/store.py": shop(TOTAL)}, to="src/store.py#total"),
    Move("git mv: the whole file", "shop.py", {"shop.py": shop(TOTAL)},
         {"shop.py": None, "src/store.py": shop(TOTAL)}, to="src/store.py"),
    Move("split in two: the first half", "shop.py#walk", {"shop.py": shop(TOTAL, WALK)},
         {"shop.py": None, "shop/sums.py": TOTAL, "shop/trees.py": WALK}, to="shop/trees.py#walk"),
    Move("split in two: the second half", "shop.py#total", {"shop.py": shop(TOTAL, WALK)},
         {"shop.py": None, "shop/sums.py": TOTAL, "shop/trees.py": WALK}, to="shop/sums.py#total"),
    Move("two twins: nothing is decided", "shop.py#total", {"shop.py": shop(TOTAL)},
         {"shop.py": shop(), "a.py": TOTAL, "b.py": TOTAL}, "ambiguous", candidates=("a.py#total", "b.py#total")),
    Move("two twins in one file", "shop.py#total", {"shop.py": shop(TOTAL)},
         {"shop.py": shop(TOTAL.replace("total", "net"), TOTAL.replace("total", "gross"))},
         "ambiguous", candidates=("shop.py#net", "shop.py#gross")),
    Move("too small to mean anything", "shop.py#tiny", {"shop.py": shop(TINY, WALK)},
         {"shop.py": shop(WALK), "small.py": TINY.replace("tiny", "same")}, "missing"),
    Move("small and of the same name", "shop.py#tiny", {"shop.py": shop(TINY, WALK)},
         {"shop.py": shop(WALK), "small.py": TINY}, "missing"),
    Move("a twin that was there already is none", "shop.py#total", {"shop.py": shop(TOTAL), "old.py": TOTAL},
         {"shop.py": shop()}, "missing"),
    Move("a twin that was there already, in a file that changed", "shop.py#total", {"shop.py": shop(TOTAL), "old.py": TOTAL},
         {"shop.py": shop(), "old.py": TOTAL + "\n\nMORE = 1\n"}, "missing"),
    Move("a new one beside a twin that was there already", "shop.py#total", {"shop.py": shop(TOTAL), "old.py": TOTAL},
         {"shop.py": shop(), "new.py": TOTAL}, to="new.py#total"),
    Move("moved and changed", "shop.py#total", {"shop.py": shop(TOTAL)},
         {"shop.py": shop(), "sums.py": TOTAL.replace("*", "+")}, "missing"),
    Move("moved without its decorator", "shop.py#total", {"shop.py": shop("@bank.cached\n" + TOTAL)},
         {"shop.py": shop(), "sums.py": TOTAL}, "missing"),
    Move("still there, and copied", "shop.py#total", {"shop.py": shop(TOTAL)},
         {"shop.py": shop(TOTAL.replace("*", "+")), "copy.py": TOTAL}, "changed"),
    Move("still there under its name, something else", "shop.py#total", {"shop.py": shop(TOTAL)},
         {"shop.py": shop(TOTAL.replace("total", "net"), "def total(items):\n    return len(items)\n")}, "changed"),
    Move("deleted", "shop.py#total", {"shop.py": shop(TOTAL, WALK)}, {"shop.py": shop(WALK)}, "missing"),
    Move("file deleted", "shop.py#total", {"shop.py": shop(TOTAL), "other.py": "X = 1\n"}, {"shop.py": None}, "missing"),
    Move("Go: method of a renamed type", "cart.go#Cart.Total", {"cart.go": GO},
         {"cart.go": GO.replace("Cart", "Basket")}, to="cart.go#Basket.Total"),
    Move("Go: to another file", "cart.go#Cart.Total", {"cart.go": GO},
         {"cart.go": GO[: GO.index("func")], "total.go": "package shop\n\n" + GO[GO.index("func") :]}, to="total.go#Cart.Total"),
    Move("Rust: renamed method", "cart.rs#Cart.total", {"cart.rs": RUST},
         {"cart.rs": RUST.replace("fn total", "fn sum_of")}, to="cart.rs#Cart.sum_of"),
    Move("Rust: type to another file", "cart.rs#Cart", {"cart.rs": RUST},
         {"cart.rs": "mod basket;\n", "basket.rs": RUST}, to="basket.rs#Cart"),
    Move("TypeScript: class renamed, a member", "cart.ts#Cart.total", {"cart.ts": TYPESCRIPT},
         {"cart.ts": TYPESCRIPT.replace("Cart", "Basket")}, to="cart.ts#Basket.total"),
    Move("TypeScript: arrow function to another file", "cart.ts#slug", {"cart.ts": TYPESCRIPT},
         {"cart.ts": TYPESCRIPT[: TYPESCRIPT.index("export const")], "text.ts": TYPESCRIPT[TYPESCRIPT.index("export const") :]},
         to="text.ts#slug"),
]  # fmt: skip

STATES = ("committed", "staged", "working tree", "buffers")


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    made = Repository(tmp_path / "project")
    made.write(".memory/index.md", "---\ntype: index\n---\n")
    return made


def make(repository: Repository, project: Project, move: Move, state: str) -> None:
    """Make the move: on disk as far as ``state`` says, else in the buffers of ``project``."""
    for path, text in move.after.items():
        if text is None:
            (repository.root / path).unlink()
        elif state == "buffers":
            project.open(path, text, 1)
        else:
            repository.write(path, text)
    if state in ("committed", "staged"):
        repository.git("add", "-A")
    if state == "committed":
        repository.commit("move")
    # A file that is gone must be gone twice: editors move files away while they save.
    project.poll()
    project.poll()
    project.poll()


def said(judgement: Judgement) -> tuple[str, str, tuple[str, ...]]:
    return judgement.verdict.value, judgement.to, tuple(sorted(judgement.candidates))


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("move", MOVES, ids=lambda move: move.name)
def test_move(repository: Repository, move: Move, state: str) -> None:
    for path, text in move.before.items():
        repository.write(path, text)
    repository.remember("mem-a", move.cite)
    repository.commit("start")
    project = Project(repository.root)
    assert said(project.snapshot.judgements["mem-a"][0])[0] == "fresh"
    make(repository, project, move, state)
    expected = (move.verdict, move.to, tuple(sorted(move.candidates)))
    assert said(project.snapshot.judgements["mem-a"][0]) == expected
    later = Project(repository.root)
    if state == "buffers":
        for path, text in move.after.items():
            if text is not None:
                later.open(path, text, 1)
    assert said(later.snapshot.judgements["mem-a"][0]) == expected
    project.close_down()
    later.close_down()


def test_a_moved_definition_is_followed_back_and_forth(repository: Repository) -> None:
    repository.write("shop.py", shop(TOTAL))
    repository.remember("mem-a", "shop.py#total")
    repository.commit("start")
    project = Project(repository.root)
    seen = []
    for text in (shop(TOTAL.replace("total", "net")), shop(), shop(TOTAL), shop(TOTAL.replace("total", "gross"))):
        snapshot = project.open("shop.py", text, 1)
        seen.append(said(snapshot.judgements["mem-a"][0])[:2])
    assert seen == [("moved", "shop.py#net"), ("missing", ""), ("fresh", ""), ("moved", "shop.py#gross")]
    assert project.close("shop.py").judgements["mem-a"][0].verdict.value == "fresh"
    project.close_down()


def test_moved_again_in_later_commits(repository: Repository) -> None:
    """Each stop on the way is a version that the file had; only where it stands now counts."""
    repository.write("shop.py", shop(TOTAL, WALK))
    repository.remember("mem-a", "shop.py#total")
    repository.commit("start")
    for name in ("one.py", "two.py", "three.py"):
        for old in ("one.py", "two.py"):
            (repository.root / old).unlink(missing_ok=True)
        repository.write("shop.py", shop(WALK))
        repository.write(name, TOTAL)
        repository.commit(name)
    project = Project(repository.root)
    assert said(project.snapshot.judgements["mem-a"][0])[:2] == ("moved", "three.py#total")
    project.close_down()


def test_without_git_the_same_twin_is_found(tmp_path: Path) -> None:
    repository = Repository(tmp_path / "plain", git=False)
    repository.write(".memory/index.md", "---\ntype: index\n---\n")
    repository.write("shop.py", shop(TOTAL, WALK))
    repository.remember("mem-a", "shop.py#total")
    repository.write("shop.py", shop(WALK))
    repository.write("lib/sums.py", TOTAL)
    project = Project(repository.root)
    assert said(project.snapshot.judgements["mem-a"][0])[:2] == ("moved", "lib/sums.py#total")
    project.close_down()
