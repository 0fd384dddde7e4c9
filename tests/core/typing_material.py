"""What is typed in ``test_typing``: one file in each of four languages, and keys to type above, inside and below its symbols."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Language:
    """A file with five cited symbols: ``first`` and ``Cart.total`` stay, ``changed`` changes, ``gone`` goes, ``old`` is renamed
    to ``new``. ``typed`` is what is typed: by name, the place (the text in front of it) and the keys."""

    path: str
    text: str
    later: tuple[tuple[str, str], ...]
    member: str
    typed: dict[str, tuple[str, str]]


PYTHON = Language(
    "src/shop.py",
    '''"""A shop."""

import bank


def first(items, rate):
    """The first of them."""
    kept = [item for item in items if item.rate > rate]
    return kept[0] if kept else None


class Cart:
    """Some items."""

    rate = 2

    def total(self, tax):
        """All together."""
        result = 0
        for item in self.items:
            result += item.price * item.count + tax.of(item)
        return round(result, 2)

    def clear(self):
        self.items = []


def changed(amount):
    return amount * 100


def gone(value):
    return bank.book(value, "gone", None)


def old(rows, target):
    for row in sorted(rows):
        target.write(",".join(map(str, row)))
    target.flush()
    return target


def last():
    return {"a": [1, 2], "b": (3,)}
''',
    (
        ("amount * 100", "amount * 1000"),
        ('def gone(value):\n    return bank.book(value, "gone", None)\n\n\n', ""),
        ("def old(", "def new("),
    ),
    "Cart.total",
    {
        "a function above": (
            "import bank\n",
            '\n\ndef above(a, b=")"):\n    """Say it."""\n    if a:\n        return {"x": [a, (b,)]}\n    return f"{a!r} {b}"\n',
        ),
        "a class above": (
            "import bank\n",
            "\n\n@bank.register\nclass Above:\n    rate: int = 3\n\n    def total(self):\n        return 'it''s'\n",
        ),
        "a method above": (
            "    rate = 2\n",
            "\n    def sum(self, *, by=None):\n        '''One'''\n        return [x for x in self.items\n                if x]\n",
        ),
        "a decorator above": ("return kept[0] if kept else None\n\n\n", '@bank.known(name="x", at=(1, 2))\n'),
        "a statement inside": (
            "        result = 0\n",
            "        if tax is None:\n            raise ValueError('no ' \"tax\")\n        names = [\n            str(tax),\n        ]\n",
        ),
        "a comment inside": ("        result = 0\n", '        # it\'s "odd" (\n'),
        "a string inside": ("        result = 0\n", '        text = """three\n  (lines\n"""\n'),
        "an argument": ("    def total(self, tax", ", *, rounded=(2, [3])"),
        "a nested function inside": ("        result = 0\n", "        def inner(a):\n            return lambda: a\n\n"),
        "a method below": (
            "        self.items = []\n",
            "\n    def below(self):\n        return self.total({'a': [1]})\n",
        ),
        "a function below": (
            '    return {"a": [1, 2], "b": (3,)}\n',
            '\n\ndef below(x):\n    """Doc."""\n    while x:\n        x = x[1:]\n    else:\n        pass\n',
        ),
        "inside the moved one": ("def new(rows, target):\n", "    if not rows:\n        return None\n"),
        "a comment sign": ("        result = 0\n    ", "# "),
        "a comment sign on a body": ("        for item in self.items:\n        ", "# "),
        "an indented line": ("        result = 0\n", "            tax = tax or 0\n"),
        "an expression below": (
            '    return {"a": [1, 2], "b": (3,)}\n',
            "\nprint(first([{'a': (1, 2)}], rate=\"2\"))\n",
        ),
    },
)
TYPESCRIPT = Language(
    "src/shop.ts",
    """import { bank } from "./bank";

/** The first of them. */
export function first(items: Item[], rate: number): Item | undefined {
  const kept = items.filter((item) => item.rate > rate);
  return kept.length ? kept[0] : undefined;
}

export class Cart {
  rate = 2;

  /** All together. */
  total(tax: Tax): number {
    let result = 0;
    for (const item of this.items) {
      result += item.price * item.count + tax.of(item);
    }
    return Math.round(result);
  }

  clear(): void {
    this.items = [];
  }
}

export function changed(amount: number) {
  return amount * 100;
}

export function gone(value: number) {
  return bank.book(value, "gone", null);
}

export const old = (rows: string[][], target: Writer): Writer => {
  for (const row of rows.sort()) {
    target.write(row.map(String).join(","));
  }
  target.flush();
  return target;
};

export const last = () => ({ a: [1, 2], b: { c: 3 } });
""",
    (
        ("amount * 100", "amount * 1000"),
        ('export function gone(value: number) {\n  return bank.book(value, "gone", null);\n}\n\n', ""),
        ("const old =", "const fresh ="),
    ),
    "Cart.total",
    {
        "a function above": (
            '"./bank";\n',
            '\nexport async function above<T>(a: T, b = ")"): Promise<T[]> {\n  if (a) {\n    return [await a, ...(b ? [a] : [])];\n  }\n  return `${a} {${b}`.split(/[/)]/) as any;\n}\n',
        ),
        "an interface above": (
            '"./bank";\n',
            "\ninterface Above<T extends object> {\n  name: string;\n  of(item: T): { price: number };\n}\n",
        ),
        "a method above": ("  rate = 2;\n", "\n  get size(): number {\n    return this.items.length;\n  }\n"),
        "a statement inside": (
            "    let result = 0;\n",
            "    if (!tax) {\n      throw new Error('no ' + \"tax\");\n    }\n    const names = [\n      tax.name,\n    ];\n",
        ),
        "a template inside": ("    let result = 0;\n", "    const text = `a ${tax.of({ x: [1] })}\n  (b`;\n"),
        "a comment inside": ("    let result = 0;\n", "    // it's (odd\n"),
        "a block comment inside": ("    let result = 0;\n", "    /* it's { odd */\n"),
        "an argument": ("  total(tax: Tax", ", options: { digits?: number } = {}"),
        "a method below": (
            "    this.items = [];\n  }\n",
            "\n  below(): number[] {\n    return [this.total({ of: () => 1 })];\n  }\n",
        ),
        "a function below": (
            "b: { c: 3 } });\n",
            "\nfunction below(x: number[]) {\n  do {\n    x = x.slice(1);\n  } while (x.length > 0);\n}\n",
        ),
        "inside the moved one": ("target: Writer): Writer => {\n", "  if (!rows) {\n    return null;\n  }\n"),
        "a comment sign": ("    let result = 0;\n    ", "// "),
        "an expression below": ("b: { c: 3 } });\n", '\nconsole.log(first([{ a: (1) }], 2), "x");\n'),
    },
)
GO = Language(
    "shop.go",
    """package shop

import "bank"

// First is the first of them.
func First(items []Item, rate int) *Item {
	for _, item := range items {
		if item.Rate > rate {
			return &item
		}
	}
	return nil
}

type Cart struct {
	Items []Item
	Rate  int
}

// Total is all together.
func (c *Cart) Total(tax Tax) float64 {
	result := 0.0
	for _, item := range c.Items {
		result += item.Price*float64(item.Count) + tax.Of(item)
	}
	return result
}

func (c *Cart) Clear() {
	c.Items = nil
}

func Changed(amount int) int {
	return amount * 100
}

func Gone(value int) error {
	return bank.Book(value, "gone", nil)
}

func Old(rows [][]string, target Writer) Writer {
	for _, row := range rows {
		target.Write(strings.Join(row, ","))
	}
	target.Flush()
	return target
}

func Last() map[string][]int {
	return map[string][]int{"a": {1, 2}}
}
""",
    (
        ("amount * 100", "amount * 1000"),
        ('func Gone(value int) error {\n\treturn bank.Book(value, "gone", nil)\n}\n\n', ""),
        ("func Old(", "func New("),
    ),
    "Cart.Total",
    {
        "a function above": (
            'import "bank"\n',
            '\nfunc Above[T any](a T, b ...string) (map[string]T, error) {\n\tif len(b) > 0 {\n\t\treturn map[string]T{b[0]: a}, nil\n\t}\n\treturn nil, fmt.Errorf(`no {` + "b\\"")\n}\n',
        ),
        "a type above": (
            'import "bank"\n',
            '\ntype Above struct {\n\tName string `json:"name"`\n\tOf   func(item Item) (int, error)\n}\n',
        ),
        "a method above": ("	Rate  int\n}\n", "\nfunc (c Cart) Size() int {\n\treturn len(c.Items)\n}\n"),
        "a statement inside": (
            "	result := 0.0\n",
            '\tif tax == nil {\n\t\tpanic("no " + `tax`)\n\t}\n\tnames := []string{\n\t\ttax.Name(),\n\t}\n',
        ),
        "a raw string inside": ("	result := 0.0\n", "\ttext := `three\n  (lines {\n`\n"),
        "a comment inside": ("	result := 0.0\n", "\t// it's (odd\n"),
        "a block comment inside": ("	result := 0.0\n", "\t/* it's { odd */\n"),
        "an argument": ("Total(tax Tax", ", digits ...map[string]int"),
        "inside the moved one": ("target Writer) Writer {\n", "\tif rows == nil {\n\t\treturn nil\n\t}\n"),
        "a comment sign": ("result := 0.0\n\t", "// "),
        "a method below": (
            "	c.Items = nil\n}\n",
            "\nfunc (c *Cart) Below() []float64 {\n\treturn []float64{c.Total(nil)}\n}\n",
        ),
        "a function below": (
            '{"a": {1, 2}}\n}\n',
            "\nfunc below(x []int) {\n\tfor len(x) > 0 {\n\t\tx = x[1:]\n\t}\n}\n",
        ),
    },
)
RUST = Language(
    "src/shop.rs",
    """use bank::Book;

/// The first of them.
pub fn first(items: &[Item], rate: u32) -> Option<&Item> {
    items.iter().find(|item| item.rate > rate)
}

pub struct Cart {
    pub items: Vec<Item>,
    pub rate: u32,
}

impl Cart {
    /// All together.
    pub fn total(&self, tax: &Tax) -> f64 {
        let mut result = 0.0;
        for item in &self.items {
            result += item.price * f64::from(item.count) + tax.of(item);
        }
        result.round()
    }

    pub fn clear(&mut self) {
        self.items = vec![];
    }
}

pub fn changed(amount: u32) -> u32 {
    amount * 100
}

pub fn gone(value: u32) -> Result<(), Error> {
    bank::book(value, "gone", None)
}

pub fn old(rows: &[Vec<String>], target: &mut Writer) -> usize {
    for row in rows {
        target.write(&row.join(","));
    }
    target.flush();
    rows.len()
}

pub fn last() -> Vec<(u32, [u8; 2])> {
    vec![(1, [2, 3])]
}
""",
    (
        ("amount * 100", "amount * 1000"),
        ('pub fn gone(value: u32) -> Result<(), Error> {\n    bank::book(value, "gone", None)\n}\n\n', ""),
        ("pub fn old(", "pub fn new("),
    ),
    "Cart.total",
    {
        "a function above": ("use bank::Book;\n", "\npub fn above<'a, T: Clone>(a: &'a T, b: &str) -> Result<Vec<T>, String> {\n    match b {\n        \"{\" => Ok(vec![a.clone()]),\n        _ => Err(format!(\"no {b}\")),\n    }\n}\n"),
        "a type above": ("use bank::Book;\n", "\n#[derive(Debug)]\npub enum Above {\n    One(u32),\n    Two { name: String },\n}\n"),
        "a method above": ("impl Cart {\n", "    pub fn size(&self) -> usize {\n        self.items.len()\n    }\n\n"),
        "an attribute above": ("impl Cart {\n", "    #[must_use = \"it's (odd\"]\n"),
        "a statement inside": ("        let mut result = 0.0;\n", "        if tax.none() {\n            panic!(\"no {}\", 'x');\n        }\n        let names = [\n            tax.name(),\n        ];\n"),
        "a raw string inside": ("        let mut result = 0.0;\n", "        let text = r#\"three\n  (lines\n\"#;\n"),
        "a comment inside": ("        let mut result = 0.0;\n", "        // it's (odd\n"),
        "a block comment inside": ("        let mut result = 0.0;\n", "        /* it's { odd */\n"),
        "an argument": ("total(&self, tax: &Tax", ", digits: Option<[u8; 2]>"),
        "inside the moved one": ("&mut Writer) -> usize {\n", "    if rows.is_empty() {\n        return 0;\n    }\n"),
        "a comment sign": ("        let mut result = 0.0;\n        ", "// "),
        "a method below": ("        self.items = vec![];\n    }\n", "\n    fn below(&self) -> Vec<f64> {\n        vec![self.total(&Tax { rate: 1 })]\n    }\n"),
        "a function below": ("    vec![(1, [2, 3])]\n}\n", "\nfn below(mut x: &[u8]) {\n    while let [_, rest @ ..] = x {\n        x = rest;\n    }\n}\n"),
    },
)  # fmt: skip
LANGUAGES = {"python": PYTHON, "typescript": TYPESCRIPT, "go": GO, "rust": RUST}
