"""Answers of a generator to one prompt at a time, as a CPU gives them soonest: what can be guessed of an
answer is read at once, in a fraction of the time of writing it, and nothing is read twice."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

import numpy as np
import torch
from msgspec import Struct

from groundling.boards.hexes import COLUMNS
from groundling.games.hexagons.neural.answer_grammar import DEAD, AnswerTokens, FreeTokens
from groundling.games.hexagons.neural.generator import Generator, cut_at_end, write_generator_turns
from groundling.games.hexagons.neural.notation import Tile, answer_runs
from groundling.games.hexagons.neural.situations import Situation
from groundling.train.devices import device_precision

GUESSED = 8
"""Tokens that are guessed at a time, once a generator has left its draft."""
_ALIKE = 4
"""The last tokens of an answer that are looked for in what was read before, at most."""
_NUMBER = re.compile(r"\d+")
_COLUMN = re.compile(r"(\d+):(\d[\d,-]*)")
_BEGUN_COLUMN = re.compile(r"(?:(\d+)(?::(\d[\d,-]*)?)?)?")


class BegunAnswer(Struct, frozen=True):
    painted: dict[Tile, str]
    likely: float
    """The logarithm of how likely its tokens are."""
    length: int
    """In tokens."""
    ended: bool


class PromptReading:
    """A situation that a generator reads, and answers after it. Programs follow their grammar and can be
    carried out."""

    def __init__(self, model: Generator, situation: Situation, known: Sequence[PromptReading] = ()) -> None:
        """What this prompt shares with one of those that are known is not read again."""
        self.model, self.situation = model, situation
        self.prompt = model.encode_prompt(write_generator_turns(situation, model.settings.notation))
        self._allowed: AnswerTokens | FreeTokens = (
            model.answer_grammar if model.writes_programs else FreeTokens(len(model.numbers))
        )
        self._tokens: list[int] = []
        self._judged: dict[tuple[int, ...], float] = {}
        self._written: BegunAnswer | None = None
        with torch.inference_mode(), device_precision(model.where):
            self._cache = model.make_cache(1, len(self.prompt) + model.settings.answer)
            self._scores = model.score_choices(model.llama.words.weight[:0])
            if known:
                same, number = max((count_same(one._tokens, self.prompt), n) for n, one in enumerate(known))
                self._tokens = self.prompt[:same]
                for part, old in self._cache.pair_parts(known[number]._cache):
                    part[..., :same, :] = old[..., :same, :]

    def goes_on_from(self, other: PromptReading) -> bool:
        return self.prompt[: len(other.prompt)] == other.prompt

    @torch.inference_mode()
    def judge_answer(self, painted: Mapping[Tile, str]) -> float:
        """The logarithm of how likely an answer is."""
        tokens = tuple(self.model.encode_painted(painted))
        if tokens not in self._judged:
            self._read_answer(tokens[:-1])
            self._judged[tokens] = self._sum_scores(tokens)
        return self._judged[tokens]

    def judge_texts(self, painted: Mapping[Tile, str]) -> tuple[float, int]:
        """The same with the length of the text: of the usual one, or of the one that was written after this
        prompt if that is likelier."""
        texts = [(self.judge_answer(painted), len(self.model.encode_painted(painted)))]
        if self._written and self._written.painted == painted:
            texts.append((self._written.likely, self._written.length))
        return max(texts)

    @torch.inference_mode()
    def follow_draft(
        self, draft: Mapping[Tile, str], goes_on: Callable[[BegunAnswer], bool] | None = None
    ) -> BegunAnswer:
        """The likeliest token after the other, as `paint_tiles` has them, to the end or as long as `goes_on`
        wants them. The draft says what they may be, and is judged on the way."""
        if self._written:
            return self._written
        model = self.model
        self.judge_answer(draft)
        drafted = model.encode_painted(draft)[:-1]
        answer, guess, state = list[int](), drafted, self._allowed.start
        while True:
            self._read_answer([*answer, *guess])
            state = self._choose_tokens(answer, guess, state)
            room = model.settings.answer - len(answer)
            ended = answer[-1] == model.tokens.end or not room
            if ended or goes_on:
                painted = model.read_answer(answer, self.situation)
                begun = BegunAnswer(painted, self._sum_scores(answer), len(answer), ended)
                if ended:
                    self._written = begun
                if ended or (goes_on and not goes_on(begun)):
                    return begun
            guess = self._guess_columns(answer) or find_again(answer, [*self.prompt, *drafted])
            guess = cut_at_end(guess[: min(GUESSED, room) - 1], model.tokens.end)

    def _choose_tokens(self, answer: list[int], guess: Sequence[int], state: int) -> int:
        """Add to an answer what is guessed rightly, and the token after it; the state of the grammar then."""
        model, end = self.model, self.model.tokens.end
        scores = self._scores[len(answer) : len(answer) + len(guess) + 1].numpy(force=True)
        for row, guessed in zip(scores, [*guess, None], strict=True):
            after = self._allowed.after_tokens([state])[0]
            wishes = np.where(after == DEAD, -np.inf, row)
            if model.numbers[wishes.argmax()] == end and not self._runs(answer):
                wishes[model.places[end]] = -np.inf
            place = wishes.argmax()
            state = int(after[place])
            answer.append(model.numbers[place])
            if answer[-1] != guessed:
                break
        return state

    def _runs(self, answer: Sequence[int]) -> bool:
        notation, boards = self.model.settings.notation, self.situation.boards
        return answer_runs(self.model.tokens.decode(answer), notation, *boards[-1:])

    def _guess_columns(self, answer: list[int]) -> list[int]:
        text = self.model.tokens.decode(answer)
        whole = self.model.tokens.encode_answer(text + guess_columns(text))[:-1]
        return whole[len(answer) :] if count_same(whole, answer) == len(answer) else []

    def _read_answer(self, answer: Sequence[int]) -> None:
        """Score what may come at each place of an answer, and after it."""
        whole, first = [*self.prompt, *answer], len(self.prompt) - 1
        same = min(count_same(self._tokens, whole), first + len(self._scores))
        if same == len(whole):
            return
        with device_precision(self.model.where):
            self._cache.lengths.fill_(same)
            found = self.model.llama(torch.tensor([whole[same:]], device=self.model.where), self._cache)[0]
            new = self.model.score_choices(found[max(first - same, 0) :])
        self._scores = torch.cat([self._scores[: max(same - first, 0)], new])
        self._tokens = whole

    def _sum_scores(self, answer: Sequence[int]) -> float:
        """Without rare tokens of programs, which are not learned."""
        known = self.model.places
        rows, places = zip(*((n, known[one]) for n, one in enumerate(answer) if one in known), strict=True)
        return self._scores[rows, places].sum().item()


def count_same(one: Sequence[int], other: Sequence[int]) -> int:
    """How many tokens two rows begin with alike."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((number for number, (mine, yours) in pairs if mine != yours), min(len(one), len(other)))


