"""Generates dialogs of a Teller word by word, greedily or by sampling. The Teller reads no replies, so all
its messages can be generated before anything is drawn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from groundling.games.codraw.neural.teller_base import Teller, TellerState
from groundling.games.codraw.neural.vocabulary import END, MARKS, PAD, START, UNKNOWN, Vocabulary

CAP, ROUNDS = 140, 20
"""The limits of characters in a message and of messages in a dialog."""
_CHECK_EVERY = 8
"""Words between two checks whether all have finished: on a GPU each check costs time."""
FEW_FINISHED = 0.1
"""Up to this share of finished dialogs, removing them is not worth it."""


class GeneratedDialogs(NamedTuple):
    words: Tensor
    """START and the generated words, as padded rows."""
    allowed: Tensor | None
    """Which words were allowed after each word but the last, if wanted."""


class WordConstraints:
    """The allowed words: messages have a word and at most `cap` characters, dialogs a message."""

    def __init__(self, words: Vocabulary, where: torch.device, cap: int = CAP, rounds: int = ROUNDS) -> None:
        self.cap, self.rounds = cap or 10_000, rounds
        self.length = torch.tensor([len(word) for word in words.words], device=where)
        self.never = torch.zeros(len(words), dtype=torch.bool, device=where)
        self.never[[PAD, UNKNOWN, START, END]] = True

    def allowed_words(self, word: Tensor, characters: Tensor, messages: Tensor) -> Tensor:
        """Return the words allowed after a word, given this message's characters and the messages so far."""
        fresh = (word == START) | (word == END)
        room = self.cap - characters - (~fresh).long()
        enough = fresh & (messages >= self.rounds)
        found = (self.length <= room[:, None]) & ~self.never & ~enough[:, None]
        found[:, END] = ~fresh
        found[:, START] = fresh & (messages > 0)
        return found


class _DialogRows(NamedTuple):
    """The state of each dialog."""

    words: Tensor
    """START and the generated words, with room for all that may follow and for one unused word."""
    place: Tensor
    """The index of the last word."""
    characters: Tensor
    """The number of characters in the current message."""
    messages: Tensor
    over: Tensor


class DialogGenerator:
    """Dialogs in progress, word by word. Scenes can be added, and finished dialogs removed, at any time."""

    def __init__(self, teller: Teller, manners: WordConstraints, *, by_lot: bool = False) -> None:
        self._teller, self._manners, self._by_lot = teller, manners, by_lot
        self._joined = 0
        self._rows: _DialogRows | None = None
        self._state: TellerState = {}
        self.names: list[int] = []
        """The numbers of the dialogs in progress, by which callers know them."""

    @property
    def dialog_rows(self) -> _DialogRows:
        assert self._rows is not None, "somebody has joined"
        return self._rows

    @property
    def is_finished(self) -> bool:
        return not self.names or bool(self.dialog_rows.over.all())

    def add_scenes(self, targets: Tensor) -> list[int]:
        """Start dialogs about packed scenes, and return their numbers."""
        many = len(targets)
        none = torch.zeros(many, dtype=torch.long, device=targets.device)
        words = torch.full((many, self._teller.longest + 1), PAD, device=targets.device)
        words[:, 0] = START
        rows, state = _DialogRows(words, none, none, none, none.bool()), self._teller.start_state(targets)
        if self.names:
            rows = _DialogRows(*(torch.cat(both) for both in zip(self.dialog_rows, rows, strict=True)))
            state = self._teller.join_states(self._state, state)
        names = list(range(self._joined, self._joined + many))
        self._rows, self._state, self._joined = rows, state, self._joined + many
        self.names += names
        return names

    def generate_words(self) -> Tensor:
        """Generate one word of each dialog, and return which words were allowed."""
        words, place, characters, messages, over = self.dialog_rows
        word = torch.where(over, START, words.gather(1, place[:, None])[:, 0])
        scores, self._state = self._teller.score_next_word(self._state, word)
        may = self._manners.allowed_words(word, characters, messages)
        scores = scores.masked_fill(~may, -torch.inf)
        chosen = torch.multinomial(scores.softmax(-1), 1)[:, 0] if self._by_lot else scores.argmax(-1)
        new = torch.where(over, PAD, chosen)
        characters = torch.where(
            new == END, 0, characters + self._manners.length[new] + (characters > 0).long()
        )
        longest = self._teller.longest
        place = (place + 1).clamp(max=longest)
        words.scatter_(1, place[:, None], new[:, None])
        over = over | (new == START) | (place >= longest - 1)
        self._rows = _DialogRows(words, place, characters, messages + (new == END).long(), over)
        return may

    def pop_finished(self, few: float = 0.0) -> dict[int, Tensor]:
        """Remove and return finished dialogs, unless their share is at most `few`."""
        if not self.names or int(self.dialog_rows.over.sum()) <= few * len(self.names):
            return {}
        over = self.dialog_rows.over
        gone, left = over.nonzero()[:, 0], (~over).nonzero()[:, 0]
        found = {self.names[row]: self.dialog_rows.words[row, :-1] for row in gone.tolist()}
        self.names = [self.names[row] for row in left.tolist()]
        if self.names:
            self._rows = _DialogRows(*(of[left] for of in self.dialog_rows))
            self._state = self._teller.select_rows(self._state, left)
        else:
            self._rows, self._state = None, {}
        return found


