"""Dialogs of our own, in the format of the release, for players that remember: in half a (by id) of two, in
half b of two more, and two to play."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

from tests.games.codraw.recorded import said

from groundling.boards.scene import Palette, PersonFigure, Piece, Scene
from groundling.games.codraw.players.nearest.learn import learn_memory_from_dialogs
from groundling.games.codraw.players.nearest.memory import NearestMemory
from groundling.games.codraw.recorded.dialog_files import load_dialog_files

PALETTE = Palette(
    ("cloud", "sun", "oak tree", "Mike", "Jenny", "dog", "crown", "beach ball"),
    (PersonFigure("Mike", 6, 1), PersonFigure("Mike", 4, 3), PersonFigure("Jenny", 4, 3)),
)
SUN, LOW_SUN = Piece("sun", 60, 40, 0), Piece("sun", 420, 90, 2)
OAK, FAR_OAK = Piece("oak tree", 430, 150, 0), Piece("oak tree", 90, 130, 2, flip=True)
MIKE, SAD_MIKE = (
    Piece("Mike", 150, 250, 0, pose=6, expression=1),
    Piece("Mike", 300, 260, 1, pose=4, expression=3),
)
JENNY, BALL, CROWN, DOG = (
    Piece("Jenny", 330, 260, 1, pose=4, expression=3),
    Piece("beach ball", 240, 330, 2),
    Piece("crown", 152, 160, 0),
    Piece("dog", 400, 300, 1),
)


def dialog(
    number: int, target: Scene, *rounds: tuple[str, Scene], palette: Palette = PALETTE, **last: Any
) -> dict[str, Any]:
    """What was said, and the canvas after it."""
    texts = ["", *(palette.text(scene) for _, scene in rounds)]
    found = [
        said(message, "ok", before, after)
        for (message, _), (before, after) in zip(rounds, pairwise(texts), strict=True)
    ]
    found[-1] |= last
    return {"image_id": number, "abs_t": target.text(), "dialog": found}


def adding(number: int, *told: tuple[str, Piece]) -> dict[str, Any]:
    """A piece a message, all of the target in the end."""
    canvas, rounds = Scene(), []
    for message, piece in told:
        rounds.append((message, canvas := canvas.put(piece)))
    return dialog(number, canvas, *rounds)


BY_PIECE = adding(
    11, ("big sun in the left corner", SUN), ("an oak on the right", OAK), ("mike waves , he is happy", MIKE)
)
MIXED = dialog(
    23,
    Scene.of([LOW_SUN, BALL, CROWN, SAD_MIKE]),
    ("", Scene.of([DOG])),
    ("no dog", Scene()),
    ("tiny sun , low on the right", Scene.of([LOW_SUN])),
    ("a ball and a crown", Scene.of([LOW_SUN, BALL, CROWN])),
    ("a sad mike , and the sun is too high", Scene.of([SUN, BALL, CROWN, SAD_MIKE])),
    ("thanks", Scene.of([SUN, BALL, CROWN, SAD_MIKE])),
    peeked=True,
)
OTHER = adding(
    35, ("sun : top left , large", SUN), ("tree far left", FAR_OAK), ("a girl sits on the grass", JENNY)
)
LAST = adding(47, ("boy with one arm up", MIKE), ("ball at his feet", BALL), ("huge oak , right", OAK))
DIALOGS = {
    "train_00011": BY_PIECE,
    "train_00023": MIXED,
    "train_00035": OTHER,
    "train_00047": LAST,
    "val_00052": adding(
        52, ("a sun up left", SUN), ("an oak", OAK), ("mike is waving", MIKE), ("a dog", DOG)
    ),
    "val_00064": adding(64, ("small sun to the right", LOW_SUN), ("jenny cries", JENNY)),
}


def folder(place: Path) -> Path:
    rows = ({"id": name, "split": name.partition("_")[0], **found} for name, found in DIALOGS.items())
    place.mkdir(exist_ok=True)
    (place / "codraw.jsonl").write_text("\n".join(map(json.dumps, rows)))
    return place


def memory(place: Path, *ids: str) -> NearestMemory:
    """Of these dialogs, or of all training ones."""
    return learn_memory_from_dialogs(
        [record for record in load_dialog_files(folder(place), "train") if not ids or record.id in ids], "a"
    )
