"""Executors that ask about an instruction when they are in doubt, where the game allows questions."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from msgspec.structs import replace

from groundling.boards.hexes import COLOURS
from groundling.core.pack import Seat
from groundling.core.player import Ask, Player, Reply, Turn, player_info
from groundling.core.values import Say
from groundling.games.hexagons.moves import ExecutorView, PaintTile
from groundling.games.hexagons.neural import make_reader_player
from groundling.games.hexagons.players.parser import (
    InstructionReading,
    UnreadableInstruction,
    make_parser_player,
    parse_instruction,
)
from groundling.games.hexagons.players.tile_summary import (
    Painted,
    count_tiles,
    first_tile,
    join_words,
    place_tiles,
)
from groundling.games.hexagons.rules import HexagonsGame

ExpectScore = Callable[[ExecutorView, Reply], float]
"""The F1 that an executor expects of its reply."""

LEAST_EXPECTED = 0.75
"""An executor asks if it expects a lower F1 than this."""
SURE = 0.95
"""From this expected F1 on, no other reading is tried."""
_F1_BY_UNREAD = ((1, 0.81), (3, 0.70), (6, 0.50), (11, 0.34))
_F1_READ_IN_FULL, _F1_PAINTS_NOTHING, _LOWEST_F1 = 0.98, 0.21, 0.21
"""F1 of the parser on the published train set with gold boards, by the number of words it did not read."""
_COLOUR = re.compile(rf"\b(?:{'|'.join(COLOURS)})\b", re.IGNORECASE)
_AGAIN = re.compile(
    r"\b(?:again|same|repeat|copy|copies|duplicate|mirror|reflect|rotate|pattern)", re.IGNORECASE
)
"""Words of instructions that need not name a colour."""
_SHORTEST = 4
"""Shorter words that the parser did not read are not worth a question, nor are function words."""
_FUNCTION_WORDS = re.findall(
    r"\w+",
    "about after again already also another around before being bottom each either every from going have "
    "into just make making more most only onto other over same should starting still than that them then "
    "there these they this those through under until using very when where which while will with without "
    "would your",
)
_PLACES = ("column", "row", "tile", "tiles", "line", "side", "corner", "direction", "colour", "color")
_LONGEST_PHRASE = 9
"""An answer of more words is a sentence of its own."""
_YES = re.compile(r"((yes|yeah|right|correct|exactly|ok|okay|that'?s (right|it))[\s.,!]*)+", re.IGNORECASE)
"""An answer that only agrees."""
_LAST_QUESTIONS = ("Can you say this step in other words?", "Which tiles do you mean exactly?")


class AskingExecutor:
    """Plays like another executor, and asks where that one expects to be wrong. With answers, the instruction
    is read in the words of the last one, and with all of them; the reading that is expected to be better
    counts."""

    def __init__(self, player: Player, expect: ExpectScore) -> None:
        self._player, self._expect = player, expect
        self.name, self.info = player.name, player_info(player)

    async def act(self, ask: Ask) -> Reply:
        view = ask.view
        assert isinstance(view, ExecutorView)
        if not (view.questions or view.talk):
            return await self._player.act(ask)
        past = tuple(_hear_turn(turn) for turn in ask.past)
        best: tuple[float, Reply] | None = None
        for heard in reversed(hear_instructions(view)):
            reply = await self._player.act(replace(ask, view=heard, past=past))
            expected = self._expect(heard, reply)
            if best is None or expected > best[0]:
                best = expected, reply
            if expected >= SURE:
                break
        assert best is not None
        expected, reply = best
        if expected >= LEAST_EXPECTED or not view.questions or _is_confirmed(view):
            return reply
        return Reply(moves=(Say(choose_question(view, reply)),), detail={"expected": round(expected, 3)})


def hear_instructions(view: ExecutorView) -> list[ExecutorView]:
    """The view without talk: each instruction is followed by the answers about it. Where there are answers
    about the current one, a second view has the last of them in its place."""
    told = list(view.told)
    answers: list[str] = []
    for one in view.talk:
        if one.answer and not _YES.fullmatch(one.answer):
            told[one.step] = _add_answer(told[one.step], one.answer)
            answers += [one.answer] if one.step == len(told) - view.due else []
    texts = [told, *([*told[:-1], answer] for answer in answers[-1:])]
    return [replace(view, told=tuple(text), talk=(), questions=0) for text in texts]


def _is_confirmed(view: ExecutorView) -> bool:
    """Whether the instructor has agreed to the reading of the current instruction."""
    last = view.talk[-1] if view.talk else None
    return last is not None and last.step == len(view.told) - view.due and bool(_YES.fullmatch(last.answer))


def _add_answer(instruction: str, answer: str) -> str:
    """A short answer, such as "column 5", continues the sentence."""
    start = instruction.rstrip(". ")
    if len(answer.split()) > _LONGEST_PHRASE:
        return f"{start}. {answer}"
    return f"{start}, {answer[0].lower()}{answer[1:]}"


def _hear_turn(turn: Turn) -> Turn:
    view = turn.view
    return replace(turn, view=hear_instructions(view)[0]) if isinstance(view, ExecutorView) else turn


def read_current(view: ExecutorView, *, alone: bool = False) -> InstructionReading | None:
    """What the parser makes of the current instruction; `alone`, without the earlier ones."""
    board = view.board.painted_tiles() if view.board is not None else None
    try:
        return parse_instruction(
            " ".join(view.current_instructions), () if alone else view.earlier_instructions, board
        )
    except UnreadableInstruction:
        return None


def expect_parser_score(view: ExecutorView, reply: Reply) -> float:
    """The F1 that the parser's reading can be expected to have."""
    found = read_current(view)
    if found is None or not found.actions:
        return _F1_PAINTS_NOTHING
    if found.whole == 1:
        return _F1_READ_IN_FULL
    return next((f1 for most, f1 in _F1_BY_UNREAD if len(found.unread) <= most), _LOWEST_F1)


