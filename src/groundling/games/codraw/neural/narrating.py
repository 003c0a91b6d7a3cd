"""Scenes that people have told, told once more by the `template` Teller: plain, complete, and drawn without a
fault."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import numpy as np

from groundling.boards.scene import INDEX
from groundling.boards.scene.packed import pack_texts, unpack
from groundling.games.codraw.neural.words import parted
from groundling.games.codraw.players.template.plan import plan
from groundling.games.codraw.players.template.sentences import Words
from groundling.games.codraw.recorded.corpus import Corpus
from groundling.games.codraw.rules import OK

CAP = 130
"""Characters of a message before it is parted into words; afterwards there are then at most as many as may be said."""


def narrated(corpus: Corpus, ids: Sequence[str], seed: int) -> Corpus:
    """A dialog for the scene of each of these: after a message the canvas holds all that was told of so far,
    as it is there. The words depend on the seed and the scene alone."""
    wanted = set(ids)
    rows = [row for row, name in enumerate(corpus.ids) if name in wanted]
    targets = corpus.targets[rows]
    starts, said, canvases = [0], [], []
    for row, target, scene in zip(rows, targets, unpack(targets), strict=True):
        canvas = pack_texts([""])[0]
        for message in plan(Words(scene, Random(f"{seed}/narrated/{corpus.ids[row]}")), CAP):
            told = [INDEX[kind] for kind in message.kinds]
            canvas = canvas.copy()
            canvas[:, told] = target[:, told]
            canvases.append(canvas)
            said.append(parted(message.text))
        starts.append(len(said))
    return Corpus(
        ids=[f"{corpus.ids[row]} narrated" for row in rows],
        numbers=corpus.numbers[rows],
        targets=targets,
        starts=np.array(starts, np.int32),
        canvases=np.stack(canvases) if canvases else pack_texts([]),
        peeks=np.zeros(len(said), np.bool_),
        teller=said,
        drawer=[OK] * len(said),
    )
