"""The splits of the dialogs: the paper's, halves of its training part, and splits by prompt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Annotated, Literal

from msgspec import Meta

from groundling.core.values import Problem, Recipe
from groundling.games.codraw.recorded.dialog_files import DialogRecord, load_dialog_files
from groundling.games.codraw.recorded.dialogs import SCENES_PER_PROMPT, dialog_scene_prompt

SCENES = 10_020
"""The number of numbered scenes; 27 of them were empty and have no dialog."""


class CodrawSplitRecipe(Recipe, frozen=True, kw_only=True):
    n: Annotated[
        int,
        Meta(ge=10, le=4_000, description="scenes in val and in test of new splits, rounded down to tens"),
    ] = 1_000
    halves: Annotated[
        Literal["paper", "random"], Meta(description="the halves of train: by sorted id, or random")
    ] = "paper"
    grouped: Annotated[bool, Meta(description="new splits that share no prompt; halves are random")] = False


def split_dialogs(path: Path, recipe: CodrawSplitRecipe) -> Mapping[str, Sequence[str]]:
    """Return ids by split. The training part comes as two halves, one for Tellers and one for Drawers."""
    found = load_dialog_files(path)
    return grouped_splits(found, recipe) if recipe.grouped else published_splits(found, recipe)


def published_splits(found: Sequence[DialogRecord], recipe: CodrawSplitRecipe) -> dict[str, list[str]]:
    ids = {
        name: sorted(record.id for record in found if record.split == name)
        for name in ("train", "val", "test")
    }
    train = ids.pop("train")
    if recipe.halves == "random":
        Random(recipe.seed).shuffle(train)
    middle = len(train) // 2
    halves = {"train_a": sorted(train[:middle]), "train_b": sorted(train[middle:])}
    return {name: these for name, these in {**halves, **ids}.items() if these}


def grouped_splits(found: Sequence[DialogRecord], recipe: CodrawSplitRecipe) -> dict[str, list[str]]:
    """Shuffle whole prompts, including those missing here, so that a dialog goes to the same split in
    every copy of the data, with or without the paper's test part."""
    last = max((record.image_id for record in found), default=0)
    groups = list(dict.fromkeys(dialog_scene_prompt(number) for number in range(max(SCENES, last + 1))))
    Random(recipe.seed).shuffle(groups)
    held = recipe.n // SCENES_PER_PROMPT
    middle = (len(groups) - 2 * held) // 2
    if middle < 1:
        raise Problem(f"with {recipe.n} scenes in val and in test none are left for train: lower -n")
    parts = {
        "train_a": groups[2 * held : 2 * held + middle],
        "train_b": groups[2 * held + middle :],
        "val": groups[:held],
        "test": groups[held : 2 * held],
    }
    place = {group: name for name, members in parts.items() for group in members}
    ids: dict[str, list[str]] = {name: [] for name in parts}
    for record in found:
        ids[place[dialog_scene_prompt(record.image_id)]].append(record.id)
    return ids
