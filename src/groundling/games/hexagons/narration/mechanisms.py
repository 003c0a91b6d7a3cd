"""Sentences of level 3: copies, mirrors, rotations, growth and conditions. Statements without such a sentence
are described by the objects that they draw."""

from __future__ import annotations

from itertools import takewhile

from groundling.boards.hexes import HEADINGS, on_board
from groundling.games.hexagons.narration.copies import again, repeated
from groundling.games.hexagons.narration.each import far, striped, told_each
from groundling.games.hexagons.narration.ground import Wrap, goes_on, strokes_of, tile_at, what, wrapped
from groundling.games.hexagons.narration.growth import grown, spiral
from groundling.games.hexagons.narration.things import told_stroke
from groundling.games.hexagons.narration.told import Piece, effective, piece
from groundling.games.hexagons.narration.voice import Voice, nth, spelled
from groundling.games.hexagons.program import Program, run, write
from groundling.games.hexagons.program.expand import expand
from groundling.games.hexagons.program.shapes import Edge, Line, Met, Parity, Place, Tiles, Where, Whole
from groundling.games.hexagons.program.values import AnyStatement, At, Grow, Mirror, Paint, Repeat, Rotate

Block = tuple[AnyStatement, ...]


def by_mechanisms(program: Program, voice: Voice) -> list[Piece]:
    return _block(expand(program).statements, (), [], voice)


def _block(statements: Block, where: Wrap, before: list[AnyStatement], voice: Voice) -> list[Piece]:
    """Describe each statement. `before` is what was drawn before the block, which conditions may test."""
    told: list[list[Piece]] = []
    drawn = list(before)
    while len(told) < len(statements):
        number = len(told)
        places = _same_again(statements, number)
        if places:
            body: Block = statements[number].body  # type: ignore[union-attr]
            first = number - len(body)
            steps = sum(map(len, told[first:]))
            told += [
                [again(places, body, steps, where, None, drawn[: len(before) + first], voice)],
                *[[]] * (len(places) - 1),
            ]
        else:
            pieces = _statement(statements[number], where, drawn, voice)
            told.append(effective(pieces, run(Program(tuple(drawn)))))
        drawn += [wrapped(where, one) for one in statements[number : len(told)]]
    return [one for pieces in told for one in pieces]


def _same_again(statements: Block, number: int) -> list[Place]:
    """Return the places at which this statement and the following repeat what was drawn just before."""
    match statements[number]:
        case At(Place(), body, ()) if len(body) <= number and statements[number - len(body) : number] == body:
            alike = takewhile(
                lambda one: isinstance(one, At) and one.body == body and not one.cycles, statements[number:]
            )
            return [one.shape for one in alike if isinstance(one, At) and isinstance(one.shape, Place)]
    return []


def _statement(statement: AnyStatement, where: Wrap, before: list[AnyStatement], voice: Voice) -> list[Piece]:
    told: list[Piece] | None = None
    whole = wrapped(where, statement)

    def once(body: Block) -> list[Piece]:
        return _block(body, where, before, voice)

    def done(key: str, first: list[Piece], **slots: object) -> list[Piece]:
        """Describe the first copy and then what is done with it."""
        text = voice.say(key, what=what(len(first), before, voice), **slots)
        return [*first, piece(text + (" " + voice.say("as far") if goes_on(statement) else ""), 3, whole)]

    match statement:
        case Paint((colour,), Where(Whole(), Parity(kind, odd))):
            told = [piece(voice.say(f"{kind}s", colour=colour, parity="odd" if odd else "even"), 3, whole)]
        case Paint(_, Line(_, way, Edge() | Met())) if way in HEADINGS:
            told = _until(statement, where, voice)
        case At(Place() as place, body, ()):
            coiled = (
                spiral(strokes_of(before, whole), voice) if "turn" in write(Program((statement,))) else None
            )
            told = coiled or _block(body, (*where, place), before, voice)
        case At(Tiles((first, *others)), body, ()):
            here = _block(body, (*where, first), before, voice)
            told = [*here, again(others, body, len(here), where, first, before, voice)]
        case At(Where(), _, ()) if not where:
            told = told_each(statement, voice)
        case Repeat():
            told = repeated(statement, where, before, once, voice)
        case Rotate(times, (Place(None, ()),), body, ()) if body:
            slots = {
                "centre": voice.place(tile_at(where)),
                "times": times,
                "six": spelled(times),
                "degrees": 360 // times,
            }
            told = done("rotate", once(body), **slots)
        case Rotate(2, (_, _), body, ()) if body and not where:
            told = done("half turn", once(body))
        case Mirror(axis, (Place(None, ()),), body, ()) if body:
            told = done("mirror", once(body), axis=_axis(axis, where, voice))
        case Grow() if not where and len(before) == 1:
            told = grown(statement, voice)
    if told is None:
        told = [one for stroke in strokes_of(before, whole) for one in told_stroke(stroke, voice)]
    return told


def _axis(axis: str, where: Wrap, voice: Voice) -> str:
    here = tile_at(where)
    return voice.phrase(f"axis {axis}", centre=voice.place(here), mth=nth(here[1]))


def _until(paint: Paint, where: Wrap, voice: Voice) -> list[Piece] | None:
    """Describe a line that continues until something stops it."""
    line = paint.shape
    assert isinstance(line, Line)
    start, reach = tile_at(where, line.start), far(line.length, voice)
    if not on_board(start) or not reach:
        return None
    text = striped(
        "line until", paint.colours, voice, place=voice.place(start), way=voice.way(line.heading), far=reach
    )
    return [piece(voice.sentence(text), 3, wrapped(where, paint))] if text else None
