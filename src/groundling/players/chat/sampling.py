"""Sampling options of hosted and local models, such as `,temperature=0,max_tokens=200`."""

from __future__ import annotations

from typing import Any

from groundling.core.pack import Seat
from groundling.core.values import Problem

_KINDS: dict[str, type[int] | type[float]] = {
    "temperature": float,
    "top_p": float,
    "top_k": int,
    "max_tokens": int,
    "frequency_penalty": float,
    "presence_penalty": float,
}


def read_sampling(seat: Seat) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, kind in _KINDS.items():
        text = seat.option(name)
        if text:
            try:
                found[name] = kind(text)
            except ValueError:
                raise Problem(f"{name}={text} in seat {seat.role} is not a number") from None
    return found
