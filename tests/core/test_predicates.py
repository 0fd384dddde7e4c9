"""Machine predicates: what holds, where, and what is said when nobody can know."""

from __future__ import annotations

from datetime import datetime, timezone

import pytest

from memory_lsp.core.pairs import PairSources
from memory_lsp.core.predicates import Outcome, Predicate, evaluate, read_predicate

NOW = datetime(2026, 3, 1, tzinfo=timezone.utc)

FILES = {
    "src/app.py": 'import attrs\n\n# structlog is not used here\nNOTE = "structlog"\n\n\ndef run(order):\n    return attrs.evolve(order, by=order.rate)\n',
    "src/web.ts": 'import { z } from "zod/v4";\nexport const parse = (text: string) => z.parse(`${lodash.trim(text)}`);\n',
    "src/Map.cs": '// AutoMapper\nclass Map { string Name = "AutoMapper"; }\n',
    "src/broken.py": "def run(:\n",
    "pyproject.toml": '[project]\ndependencies = ["attrs>=23.1", "Structlog[dev]==24.1.0 ; python_version > \'3.9\'", "rich"]\n[dependency-groups]\ntest = ["pytest~=8.2"]\n',
    "requirements.txt": "# pinned\nhttpx==0.27.0 --hash=sha256:aa\n-r other.txt\nclick>=8,<9  # cli\n",
    "package.json": '{"dependencies": {"zod": "^3.22.4"}, "devDependencies": {"vitest": "~1.6.0"}}',
    "go.mod": "module shop\n\nrequire github.com/a/b v1.4.2\n\nrequire (\n\tgolang.org/x/text v0.14.0 // indirect\n)\n",
    "Cargo.toml": '[dependencies]\nserde = { version = "1.0.190", features = ["derive"] }\ntokio = "1"\n[target.x.dependencies]\nlibc = "0.2"\n',
    "pom.xml": "<project><dependencies><dependency><groupId>org.x</groupId><artifactId>y</artifactId><version>2.1</version></dependency></dependencies></project>",
    "app.csproj": '<Project><ItemGroup><PackageReference Include="Riok.Mapperly" Version="4.1.0" /></ItemGroup></Project>',
    "evil.csproj": '<!DOCTYPE x [<!ENTITY a "b">]><Project/>',
    "docs/a.txt": "keep the door closed\n",
}


def outcome(text: str) -> Outcome:
    predicate = read_predicate(text)
    assert isinstance(predicate, Predicate), predicate
    return evaluate(predicate, PairSources({}, {path: data.encode() for path, data in FILES.items()}), NOW)


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("used attrs in src/**/*.py", True),
        ("used attrs.evolve in src/*.py", True),
        ("used evolve in src/app.py", True),
        ("used evolve in src/*.ts", False),
        ("used order.rate in src/app.py", True),
        ("used order.rat in src/app.py", False),
        ("used structlog in src/**", False),
        ("used zod in src/**/*.ts", True),
        ("used lodash in src/web.ts", True),
        ("unused structlog in src/app.py", True),
        ("unused attrs in src/app.py", False),
        ("exists src/app.py", True),
        ("exists src/app.py#run", True),
        ("exists src/app.py#gone", False),
        ("absent src/app.py#gone", True),
        ("absent src/none.py", True),
        ('text "door closed" in docs/*', True),
        ('text "door open" in docs/*', False),
        ("after 2026-02-28", True),
        ("after 2026-03-01", False),
        ("dependency attrs present in pyproject.toml", True),
        ("dependency attrs absent in pyproject.toml", False),
        ("dependency structlog ==24.1 in pyproject.toml", True),
        ("dependency attrs >=23 in pyproject.toml", True),
        ("dependency attrs >=24 in pyproject.toml", False),
        ("dependency pytest >=8 in pyproject.toml", True),
        ("dependency httpx <0.28 in requirements.txt", True),
        ("dependency click >=9 in requirements.txt", False),
        ("dependency zod ^3 in package.json", True),
        ("dependency zod >=4 in package.json", False),
        ("dependency vitest present in package.json", True),
        ("dependency github.com/a/b >=1.4 in go.mod", True),
        ("dependency golang.org/x/text >=0.15 in go.mod", False),
        ("dependency serde >=1.0.190, <2 in Cargo.toml", True),
        ("dependency libc present in Cargo.toml", True),
        ("dependency org.x:y >=2 in pom.xml", True),
        ("dependency riok.mapperly >=4 in app.csproj", True),
        ("dependency AutoMapper absent in app.csproj", True),
    ],
)
def test_holds(text: str, holds: bool) -> None:
    assert outcome(text).holds is holds, outcome(text).message


def test_a_place_is_named_where_there_is_one() -> None:
    result = outcome("used attrs.evolve in src/*.py")
    assert result.place is not None
    data = FILES["src/app.py"].encode()
    assert data[result.place.span.start : result.place.span.end] == b"evolve"


def test_a_package_named_only_in_a_manifest_is_possible_and_no_more() -> None:
    result = outcome("used structlog in {src/**/*.py,pyproject.toml}")
    assert result.holds
    assert result.possible
    assert "possible" in result.message


def test_what_cannot_be_searched_is_said_and_never_taken_as_unused() -> None:
    result = outcome("unused rust_only in docs/*")
    assert not outcome("unused zebra in nowhere/**").holds
    assert result.holds
    missing = outcome("dependency x present in absent.toml")
    assert (missing.holds, missing.gaps) == (False, ("absent.toml",))
    assert outcome("dependency x present in evil.csproj").gaps == ("evil.csproj",)
    assert outcome("exists src/broken.py#gone").gaps == ("src/broken.py",)
    assert outcome("dependency rich >=1 in pyproject.toml").gaps == ("pyproject.toml",)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("uses attrs in src", "begins no predicate"),
        ("used attrs", "write used NAME in GLOB"),
        ("used a b in src", "write used NAME in GLOB"),
        ("after next week", "is no date"),
        ("exists ../secret", "leaves the root"),
        ("used x in /etc/*", "leaves the root"),
        ("text door in docs/*", 'write text "literal" in GLOB'),
        ("dependency attrs in pyproject.toml", "write dependency NAME"),
    ],
)
def test_what_cannot_be_read_says_how_to_write_it(text: str, problem: str) -> None:
    result = read_predicate(text)
    assert isinstance(result, str)
    assert problem in result
