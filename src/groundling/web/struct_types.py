"""Prepare msgspec's information about struct types before threads start."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress

import msgspec
from msgspec import Struct

from groundling.core.pack import Pack, load


def prepare_struct_types(games: Iterable[Pack]) -> None:
    """msgspec 0.22 inspects a struct at its first decoding, and two threads that do so at once can crash the
    process. So the structs of all games are inspected now."""
    for pack in games:
        for lazy in (pack.game, pack.draw, pack.builtin):
            load(lazy)
        if pack.live.gallery:
            for also in pack.live.gallery.also.values():
                load(also)
    for kind in set(_all_subclasses(Struct)):
        with suppress(TypeError, NameError):  # structs that are never decoded, such as one of functions
            msgspec.json.Decoder(kind)


def _all_subclasses(kind: type[Struct]) -> Iterator[type[Struct]]:
    for each in kind.__subclasses__():
        yield each
        yield from _all_subclasses(each)
