"""Sentences about what is done to things: copies, mirrors, turns, growth, conditions. Level 3; where a program does something
that has no such sentence, what it draws is told thing by thing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise

from msgspec.structs import replace

from ....boards.hexes import HEADINGS, Tile, on_board
from ..program import Program, Stroke, run, trace, write
from ..program.frame import Frame
from ..program.shapes import Count, Edge, Go, Line, Met, Parity, Place, Some, Touching, Where, Whole
from ..program.values import AnyStatement, At, Axis, Cycle, Define, Grow, Mirror, Paint, Repeat, Rotate
from .each import far, striped, told_each
from .recognise import at, straight
from .things import told_stroke
from .told import Piece, effective, piece
from .voice import Voice, joined, nth, spelled

Wrap = tuple[Place, ...]
"""The tiles at which a statement stands, from the outside inwards."""


def by_mechanisms(program: Program, voice: Voice) -> Iterator[Piece]:
    drawn: list[AnyStatement] = []
    for pieces in _block(program.statements, (), drawn, voice):
        yield from pieces


def _block(statements: Iterable[AnyStatement], where: Wrap, before: list[AnyStatement], voice: Voice) -> Iterator[list[Piece]]:
    """The sentences of each statement. `before` collects what has been drawn, so that conditions can look at it."""
    defined: list[AnyStatement] = []
    for statement in statements:
        if isinstance(statement, Define):
            defined.append(statement)
            continue
        yield _statement(statement, where, defined, before, voice)
        before.append(_wrapped(where, *defined, statement))


def _wrapped(where: Wrap, *statements: AnyStatement) -> AnyStatement:
    """Statements as they stand at these tiles."""
    body = statements
    for place in reversed(where or (at((1, 1)),)):
        body = (At(place, body),)
    return body[0]


def _here(where: Wrap) -> Tile:
    """The tile that `here` is."""
    frame = Frame()
    for place in where:
        frame = replace(frame, here=frame.place(place))
    return frame.here


def _statement(
    statement: AnyStatement, where: Wrap, defined: list[AnyStatement], before: list[AnyStatement], voice: Voice
) -> list[Piece]:
    told: list[Piece] | None = None
    match statement:
        case Paint((colour,), Where(Whole(), Parity(what, odd))):
            parity = "odd" if odd else "even"
            told = [piece(voice.say(f"{what}s", colour=colour, parity=parity), 3, statement)]
        case Paint(_, Line(_, way, Edge() | Met())) if way in HEADINGS:
            told = _until(statement, where, voice)
        case At(Place(), body, ()) if not defined:
            inner = list(before)
            told = [one for pieces in _block(body, (*where, statement.shape), inner, voice) for one in pieces]  # type: ignore[arg-type]
        case At(Where(), _, ()) if not where and not defined:
            told = told_each(statement, voice)
        case Repeat() if not defined:
            told = _repeat(statement, where, before, voice)
        case Rotate(times, (Place(None, ()),), body, ()) if body and not defined:
            first = _once(body, where, before, voice)
            slots = {"centre": voice.place(_here(where)), "times": times, "six": spelled(times), "degrees": 360 // times}
            told = [*first, _done("rotate", slots, len(first), before, where, statement, voice)]
        case Rotate(2, about, body, ()) if body and not where and not defined:
            first = _once(body, where, before, voice)
            told = [*first, _done("half turn", {}, len(first), before, where, statement, voice)] if len(about) == 2 else None
        case Mirror(axis, (Place(None, ()),), body, ()) if body and not defined:
            first = _once(body, where, before, voice)
            slots = {"axis": voice.phrase(f"axis {axis}", centre=voice.place(_here(where)), mth=nth(_here(where)[1]))}
            told = [*first, _done("mirror", slots, len(first), before, where, statement, voice)]
        case Grow(int(), _, _, _) if not where and len(before) == 1:
            told = _grow(statement, voice)
    if told is None:
        strokes = _strokes(before, _wrapped(where, *defined, statement))
        told = _spiral(strokes, voice) or [one for stroke in strokes for one in told_stroke(stroke, voice)]
    return told


def _until(paint: Paint, where: Wrap, voice: Voice) -> list[Piece] | None:
    """A line that goes on until something stops it."""
    line = paint.shape
    assert isinstance(line, Line)
    start = replace(Frame(), here=_here(where)).place(line.start)
    reach = far(line.length, voice)
    if not on_board(start) or not reach:
        return None
    text = striped("line until", paint.colours, voice, place=voice.place(start), way=voice.way(line.heading), far=reach)
    return [piece(voice.sentence(text), 3, _wrapped(where, paint))] if text else None


def _strokes(before: list[AnyStatement], statement: AnyStatement) -> list[Stroke]:
    """What a statement draws, after all that was drawn before it."""
    known = len(trace(Program(tuple(before))).strokes)
    return list(trace(Program((*before, statement))).strokes[known:])


def _once(body: tuple[AnyStatement, ...], where: Wrap, before: list[AnyStatement], voice: Voice) -> list[Piece]:
    """The first of several copies."""
    inner = list(before)
    told = [one for pieces in _block(body, where, inner, voice) for one in pieces]
    return effective(told, run(Program(tuple(before))))


def _done(
    key: str, slots: dict[str, object], steps: int, before: list[AnyStatement], where: Wrap, whole: AnyStatement, voice: Voice
) -> Piece:
    """What is then done to the first copy."""
    text = voice.say(key, what=_what(steps, before, voice), **slots)
    if _stopping(whole):
        text += " " + voice.say("as far")
    return piece(text, 3, _wrapped(where, whole))


def _stopping(statement: AnyStatement) -> bool:
    """Whether something within goes on until it is stopped, so that copies of it may differ."""
    body = getattr(statement, "body", ())
    return any("until" in write(Program((inner,))) for inner in body)


def _what(steps: int, before: list[AnyStatement], voice: Voice) -> str:
    """How that which the last steps drew is spoken of."""
    if steps == 1:
        return voice.phrase("what one")
    return voice.phrase("what steps", steps=steps, three=spelled(steps)) if before else voice.phrase("what all")


# Copies


def _repeat(loop: Repeat, where: Wrap, before: list[AnyStatement], voice: Voice) -> list[Piece] | None:
    if loop.counter:
        return _longer(loop, where, voice)
    if not all(isinstance(axis.times, int | Edge) and _plain(axis.path) for axis in loop.axes):
        return None
    first = _renamed(loop.body, {cycle.name: cycle.colours[0] for cycle in loop.cycles})
    told = _once(first, where, before, voice)
    cycles = [cycle for cycle in loop.cycles if len(set(cycle.colours)) > 1]
    done: list[Axis] = []
    for axis in loop.axes:
        done.append(axis)
        part = replace(loop, axes=tuple(done))
        what = _what(len(told), before, voice) if len(done) == 1 else voice.phrase("what row")
        text = _copies(axis, what, cycles if len(done) == 1 else [], where, voice)
        if cycles and len(done) > 1:
            text += " " + voice.say("shifted colours")
        if _stopping(loop):
            text += " " + voice.say("as far")
        told.append(piece(text, 3, _wrapped(where, part)))
    return told


def _plain(path: tuple[Go, ...]) -> bool:
    return all(isinstance(go.steps, int) for go in path)


def _copies(axis: Axis, what: str, cycles: list[Cycle], where: Wrap, voice: Voice) -> str:
    here = _here(where)
    offset = joined([voice.phrase(f"offset {go.heading}", steps=go.steps) for go in axis.path])
    slots: dict[str, object] = {"what": what, "offset": offset}
    if isinstance(axis.times, int):
        more = axis.times - 1
        copies = [Frame().walk(here, axis.path, n) for n in range(1, axis.times)]
        slots |= {"more": more, "three": spelled(more), "total": axis.times}
        text = voice.say("repeat" if more > 1 else "repeat once", **slots)
        if any(go.heading in ("right", "left") and int(go.steps) % 2 for go in axis.path if isinstance(go.steps, int)):
            text += " " + voice.say("so that", place=voice.place(here), places=voice.places(copies))
    else:
        text = voice.say("repeat until", **slots)
    if len(cycles) == 1:
        text += " " + voice.say("cycle", colours=joined(cycles[0].colours))
    elif cycles:
        told = [voice.phrase("instead", first=cycle.colours[0], colours=joined(cycle.colours)) for cycle in cycles]
        text += " " + voice.say("cycles", cycles="; ".join(told))
    return text


def _longer(loop: Repeat, where: Wrap, voice: Voice) -> list[Piece] | None:
    """Lines side by side, each longer than the last."""
    match loop:
        case Repeat(
            (Axis(int(times), (Go("right", int(gap)),)),), (Paint((_,), Line(Place(tile, ()), way, Count(_, 1, 0))),)
        ) if tile and not where:
            first = trace(Program((replace(loop, axes=(Axis(1, loop.axes[0].path),)),))).strokes
            colours = loop.cycles[0].colours if loop.cycles else ()
            slots = {"more": times - 1, "three": spelled(times - 1), "offset": voice.phrase("offset right", steps=gap)}
            text = voice.say("longer", grows=loop.grows, way=voice.way(way), **slots)
            if len(set(colours)) > 1:
                text += " " + voice.say("cycle", colours=joined(colours))
            return [*(one for stroke in first for one in told_stroke(stroke, voice)), piece(text, 3, loop)]
    return None


def _renamed(statements: tuple[AnyStatement, ...], names: dict[str, str]) -> tuple[AnyStatement, ...]:
    """The statements with colours in place of the cycles that stand for them."""
    found: list[AnyStatement] = []
    for statement in statements:
        match statement:
            case Paint(colours, shape):
                found.append(Paint(tuple(names.get(colour, colour) for colour in colours), shape))
            case At() | Repeat() | Rotate() | Mirror():
                found.append(replace(statement, body=_renamed(statement.body, names)))
            case _:
                found.append(statement)
    return tuple(found)


# Growth


def _grow(growth: Grow, voice: Voice) -> list[Piece] | None:
    assert isinstance(growth.times, int)
    colours = [growth.colours[n % len(growth.colours)] for n in range(growth.times)]
    told = joined(colours) if len(set(colours)) > 1 else voice.phrase("always", colour=colours[0])
    slots = {"times": growth.times, "three": spelled(growth.times), "colours": told}
    match growth.test:
        case None:
            return [piece(voice.say("layers", **slots), 3, growth)]
        case Touching("painted", 1, 1):
            return [piece(voice.say("growth", touched=voice.phrase("touched one"), **slots), 3, growth)]
        case Some((Touching("painted", 1, 1), Touching("painted", 3, 3))):
            return [piece(voice.say("growth", touched=voice.phrase("touched one or three"), **slots), 3, growth)]
    return None


# Spirals


def _spiral(strokes: list[Stroke], voice: Voice) -> list[Piece] | None:
    """Lines that each start where the last ended, turn the same way and get longer."""
    lines = [[(row, column) for row, column, _ in stroke.actions] for stroke in strokes]
    hues = [stroke.actions[0][2] for stroke in strokes if stroke.actions]
    ways = [straight(line) if len(line) > 1 else None for line in lines]
    if len(lines) < 4 or len(hues) < len(lines) or not all(way in HEADINGS for way in ways):
        return None
    if any(a[-1] != b[0] for a, b in pairwise(lines)):
        return None
    turns = {(HEADINGS.index(str(b)) - HEADINGS.index(str(a))) % 6 for a, b in pairwise(ways)}
    lengths = [len(line) for line in lines]
    steps = [b - a for a, b in pairwise(lengths)]
    if len(turns) > 1 or not (len(set(steps)) == 1 or lengths == [lengths[0] + n // 3 for n in range(len(lengths))]):
        return None
    turn = turns.pop()
    period = 3 if len(set(steps)) > 1 else 1
    if len(set(hues)) > 1 and hues != [hues[n // period % 2 * period] for n in range(len(hues))]:
        return None
    slots = {
        "degrees": 60 * min(turn, 6 - turn),
        "side": "clockwise" if turn < 3 else "counter-clockwise",
        "total": len(lines),
        "grows": voice.phrase("every third longer") if period == 3 else voice.phrase("each longer", steps=steps[0]),
    }
    text = voice.say("spiral", **slots)
    if len(set(hues)) > 1:
        text += " " + voice.say("spiral colours" if period == 1 else "spiral thirds", colours=joined(list(dict.fromkeys(hues))))
    paints = [Paint((hue,), Line(at(line[0]), str(way), len(line))) for hue, line, way in zip(hues, lines, ways, strict=True)]
    return [*told_stroke(strokes[0], voice), piece(text, 3, *paints)]
