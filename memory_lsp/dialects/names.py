"""Names of record files and ids of new memories."""

from __future__ import annotations

import re
import secrets
import unicodedata

_ALPHABET = "abcdefghijklmnopqrstuvwxyz234567"


def slug(text: str, length: int) -> str:
    """Lower-case ASCII letters and digits joined by single hyphens, at most ``length`` characters; may be empty."""
    folded = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", folded.lower()).strip("-")[:length].strip("-")


def new_id() -> str:
    """A random id of a memory, for example ``mem-k3x9q2m7wd``: 50 random bits, never derived from anything."""
    return "mem-" + "".join(secrets.choice(_ALPHABET) for _ in range(10))
