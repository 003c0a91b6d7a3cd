"""Sentences about copies: how many, how far apart, and in which colours."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from groundling.games.hexagons.narration.ground import Wrap, goes_on, tile_at, what, wrapped
from groundling.games.hexagons.narration.things import told_stroke
from groundling.games.hexagons.narration.told import Piece, piece
from groundling.games.hexagons.narration.voice import Voice, joined, spelled
from groundling.games.hexagons.program import Program, trace
from groundling.games.hexagons.program.frame import Frame
from groundling.games.hexagons.program.shapes import Count, Edge, Go, Line, Place
from groundling.games.hexagons.program.values import (
    AnyStatement,
    At,
    Axis,
    Cycle,
    Mirror,
    Paint,
    Repeat,
    Rotate,
)

Once = Callable[[tuple[AnyStatement, ...]], list[Piece]]
"""Describes the first of several copies."""


def repeated(
    loop: Repeat, where: Wrap, before: list[AnyStatement], once: Once, voice: Voice
) -> list[Piece] | None:
    """Describe a repeat, or return None if there is no wording for it."""
    if loop.counter:
        return _longer(loop, where, voice)
    if not all(isinstance(axis.times, int | Edge) and _plain(axis.path) for axis in loop.axes):
        return None
    first = _renamed(loop.body, {cycle.name: cycle.colours[0] for cycle in loop.cycles})
    told = once(first)
    cycles = [cycle for cycle in loop.cycles if len(set(cycle.colours)) > 1]
    mixed = len({colour for stroke in trace(Program(first)).strokes for *_, colour in stroke.actions}) > 1
    done: list[Axis] = []
    for axis in loop.axes:
        done.append(axis)
        if len(done) == 1:
            text = _moved(axis, what(len(told), before, voice), where, voice) + _coloured(
                cycles, mixed, voice
            )
        else:
            text = _moved(axis, voice.phrase("what row"), where, voice)
            text += " " + voice.say("shifted colours") if cycles else ""
        text += " " + voice.say("as far") if goes_on(loop) else ""
        told.append(piece(text, 3, wrapped(where, replace(loop, axes=tuple(done)))))
    return told


def _plain(path: tuple[Go, ...]) -> bool:
    return all(isinstance(go.steps, int) for go in path)


def _moved(axis: Axis, thing: str, where: Wrap, voice: Voice) -> str:
    """Describe how many copies there are, and how far apart."""
    here = tile_at(where)
    offset = joined([voice.phrase(f"offset {go.heading}", steps=go.steps) for go in axis.path])
    slots: dict[str, object] = {"what": thing, "offset": offset}
    if not isinstance(axis.times, int):
        return voice.say("repeat until", **slots)
    more = axis.times - 1
    text = voice.say(
        "repeat" if more > 1 else "repeat once", more=more, three=spelled(more), total=axis.times, **slots
    )
    if any(
        go.heading in ("right", "left") and isinstance(go.steps, int) and go.steps % 2 for go in axis.path
    ):
        copies = [Frame().walk(here, axis.path, n) for n in range(1, axis.times)]
        text += " " + voice.say("so that", place=voice.place(here), places=voice.places(copies))
    return text


def _coloured(cycles: Sequence[Cycle], mixed: bool, voice: Voice) -> str:
    """Describe the colours of the copies; if a copy has several colours, which of them changes."""
    if not cycles:
        return ""
    if len(cycles) == 1 and not mixed:
        return " " + voice.say("cycle", colours=joined(cycles[0].colours))
    told = [
        voice.phrase("instead", first=cycle.colours[0], colours=joined(cycle.colours)) for cycle in cycles
    ]
    return " " + voice.say("cycles", cycles="; ".join(told))


def again(
    places: Sequence[Place],
    body: tuple[AnyStatement, ...],
    steps: int,
    where: Wrap,
    first: Place | None,
    before: list[AnyStatement],
    voice: Voice,
) -> Piece:
    """Describe copies at other places. The tile at the first place moves to each of them."""
    tiles = [tile_at(where, place) for place in places]
    slots = {
        "what": what(steps, before, voice),
        "place": voice.place(tile_at(where, first)),
        "places": voice.places(tiles),
    }
    slots |= {"three": spelled(len(tiles))}
    text = voice.say("again" if len(tiles) > 1 else "again once", **slots)
    return piece(text, 3, *(wrapped(where, At(place, body)) for place in places))


def _longer(loop: Repeat, where: Wrap, voice: Voice) -> list[Piece] | None:
    """Describe lines side by side, each longer than the last."""
    match loop:
        case Repeat(
            (Axis(int(times), (Go("right", int(gap)),)),),
            (Paint((_,), Line(Place(tile, ()), way, Count(_, 1, 0))),),
        ) if tile and not where:
            first = trace(Program((replace(loop, axes=(Axis(1, loop.axes[0].path),)),))).strokes
            colours = loop.cycles[0].colours if loop.cycles else ()
            slots = {
                "more": times - 1,
                "three": spelled(times - 1),
                "offset": voice.phrase("offset right", steps=gap),
            }
            text = voice.say("longer", grows=loop.grows, way=voice.way(way), **slots)
            if len(set(colours)) > 1:
                text += " " + voice.say("cycle", colours=joined(colours))
            return [*(one for stroke in first for one in told_stroke(stroke, voice)), piece(text, 3, loop)]
    return None


def _renamed(statements: tuple[AnyStatement, ...], names: dict[str, str]) -> tuple[AnyStatement, ...]:
    """Return the statements with colours in place of cycle names."""
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
