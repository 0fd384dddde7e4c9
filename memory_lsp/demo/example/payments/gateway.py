"""The only module that talks to the card processor."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from .retry import MAX_ATTEMPTS, backoff


class PaymentFailed(Exception):
    """The processor refused, or did not answer in time."""


class Transport(Protocol):
    """Whatever carries a request to the processor."""

    def post(self, path: str, body: Mapping[str, object], *, key: str) -> Mapping[str, object]: ...


@dataclass(frozen=True)
class Order:
    """What is paid for; ``cents`` is never a float."""

    number: str
    cents: int
    currency: str = "EUR"


class Gateway:
    """Charges and refunds, one order at a time."""

    def __init__(self, transport: Transport, sleep: Callable[[float], None] = time.sleep) -> None:
        self._transport = transport
        self._sleep = sleep

    def charge(self, order: Order, card: str) -> Mapping[str, object]:
        """Take the money for an order; the answer is the processor's receipt."""
        body = {"amount": order.cents, "currency": order.currency, "card": card}
        key = idempotency_key(order)
        for attempt in range(MAX_ATTEMPTS):
            try:
                return self._transport.post("/charges", body, key=key)
            except TimeoutError:
                self._sleep(backoff(attempt))
        raise PaymentFailed(order.number)

    def refund(self, order: Order, cents: int) -> Mapping[str, object]:
        """Give back all or part of a charge."""
        if not 0 < cents <= order.cents:
            raise ValueError(f"cannot refund {cents} of {order.cents}")
        return self._transport.post("/refunds", {"order": order.number, "amount": cents}, key=f"refund-{order.number}")


def idempotency_key(order: Order) -> str:
    """The same order always gives the same key."""
    return hashlib.sha256(f"{order.number}:{order.cents}:{order.currency}".encode()).hexdigest()
