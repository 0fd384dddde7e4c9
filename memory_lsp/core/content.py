"""What must not be kept in a memory: secrets, personal data, raw logs, transcripts, and inventories of what the outline yields.

Secrets are found by the detectors of detect-secrets (bc-detect-secrets, the fork that is kept), without those that go by entropy
or by keywords. They take half a second to import, so they are asked only about text in which a cheap look finds something.
Nothing here echoes what it found.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

_SUSPICIOUS = re.compile(
    r"BEGIN[ A-Z]+KEY|A[KS]IA[0-9A-Z]|AGPA|AROA|gh[pousr]_|xox[abpors]-|hooks\.slack|eyJ[\w-]{6}|[rs]k_(?:live|test)_|SG\.[\w-]{10}"
    r"|AKC[0-9A-Za-z]|//[^/\s:@]+:[^/\s@]+@|[MNO][A-Za-z\d_-]{23,25}\.|AccountKey|_authToken|-us\d+|sq0csp|SK[0-9a-z]{20}|AC[0-9a-z]{20}"
    r"|(?:secret|token|key|passw|api|auth)[\w-]*\s*[=:]|[0-9a-zA-Z/+_-]{32,}",
    re.IGNORECASE,
)
_TELLING = re.compile(
    r"BEGIN[ A-Z]+KEY|A[KS]IA[0-9A-Z]{12}|gh[pousr]_\w{20}|xox[abpors]-|hooks\.slack|eyJ[\w-]{10,}\.|[rs]k_live_|SG\.[\w-]{16}|AKC\w{10}"
    r"|//[^/\s:@]+:[^/\s@]+@|AccountKey=|_authToken=|sq0csp"
)
"""What a stored record is looked at for: forms that nothing but a credential has."""
_EMAIL = re.compile(r"(?<![\w.])(?!git@)[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_PHONE = re.compile(
    r"(?<![\w.-])(?:\+|00)\d{1,3}[ ()./-]*(?:\d[ ()./-]*){6,12}\d?(?![\w-])|(?<![\w.-])\(?0?\d{2,4}\)?[ /-]\d{3,4}[ /-]\d{3,5}(?![\w-])"
)
_LOG = re.compile(r"\d{2}:\d{2}:\d{2}|\b(?:DEBUG|INFO|WARN(?:ING)?|ERROR|TRACE|FATAL)\b|Traceback|^\s+at \S+\(")
_TURN = re.compile(r"\s*(?:\*\*)?(?:user|assistant|human|system|ai|agent)(?:\*\*)?\s*:", re.IGNORECASE)
_SKIPPED = frozenset({"base", "high_entropy_strings", "keyword", "ip_public"})
MAX_LINES = 15
"""A claim of more lines is no claim."""
INVENTORY_ITEMS, INVENTORY_SHARE = 8, 0.8


def secret_in(text: str) -> bool:
    """Whether a text holds a credential."""
    if not _SUSPICIOUS.search(text):
        return False
    return any(True for detector in _detectors() for _ in detector.analyze_string(text))


def kept_badly(text: str) -> bool:
    """Whether a stored text holds a credential of a known form, or an e-mail address; costs next to nothing where it does not."""
    return address_in(text) or (bool(_TELLING.search(text)) and secret_in(text))


def address_in(text: str) -> bool:
    """Whether a text holds an e-mail address."""
    return "@" in text and bool(_EMAIL.search(text))


def personal_in(text: str) -> bool:
    """Whether a text holds an e-mail address or a telephone number."""
    return bool(_EMAIL.search(text) or _PHONE.search(text))


def refused(text: str) -> str:
    """Why a text must not be kept: ``memory-secret``, ``personal-data``, ``transcript``, ``raw-log``; else empty."""
    if secret_in(text):
        return "memory-secret"
    lines = text.splitlines()
    if sum(1 for line in lines if _TURN.match(line)) >= 2:
        return "transcript"
    if len(lines) > MAX_LINES or sum(1 for line in lines if _LOG.search(line)) >= 3:
        return "raw-log"
    return "personal-data" if personal_in(text) else ""


def inventory(text: str, is_name: Callable[[str], bool]) -> bool:
    """Whether a text lists what the outline of the cited files yields anyway (``is_name`` asks it)."""
    listed = text.rpartition(":")[2] if ":" in text else text
    pieces = re.split(r"[,;\n]|\s+and\s+|\s+und\s+", listed)
    items = [piece.strip().strip("`*-. ").removesuffix("()") for piece in pieces]
    items = [item for item in items if item]
    if len(items) < INVENTORY_ITEMS:
        return False
    last = [item.split()[-1] if item.split() else "" for item in items[:1]]
    named = sum(1 for item in items if is_name(item) or item.startswith("/")) + (
        1 if last and items[0] != last[0] and is_name(last[0]) else 0
    )
    return named >= INVENTORY_SHARE * len(items)


@lru_cache(maxsize=1)
def _detectors() -> tuple[Any, ...]:
    import importlib
    import pkgutil

    plugins = importlib.import_module("detect_secrets.plugins")
    base = importlib.import_module("detect_secrets.plugins.base").RegexBasedDetector
    found: list[Any] = []
    for item in pkgutil.iter_modules(plugins.__path__):
        if item.name not in _SKIPPED:
            module = importlib.import_module(f"{plugins.__name__}.{item.name}")
            found += [
                value()
                for value in vars(module).values()
                if isinstance(value, type) and issubclass(value, base) and value.__module__ == module.__name__
            ]
    return tuple(found)


def first_refused(texts: Iterable[tuple[str, str]]) -> tuple[str, str]:
    """``(field, why)`` of the first text that must not be kept; empty if all may."""
    for name, text in texts:
        why = refused(text)
        if why:
            return name, why
    return "", ""
