"""An instructor that sees only the image. It finds a short program for it, and says it in the words of a
network or in people's where they fit. Its listener, by default the parser, has to understand each sentence;
else it says less at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from random import Random

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from groundling.boards.hexes import Board, Tile
from groundling.core.pack import Seat
from groundling.core.player import Ask, Player, PlayerInfo, Reply
from groundling.core.values import Problem
from groundling.games.hexagons.image import HexagonsImage
from groundling.games.hexagons.level_guess import guess_level
from groundling.games.hexagons.moves import InstructorView
from groundling.games.hexagons.narration import LEVELS, NarrationStep, narrate_image
from groundling.games.hexagons.narration.people_wordings import PeopleWording, figure_facts
from groundling.games.hexagons.narration.shape_recognition import recognise_shape
from groundling.games.hexagons.narration.wording import SentenceWording
from groundling.games.hexagons.neural import (
    READER,
    answer_in_thread,
    load_reader_listener,
    load_writer_network,
)
from groundling.games.hexagons.neural.hints import read_by_rules
from groundling.games.hexagons.neural.situations import HearInstruction, Situation, WriteInstruction
from groundling.games.hexagons.players.narrator import reply_with_steps
from groundling.games.hexagons.program import Program, format_program, run_program
from groundling.games.hexagons.program.shapes import TilesShape
from groundling.games.hexagons.program.statements import AnyStatement, AtStatement
from groundling.games.hexagons.program.synthesis import divide_into_steps, synthesize_layers
from groundling.games.hexagons.rules import INSTRUCTOR

WORDINGS_FILE, NETWORK_FILE = "wordings.json", "card.json"
_AGAIN = ("Do the same at {places}.", "Repeat this at {places}.", "Draw the same shape again at {places}.")
_TRIED = 6
"""How many of people's wordings are tried for a figure."""
_DRAWS, _MOST_DRAWS = 7, 32
"""How many more wordings than the likeliest a network writes for a step."""


class LearnedWordings(Struct, frozen=True):
    """People's wordings, and the procedures that they are from."""

    learned_from: tuple[str, ...] = ()
    wordings: tuple[PeopleWording, ...] = ()


def hear_by_parser(situation: Situation) -> dict[Tile, str]:
    return read_by_rules(situation.texts, situation.boards[-1]).painted


class Speech(Struct, frozen=True):
    """Where a describer has its words from, and who has to understand them."""

    wordings: Sequence[PeopleWording] = ()
    listener: HearInstruction | None = hear_by_parser
    """None: what is found first is said."""
    writer: WriteInstruction | None = None


_PLAIN = Speech()
"""The narrator's words, which the parser understands."""


class Describer:
    def __init__(self, speech: Speech, seed: int, name: str, info: PlayerInfo) -> None:
        self.name, self.info = name, info
        self._describe = lru_cache(maxsize=256)(lambda target: describe_target(target, speech, seed))
        computes = speech.writer is not None or speech.listener not in (None, hear_by_parser)
        self._request = answer_in_thread(self._describe) if computes else None

    def narrate_steps(self, image: HexagonsImage) -> list[NarrationStep]:
        """Return the whole description of an image, of which only the board is looked at."""
        return self._describe(image.target)

    async def act(self, ask: Ask) -> Reply:
        view = ask.view
        assert isinstance(view, InstructorView)
        told = await self._request(view.target) if self._request else self._describe(view.target)
        return reply_with_steps(view, told)


def describe_target(target: Board, speech: Speech = _PLAIN, seed: int = 0) -> list[NarrationStep]:
    """Instructions for an image, which are always the same. A network says whole steps of about the size of
    people's; what is not understood is said statement by statement."""
    lot = Random(f"{seed} {target.cells}")
    told: list[NarrationStep] = []
    program = synthesize_layers(target.painted_tiles())
    for step in divide_into_steps(program) if speech.writer else [program]:
        if written := _write_step(step, told, speech):
            told.append(written)
            continue
        for statement in step.statements:
            alone = _write_step(Program((statement,)), told, speech) if len(step.statements) > 1 else None
            told += [alone] if alone else _tell_statement(statement, told, speech, lot)
    return told


def _write_step(program: Program, told: Sequence[NarrationStep], speech: Speech) -> NarrationStep | None:
    """The step in the likeliest words of the network that are understood, if there are any."""
    if speech.writer is None:
        return None
    board = run_program(program, _last_board(told))
    boards = (Board.empty(), *(one.board for one in told), board)
    situation = Situation(
        tuple(one.text for one in told),
        tuple(one.cells for one in boards),
        tuple(format_program(one) for one in (*(one.program for one in told), program)),
    )
    said = (
        NarrationStep(text, program, guess_level(text), board, "network") for text in speech.writer(situation)
    )
    return next((one for one in said if _is_understood(one, told, speech.listener)), None)