def find_again(answer: list[int], earlier: list[int]) -> list[int]:
    """What followed where the end of this answer was read before, the last time and with as much alike as can
    be."""
    row = [*earlier, *answer]
    for alike in range(min(_ALIKE, len(answer)), 0, -1):
        for place in range(len(row) - alike - 1, -1, -1):
            if row[place : place + alike] == answer[-alike:]:
                return row[place + alike :]
    return []


def guess_columns(text: str) -> str:
    """What may follow in runs: the rows of the column before, moved as the first of them is, and the same
    rows in columns as far apart."""
    *words, begun = text.rpartition(";")[2].split(" ")
    known = [(int(word[1]), word[2]) for word in map(_COLUMN.fullmatch, words) if word]
    found = _BEGUN_COLUMN.fullmatch(begun)
    if not found or not (known or found[2]):
        return ""
    rows = known[-1][1] if known else found[2]
    if ":" in begun:
        column, apart = int(found[1]), int(found[1]) - known[-1][0] if known else 1
    else:
        apart = known[-1][0] - known[-2][0] if len(known) > 1 else 1
        column = known[-1][0] + apart
    if found[2]:
        moved = int(_NUMBER.findall(found[2])[0]) - int(_NUMBER.findall(rows)[0])
        rows = _NUMBER.sub(lambda row: str(int(row[0]) + moved), rows)
        rows = rows if rows.startswith(found[2]) else found[2]
    columns = range(column, max(column, COLUMNS) + 1, max(apart, 1))
    guess = " ".join(f"{one}:{rows}" for one in columns)
    return guess.removeprefix(begun) if guess.startswith(begun) else ""
