"""What manifests declare of a dependency, and whether that meets a specifier, by the ecosystem's own rules.

Python (``pyproject.toml``, ``requirements*.txt``): PEP 440 and 508. npm, Cargo, Go, Maven and NuGet: semantic versions. What is
held against a specifier is the lowest version that the declaration allows, since that is what the project promises to work with.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Mapping
from typing import Any
from xml.etree import ElementTree

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

_PYTHON = re.compile(r"(?:pyproject\.toml|requirements[^/]*\.txt)\Z")
_VERSION = re.compile(r"\d+(?:\.\d+)*(?:[-+.][0-9A-Za-z.-]+)?")
_NPM_TABLES = ("dependencies", "devDependencies", "peerDependencies", "optionalDependencies")


def declared(path: str, data: bytes, name: str) -> tuple[str, ...] | str:
    """How a manifest declares a dependency: its version texts (``*`` for any), none if it does not; a text says what is wrong."""
    file = path.rsplit("/", 1)[-1]
    try:
        text = data.decode("utf-8-sig")
        if _PYTHON.search(file):
            return tuple(_python(file, text, name))
        if file == "package.json":
            return tuple(_npm(json.loads(text), name))
        if file == "Cargo.toml":
            return tuple(_cargo(tomllib.loads(text), name))
        if file == "go.mod":
            return tuple(_go(text, name))
        if file == "pom.xml" or file.endswith(".csproj"):
            return tuple(_xml(file, text, name))
    except (ValueError, RecursionError, ElementTree.ParseError) as error:
        return " ".join(str(error).split())[:120]
    return "no manifest that is known here (pyproject.toml, requirements*.txt, package.json, go.mod, Cargo.toml, pom.xml, *.csproj)"


def satisfies(path: str, version: str, specifier: str) -> bool | None:
    """Whether the lowest version that a declaration allows meets a specifier; ``None`` if one of them cannot be read."""
    if _PYTHON.search(path.rsplit("/", 1)[-1]):
        return _python_satisfies(version, specifier)
    from semantic_version import NpmSpec, Version

    lowest = _VERSION.search(version)
    if lowest is None:
        return None
    try:
        wanted = NpmSpec(" ".join(specifier.replace(",", " ").replace("==", "=").split()))
        return bool(wanted.match(Version.coerce(lowest.group())))
    except ValueError:
        return None


def _python_satisfies(version: str, specifier: str) -> bool | None:
    from packaging.specifiers import InvalidSpecifier, SpecifierSet
    from packaging.version import Version

    try:
        bounds = [
            Version(item.version.removesuffix(".*"))
            for item in SpecifierSet(version)
            if item.operator in (">=", "==", "~=", ">", "===")
        ]
        wanted = SpecifierSet(specifier)
    except (InvalidSpecifier, ValueError):
        return None
    return wanted.contains(max(bounds), prereleases=True) if bounds else None


def _python(file: str, text: str, name: str) -> Iterator[str]:
    from packaging.requirements import InvalidRequirement, Requirement
    from packaging.utils import canonicalize_name

    if file.endswith(".txt"):
        lines = [re.split(r"\s#|\s--", line, maxsplit=1)[0].strip() for line in text.splitlines()]
        lines = [line for line in lines if line and not line.startswith(("#", "-"))]
    else:
        lines = list(_pyproject(tomllib.loads(text)))
    for line in lines:
        try:
            requirement = Requirement(line)
        except InvalidRequirement:
            continue
        if canonicalize_name(requirement.name) == canonicalize_name(name):
            yield str(requirement.specifier) or "*"


def _pyproject(document: Mapping[str, Any]) -> Iterator[str]:
    project = _table(document, "project")
    yield from _texts(project.get("dependencies"))
    for group in (*_table(project, "optional-dependencies").values(), *_table(document, "dependency-groups").values()):
        yield from _texts(group)
    poetry = _table(_table(document, "tool"), "poetry")
    groups = [_table(group, "dependencies") for group in _table(poetry, "group").values() if isinstance(group, Mapping)]
    for table in (_table(poetry, "dependencies"), _table(poetry, "dev-dependencies"), *groups):
        for key, value in table.items():
            version = value.get("version", "") if isinstance(value, Mapping) else value
            if isinstance(version, str):
                yield key + _poetry(version)


def _poetry(version: str) -> str:
    lowest = _VERSION.search(version)
    if version[:1] in "^~" and lowest:
        return f">={lowest.group()}"
    return f"=={version}" if version[:1].isdigit() else "" if version == "*" else version


def _npm(document: Any, name: str) -> Iterator[str]:
    for key in _NPM_TABLES:
        version = _table(document, key).get(name)
        if isinstance(version, str):
            yield version or "*"


def _cargo(document: Mapping[str, Any], name: str) -> Iterator[str]:
    targets = [item for item in _table(document, "target").values() if isinstance(item, Mapping)]
    for holder in (document, _table(document, "workspace"), *targets):
        for key in ("dependencies", "dev-dependencies", "build-dependencies"):
            for crate, value in _table(holder, key).items():
                package = value.get("package", crate) if isinstance(value, Mapping) else crate
                if name in (crate, package):
                    version = value.get("version", "*") if isinstance(value, Mapping) else value
                    yield version if isinstance(version, str) else "*"


def _go(text: str, name: str) -> Iterator[str]:
    inside = False
    for line in text.splitlines():
        words = line.split("//", 1)[0].split()
        if words[:2] == ["require", "("]:
            inside = True
        elif words == [")"]:
            inside = False
        elif words[:1] == ["require"] and len(words) >= 3:
            words = words[1:]
            if words[0] == name:
                yield words[1]
        elif inside and len(words) >= 2 and words[0] == name:
            yield words[1]


def _xml(file: str, text: str, name: str) -> Iterator[str]:
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        raise ValueError("a document type or an entity in it is not read")
    for element in ElementTree.fromstring(text).iter():
        tag = element.tag.rpartition("}")[2]
        children = {child.tag.rpartition("}")[2]: (child.text or "").strip() for child in element}
        if file == "pom.xml" and tag == "dependency":
            if name in (children.get("artifactId"), f"{children.get('groupId')}:{children.get('artifactId')}"):
                yield children.get("version", "*") or "*"
        elif file != "pom.xml" and tag in ("PackageReference", "PackageVersion"):
            reference = element.get("Include") or element.get("Update") or ""
            if reference.lower() == name.lower():
                yield element.get("Version") or children.get("Version", "*") or "*"


def _table(document: Any, key: str) -> Mapping[str, Any]:
    value = document.get(key) if isinstance(document, Mapping) else None
    return value if isinstance(value, Mapping) else {}


def _texts(value: Any) -> Iterator[str]:
    yield from (item for item in value if isinstance(item, str)) if isinstance(value, list) else ()
