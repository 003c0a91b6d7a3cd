"""What an executor knows when it is to paint, in each of the paper's seven contexts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from msgspec import Struct

from groundling.boards.hexes import Tile
from groundling.games.hexagons.rules import CONTEXTS

SAME_INPUT = {"oracle": "predicted", "oracle+full": "predicted+full"}
"""Contexts that look the same to a model: only the boards in them come from elsewhere."""
TRAINED = tuple(context for context in CONTEXTS if context not in SAME_INPUT)


class Situation(Struct, frozen=True):
    texts: tuple[str, ...]
    """The instructions that are known; the last is the one to carry out."""
    boards: tuple[str, ...] = ()
    """The boards before each of them, as 180 digits; empty where no board is shown."""
    programs: tuple[str, ...] = ()
    """For a network that writes the next instruction: the drawing programs of all steps, the next one's too,
    whose board after it then ends `boards`."""


HearInstruction: TypeAlias = Callable[[Situation], Mapping[Tile, str]]
"""What an executor paints for the last instruction."""
WriteInstruction: TypeAlias = Callable[[Situation], Sequence[str]]
"""Ways to say the next step, the likeliest first."""


def make_situation(context: str, texts: Sequence[str], boards: Sequence[str], number: int) -> Situation:
    """Before the step, counted from 0, of a procedure with these texts and the boards before each of them."""
    first = {"full-history": 0, "predicted+full": 0, "1-previous": max(0, number - 1)}.get(
        _context_input(context), number
    )
    shown = tuple(boards[first : number + 1]) if _context_input(context).startswith("predicted") else ()
    return Situation(tuple(texts[first : number + 1]), shown)


def _context_input(context: str) -> str:
    return SAME_INPUT.get(context, context)


def situation_suffices(game: str, model: str) -> bool:
    """Whether a game in one context shows all that a model of another context has to see."""
    game, model = _context_input(game), _context_input(model)
    boards = game.startswith("predicted") or not model.startswith("predicted")
    order = ("no-history", "1-previous", "full-history")
    reach = {"predicted": "no-history", "predicted+full": "full-history"}
    return boards and order.index(reach.get(game, game)) >= order.index(reach.get(model, model))
