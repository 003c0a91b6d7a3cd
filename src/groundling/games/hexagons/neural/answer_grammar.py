"""Which tokens may come next in an answer, by the grammar of its notation.

A grammar is a table of rules. Alternatives are separated by |, {name} refers to a rule, and all else is text.
No rule may begin with itself, and its first alternative ends soonest."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from random import Random
from typing import Any

import numpy as np

from groundling.boards.hexes import AXES, COLOURS, COLUMNS, HEADINGS, ROWS
from groundling.games.hexagons.neural.notation import NOTHING, Notation
from groundling.games.hexagons.program.token_reader import WAYS

DEAD = -1
NAMES = tuple("abcdefkmn")
"""Those that a program may give to counters and colours."""
DEEPEST = 6
"""Nested statements of a program that is written."""
INDENT = "    "
_LONG = 40
"""Rules after which a sample comes to its end."""


def _list_numbers(last: int, first: int = 1) -> str:
    return "|".join(map(str, range(first, last + 1)))


_COMMON = {"colour": "|".join(COLOURS), "row": _list_numbers(ROWS), "column": _list_numbers(COLUMNS)}
_RUNS = _COMMON | {
    "start": f"{NOTHING}|{{parts}}",
    "parts": "{colour} {columns}|{colour} {columns}; {parts}",
    "columns": "{column}:{runs}|{column}:{runs} {columns}",
    "runs": "{run}|{run},{runs}",
    "run": "{row}|{row}-{row}",
}
_TRIPLETS = {
    "start": f"{NOTHING}|{{triplets}}",
    "triplets": "{triplet}|{triplet}, {triplets}",
    "triplet": "{row} {column} {colour}",
    "colour": _COMMON["colour"],
    "row": _list_numbers(ROWS - 1, 0),
    "column": _list_numbers(COLUMNS - 1, 0),
}
_SHAPES = {
    "shape": "{figure}|{operand}{where}|{place} {places}|{operand} plus {joined}|{operand} moved {path}",
    "joined": "{operand}|{operand} plus {joined}",
    "operand": "{place}|column {amount}|row {amount}|board|border|({shape})",
    "figure": "line {place} {heading} {extent}|line {place} to {place}|ring {place} {amount}|"
    "disc {place} {amount}|flower {place}|triangle {place} {straight} {amount}|"
    "rhombus {place} {straight} {amount}|rhombus {place} {straight} {amount} x {amount}|"
    "outline {operand}|around {operand}|inside {operand}|tiles {places}",
    "place": "{base}|({base} {path})",
    "base": "{row},{column}|here",
    "places": "{place}|{place} {places}",
    "path": "{heading} {amount}|{heading} {amount} {path}",
    "heading": "|".join(WAYS),
    "straight": "|".join(HEADINGS),
    "extent": "{amount}|until edge|until {seen}|until {operand}",
    "amount": "{number}|{linear}|{factor}*{linear}",
    "factor": _list_numbers(COLUMNS, 2),
    "linear": "{name}|{name}+{number}|{name}-{number}",
    "number": _list_numbers(COLUMNS + 2),
    "name": "|".join(NAMES),
    "where": "| where {condition}",
    "condition": "{test}|{group} and {all}|{group} or {some}",
    "all": "{group}|{group} and {all}",
    "some": "{group}|{group} or {some}",
    "group": "{test}|({condition})",
    "test": "{seen}|touching {seen}|touching {number} {seen}|touching {number} or more {seen}|"
    "touching {number} to {number} {seen}|{heading} is {seen}|in {operand}|row {compared}|column {compared}|"
    "not {group}",
    "compared": "odd|even|{sign} {amount}",
    "sign": "<|>|=",
    "seen": "{colour}|painted|{name}",
}
_STATEMENTS = {
    "plain": "paint {colours} {shape}|grow {amount} {colours} from {operand}{where}|"
    "mirror {about}{source}|rotate {around}{source}|recolour {exchanges}{source}|{name}({values})",
    "opening": "at {shape}{cycles}|repeat {axes}{counter}{cycles}|turn {amount}|mirror {about}{cycles}|"
    "rotate {around}{cycles}|recolour {exchanges}|define {name}({names})|if {amount} {sign} {amount}",
    "colours": "{new}|{new} {colours}",
    "new": "{colour}|-|{name}",
    "about": "|".join(f"{axis} about {{places}}" for axis in AXES),
    "around": "|".join(f"{times} about {{places}}" for times in (2, 3, 6)),
    "source": "| of {operand}",
    "exchanges": "{new} to {new}|{new} to {new}, {exchanges}",
    "axes": "{extent} {path}|{extent} {path} by {axes}",
    "counter": "| counting {name}{from}",
    "from": "|{first}|{first}{step}|{step}",
    "first": " from {number}| from 0| from -{number}",
    "step": " step {number}| step -{number}",
    "cycles": "| with {cycle}",
    "cycle": "{name} = {colours}|{name} = {colours}, {cycle}",
    "names": "{name}|{name}, {names}",
    "values": "{value}|{value}, {values}",
    "value": "{amount}|{colour}",
}
_BLOCKS = {
    name: text
    for depth in range(DEEPEST + 1)
    for name, text in {
        f"block{depth}": f"{{line{depth}}}|{{line{depth}}}\n{INDENT * depth}{{block{depth}}}",
        f"line{depth}": "{plain}"
        + (f"|{{opening}}:\n{INDENT * (depth + 1)}{{block{depth + 1}}}" if depth < DEEPEST else ""),
    }.items()
}
GRAMMARS: dict[Notation, Mapping[str, str]] = {
    "runs": _RUNS,
    "triplets": _TRIPLETS,
    "program": _COMMON | _SHAPES | _STATEMENTS | _BLOCKS | {"start": f"{NOTHING}|{{block0}}"},
}

_Stack = tuple[str | int, ...]
"""What is to be written next: texts, and the numbers of rules."""


class AnswerGrammar:
    """Follows texts letter by letter. A state is the number of a set of stacks: of all ways to go on."""

    def __init__(self, rules: Mapping[str, str]) -> None:
        names = list(rules)
        self._rules = [[_split_rule(one, names) for one in rules[name].split("|")] for name in names]
        self._known: dict[frozenset[_Stack], int] = {}
        self._stacks: list[frozenset[_Stack]] = []
        self._moves: list[dict[str, int]] = []
        self._first: _Stack = (names.index("start"),)
        self.start = self._number_state([self._first])

    def is_complete(self, state: int) -> bool:
        return () in self._stacks[state]

    def follow_text(self, state: int, text: str) -> int:
        """The state after a text; DEAD if no answer goes on like that."""
        for letter in text:
            moves = self._moves[state]
            if letter not in moves:
                after = [
                    (stack[0][1:], *stack[1:])
                    for stack in self._stacks[state]
                    if stack and isinstance(stack[0], str) and stack[0][0] == letter
                ]
                moves[letter] = self._number_state(after) if after else DEAD
            state = moves[letter]
            if state == DEAD:
                break
        return state

    def write_sample(self, lot: Random) -> str:
        """Some text of the grammar."""
        written, stack, used = "", self._first, 0
        while stack:
            top, stack = stack[0], stack[1:]
            if isinstance(top, str):
                written += top
                continue
            used += 1
            ways = self._rules[top]
            stack = (*(lot.choice(ways) if used < _LONG else ways[0]), *stack)
        return written

    def _number_state(self, stacks: Iterable[_Stack]) -> int:
        """Replace rules that come next by what they write."""
        found, waiting = set[_Stack](), list(stacks)
        while waiting:
            stack = waiting.pop()
            if stack and isinstance(stack[0], int):
                waiting += [(*one, *stack[1:]) for one in self._rules[stack[0]]]
            elif stack and not stack[0]:
                waiting.append(stack[1:])
            else:
                found.add(stack)
        key = frozenset(found)
        if key not in self._known:
            self._known[key] = len(self._stacks)
            self._stacks.append(key)
            self._moves.append({})
        return self._known[key]


def _split_rule(text: str, names: Sequence[str]) -> _Stack:
    parts = re.split(r"\{(\w+)\}", text)
    return tuple(names.index(part) if place % 2 else part for place, part in enumerate(parts) if part)


class AnswerTokens:
    """The tokens that a notation lets pass. What was found for a state is kept."""

    def __init__(self, grammar: AnswerGrammar, pieces: Sequence[str], end: int) -> None:
        """`pieces` are the texts of the tokens, `end` is the place of the one that ends an answer."""
        self.start, self._grammar, self.pieces, self.end = grammar.start, grammar, pieces, end
        self._after: dict[int, np.ndarray[Any, Any]] = {}

    def after_tokens(self, states: Sequence[int]) -> np.ndarray[Any, Any]:
        """For each state, the state after each token, DEAD where the token is not allowed. An answer stays
        as it is after its end."""
        return np.stack([self._after[one] if one in self._after else self._find(one) for one in states])

    def _find(self, state: int) -> np.ndarray[Any, Any]:
        follow = self._grammar.follow_text
        after = [follow(state, piece) if piece else DEAD for piece in self.pieces]
        after[self.end] = state if self._grammar.is_complete(state) else DEAD
        self._after[state] = np.array(after)
        return self._after[state]


class FreeTokens:
    """Stands for a grammar that lets every token pass."""

    start = DEAD + 1

    def __init__(self, many: int) -> None:
        self._many = many

    def after_tokens(self, states: Sequence[int]) -> np.ndarray[Any, Any]:
        return np.full((len(states), self._many), self.start)


@cache
def _program_grammar() -> AnswerGrammar:
    return AnswerGrammar(GRAMMARS["program"])


def is_program_answer(text: str) -> bool:
    """Whether the grammar has this program."""
    grammar = _program_grammar()
    state = grammar.follow_text(grammar.start, text)
    return state != DEAD and grammar.is_complete(state)


@lru_cache(maxsize=8)
def answer_token_grammar(notation: Notation, pieces: tuple[str, ...], end: int) -> AnswerTokens:
    """The same for all models with these tokens."""
    return AnswerTokens(AnswerGrammar(GRAMMARS[notation]), pieces, end)
