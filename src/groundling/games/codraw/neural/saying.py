"""Whole dialogs of a Teller, word by word: the likeliest words, or such as are drawn by lot. The Teller hears nothing, so that
all it will say is known before anything is drawn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from .tellers import Teller
from .words import END, MARKS, PAD, START, UNKNOWN, Vocabulary

CAP, ROUNDS = 140, 20
"""Characters in a message, and messages in a dialog, at most."""
_LOOKED = 8
"""Words between two looks whether all have finished: on a GPU each look costs time."""


class Told(NamedTuple):
    words: Tensor
    """START and then what was said: padded rows."""
    allowed: Tensor | None
    """Which words could be said after each of them but the last, where that is to be known."""


class Manners:
    """What can be said at all: messages of one word at least and of so many characters at most, an end only after one."""

    def __init__(self, words: Vocabulary, where: torch.device, cap: int = CAP, rounds: int = ROUNDS) -> None:
        self.cap, self.rounds = cap or 10_000, rounds
        self.length = torch.tensor([len(word) for word in words.words], device=where)
        self.never = torch.zeros(len(words), dtype=torch.bool, device=where)
        self.never[[PAD, UNKNOWN, START, END]] = True

    def allowed(self, word: Tensor, characters: Tensor, messages: Tensor) -> Tensor:
        """After a word, so many characters of a message, and so many messages."""
        fresh = (word == START) | (word == END)
        room = self.cap - characters - (~fresh).long()
        enough = fresh & (messages >= self.rounds)
        found = (self.length <= room[:, None]) & ~self.never & ~enough[:, None]
        found[:, END] = ~fresh
        found[:, START] = fresh & (messages > 0)
        return found


@torch.no_grad()
def tell(teller: Teller, targets: Tensor, manners: Manners, *, by_lot: bool = False, keep: bool = False) -> Told:
    """What the Teller says of packed scenes."""
    many = len(targets)
    zeros = torch.zeros(many, dtype=torch.long, device=targets.device)
    word, characters, messages, over = zeros + START, zeros, zeros, zeros.bool()
    state = teller.begin(targets)
    said, allowed = [word], []
    for place in range(1, teller.longest):
        scores, state = teller.go_on(state, word)
        may = manners.allowed(word, characters, messages)
        scores = scores.masked_fill(~may, -torch.inf)
        chosen = torch.multinomial(scores.softmax(-1), 1)[:, 0] if by_lot else scores.argmax(-1)
        new = torch.where(over, PAD, chosen)
        characters = torch.where(new == END, 0, characters + manners.length[new] + (characters > 0).long())
        messages = messages + (new == END).long()
        over = over | (new == START)
        said.append(new)
        word = torch.where(over, START, new)
        if keep:
            allowed.append(may)
        if (place % _LOOKED == 0 or targets.device.type == "cpu") and bool(over.all()):
            break
    return Told(torch.stack(said, dim=1), torch.stack(allowed, dim=1) if keep else None)


def messages(told: Told, words: Vocabulary) -> list[list[str]]:
    """In English. What was not said to its end was not said."""
    found = []
    for row in told.words.tolist():
        dialog: list[str] = []
        message: list[str] = []
        for word in row[1:]:
            if word == END:
                dialog.append(" ".join(message))
                message = []
            elif word >= len(MARKS):
                message.append(words.words[word])
        found.append(dialog)
    return found


class Translation:
    """From a Teller's words, by number, to a Drawer's; a word may be several there."""

    def __init__(self, teller: Vocabulary, drawer: Vocabulary, where: torch.device) -> None:
        marks = {PAD: [], START: [START], END: [END], UNKNOWN: [UNKNOWN]}
        each = [marks[number] if number in marks else drawer.message(word)[:-1] for number, word in enumerate(teller.words)]
        most = max(map(len, each))
        self.table = torch.tensor([[*found, *[PAD] * (most - len(found))] for found in each], device=where)

    def __call__(self, words: Tensor) -> Tensor:
        """Padded rows again."""
        found = self.table[words].flatten(1)
        order = (found == PAD).byte().argsort(dim=1, stable=True)
        longest = max(1, int((found != PAD).sum(1).max()))
        return found.gather(1, order)[:, :longest]


def rows(texts: Sequence[Sequence[int]], where: torch.device) -> Tensor:
    longest = max(map(len, texts))
    return torch.tensor([[*text, *[PAD] * (longest - len(text))] for text in texts], device=where)
