"""The one clock: what time it is."""

from __future__ import annotations

from datetime import datetime, timezone


def now() -> datetime:
    """This moment, in UTC."""
    return datetime.now(timezone.utc)
