"""The load that the studio bears: people at real sockets, in a process of their own on the same machine."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec import Struct

from ..number import Number, console


class Form(Struct, frozen=True):
    """How long each part is measured, in seconds or so often."""

    studio: float
    memory: float
    peer: float
    workers: float
    floods: int
    kills: int
    pages: int


SHORT = Form(studio=15, memory=0, peer=8, workers=8, floods=2, kills=3, pages=3)
LONG = Form(studio=90, memory=600, peer=20, workers=20, floods=5, kills=50, pages=9)


def measured(folder: Path, form: Form, names: Sequence[str] = ()) -> list[Number]:
    """All parts, or those."""
    from .flood import flood
    from .kills import kills
    from .pages import pages
    from .peer import peer
    from .studio import memory, studio
    from .taps import taps
    from .workers import workers

    parts: dict[str, Callable[[Path, Form], list[Number]]] = {
        "studio": studio,
        "memory": memory,
        "peer": peer,
        "workers": workers,
        "kills": kills,
        "flood": flood,
        "pages": pages,
        "taps": taps,
    }
    if unknown := [name for name in names if name not in parts]:
        raise SystemExit(f"bench load has no part {unknown[0]}: give some of {', '.join(parts)}")
    found: list[Number] = []
    for name in names or (part for part in parts if part != "memory" or form.memory):
        (folder / name).mkdir()
        found += parts[name](folder / name, form)
        console().print(f"load: {name} done", style="dim")
    return found
