"""Recorded dialogs as plain values, with named policies for what the data leaves open."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from msgspec import Struct

from groundling.boards.scene import Change, Palette, Scene, find_scene_changes
from groundling.games.codraw.recorded.dialog_files import DialogRecord, RawRound, load_dialog_files

SCENES_PER_PROMPT = 10


class DialogPolicy(Struct, frozen=True, kw_only=True):
    """How to read what the data leaves open. There are no defaults: every caller decides."""

    blank: Literal["empty", "carry"]
    """An empty string in place of a canvas is an empty canvas, or the canvas as it was. In the release
    both are the same: it occurs only before anything was drawn."""
    start: Literal["carry", "stored"]
    """The canvas at the start of a round is the one that the round before left, or the stored one. They
    differ in 657 rounds of the release, mostly because nothing is stored."""
    opening: Literal["drawer", "silence"]
    """In a first round without words of the Teller the Drawer spoke first, or the message was empty."""
    until: Literal["end", "peek"]
    """The whole dialog, or only the rounds before the Teller peeked."""


WHOLE = DialogPolicy(blank="empty", start="carry", opening="drawer", until="end")
"""Whole dialogs."""
UNAIDED = DialogPolicy(blank="empty", start="carry", opening="drawer", until="peek")
"""Dialogs up to the peek."""


class Round(Struct, frozen=True):
    """The Teller's message, the change of the canvas, and the Drawer's reply."""

    teller: str | None
    """None if the Drawer spoke first."""
    drawer: str
    before: Scene
    after: Scene
    peek: bool = False
    """Whether the Teller peeked before this message."""


class RecordedTurn(Struct, frozen=True, omit_defaults=True):
    """Everything that one seat did in a turn."""

    seat: Literal["teller", "drawer"]
    text: str
    peek: bool = False
    """Whether the Teller peeked and closed before speaking."""
    changes: tuple[Change, ...] = ()
    """The Drawer's changes of the canvas before speaking."""


class Dialog(Struct, frozen=True):
    id: str
    split: str
    number: int
    """The number of the scene."""
    target: Scene
    rounds: tuple[Round, ...]
    palette: Palette | None = None
    """The palette of the Drawer, if any canvas was stored."""
    seconds: float | None = None
    players: tuple[str, str] | None = None

    @property
    def final_canvas(self) -> Scene:
        return self.rounds[-1].after if self.rounds else Scene()


def dialog_scene_prompt(number: int) -> str:
    """Return the prompt of a scene: scenes were numbered and made in tens for one prompt."""
    return str(number // SCENES_PER_PROMPT)


def read_dialogs(path: Path, split: str, policy: DialogPolicy) -> Iterator[Dialog]:
    """Read the dialogs of a split, or of all with "" as split."""
    return (read_dialog(record, policy) for record in load_dialog_files(path, split))


def read_dialog(record: DialogRecord, policy: DialogPolicy) -> Dialog:
    stored = next((canvas for raw in record.dialog for canvas in (raw.abs_b, raw.abs_d) if canvas), "")
    return Dialog(
        record.id,
        record.split,
        record.image_id,
        Scene.parse(record.abs_t),
        tuple(_read_rounds(record, policy)),
        Palette.parse(stored) if stored else None,
        record.seconds,
        record.players,
    )


def kept_dialog_rounds(record: DialogRecord, policy: DialogPolicy) -> list[RawRound]:
    """Return the rounds that the policy keeps."""
    if policy.until == "peek":
        stop = next((number for number, raw in enumerate(record.dialog) if raw.peeked), len(record.dialog))
        return record.dialog[:stop]
    return record.dialog


def dialog_canvas_strings(record: DialogRecord, policy: DialogPolicy) -> Iterator[tuple[str, str]]:
    """Yield the canvas strings before and after each round."""
    now = ""
    for raw in kept_dialog_rounds(record, policy):
        before = now if policy.start == "carry" else raw.abs_b
        now = raw.abs_d or (before if policy.blank == "carry" else "")
        yield before, now


def _read_rounds(record: DialogRecord, policy: DialogPolicy) -> Iterator[Round]:
    known: dict[str, Scene] = {}
    for number, (raw, strings) in enumerate(
        zip(kept_dialog_rounds(record, policy), dialog_canvas_strings(record, policy), strict=True)
    ):
        before, after = (known.get(text) or known.setdefault(text, Scene.parse(text)) for text in strings)
        drawer_opens = number == 0 and not raw.msg_t and policy.opening == "drawer"
        yield Round(None if drawer_opens else raw.msg_t, raw.msg_d, before, after, raw.peeked)


def dialog_turns(dialog: Dialog) -> Iterator[RecordedTurn]:
    """Yield the turns of a dialog. If a round starts from another canvas than the one before left
    (possible only with start="stored"), that difference is part of the Drawer's changes."""
    canvas = Scene()
    for played in dialog.rounds:
        if played.teller is not None:
            yield RecordedTurn("teller", played.teller, peek=played.peek)
        changes = (
            *find_scene_changes(canvas, played.before),
            *find_scene_changes(played.before, played.after),
        )
        yield RecordedTurn("drawer", played.drawer, changes=changes)
        canvas = played.after
