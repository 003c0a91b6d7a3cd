"""Reads and writes replies: the instructor's lines, the executor's actions, and drawing programs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from groundling.boards.hexes import COLOURS, COLUMNS, ROWS, Board
from groundling.core.reading import strip_decoration
from groundling.core.values import Illegal, Reading, Say
from groundling.games.hexagons.moves import HexagonsMove, InstructionsDone, Next, PaintTile, Undo

if TYPE_CHECKING:
    from groundling.games.hexagons.program import Program

TAG, TALK_TAG, DONE, UNDO = "Instruction:", "Say:", "DONE", "UNDO"
"""What begins the instructor's lines; the second one those of both seats where the executor may ask."""
NOTHING, NEXT, MORE = "none", "next", "more"
"""Nothing to paint; another step follows in the same reply; the step continues in the next reply."""

_ENDS: dict[str, HexagonsMove] = {DONE: InstructionsDone(), UNDO: Undo()}
_FENCE = re.compile(r"\s*```\s*\w*\s*")

_TRIPLET = re.compile(r"(-?\d{1,4}) (-?\d{1,4}) ([a-z]+)")
_LOOSE = re.compile(
    r"(?:(?:paint|colou?r)\s+)?(?:(?:row|r)\s*)?(-?\d{1,4})\s+(?:(?:column|col|c)\s*)?(-?\d{1,4})\s+"
    r"(?:colou?r\s+)?([a-z]+)",
    re.IGNORECASE,
)
_PARTS = re.compile(r"\n|;|(?<=[A-Za-z\])}\"'*`])\s*,")
_BULLET = re.compile(r"^\s*(?:[-*•]|\d+[.)])\s+")
_MARKS = re.compile(r"[\[\](){}\"'`*:=,|]+")
_NOTHINGS = frozenset({NOTHING, NEXT, "nothing", "no action", "no actions", "no change", "no changes"})


class _LinePatterns(NamedTuple):
    tagged: re.Pattern[str]
    strict_end: re.Pattern[str]
    end: re.Pattern[str]

    def strip_tag(self, line: str) -> str:
        found = self.tagged.fullmatch(line)
        return found[1] if found else line.strip()

    def is_well_formed(self, line: str) -> bool:
        if self.strict_end.fullmatch(line):
            return True
        return bool(self.tagged.match(line) and self.strip_tag(line) and not self.end.fullmatch(line))


@cache
def _line_patterns(tag: str) -> _LinePatterns:
    sources = (
        rf"\s*{tag}\s*(.*?)\s*",
        rf"\s*(?:{tag}\s*)?({DONE}|{UNDO})\s*",
        rf"[\s\"'*.`]*(?:{tag})?[\s\"'*.`]*({DONE}|{UNDO})[\s\"'*.!`]*",
    )
    return _LinePatterns(*(re.compile(source, re.IGNORECASE) for source in sources))


def choose_reply_tag(questions: int) -> str:
    """What begins a line of words, by the number of questions that the executor may ask."""
    return TALK_TAG if questions else TAG


def read_instruction_reply(text: str, tag: str, *, strict: bool, together: bool) -> Reading[HexagonsMove]:
    """Read one tagged instruction per line, with DONE and UNDO alone on a line. Tolerant reading accepts
    lines without tags if none has one; otherwise it drops untagged lines. With `together`, consecutive lines
    form one move."""
    patterns = _line_patterns(tag)
    lines = [line for line in text.splitlines() if line.strip() and not _FENCE.fullmatch(line)]
    if not strict:
        lines = [strip_decoration(line, tag) for line in lines]
    tagged = [line for line in lines if patterns.tagged.match(line) or patterns.end.fullmatch(line)]
    well_formed = len(tagged) == len(lines) and all(map(patterns.is_well_formed, lines))
    if strict and (_FENCE.search(text) or not well_formed):
        raise Illegal(f'start every line with the tag "{tag}", and write nothing else')
    chosen = tagged if any(patterns.tagged.match(line) for line in tagged) else lines
    moves: list[HexagonsMove] = []
    for line in chosen:
        end = patterns.end.fullmatch(line)
        words = patterns.strip_tag(line)
        if end:
            moves.append(_ENDS[end[1].upper()])
        elif words and together and moves and isinstance(moves[-1], Say):
            moves[-1] = Say(f"{moves[-1].text}\n{words}")
        elif words:
            moves.append(Say(words))
    if not moves:
        raise Illegal(f'say something after the tag "{tag}"')
    if together and InstructionsDone() in moves[1:]:
        raise Illegal(f"say what is to be done next, or {DONE} alone when all has been said")
    return Reading(tuple(moves), tuple(line.strip() for line in lines if line not in chosen))


