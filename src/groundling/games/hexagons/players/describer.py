"""An instructor that sees only the image. It finds a short program for it, and says it in people's words
where they fit. Its own listener, the parser, has to understand each sentence; else it says less at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from random import Random

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from groundling.boards.hexes import Board
from groundling.core.pack import Seat
from groundling.core.player import Ask, Player, PlayerInfo, Reply
from groundling.core.values import Problem
from groundling.games.hexagons.image import HexagonsImage
from groundling.games.hexagons.moves import InstructorView
from groundling.games.hexagons.narration import LEVELS, NarrationStep, narrate_image
from groundling.games.hexagons.narration.people_wordings import PeopleWording, figure_facts
from groundling.games.hexagons.narration.shape_recognition import recognise_shape
from groundling.games.hexagons.narration.wording import SentenceWording
from groundling.games.hexagons.players.narrator import reply_with_steps
from groundling.games.hexagons.players.parser import UnreadableInstruction, parse_instruction
from groundling.games.hexagons.program import Program, run_program
from groundling.games.hexagons.program.shapes import TilesShape
from groundling.games.hexagons.program.statements import AnyStatement, AtStatement
from groundling.games.hexagons.program.synthesis import synthesize_layers
from groundling.games.hexagons.rules import INSTRUCTOR

WORDINGS_FILE = "wordings.json"
_AGAIN = ("Do the same at {places}.", "Repeat this at {places}.", "Draw the same shape again at {places}.")
_TRIED = 6
"""How many of people's wordings are tried for a figure."""


class LearnedWordings(Struct, frozen=True):
    """People's wordings, and the procedures that they are from."""

    learned_from: tuple[str, ...] = ()
    wordings: tuple[PeopleWording, ...] = ()


class Describer:
    name = "describer"

    def __init__(self, learned: LearnedWordings, seed: int) -> None:
        self.info = PlayerInfo(learned_from=frozenset(learned.learned_from))
        self._describe = lru_cache(maxsize=256)(
            lambda target: describe_target(target, learned.wordings, seed)
        )

    def narrate_steps(self, image: HexagonsImage) -> list[NarrationStep]:
        """Return the whole description of an image, of which only the board is looked at."""
        return self._describe(image.target)

    async def act(self, ask: Ask) -> Reply:
        view = ask.view
        assert isinstance(view, InstructorView)
        return reply_with_steps(view, self._describe(view.target))


def describe_target(
    target: Board, wordings: Sequence[PeopleWording] = (), seed: int = 0
) -> list[NarrationStep]:
    """Instructions for an image, which are always the same."""
    lot = Random(f"{seed} {target.cells}")
    told: list[NarrationStep] = []
    for statement in synthesize_layers(target.painted_tiles()).statements:
        told += _tell_statement(statement, told, wordings, lot)
    return told


def _tell_statement(
    statement: AnyStatement, told: Sequence[NarrationStep], wordings: Sequence[PeopleWording], lot: Random
) -> list[NarrationStep]:
    """The steps of the highest level at which each is understood; tile by tile if there is none."""
    for narrated in _narrate_statement(statement, lot):
        steps: list[NarrationStep] = []
        for step in narrated:
            before = [*told, *steps]
            said = (_on_board(one, before) for one in (*_in_other_words(step, wordings, lot), step))
            found = next((one for one in said if _is_understood(one, before)), None)
            if found is None:
                break
            steps.append(found)
        else:
            return steps
    steps = []
    for step in narrate_image(Program((statement,)), 0, lot):
        steps.append(_on_board(step, [*told, *steps]))
    return steps


def _narrate_statement(statement: AnyStatement, lot: Random) -> Iterator[list[NarrationStep]]:
    """Narrations of the statement, the highest level first."""
    match statement:
        case AtStatement(TilesShape((first, *others)), body):
            once = narrate_image(Program((AtStatement(first, body),)), 2, lot)
            copies = Program((AtStatement(TilesShape(tuple(others)), body),))
            places = SentenceWording(lot).places_phrase([place.tile for place in others if place.tile])
            for way in lot.sample(_AGAIN, len(_AGAIN)):
                yield [*once, NarrationStep(way.format(places=places), copies, 3, once[-1].board)]
    for level in range(len(LEVELS) - 1, 0, -1):
        yield narrate_image(Program((statement,)), level, lot)


def _in_other_words(
    step: NarrationStep, wordings: Sequence[PeopleWording], lot: Random
) -> Iterator[NarrationStep]:
    """The step in people's words, if it paints one figure."""
    painted = run_program(step.program).painted_tiles()
    shape = recognise_shape(sorted(painted)) if len(set(painted.values())) == 1 else None
    facts = figure_facts(shape) if shape else None
    if facts:
        fitting = [one for one in wordings if one.fits_figure(facts)]
        for wording in lot.sample(fitting, min(len(fitting), _TRIED)):
            text = wording.write_sentence(facts, next(iter(painted.values())))
            yield NarrationStep(text, step.program, facts.level, step.board)


def _on_board(step: NarrationStep, before: Sequence[NarrationStep]) -> NarrationStep:
    """The step after these, which changes the board that they lead to."""
    return replace(step, board=run_program(step.program, _last_board(before)))


def _last_board(steps: Sequence[NarrationStep]) -> Board:
    return steps[-1].board if steps else Board.empty()


def _is_understood(step: NarrationStep, before: Sequence[NarrationStep]) -> bool:
    board = _last_board(before)
    try:
        found = parse_instruction(step.text, [one.text for one in before], board.painted_tiles())
    except UnreadableInstruction:
        return False
    return board.with_tiles({(row, column): colour for row, column, colour in found.actions}) == step.board


def make_describer(seat: Seat) -> Player:
    """Make the player from `describer[:DIR][,seed=N]`; DIR has the wordings that were learned from people."""
    if seat.role != INSTRUCTOR:
        raise Problem(f"the describer gives instructions: seat it as instructor, not as {seat.role}")
    seed = seat.option("seed", "0")
    if not seed.isdecimal():
        raise Problem(f"the describer's seed is a number, not {seed!r}")
    return Describer(read_wordings(Path(seat.arg)) if seat.arg else LearnedWordings(), int(seed))


def read_wordings(folder: Path) -> LearnedWordings:
    file = folder / WORDINGS_FILE
    try:
        return msgspec.json.decode(file.read_bytes(), type=LearnedWordings)
    except OSError:
        raise Problem(
            f"{folder} has no {WORDINGS_FILE}: give a folder such as weights/hexagons-describer"
        ) from None
    except msgspec.MsgspecError as trouble:
        raise Problem(f"{file} cannot be read ({trouble}): copy it again") from None
