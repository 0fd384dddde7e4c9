"""How often, and after how long, a call to the card processor is tried again."""

from __future__ import annotations

import random

MAX_ATTEMPTS = 3
LONGEST_PAUSE = 8.0


def backoff(attempt: int, *, base: float = 0.5) -> float:
    """Seconds to wait before the next attempt: doubled each time, capped, with jitter."""
    pause = min(base * 2.0**attempt, LONGEST_PAUSE)
    return pause * random.uniform(0.8, 1.2)


def worth_retrying(status: int) -> bool:
    """Whether the processor may answer differently next time."""
    return status == 429 or 500 <= status < 600
