"""More training dialogs: recorded scenes that the `template` Teller describes, drawn without errors."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import numpy as np

from groundling.boards.scene import INDEX
from groundling.boards.scene.batches import pack_scene_text_batch, unpack_scene_batch
from groundling.games.codraw.neural.vocabulary import tokenize_vocabulary_text
from groundling.games.codraw.players.template.message_plan import make_message_plan
from groundling.games.codraw.players.template.scene_describer import SceneDescriber
from groundling.games.codraw.recorded.corpus import DialogCorpus
from groundling.games.codraw.rules import OK

CAP = 130
"""Characters per message before tokenization, so that a tokenized message stays within the game's limit."""


def narrate_dialogs(corpus: DialogCorpus, ids: Sequence[str], seed: int) -> DialogCorpus:
    """Return a dialog for the scene of each of these ids. After each message the canvas holds all pieces
    mentioned so far, as they are in the target. The words depend only on the seed and the scene."""
    wanted = set(ids)
    rows = [row for row, name in enumerate(corpus.ids) if name in wanted]
    targets = corpus.targets[rows]
    starts, said, canvases = [0], [], []
    for row, target, scene in zip(rows, targets, unpack_scene_batch(targets), strict=True):
        canvas = pack_scene_text_batch([""])[0]
        for message in make_message_plan(
            SceneDescriber(scene, Random(f"{seed}/narrated/{corpus.ids[row]}")), CAP
        ):
            told = [INDEX[kind] for kind in message.kinds]
            canvas = canvas.copy()
            canvas[:, told] = target[:, told]
            canvases.append(canvas)
            said.append(tokenize_vocabulary_text(message.text))
        starts.append(len(said))
    return DialogCorpus(
        ids=[f"{corpus.ids[row]} narrated" for row in rows],
        numbers=corpus.numbers[rows],
        targets=targets,
        starts=np.array(starts, np.int32),
        canvases=np.stack(canvases) if canvases else pack_scene_text_batch([]),
        peeks=np.zeros(len(said), np.bool_),
        teller=said,
        drawer=[OK] * len(said),
    )
