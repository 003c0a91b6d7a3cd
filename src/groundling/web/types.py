"""What is looked at before people come, while there is one thread only."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress

import msgspec
from msgspec import Struct

from groundling.core.pack import Pack, load


def look_at_types(games: Iterable[Pack]) -> None:
    """msgspec looks at the fields of a struct when the first one is read, and two threads that do so at once
    can end the process (version 0.22). So all that games bring are looked at now."""
    for pack in games:
        for lazy in (pack.game, pack.draw, pack.builtin):
            load(lazy)
        if pack.live and pack.live.gallery:
            for also in pack.live.gallery.also.values():
                load(also)
    for kind in set(_below(Struct)):
        with suppress(TypeError, NameError):  # of what is never read, such as a struct of functions
            msgspec.json.Decoder(kind)


def _below(kind: type[Struct]) -> Iterator[type[Struct]]:
    for each in kind.__subclasses__():
        yield each
        yield from _below(each)
