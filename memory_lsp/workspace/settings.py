"""Settings: what a person may choose, where it is read from, and what wins.

The client's settings win over ``.memory-lsp/config.toml``, that wins over the default, key by key. In an untrusted
workspace the file may only set ``severity``. One wrong key is a problem in words and leaves the rest in force.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal, get_args

from memory_lsp.core.codes import CODES
from memory_lsp.core.display import shown
from memory_lsp.core.model import Finding, Severity

CONFIG_PATH = ".memory-lsp/config.toml"
_UNTRUSTED = frozenset({"severity"})

Level = Literal["error", "warning", "information", "hint", "off"]


def _setting(default: Any, description: str, *, least: float | None = None, most: float | None = None) -> Any:
    limits = {name: value for name, value in (("least", least), ("most", most)) if value is not None}
    metadata = {"description": description, **limits}
    if isinstance(default, Mapping):
        return field(default_factory=dict, metadata=metadata)
    return field(default=default, metadata=metadata)


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings with their defaults; docs/settings.md is made from the descriptions."""

    actor: str = _setting(
        "",
        "Who acts, as it is written into records and the audit log, e.g. `human:ada`. Empty: `human:<git user.name>` "
        "in an editor or on a terminal, else `process:memory-lsp`.",
    )
    store: str = _setting(
        "",
        "Where a capture goes if the root holds more than one store: a dialect (`okf`, `kage`, `kiyo`) or a store's path from the root.",
    )
    severity: Mapping[str, Level | Mapping[Literal["record", "code"], Level]] = _setting(
        {},
        "Severity by finding code: `error`, `warning`, `information`, `hint` or `off`. One word sets it in the record "
        "(`off` switches the code off everywhere); a table with `record` and `code` sets each place.",
    )
    debounce: int = _setting(
        150, "Milliseconds without a key before an edited document is judged again.", least=0, most=10_000
    )
    poll: float = _setting(
        2.0,
        "Seconds between two looks at the cited files, the records and HEAD on disk; 0 looks only when the client reports a change.",
        least=0,
        most=3600,
    )

    def severities(self, code: str) -> tuple[Severity, Severity]:
        """``(in the record, in code)`` for a finding code, after this person's choice."""
        entry = CODES[code]
        choice = self.severity.get(code)
        if choice is None:
            return entry.in_record, entry.in_code
        if isinstance(choice, str):
            level = Severity(choice)
            return level, Severity.OFF if level is Severity.OFF else entry.in_code
        return Severity(choice.get("record", entry.in_record.value)), Severity(choice.get("code", entry.in_code.value))


def configured(finding: Finding, settings: Settings) -> Finding | None:
    """``finding`` with the severities that the settings give its code; ``None`` if the code is off in both places."""
    if finding.code not in settings.severity:
        return finding
    record, code = settings.severities(finding.code)
    if finding.in_code is None or CODES[finding.code].in_code is Severity.OFF:
        code = Severity.OFF
    if record is Severity.OFF and code is Severity.OFF:
        return None
    return replace(finding, severity=record, in_code_severity=code)


def merge(client: Mapping[str, object], text: str | None, *, trusted: bool) -> tuple[Settings, tuple[str, ...]]:
    """The settings in force and what is wrong with them, from the client's settings and the text of the config file."""
    problems: list[str] = []
    chosen: dict[str, Any] = {}
    if text is not None:
        table = _table(text, problems)
        if not trusted:
            table = {key: value for key, value in table.items() if key in _UNTRUSTED}
        chosen.update(_valid(table, CONFIG_PATH, problems))
    chosen.update(_valid({key: value for key, value in client.items() if value is not None}, "the client", problems))
    return Settings(**chosen), tuple(problems)


def _table(text: str, problems: list[str]) -> Mapping[str, object]:
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    try:
        table: dict[str, object] = tomllib.loads(text)
        return table
    except tomllib.TOMLDecodeError as error:
        problems.append(f"{CONFIG_PATH}: not TOML ({shown(str(error))}); the defaults are used")
        return {}


def _valid(table: Mapping[str, object], origin: str, problems: list[str]) -> dict[str, Any]:
    """The keys of ``table`` that are right; the others go to ``problems``."""
    if not table:
        return {}
    import pydantic

    known = {item.name for item in fields(Settings)}
    for key in table.keys() - known:
        problems.append(f"{origin}: no setting is called `{shown(key, 60)}`; there are {', '.join(sorted(known))}")
    given = {key: value for key, value in table.items() if key in known}
    severity = given.get("severity")
    if isinstance(severity, Mapping):
        levels = {}
        for code, level in severity.items():
            if code not in CODES:
                problems.append(
                    f"{origin}: no finding code is called `{shown(str(code), 60)}`; docs/findings.md lists them"
                )
            elif not _is_level(level):
                problems.append(
                    f"{origin}: `severity.{code}` is error, warning, information, hint or off, or a table of `record` and `code`; it is ignored"
                )
            else:
                levels[code] = level
        given["severity"] = levels
    adapter = pydantic.TypeAdapter(Settings)
    try:
        checked = adapter.validate_python(given)
    except pydantic.ValidationError as error:
        for detail in error.errors():
            name = str(detail["loc"][0])
            if given.pop(name, None) is not None:
                problems.append(f"{origin}: `{name}`: {shown(detail['msg'])}; it is ignored")
        checked = adapter.validate_python(given)
    result = {key: getattr(checked, key) for key in given}
    for item in fields(Settings):
        if item.name in result and "least" in item.metadata:
            least, most = item.metadata["least"], item.metadata["most"]
            if not least <= result[item.name] <= most:
                problems.append(f"{origin}: `{item.name}` must be between {least} and {most}; it is ignored")
                del result[item.name]
    return result


def _is_level(value: object) -> bool:
    if isinstance(value, Mapping):
        return (
            bool(value)
            and all(place in ("record", "code") and _is_level(value[place]) for place in value)
            and not any(isinstance(level, Mapping) for level in value.values())
        )
    return isinstance(value, str) and value in get_args(Level)
