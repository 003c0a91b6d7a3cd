"""Scenes we made, narrated by the `template` Teller, as dialogs in the format of the release."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

from tests.games.codraw.remembered import dialog

from groundling.boards.scene import PEOPLE, Palette, PersonFigure, Scene
from groundling.games.codraw.instance import CodrawInstance
from groundling.games.codraw.make import SceneRecipe, make
from groundling.games.codraw.players.template.message_plan import message_plan_texts
from groundling.games.codraw.players.template.scene_describer import SceneDescriber


def narrated(park: CodrawInstance, number: int) -> dict[str, object]:
    """As many pieces are drawn after each message as there are for each."""
    target = park.target
    figures = tuple(
        PersonFigure(p.kind, p.pose or 0, p.expression or 0) for p in target.pieces if p.kind in PEOPLE
    )
    told = message_plan_texts(SceneDescriber(target, Random(number)), 140)
    share = [round(len(target.pieces) * (place + 1) / len(told)) for place in range(len(told))]
    rounds = [(text, Scene(target.pieces[:many])) for text, many in zip(told, share, strict=True)]
    return dialog(number, target, *rounds, palette=Palette(park.palette, figures))


def folder(place: Path, many: int = 40, val: int = 4) -> Path:
    """`many` dialogs to learn from, and `val` to play."""
    parks = make(SceneRecipe(seed=5, n=many + val))
    rows = []
    for number, park in enumerate(parks):
        split = "train" if number < many else "val"
        rows.append({"id": f"{split}_{number:05d}", "split": split, **narrated(park, number)})
    place.mkdir(exist_ok=True)
    (place / "codraw.jsonl").write_text("\n".join(map(json.dumps, rows)))
    return place
