"""Training of the nearest-neighbour players: it builds their memory from recorded dialogs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

import numpy as np
from msgspec import Meta, Struct
from numpy.typing import NDArray

from groundling import __version__
from groundling.boards.scene.batches import LOOK, Batch, unpack_scene_batch
from groundling.core.pack import choices_hint
from groundling.core.trainer import Training
from groundling.core.values import Problem
from groundling.games.codraw.moves import one_line
from groundling.games.codraw.players.nearest.memory import NearestMemory, encode_nearest_memory
from groundling.games.codraw.recorded.corpus import DialogCorpus, pack_corpus_records
from groundling.games.codraw.recorded.dialog_files import (
    DialogRecord,
    dialog_files_checksum,
    load_dialog_files,
)
from groundling.games.codraw.recorded.dialogs import WHOLE
from groundling.games.codraw.recorded.splits import CodrawSplitRecipe, published_splits


class NearestOptions(Struct, frozen=True, kw_only=True):
    half: Annotated[
        Literal["a", "b", "both"], Meta(description="which half of the training dialogs to remember")
    ] = "both"


def learn_nearest_memory(training: Training) -> Sequence[str]:
    training.progress("reading the dialogs", 0, 0)
    half = training.options.half
    found = _select_records(training, half)
    training.progress(f"remembering {len(found):,} dialogs", 0, 0)
    memory = learn_memory_from_dialogs(found, half)
    training.save(content := encode_nearest_memory(memory))
    return [
        f"{training.out}: half {half}, {len(memory.ids):,} dialogs, "
        f"{len(memory.pieces):,} rounds that add one piece, "
        f"{len(content) / 1e6:.1f} MB",
        "it holds messages of the data, so the data's licence goes with it: keep it out of what you publish",
    ]


def _select_records(training: Training, half: str) -> list[DialogRecord]:
    """Return the dialogs of one half or of both."""
    found = load_dialog_files(training.data)
    splits = published_splits(found, CodrawSplitRecipe()) if training.splits is None else training.splits
    names = [f"train_{letter}" for letter in ("ab" if half == "both" else half)]
    for name in names:
        if name not in splits:
            raise Problem(f"there are no dialogs {name} to learn from: {choices_hint(splits)}")
    wanted = {one for name in names for one in splits[name]}
    chosen = [record for record in found if record.id in wanted]
    if not chosen:
        raise Problem(
            f"{training.data} has none of the dialogs of {' and '.join(names)}: "
            "make the splits from this data"
        )
    return chosen


def learn_memory_from_dialogs(found: Sequence[DialogRecord], half: str) -> NearestMemory:
    try:
        corpus = pack_corpus_records(found, WHOLE)
    except ValueError as trouble:
        raise Problem(
            f"one of the dialogs holds a scene that cannot be read ({trouble}): fetch the data again"
        ) from None
    said = [one_line(message) for message in corpus.teller]
    rounds, single = learn_single_additions(corpus)
    told = [
        (said[number], scene.pieces[0].placed_piece)
        for number, scene in zip(rounds.tolist(), unpack_scene_batch(single), strict=True)
    ]
    bounds = zip(corpus.starts[:-1].tolist(), corpus.starts[1:].tolist(), strict=True)
    return NearestMemory(
        version=__version__,
        half=half,
        data=dialog_files_checksum(found),
        ids=tuple(corpus.ids),
        scenes=tuple(
            tuple(piece.placed_piece for piece in scene.pieces)
            for scene in unpack_scene_batch(corpus.targets)
        ),
        scripts=tuple(tuple(filter(None, said[start:end])) for start, end in bounds),
        pieces=tuple(piece for message, piece in told if message),
        messages=tuple(message for message, _ in told if message),
    )


def learn_single_additions(corpus: DialogCorpus) -> tuple[NDArray[np.intp], Batch]:
    """Return the rounds that only add one piece, each with a scene of that piece alone."""
    before, after = corpus.canvases_before, corpus.canvases
    new = (after[:, LOOK] >= 0) & (before[:, LOOK] < 0)
    unchanged = (after == before).all(1)
    rounds = np.flatnonzero((new.sum(1) == 1) & (unchanged | new).all(1))
    single = np.where(new[rounds][:, None], after[rounds], 0).astype(np.int16)
    single[:, LOOK][~new[rounds]] = -1
    return rounds, single