@torch.no_grad()
def generate_dialogs(
    teller: Teller, targets: Tensor, manners: WordConstraints, *, by_lot: bool = False, keep: bool = False
) -> GeneratedDialogs:
    """Generate all messages of the Teller about packed scenes."""
    telling = DialogGenerator(teller, manners, by_lot=by_lot)
    names = telling.add_scenes(targets)
    said: dict[int, Tensor] = {}
    allowed = []
    for place in range(1, teller.longest):
        may = telling.generate_words()
        if keep:
            allowed.append(may)
        if place % _CHECK_EVERY == 0 or not targets.is_cuda:
            said |= {} if keep else telling.pop_finished(FEW_FINISHED)
            if telling.is_finished:
                break
    said |= telling.pop_finished()
    words = torch.stack([said[name][: place + 1] for name in names])
    return GeneratedDialogs(words, torch.stack(allowed, dim=1) if keep else None)


def decode_generated_dialogs(told: GeneratedDialogs, words: Vocabulary) -> list[list[str]]:
    return [decode_generated_messages(row, words) for row in told.words.tolist()]


def decode_generated_messages(said: Sequence[int], words: Vocabulary) -> list[str]:
    """Decode one dialog into texts, without an unfinished message."""
    found: list[str] = []
    message: list[str] = []
    for word in said[1:]:
        if word == END:
            found.append(" ".join(message))
            message = []
        elif word >= len(MARKS):
            message.append(words.words[word])
    return found


class WordTranslation:
    """Translates a Teller's word numbers to a Drawer's; one word may become several."""

    def __init__(self, teller: Vocabulary, drawer: Vocabulary, where: torch.device) -> None:
        marks = {PAD: [], START: [START], END: [END], UNKNOWN: [UNKNOWN]}
        each = [
            marks[number] if number in marks else drawer.encode_message(word)[:-1]
            for number, word in enumerate(teller.words)
        ]
        most = max(map(len, each))
        self.table = torch.tensor([[*found, *[PAD] * (most - len(found))] for found in each], device=where)

    def __call__(self, words: Tensor) -> Tensor:
        """Return padded rows again."""
        found = self.table[words].flatten(1)
        order = (found == PAD).byte().argsort(dim=1, stable=True)
        longest = max(1, int((found != PAD).sum(1).max()))
        return found.gather(1, order)[:, :longest]


def pad_generated_rows(texts: Sequence[Sequence[int]], where: torch.device) -> Tensor:
    longest = max(map(len, texts))
    return torch.tensor([[*text, *[PAD] * (longest - len(text))] for text in texts], device=where)
