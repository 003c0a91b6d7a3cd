"""Dialogs as tensors for training: all words of all messages in one row, and the canvas before and after each
message. What was heard at some time is a slice of that row."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from groundling.boards.scene.batches import pack_scene_text_batch
from groundling.games.codraw.neural.vocabulary import PAD, START, Vocabulary
from groundling.games.codraw.recorded.corpus import DialogCorpus

RowNumbers = NDArray[np.int64]


class DialogTensors:
    """Dialogs of a corpus. A turn is a message that is not empty, with what the Drawer did until the next."""

    def __init__(
        self, corpus: DialogCorpus, ids: Sequence[str], words: Vocabulary, where: torch.device
    ) -> None:
        wanted = set(ids)
        rows = [
            row
            for row, name in enumerate(corpus.ids)
            if name in wanted and self._rounds_with_words(corpus, row)
        ]
        tokens: list[int] = []
        first, begin, end, dialog, rounds, until = [], [], [], [], [], []
        self.unaided: list[int] = []
        starts = [0]
        for number, row in enumerate(rows):
            told = self._rounds_with_words(corpus, row)
            opened = len(tokens)
            tokens.append(START)
            for place, round_ in enumerate(told):
                first.append(opened)
                begin.append(len(tokens))
                tokens += words.encode_message(corpus.teller[round_])
                end.append(len(tokens))
                dialog.append(number)
                rounds.append(round_)
                until.append(told[place + 1] if place + 1 < len(told) else int(corpus.starts[row + 1]))
            peeks = np.flatnonzero(corpus.peeks[corpus.starts[row] : corpus.starts[row + 1]])
            stop = corpus.starts[row] + peeks[0] if len(peeks) else corpus.starts[row + 1]
            starts.append(len(end))
            self.unaided.append(sum(round_ < stop for round_ in told))
        self.ids = [corpus.ids[row] for row in rows]
        self.first, self.begin, self.end = (np.array(found, np.int64) for found in (first, begin, end))
        self.dialog, self.starts = np.array(dialog, np.int64), np.array(starts, np.int64)
        self.where = where
        self.words = words
        self.tokens = torch.tensor([*tokens, PAD], dtype=torch.int32, device=where)
        empty = pack_scene_text_batch([""])
        befores = corpus.canvases_before[rounds] if rounds else empty[:0]
        self.before = torch.from_numpy(befores).to(where)
        self.after = torch.from_numpy(corpus.canvases[np.array(until, np.int64) - 1]).to(where)
        self.targets = torch.from_numpy(corpus.targets[rows]).to(where)

    @staticmethod
    def _rounds_with_words(corpus: DialogCorpus, row: int) -> list[int]:
        rounds = range(int(corpus.starts[row]), int(corpus.starts[row + 1]))
        return [round_ for round_ in rounds if corpus.teller[round_].strip()]

    def __len__(self) -> int:
        return len(self.ids)

    def message_words(self, turns: RowNumbers) -> Tensor:
        """Return the words of each of these turns, padded."""
        return self._pad_slices(self.begin[turns], self.end[turns])

    def words_so_far(self, turns: RowNumbers, longest: int) -> Tensor:
        """Return all words up to the end of each of these turns, at most the last `longest`, padded."""
        return self._pad_slices(np.maximum(self.first[turns], self.end[turns] - longest), self.end[turns])

    def _pad_slices(self, begin: RowNumbers, end: RowNumbers) -> Tensor:
        length = int((end - begin).max(initial=1))
        starts, ends = (torch.from_numpy(found).to(self.where, non_blocking=True) for found in (begin, end))
        places = starts[:, None] + torch.arange(length, device=self.where)
        found = self.tokens[places.clamp(max=len(self.tokens) - 1)]
        return torch.where(places < ends[:, None], found, PAD).long()

    def last_turns(self, unaided: bool = False) -> RowNumbers:
        """Return each dialog's last turn, or the last before the Teller peeked; -1 where there is none."""
        if not unaided:
            return self.starts[1:] - 1
        count = np.array(self.unaided, np.int64)
        return np.where(count > 0, self.starts[:-1] + count - 1, -1)


class BatchOrder:
    """The order of training examples: all in each epoch, reshuffled, reproducible from the seed."""

    def __init__(self, many: int, batch: int, seed: int) -> None:
        self.many, self.batch, self.seed = many, batch, seed
        self._round, self._shuffled = -1, np.empty(0, np.int64)

    def batch_at(self, step: int) -> RowNumbers:
        places = np.arange(step * self.batch, (step + 1) * self.batch)
        return np.concatenate(
            [
                self._shuffle_epoch(number)[places[places // self.many == number] % self.many]
                for number in np.unique(places // self.many).tolist()
            ]
        )

    def _shuffle_epoch(self, number: int) -> RowNumbers:
        if number != self._round:
            self._round = number
            self._shuffled = np.random.default_rng([self.seed, number]).permutation(self.many)
        return self._shuffled
