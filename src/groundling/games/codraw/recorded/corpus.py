"""Many dialogs as arrays: packed scenes and lists of messages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from groundling.boards.scene.batches import Batch, pack_scene_text_batch
from groundling.games.codraw.recorded.dialog_files import DialogRecord
from groundling.games.codraw.recorded.dialogs import DialogPolicy, dialog_canvas_strings, kept_dialog_rounds

Ints: TypeAlias = NDArray[np.int32]


class DialogCorpus(Struct, frozen=True):
    """Dialogs by number, and their rounds one after the other."""

    ids: list[str]
    numbers: Ints
    """Scene numbers."""
    targets: Batch
    starts: Ints
    """Where each dialog's rounds begin, and at last where all rounds end."""
    canvases: Batch
    """The canvas after each round."""
    peeks: NDArray[np.bool_]
    """Whether the Teller peeked before the round."""
    teller: list[str]
    drawer: list[str]

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def split_names(self) -> NDArray[np.str_]:
        return np.array([name.partition("_")[0] for name in self.ids])

    @property
    def round_counts(self) -> Ints:
        return np.diff(self.starts)

    @property
    def dialog_numbers(self) -> Ints:
        """The number of the dialog, for each round."""
        return np.repeat(np.arange(len(self), dtype=np.int32), self.round_counts)

    @property
    def canvases_before(self) -> Batch:
        """The canvas before each round, as the round before left it."""
        found = (
            np.concatenate([pack_scene_text_batch([""]), self.canvases[:-1]])
            if len(self.canvases)
            else self.canvases
        )
        found[self.starts[:-1][self.round_counts > 0]] = pack_scene_text_batch([""])
        return found

    @property
    def final_canvases(self) -> Batch:
        """The canvas at the end of each dialog; empty if it has no rounds."""
        return self._canvas_before(self.starts[1:])

    @property
    def unaided_canvases(self) -> Batch:
        """The canvas that the Teller saw at the peek, or the final one if nobody peeked."""
        ends = self.starts[1:].copy()
        peeked = np.flatnonzero(self.peeks)
        ends[self.dialog_numbers[peeked][::-1]] = peeked[::-1]
        return self._canvas_before(ends)

    def _canvas_before(self, rounds: Ints) -> Batch:
        """Return the canvas before each of these rounds; empty before the dialog's first."""
        if not len(self.canvases):
            return np.repeat(pack_scene_text_batch([""]), len(self), axis=0)
        found = self.canvases[np.maximum(rounds - 1, 0)]
        found[rounds == self.starts[:-1]] = pack_scene_text_batch([""])
        return found


def join_corpora(one: DialogCorpus, other: DialogCorpus) -> DialogCorpus:
    """Return the dialogs of both, one after the other."""
    both = {
        name: np.concatenate([getattr(one, name), getattr(other, name)])
        for name in ("numbers", "targets", "canvases", "peeks")
    }
    return DialogCorpus(
        ids=[*one.ids, *other.ids],
        starts=np.concatenate([one.starts, one.starts[-1] + other.starts[1:]]),
        teller=[*one.teller, *other.teller],
        drawer=[*one.drawer, *other.drawer],
        **both,
    )


def pack_corpus_records(found: Sequence[DialogRecord], policy: DialogPolicy) -> DialogCorpus:
    """Pack dialogs into arrays; equal canvases are parsed once."""
    if policy.start != "carry":
        raise ValueError('arrays hold one canvas a round: read them with the policy start="carry"')
    texts = [[after for _, after in dialog_canvas_strings(record, policy)] for record in found]
    known: dict[str, int] = {}
    rows = [known.setdefault(text, len(known)) for dialog in texts for text in dialog]
    rounds = [raw for record in found for raw in kept_dialog_rounds(record, policy)]
    return DialogCorpus(
        ids=[record.id for record in found],
        numbers=np.array([record.image_id for record in found], np.int32),
        targets=pack_scene_text_batch(record.abs_t for record in found),
        starts=np.concatenate([[0], np.cumsum([len(dialog) for dialog in texts])]).astype(np.int32),
        canvases=pack_scene_text_batch(known)[np.array(rows, np.intp)],
        peeks=np.array([raw.peeked for raw in rounds], np.bool_),
        teller=[raw.msg_t for raw in rounds],
        drawer=[raw.msg_d for raw in rounds],
    )


def corpus_to_arrays(found: DialogCorpus) -> dict[str, NDArray[Any]]:
    """Return a corpus as arrays; its texts are JSON in one of them."""
    words = np.frombuffer(msgspec.json.encode([found.ids, found.teller, found.drawer]), np.uint8)
    return {"words": words, **{name: getattr(found, name) for name in _ARRAYS}}


def corpus_from_arrays(stored: Mapping[str, NDArray[Any]]) -> DialogCorpus:
    words = stored["words"].tobytes()
    ids, teller, drawer = msgspec.json.decode(words, type=tuple[list[str], list[str], list[str]])
    return DialogCorpus(ids=ids, teller=teller, drawer=drawer, **{name: stored[name] for name in _ARRAYS})


_ARRAYS = ("numbers", "targets", "starts", "canvases", "peeks")