def expect_stated_score(view: ExecutorView, reply: Reply) -> float:
    """The F1 that a reply states."""
    return float(reply.detail["expected"])


def choose_question(view: ExecutorView, reply: Reply) -> str:
    """The first question that was not asked about this instruction yet."""
    current = len(view.told) - view.due
    asked = {one.question for one in view.talk if one.step == current}
    painted = {
        (move.row, move.column): move.colour for move in reply.moves or () if isinstance(move, PaintTile)
    }
    heard = hear_instructions(view)[0]
    found, alone = read_current(heard), read_current(heard, alone=True)
    readings = [painted, *(_painted_tiles(one) for one in (found, alone) if one)]
    unread = found.unread if found else re.findall(r"[a-z]+", view.told[current].lower())
    questions = (*list_questions(view.told[current], readings, unread), *_LAST_QUESTIONS)
    return next((one for one in questions if one not in asked), _LAST_QUESTIONS[0])


def _painted_tiles(reading: InstructionReading) -> Painted:
    return {(row, column): colour for row, column, colour in reading.actions}


def list_questions(text: str, readings: Sequence[Painted], unread: Sequence[str]) -> Iterator[str]:
    """Questions about what is in doubt: in what readings of an instruction differ, then what it does not say,
    then whether the reading is right, then words that were not understood."""
    first, *others = [reading for reading in readings if reading] or [{}]
    for other in others:
        if other != first:
            yield from _compare_readings(first, other)
    colours = list(dict.fromkeys(word.lower() for word in _COLOUR.findall(text)))
    if first:
        yield f"Do you mean {count_tiles(first)}, {place_tiles(first)}?"
    else:
        if not colours and not _AGAIN.search(text):
            yield "Which colour do you mean?"
        if not re.search(r"\d|column|corner|edge|cent|middle", text):
            yield "In which column does it begin, and at which tile?"
    words = [
        word for word in re.findall(r"[A-Za-z]+", text) if word.lower() in {*unread} - {*_FUNCTION_WORDS}
    ]
    longest = max(words, key=len, default="")
    if len(longest) >= _SHORTEST:
        known = longest.lower() in _PLACES
        yield f"Which {longest} do you mean?" if known else f'What do you mean by "{longest}"?'
    if colours:
        yield f"In which columns are the {join_words(colours)} tiles, and at which tiles of these columns?"


def _compare_readings(one: Painted, other: Painted) -> Iterator[str]:
    """Ask which of two readings is meant: by colour, extent or place."""
    if one.keys() == other.keys():
        colours = next((one[tile], other[tile]) for tile in one if one[tile] != other[tile])
        yield f"Which colour do you mean, {colours[0]} or {colours[1]}?"
    elif first_tile(one) != first_tile(other):
        yield f"Does it begin at {first_tile(one)} or at {first_tile(other)}?"
    elif len(one) != len(other):
        yield f"How many tiles do you mean, {len(one)} or {len(other)}?"
    elif place_tiles(one) != place_tiles(other):
        yield f"Does it lie {place_tiles(one)}, or {place_tiles(other)}?"


def make_parser_executor(seat: Seat) -> Player:
    return _let_ask(seat, make_parser_player(seat), expect_parser_score)


def make_reader_executor(seat: Seat) -> Player:
    return _let_ask(seat, make_reader_player(seat), expect_stated_score)


def _let_ask(seat: Seat, player: Player, expect: ExpectScore) -> Player:
    assert isinstance(seat.game, HexagonsGame)
    return AskingExecutor(player, expect) if seat.game.settings.questions else player
