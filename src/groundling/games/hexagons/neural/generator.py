"""A causal language model over the dialog so far: an executor that writes its actions as text, or, with the
dialog turned around, an instructor that writes what to do."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Literal, Self

import torch
from msgspec import Struct
from torch import Tensor
from torch.nn import functional as F  # noqa: N812

from groundling.games.hexagons.neural.answer_grammar import AnswerTokens, answer_token_grammar
from groundling.games.hexagons.neural.executor import LearnedExecutor
from groundling.games.hexagons.neural.llama import (
    AdaptedLinear,
    KeyValueCache,
    Llama,
    LlamaSettings,
    make_merged_linear,
)
from groundling.games.hexagons.neural.notation import (
    Notation,
    Tile,
    changed_notation_tiles,
    read_action_notation,
    write_action_notation,
)
from groundling.games.hexagons.neural.procedures import BLANK
from groundling.games.hexagons.neural.situations import Situation
from groundling.games.hexagons.neural.tokens import ChatTokens, answer_tokens
from groundling.train.devices import device_precision
from groundling.train.ternary import round_to_ternary

REMEMBERED = 24
"""Dialogs whose keys and values are kept, so that only what is new has to be read: of SmolLM2, at most 70 MB
each."""

KEPT_SHARE = 0.75
"""Of the room for a dialog: how much of it is kept at most when it gets too long."""

CHECKED = 4
"""Tokens between two looks at whether all answers are complete."""


class GeneratorSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    context: str
    llama: LlamaSettings
    base: str = ""
    """The pretrained model that the learned difference belongs to."""
    notation: Notation = "runs"
    writes: Literal["actions", "words"] = "actions"
    """What an answer is: an executor's actions, or an instructor's words."""
    answer: int = 240
    """Tokens of an answer, at most."""
    beams: int = 1
    """Beginnings of an answer that are continued at a time; 1: always the likeliest token."""


class DialogTurn(Struct, frozen=True):
    """Something said, and the answer if it is known."""

    text: str
    answer: str = ""


def write_generator_turns(situation: Situation, notation: Notation) -> list[DialogTurn]:
    """With boards, each instruction is answered by what it changed; without, all are said in one turn."""
    texts, boards = situation.texts, situation.boards
    if not boards:
        return [DialogTurn("\n".join(texts))]
    answers = [
        write_action_notation(changed_notation_tiles(old, new), notation) for old, new in pairwise(boards)
    ]
    first = (
        f"Board: {write_action_notation(changed_notation_tiles(BLANK, boards[0]), notation)}\n"
        if boards[0] != BLANK
        else ""
    )
    return [
        DialogTurn((first if not number else "") + text, answer)
        for number, (text, answer) in enumerate(zip(texts, [*answers, ""], strict=True))
    ]


def write_step_turns(situation: Situation, notation: Notation) -> list[DialogTurn]:
    """Each step is shown as a program and as tiles, and answered by its instruction."""
    steps = zip(situation.programs, pairwise(situation.boards), [*situation.texts, ""], strict=True)
    return [
        DialogTurn(f"{program}\n{write_action_notation(changed_notation_tiles(*boards), notation)}", text)
        for program, boards, text in steps
    ]


class Generator(LearnedExecutor):
    choices: Tensor

    def __init__(self, settings: GeneratorSettings, tokens: ChatTokens) -> None:
        super().__init__()
        self.settings, self.tokens = settings, tokens
        self.llama = Llama(settings.llama)
        self._all = settings.writes == "words"
        self.numbers = (
            list(range(settings.llama.words)) if self._all else answer_tokens(tokens, settings.notation)
        )
        self.places = {number: place for place, number in enumerate(self.numbers)}
        self.register_buffer("choices", torch.tensor(self.numbers), persistent=False)
        self._remembered: dict[tuple[int, ...], tuple[Tensor, Tensor]] = {}
        self.remembers = False
        self._rounds = False

    @property
    def writes_programs(self) -> bool:
        return bool(self.settings.notation == "program")

    @cached_property
    def answer_grammar(self) -> AnswerTokens:
        """The tokens that the notation lets pass."""
        pieces = tuple(self.tokens.decode([number]) for number in self.numbers)
        return answer_token_grammar(self.settings.notation, pieces, self.places[self.tokens.end])

    def prepare_to_play(self, where: torch.device) -> Self:
        """Move to a device, in the form in which it answers soonest there."""
        self.to(where).merge_differences()
        if where.type != "cpu":
            self.halve_base()
        return self.eval()

    def halve_base(self) -> None:
        """Hold what is frozen in half precision, as it is multiplied on a GPU."""
        for part in self.llama.modules():
            if "weight" in part._buffers:
                part._buffers["weight"] = part._buffers["weight"].bfloat16()  # type: ignore[union-attr]

    def merge_differences(self) -> None:
        """Add what was learned to what was frozen; on a CPU half precision gives the same answers sooner,
        int8 others."""
        for layer in self.llama.layers:
            for name, part in list(layer.named_children()):
                if isinstance(part, AdaptedLinear):
                    setattr(layer, name, make_merged_linear(part.merge_weights()))

    def round_changes(self, rounded: bool) -> None:
        """Learn ternary differences as they are kept, or as they are."""
        if rounded != self._rounds:
            self._rounds = rounded
            self.llama.rounding.fill_(rounded)

    def round_state(self, state: Mapping[str, Tensor]) -> dict[str, Tensor]:
        """The weights as the model computes with them."""
        ternary = self.settings.llama.ternary
        return {
            name: round_to_ternary(value) if ternary and name.endswith(".change") else value
            for name, value in state.items()
        }

    def score_tokens(self, found: Tensor) -> Tensor:
        """Score each token that may come next in an answer."""
        weight = self.llama.words.weight
        return F.linear(found, (weight if self._all else weight[self.choices]).to(found.dtype))

    def encode_prompt(self, turns: Sequence[DialogTurn]) -> list[int]:
        """All turns up to where the answer begins; of a long dialog the end, which begins at the same turn
        for several steps, so that what was read of it before need not be read again."""
        room = self.settings.llama.longest - self.settings.answer
        parts = [self.tokens.encode_turn(turn.text) for turn in turns]
        for part, turn in zip(parts[:-1], turns[:-1], strict=True):
            part += self.tokens.encode_answer(turn.answer)
        first = total = 0
        for number, part in enumerate(parts):
            total += len(part)
            most = KEPT_SHARE * room if total > room else room
            while first < number and total > most:
                total -= len(parts[first])
                first += 1
        return [number for part in parts[first:] for number in part][-room:]

    def paint_tiles(self, situations: Sequence[Situation]) -> list[dict[Tile, str]]:
        answers = self.write_answers(situations)
        return [self.read_answer(row, one) for row, one in zip(answers, situations, strict=True)]

    @torch.inference_mode()
    def write_answers(self, situations: Sequence[Situation]) -> list[list[int]]:
        """The tokens of the answers, without their ends."""
        with device_precision(self.where):
            return self._answer_prompts(*self._write_prompts(situations))

    def encode_painted(self, painted: Mapping[Tile, str]) -> list[int]:
        """The tokens of an answer, as far as there is room for them."""
        text = write_action_notation(painted, self.settings.notation)
        return self.tokens.encode_answer(text)[: self.settings.answer]

    def read_answer(self, row: list[int], situation: Situation) -> dict[Tile, str]:
        text = self.tokens.decode(cut_at_end(row, self.tokens.end))
        return read_action_notation(text, self.settings.notation, *situation.boards[-1:])

    def _write_prompts(
        self, situations: Sequence[Situation]
    ) -> tuple[list[list[int]], list[tuple[int, ...]]]:
        """The prompts, and those of the steps before."""
        write = write_step_turns if self._all else write_generator_turns
        dialogs = [write(situation, self.settings.notation) for situation in situations]
        prompts = [self.encode_prompt(turns) for turns in dialogs]
        before = [tuple(self.encode_prompt(turns[:-1])) if len(turns) > 1 else () for turns in dialogs]
        return prompts, before

    def _answer_prompts(
        self, prompts: Sequence[Sequence[int]], before: Sequence[tuple[int, ...]]
    ) -> list[list[int]]:
        """The likeliest answers that are found."""
        answers = self._continue_prompts(*self._read_prompts(prompts, before))
        return [cut_at_end(row, self.tokens.end) for row in answers.tolist()]

    def make_cache(self, rows: int, room: int) -> KeyValueCache:
        like = self.llama.words.weight
        if torch.is_autocast_enabled(self.where.type):
            like = like.to(torch.get_autocast_dtype(self.where.type))
        return KeyValueCache.make(self.settings.llama, rows, room, like)

    def _read_prompts(
        self, prompts: Sequence[Sequence[int]], before: Sequence[tuple[int, ...]]
    ) -> tuple[Tensor, KeyValueCache]:
        """What is known at the ends of the prompts."""
        known = [
            self._recall_prompt(prompt, earlier) for prompt, earlier in zip(prompts, before, strict=True)
        ]
        rest = [prompt[one[0].shape[2] if one else 0 :] for prompt, one in zip(prompts, known, strict=True)]
        # rows are padded to the longest rest, whatever they remember
        room = (
            max(one[0].shape[2] if one else 0 for one in known) + max(map(len, rest)) + self.settings.answer
        )
        cache = self.make_cache(len(prompts), room)
        for row, one in enumerate(known):
            if one:
                cache.lengths[row] = length = one[0].shape[2]
                cache.keys[:, row, :, :length], cache.values[:, row, :, :length] = one
        lengths = torch.tensor([len(row) for row in rest], device=self.where)
        longest = int(lengths.max())
        rows = torch.tensor([[*row, *[0] * (longest - len(row))] for row in rest], device=self.where)
        found = self.llama(rows, cache)[torch.arange(len(rows), device=self.where), lengths - 1]
        cache.lengths = cache.lengths + lengths
        self._remember_prompts(prompts, cache)
        return found, cache

    @torch.inference_mode()
    def write_by_choice(
        self, situations: Sequence[Situation], times: int, choose: Callable[[Tensor], tuple[Tensor, Tensor]]
    ) -> None:
        """Write answers, as many for each situation, whose tokens are chosen elsewhere: `choose` is given the
        log-probability of each token in each row, and returns the places of the next ones, and which answers
        are over."""
        with device_precision(self.where):
            found, cache = self._read_prompts(*self._write_prompts(situations))
            scores = self.score_choices(found).repeat_interleave(times, 0)
            cache = cache.repeat_rows(times)
            chosen, over = self.choices.new_zeros(len(scores)), torch.zeros(len(scores), dtype=torch.bool)

            def go_on() -> None:
                scores.copy_(self.score_choices(self.llama(chosen[:, None], cache)[:, 0]))
                cache.lengths.add_(1)

            def choose_next() -> None:
                places, ended = choose(scores.cpu())
                chosen.copy_(self.choices[places.to(self.where)])
                over.copy_(ended)

            choose_next()
            self._repeat_captured(go_on, over, choose_next)

    def _repeat_captured(
        self, go_on: Callable[[], None], over: Tensor, then: Callable[[], None] = lambda: None
    ) -> None:
        """Add tokens until all answers are over or have no room; on a GPU as a graph, but for what is done
        then."""
        graph = torch.cuda.CUDAGraph() if self.where.type == "cuda" else None
        for number in range(1, self.settings.answer):
            if number % CHECKED == 1 and bool(over.all()):
                break
            if graph is None or number == 1:
                go_on()
            else:
                if number == 2:
                    with torch.cuda.graph(graph):
                        go_on()
                graph.replay()
            then()

    def _continue_prompts(self, found: Tensor, cache: KeyValueCache) -> Tensor:
        """Rows of answers, from what is known at the ends of the prompts."""
        many, beams, end = len(found), self.settings.beams, self.tokens.end
        totals, first = self.score_choices(found).topk(beams)
        chosen = self.choices[first].flatten()
        over = chosen == end
        answers = torch.full((many * beams, self.settings.answer), end, device=self.where)
        answers[:, 0] = chosen
        place = torch.ones(1, dtype=torch.long, device=self.where)
        begins = beams * torch.arange(many, device=self.where)[:, None]
        if beams > 1:
            cache = cache.repeat_rows(beams)

        def go_on() -> None:
            scores = self.score_choices(self.llama(chosen[:, None], cache)[:, 0])
            cache.lengths.add_(1)
            # an answer that is over is continued by its end alone, at no cost
            scores.masked_fill_(over[:, None] & (self.choices != end), -torch.inf)
            scores.masked_fill_(over[:, None] & (self.choices == end), 0)
            best = (totals.view(-1, 1) + scores).view(many, -1).topk(beams)
            totals.copy_(best.values)
            chosen.copy_(self.choices[best.indices % len(self.choices)].flatten())
            if beams > 1:
                order = (begins + best.indices // len(self.choices)).flatten()
                cache.reorder_rows(order)
                answers.copy_(answers[order])
            answers.index_copy_(1, place, chosen[:, None])
            over.copy_(chosen == end)
            place.add_(1)

        self._repeat_captured(go_on, over)
        return answers[::beams]

    def score_choices(self, found: Tensor) -> Tensor:
        """The log-probability of each token that may come next."""
        return self.score_tokens(found).float().log_softmax(-1)

    def _recall_prompt(self, prompt: Sequence[int], earlier: tuple[int, ...]) -> tuple[Tensor, Tensor] | None:
        """The keys and values of the prompt before, with which this one begins, if they are remembered."""
        return self._remembered.pop(earlier, None) if tuple(prompt[: len(earlier)]) == earlier else None

    def _remember_prompts(self, prompts: Sequence[Sequence[int]], cache: KeyValueCache) -> None:
        if not self.remembers:
            return
        for row, prompt in enumerate(prompts):
            kept = (part[:, row, :, : len(prompt)].clone() for part in (cache.keys, cache.values))
            keys, values = kept
            self._remembered[tuple(prompt)] = keys, values
        while len(self._remembered) > REMEMBERED:
            del self._remembered[next(iter(self._remembered))]


def cut_at_end(row: list[int], end: int) -> list[int]:
    return row[: row.index(end)] if end in row else row