def _tell_statement(
    statement: AnyStatement, told: Sequence[NarrationStep], speech: Speech, lot: Random
) -> list[NarrationStep]:
    """The steps of the highest level at which each is understood; tile by tile if there is none."""
    for narrated in _narrate_statement(statement, lot):
        steps: list[NarrationStep] = []
        for step in narrated:
            before = [*told, *steps]
            said = (_on_board(one, before) for one in (*_in_other_words(step, speech.wordings, lot), step))
            found = next((one for one in said if _is_understood(one, before, speech.listener)), None)
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
            yield NarrationStep(text, step.program, facts.level, step.board, "people")


def _on_board(step: NarrationStep, before: Sequence[NarrationStep]) -> NarrationStep:
    """The step after these, which changes the board that they lead to."""
    return replace(step, board=run_program(step.program, _last_board(before)))


def _last_board(steps: Sequence[NarrationStep]) -> Board:
    return steps[-1].board if steps else Board.empty()


def _is_understood(
    step: NarrationStep, before: Sequence[NarrationStep], listener: HearInstruction | None
) -> bool:
    if listener is None:
        return True
    texts = (*(one.text for one in before), step.text)
    boards = (Board.empty(), *(one.board for one in before))
    painted = listener(Situation(texts, tuple(one.cells for one in boards)))
    return boards[-1].with_tiles(painted) == step.board


def make_describer(seat: Seat) -> Player:
    """Make the player from `describer[:DIR][,seed=N][,listener=parser|reader[:DIR]|none][,draws=N]`; DIR has
    the wordings that were learned from people, or a network that writes its own, or both."""
    if seat.role != INSTRUCTOR:
        raise Problem(f"the describer gives instructions: seat it as instructor, not as {seat.role}")
    seed, heard, draws = seat.option("seed", "0"), seat.option("listener"), seat.option("draws")
    if not seed.isdecimal():
        raise Problem(f"the describer's seed is a number, not {seed!r}")
    if draws and not (draws.isdecimal() and int(draws) <= _MOST_DRAWS):
        raise Problem(f"draws={draws} is no number of wordings: give 0 to {_MOST_DRAWS}")
    listener, info = _choose_listener(heard)
    folder, name, writer = Path(seat.arg), "describer", None
    if seat.arg and (folder / NETWORK_FILE).is_file():
        writer, network = load_writer_network(folder, int(draws or _DRAWS), int(seed))
        name, heard = "describer-network", heard or "parser"
        info = _join_infos(network, info)
    elif draws:
        raise Problem("draws= goes with the folder of a network that writes instructions: describer:DIR")
    learned = LearnedWordings()
    if seat.arg and (writer is None or (folder / WORDINGS_FILE).is_file()):
        learned = read_wordings(folder)
    facts = {"listener": heard} if heard else {}
    info = _join_infos(info, PlayerInfo(facts=facts, learned_from=frozenset(learned.learned_from)))
    if heard not in ("", "parser"):
        name += f"-{heard.partition(':')[0]}"
    return Describer(Speech(learned.wordings, listener, writer), int(seed), name, info)


def _join_infos(one: PlayerInfo, other: PlayerInfo) -> PlayerInfo:
    return PlayerInfo(facts={**other.facts, **one.facts}, learned_from=one.learned_from | other.learned_from)


def _choose_listener(name: str) -> tuple[HearInstruction | None, PlayerInfo]:
    kind, _, folder = name.partition(":")
    if name in ("", "parser", "none"):
        return (None if name == "none" else hear_by_parser), PlayerInfo()
    if kind == "reader":
        listener, info = load_reader_listener(Path(folder or READER))
        facts = {"listener_weights": info.facts["weights"]}
        return listener, PlayerInfo(facts=facts, learned_from=info.learned_from)
    raise Problem(f"the describer has no listener {name!r}: choose parser, reader, reader:DIR or none")


def read_wordings(folder: Path) -> LearnedWordings:
    file = folder / WORDINGS_FILE
    try:
        return msgspec.json.decode(file.read_bytes(), type=LearnedWordings)
    except OSError:
        raise Problem(
            f"{folder} has neither {WORDINGS_FILE} nor {NETWORK_FILE}: give a folder such as "
            "weights/hexagons-describer, or one of groundling train hexagons-generator --writes words"
        ) from None
    except msgspec.MsgspecError as trouble:
        raise Problem(f"{file} cannot be read ({trouble}): copy it again") from None
