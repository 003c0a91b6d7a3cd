"""Sentences about copies: how many, how far apart, and in which colours."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from groundling.games.hexagons.narration.narration_steps import (
    NarratedSentence,
    PlacePath,
    has_placed_until,
    make_narrated_sentence,
    placed_tile,
    placement_phrase,
    wrap_placed_statements,
)
from groundling.games.hexagons.narration.object_sentences import describe_stroke_object
from groundling.games.hexagons.narration.wording import SentenceWording, join_wording, number_wording
from groundling.games.hexagons.program import Program, interpret_program
from groundling.games.hexagons.program.frame import Frame
from groundling.games.hexagons.program.shapes import (
    LinearExpression,
    LineShape,
    PathStep,
    StopAtEdge,
    TileReference,
)
from groundling.games.hexagons.program.statements import (
    AnyStatement,
    AtStatement,
    ColourCycle,
    MirrorStatement,
    PaintStatement,
    RepeatAxis,
    RepeatStatement,
    RotateStatement,
)

DescribeFirst = Callable[[tuple[AnyStatement, ...]], list[NarratedSentence]]
"""Describes the first of several copies."""


def describe_repeated_copies(
    loop: RepeatStatement,
    where: PlacePath,
    before: list[AnyStatement],
    once: DescribeFirst,
    voice: SentenceWording,
) -> list[NarratedSentence] | None:
    """Describe a repeat, or return None if there is no wording for it."""
    if loop.counter:
        return _describe_longer_lines(loop, where, voice)
    if not all(
        isinstance(axis.times, int | StopAtEdge) and _has_fixed_steps(axis.path) for axis in loop.axes
    ):
        return None
    first = _replace_cycles(loop.body, {cycle.name: cycle.colours[0] for cycle in loop.cycles})
    told = once(first)
    cycles = [cycle for cycle in loop.cycles if len(set(cycle.colours)) > 1]
    mixed = (
        len({colour for stroke in interpret_program(Program(first)).strokes for *_, colour in stroke.actions})
        > 1
    )
    done: list[RepeatAxis] = []
    for axis in loop.axes:
        done.append(axis)
        if len(done) == 1:
            text = _describe_offset(
                axis, placement_phrase(len(told), before, voice), where, voice
            ) + _describe_colours(cycles, mixed, voice)
        else:
            text = _describe_offset(axis, voice.choose_phrase("what row"), where, voice)
            text += " " + voice.write_sentence("shifted colours") if cycles else ""
        text += " " + voice.write_sentence("as far") if has_placed_until(loop) else ""
        told.append(
            make_narrated_sentence(text, 3, wrap_placed_statements(where, replace(loop, axes=tuple(done))))
        )
    return told


def _has_fixed_steps(path: tuple[PathStep, ...]) -> bool:
    return all(isinstance(go.steps, int) for go in path)


def _describe_offset(axis: RepeatAxis, thing: str, where: PlacePath, voice: SentenceWording) -> str:
    """Describe how many copies there are, and how far apart."""
    here = placed_tile(where)
    offset = join_wording([voice.choose_phrase(f"offset {go.heading}", steps=go.steps) for go in axis.path])
    slots: dict[str, object] = {"what": thing, "offset": offset}
    if not isinstance(axis.times, int):
        return voice.write_sentence("repeat until", **slots)
    more = axis.times - 1
    text = voice.write_sentence(
        "repeat" if more > 1 else "repeat once",
        more=more,
        three=number_wording(more),
        total=axis.times,
        **slots,
    )
    if any(
        go.heading in ("right", "left") and isinstance(go.steps, int) and go.steps % 2 for go in axis.path
    ):
        copies = [Frame().walk_path(here, axis.path, n) for n in range(1, axis.times)]
        text += " " + voice.write_sentence(
            "so that", place=voice.place_phrase(here), places=voice.places_phrase(copies)
        )
    return text


def _describe_colours(cycles: Sequence[ColourCycle], mixed: bool, voice: SentenceWording) -> str:
    """Describe the colours of the copies; if a copy has several colours, which of them changes."""
    if not cycles:
        return ""
    if len(cycles) == 1 and not mixed:
        return " " + voice.write_sentence("cycle", colours=join_wording(cycles[0].colours))
    told = [
        voice.choose_phrase("instead", first=cycle.colours[0], colours=join_wording(cycle.colours))
        for cycle in cycles
    ]
    return " " + voice.write_sentence("cycles", cycles="; ".join(told))


def describe_copies(
    places: Sequence[TileReference],
    body: tuple[AnyStatement, ...],
    steps: int,
    where: PlacePath,
    first: TileReference | None,
    before: list[AnyStatement],
    voice: SentenceWording,
) -> NarratedSentence:
    """Describe copies at other places. The tile at the first place moves to each of them."""
    tiles = [placed_tile(where, place) for place in places]
    slots = {
        "what": placement_phrase(steps, before, voice),
        "place": voice.place_phrase(placed_tile(where, first)),
        "places": voice.places_phrase(tiles),
    }
    slots |= {"three": number_wording(len(tiles))}
    text = voice.write_sentence("again" if len(tiles) > 1 else "again once", **slots)
    return make_narrated_sentence(
        text, 3, *(wrap_placed_statements(where, AtStatement(place, body)) for place in places)
    )


def _describe_longer_lines(
    loop: RepeatStatement, where: PlacePath, voice: SentenceWording
) -> list[NarratedSentence] | None:
    """Describe lines side by side, each longer than the last."""
    match loop:
        case RepeatStatement(
            (RepeatAxis(int(times), (PathStep("right", int(gap)),)),),
            (PaintStatement((_,), LineShape(TileReference(tile, ()), way, LinearExpression(_, 1, 0))),),
        ) if tile and not where:
            first = interpret_program(
                Program((replace(loop, axes=(RepeatAxis(1, loop.axes[0].path),)),))
            ).strokes
            colours = loop.cycles[0].colours if loop.cycles else ()
            slots = {
                "more": times - 1,
                "three": number_wording(times - 1),
                "offset": voice.choose_phrase("offset right", steps=gap),
            }
            text = voice.write_sentence("longer", grows=loop.grows, way=voice.heading_phrase(way), **slots)
            if len(set(colours)) > 1:
                text += " " + voice.write_sentence("cycle", colours=join_wording(colours))
            return [
                *(one for stroke in first for one in describe_stroke_object(stroke, voice)),
                make_narrated_sentence(text, 3, loop),
            ]
    return None


def _replace_cycles(statements: tuple[AnyStatement, ...], names: dict[str, str]) -> tuple[AnyStatement, ...]:
    """Return the statements with colours in place of cycle names."""
    found: list[AnyStatement] = []
    for statement in statements:
        match statement:
            case PaintStatement(colours, shape):
                found.append(PaintStatement(tuple(names.get(colour, colour) for colour in colours), shape))
            case AtStatement() | RepeatStatement() | RotateStatement() | MirrorStatement():
                found.append(replace(statement, body=_replace_cycles(statement.body, names)))
            case _:
                found.append(statement)
    return tuple(found)