def read_answer_reply(text: str, tag: str, *, strict: bool) -> Reading[HexagonsMove]:
    """Read the answer to a question: one line, or several that are joined where it is read tolerantly."""
    found = read_instruction_reply(text, tag, strict=strict, together=False)
    words = [move.text for move in found.moves if isinstance(move, Say)]
    if not words or (strict and len(found.moves) > 1):
        raise Illegal(f'your partner asked a question: answer it in one line after the tag "{tag}"')
    return Reading((Say(" ".join(words)),), found.dropped)


def is_instruction_reply(text: str, tag: str, *, several: bool) -> bool:
    """Whether each line of a text has the form that `read_instruction_reply` returns."""
    lines = text.split("\n")
    plain = text.splitlines() == lines and all(line and line == line.strip() for line in lines)
    return plain and (several or len(lines) == 1) and not any(map(_line_patterns(tag).end.fullmatch, lines))


def read_executor_reply(
    text: str, board: Board, form: str, base: int, tag: str, *, strict: bool
) -> Reading[HexagonsMove]:
    """Read what a step paints, or a question: a tagged line, alone or after paints and `more`. Tolerant
    reading drops other words around a question."""
    patterns = _line_patterns(tag)
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    asking = [line for line in lines if patterns.tagged.match(strip_decoration(line, tag))]
    if not asking:
        return read_paint_reply(text, board, form, base, strict=strict)
    question = patterns.strip_tag(strip_decoration(asking[0], tag))
    if not question:
        raise Illegal(f'say something after the tag "{tag}"')
    if strict and not (len(asking) == 1 and lines[-1] == asking[0] and patterns.tagged.match(asking[0])):
        raise Illegal(f'ask one question, in the last line, after the tag "{tag}"')
    others = "\n".join(line for line in lines if line not in asking)
    painted: tuple[HexagonsMove, ...] = ()
    dropped = tuple(asking[1:])
    try:
        painted = read_paint_reply(others, board, form, base, strict=strict).moves if others else ()
    except Illegal:
        if strict:
            raise
        dropped = (others, *dropped)
    return Reading((*painted, Say(question)), dropped)


def read_paint_reply(text: str, board: Board, form: str, base: int, *, strict: bool) -> Reading[HexagonsMove]:
    """Read what a step paints. The step ends with the reply, unless it ends with `more`."""
    try:
        return Reading(tuple(_read_strictly(text, base)))
    except Illegal as verdict:
        if form == "program":
            return _read_program(text, board, strict=strict)
        if strict:
            raise
        return _read_tolerantly(text, base, verdict)


def _read_strictly(text: str, base: int) -> list[HexagonsMove]:
    moves: list[HexagonsMove] = []
    pieces = [piece.strip(" ") for piece in re.split(r"[,\n]", text.strip())]
    if pieces == [NOTHING]:
        return [Next()]
    for number, piece in enumerate(pieces, 1):
        found = _TRIPLET.fullmatch(piece)
        if found:
            moves.append(_match_to_paint(found, base))
        elif piece == NEXT:
            moves.append(Next())
        elif piece == MORE and moves and number == len(pieces):
            return moves
        else:
            raise Illegal(f'"{piece[:40]}" is not an action: {_action_format(base)}')
    return moves if moves[-1] == Next() else [*moves, Next()]


def _action_format(base: int) -> str:
    rows, columns = (f"{base} to {last - 1 + base}" for last in (ROWS, COLUMNS))
    return (
        f'write "row column colour", with rows {rows} and columns {columns}, separated by commas, '
        f'or "{NOTHING}"'
    )


def _match_to_paint(found: re.Match[str], base: int) -> PaintTile:
    try:
        return PaintTile(int(found[1]) + 1 - base, int(found[2]) + 1 - base, found[3].lower())
    except ValueError:
        colours = ", ".join(COLOURS)
        raise Illegal(
            f'"{found[0][:40]}" cannot be painted: {_action_format(base)}; colours are {colours}'
        ) from None


