"""What the parser makes of an instruction, as a hint for a generator, and as evidence for a choice."""

from __future__ import annotations

from functools import lru_cache
from random import Random

from msgspec import Struct
from msgspec.structs import replace

from groundling.boards.hexes import Board
from groundling.games.hexagons.neural.notation import Tile, write_action_notation
from groundling.games.hexagons.neural.procedures import Procedure, spoil_procedure_changes
from groundling.games.hexagons.players.parser import UnreadableInstruction, parse_instruction

FEW, MANY = 5, 10
"""The most unread words of a hint that is right and of one that is not, where hints are made up."""


class RuleReading(Struct, frozen=True):
    """What the rules make of an instruction, and how sure they are."""

    painted: dict[Tile, str]
    unread: int
    """Words that belong to no phrase."""
    whole: float
    """The share of the sentences that describe one thing in full."""


@lru_cache(maxsize=8192)
def read_by_rules(texts: tuple[str, ...], cells: str) -> RuleReading:
    """Read the last of these instructions on a board. Earlier ones are asked for again with each new one."""
    try:
        found = parse_instruction(texts[-1], texts[:-1], Board(cells).painted_tiles())
    except UnreadableInstruction:
        return RuleReading({}, len(texts[-1].split()), 0.0)
    painted = {(row, column): colour for row, column, colour in found.actions}
    return RuleReading(painted, len(found.unread), found.whole)


def add_hint(text: str, reading: RuleReading) -> str:
    """The instruction with what the rules make of it."""
    return f"{text}\nRules ({min(reading.unread, 99)}): {write_action_notation(reading.painted, 'runs')}"


def hint_procedure(procedure: Procedure) -> Procedure:
    """The procedure with a hint at each step; the parser knows the right boards."""
    texts = tuple(
        add_hint(text, read_by_rules(procedure.texts[: number + 1], procedure.boards[number]))
        for number, text in enumerate(procedure.texts)
    )
    return replace(procedure, texts=texts)


def invent_hints(procedure: Procedure, lot: Random) -> Procedure:
    """The procedure with hints of which half are wrong, with more words unread: the parser is nearly always
    right on the narrator's sentences, so that its own hints would teach to trust it."""
    texts = []
    for number, text in enumerate(procedure.texts):
        right = procedure.step_changes(number)
        hint = RuleReading(right, lot.randrange(FEW), 0.0)
        if lot.random() < 0.5:
            hint = RuleReading(spoil_procedure_changes(right, lot), lot.randrange(MANY), 0.0)
        texts.append(add_hint(text, hint))
    return replace(procedure, texts=tuple(texts))
