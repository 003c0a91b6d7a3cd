"""Recorded dialogs as plain values, read by policies that are chosen by name where the data can be read in
two ways."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from msgspec import Struct

from groundling.boards.scene import Change, Palette, Scene, diff
from groundling.games.codraw.recorded.reading import RawRound, Record, records

TEN = 10


class Policy(Struct, frozen=True, kw_only=True):
    """How to read what is not plain. There are no defaults: whoever reads says how."""

    blank: Literal["empty", "carry"]
    """An empty string in the place of a canvas: an empty canvas, or the canvas as it was. In the release they are the same,
    since it occurs only before anything was drawn."""
    start: Literal["carry", "stored"]
    """The canvas that a round starts from: what the round before left, or what is stored as the canvas before. They differ
    in 657 rounds of the release, mostly because nothing is stored."""
    opening: Literal["drawer", "silence"]
    """A first round without words of the Teller: the Drawer spoke first, or the Teller's message was empty."""
    until: Literal["end", "peek"]
    """The whole dialog, or only the rounds before the Teller peeked."""


WHOLE = Policy(blank="empty", start="carry", opening="drawer", until="end")
"""What people did, to the end."""
UNAIDED = Policy(blank="empty", start="carry", opening="drawer", until="peek")
"""What people did before they saw the canvas."""


class Round(Struct, frozen=True):
    """The Teller's message, what the Drawer then did, and the Drawer's reply."""

    teller: str | None
    """None: the Drawer spoke first."""
    drawer: str
    before: Scene
    after: Scene
    peek: bool = False
    """The Teller had looked at the canvas before this message."""


class Turn(Struct, frozen=True, omit_defaults=True):
    """All that one seat did at once."""

    seat: Literal["teller", "drawer"]
    text: str
    peek: bool = False
    """The Teller peeked, closed, then spoke."""
    changes: tuple[Change, ...] = ()
    """What the Drawer did to the canvas, then spoke."""


class Dialog(Struct, frozen=True):
    id: str
    split: str
    number: int
    """Of the scene."""
    target: Scene
    rounds: tuple[Round, ...]
    palette: Palette | None = None
    """What the Drawer could take, where any canvas was stored."""
    seconds: float | None = None
    players: tuple[str, str] | None = None

    @property
    def group(self) -> str:
        """Those of one group are not independent."""
        return group_of(self.number)

    @property
    def drawn(self) -> Scene:
        """The canvas at the end."""
        return self.rounds[-1].after if self.rounds else Scene()


def group_of(number: int) -> str:
    """Scenes were made in tens for one prompt, and numbered so."""
    return str(number // TEN)


def dialogs(path: Path, split: str, policy: Policy) -> Iterator[Dialog]:
    """The dialogs of a split, or of all with ""."""
    return (read_dialog(record, policy) for record in records(path, split))


def read_dialog(record: Record, policy: Policy) -> Dialog:
    stored = next((canvas for raw in record.dialog for canvas in (raw.abs_b, raw.abs_d) if canvas), "")
    return Dialog(
        record.id,
        record.split,
        record.image_id,
        Scene.parse(record.abs_t),
        tuple(_rounds(record, policy)),
        Palette.parse(stored) if stored else None,
        record.seconds,
        record.players,
    )


def kept(record: Record, policy: Policy) -> list[RawRound]:
    """The rounds that count."""
    if policy.until == "peek":
        stop = next((number for number, raw in enumerate(record.dialog) if raw.peeked), len(record.dialog))
        return record.dialog[:stop]
    return record.dialog


def canvases(record: Record, policy: Policy) -> Iterator[tuple[str, str]]:
    """The strings of the canvas before and after each round."""
    now = ""
    for raw in kept(record, policy):
        before = now if policy.start == "carry" else raw.abs_b
        now = raw.abs_d or (before if policy.blank == "carry" else "")
        yield before, now


def _rounds(record: Record, policy: Policy) -> Iterator[Round]:
    known: dict[str, Scene] = {}
    for number, (raw, strings) in enumerate(zip(kept(record, policy), canvases(record, policy), strict=True)):
        before, after = (known.get(text) or known.setdefault(text, Scene.parse(text)) for text in strings)
        drawer_opens = number == 0 and not raw.msg_t and policy.opening == "drawer"
        yield Round(None if drawer_opens else raw.msg_t, raw.msg_d, before, after, raw.peeked)


def turns(dialog: Dialog) -> Iterator[Turn]:
    """A dialog as what each seat did, one after the other. Where a round starts from another canvas than the
    one before left (which only the policy start="stored" lets happen), the Drawer is taken to have changed it
    first."""
    canvas = Scene()
    for played in dialog.rounds:
        if played.teller is not None:
            yield Turn("teller", played.teller, peek=played.peek)
        changes = (*diff(canvas, played.before), *diff(played.before, played.after))
        yield Turn("drawer", played.drawer, changes=changes)
        canvas = played.after