def _read_tolerantly(text: str, base: int, verdict: Illegal) -> Reading[HexagonsMove]:
    """Read all pieces that are actions, and drop unclear ones without guessing."""
    paints: list[HexagonsMove] = []
    dropped: list[str] = []
    nothing, more = "", False
    for piece, bare in _split_actions(text):
        found = _LOOSE.fullmatch(bare)
        more = bare.lower() == MORE
        if found:
            try:
                paints.append(_match_to_paint(found, base))
            except Illegal as why:
                verdict = why if not dropped else verdict
                dropped.append(piece)
        elif bare.lower() in _NOTHINGS:
            nothing = nothing or piece
        elif not more:
            dropped.append(piece)
    if paints:
        return Reading(
            tuple(paints if more else [*paints, Next()]), (*dropped, *([nothing] if nothing else []))
        )
    if nothing:
        return Reading((Next(),), tuple(dropped))
    raise verdict


def _split_actions(text: str) -> Iterator[tuple[str, str]]:
    """Split at commas and line ends. Return each piece as it is and without punctuation."""
    for piece in _PARTS.split("\n".join(line for line in text.splitlines() if not _FENCE.fullmatch(line))):
        bare = " ".join(_MARKS.sub(" ", _BULLET.sub("", piece)).split()).rstrip(". ")
        if bare:
            yield piece.strip(), bare


def _read_program(text: str, board: Board, *, strict: bool) -> Reading[HexagonsMove]:
    """Run a drawing program; the last paint of a tile counts. Tolerant reading drops statements that cannot
    be parsed, with their bodies."""
    from groundling.games.hexagons.program import ProgramError, interpret_actions, parse_statements

    dropped: tuple[str, ...] = ()
    try:
        try:
            program = parse_statements(text)
        except ProgramError:
            if strict:
                raise
            program, dropped = _readable_program(text)
        painted = {(row, column): colour for row, column, colour in interpret_actions(program, board)}
    except ProgramError as trouble:
        raise Illegal(f"this is not a program that can be carried out: {trouble}") from None
    if not program.statements:
        raise Illegal(f'write a drawing program, or "{NOTHING}" if there is nothing to paint')
    return Reading((*(PaintTile(*tile, colour) for tile, colour in painted.items()), Next()), dropped)


def _readable_program(text: str) -> tuple[Program, tuple[str, ...]]:
    """Return the program of those statements that can be parsed."""
    from groundling.games.hexagons.program import Program, ProgramError, parse_statements

    kept, dropped, program = "", [], Program()
    trouble: ProgramError | None = None
    lines = [line for line in text.splitlines() if line.strip() and not _FENCE.fullmatch(line)]
    for block in re.split(r"\n(?=\S)", "\n".join(lines)):
        try:
            program = parse_statements(f"{kept}{block}\n")
            kept += f"{block}\n"
        except ProgramError as why:
            trouble = trouble or why
            dropped.append(block.strip())
    if trouble and not kept:
        raise trouble
    return program, tuple(dropped)


def write_hexagons_reply(moves: Sequence[HexagonsMove], base: int, tag: str = TAG) -> str:
    """Return the text of these moves."""
    paints = [move for move in moves if isinstance(move, PaintTile | Next)]
    lines = [_actions_to_text(paints, base)] if paints else []
    for move in moves:
        if isinstance(move, Say):
            lines += [f"{tag} {words}" for words in move.text.split("\n")]
        elif not isinstance(move, PaintTile | Next):
            lines.append(f"{tag} {DONE if isinstance(move, InstructionsDone) else UNDO}")
    return "\n".join(lines)


def _actions_to_text(moves: Sequence[HexagonsMove], base: int) -> str:
    if len(moves) == 1 and isinstance(moves[0], Next):
        return NOTHING
    pieces = [
        f"{move.row - 1 + base} {move.column - 1 + base} {move.colour}"
        if isinstance(move, PaintTile)
        else NEXT
        for move in moves
    ]
    if not isinstance(moves[-1], Next):
        pieces.append(MORE)
    elif len(moves) > 1 and isinstance(moves[-2], PaintTile):
        pieces.pop()
    return ", ".join(pieces)
