"""What a crowd is to do, and what it saw."""

from __future__ import annotations

from time import time

from msgspec import Struct, field

OTREE = "6.0.15"
PERIOD = 5.0
"""Seconds that somebody floods, and then rests."""


def flooding() -> bool:
    """Whether they do so now, as all processes know by the clock."""
    return bool(int(time() / PERIOD) % 2)


class Plan(Struct, kw_only=True):
    urls: tuple[str, ...]
    """With two, partners are at different servers."""
    codraw: int = 0
    hexagons: int = 0
    """Rooms."""
    endless: bool = False
    """CoDraw is played without an end, else game after game."""
    flood: bool = False
    """What came while somebody else flooded is told apart from the rest."""
    otree: int = 0
    """Pairs, where the server is an oTree."""
    warm: float = 5.0
    """Seconds before anything is counted …"""
    seconds: float = 20.0
    """… and of counting."""


class Seen(Struct):
    took: dict[str, list[float]] = field(default_factory=dict)
    """Milliseconds from sending to the partner's receipt, by kind."""
    sent: int = 0
    lost: int = 0
    late: int = 0
    """Sent more than half a second after they should have been, because what came before them was late."""
    refused: dict[str, int] = field(default_factory=dict)
