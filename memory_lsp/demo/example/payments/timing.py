"""Clocks and pauses."""

from __future__ import annotations

CHECKOUT_PATIENCE = 30.0
