"""Sentences of level 3: copies, mirrors, rotations, growth and conditions. Statements without such a sentence
are described by the objects that they draw."""

from __future__ import annotations

from itertools import takewhile

from groundling.boards.english.numbers import ordinal_number
from groundling.boards.hexes import HEADINGS, is_on_lattice
from groundling.games.hexagons.narration.condition_sentences import (
    condition_reach_phrase,
    condition_striped_phrase,
    describe_condition,
)
from groundling.games.hexagons.narration.copy_sentences import describe_copies, describe_repeated_copies
from groundling.games.hexagons.narration.growth_sentences import describe_growth, describe_spiral_growth
from groundling.games.hexagons.narration.narration_steps import (
    NarratedSentence,
    PlacePath,
    drop_narration_steps,
    has_placed_until,
    make_narrated_sentence,
    placed_strokes,
    placed_tile,
    placement_phrase,
    wrap_placed_statements,
)
from groundling.games.hexagons.narration.object_sentences import describe_stroke_object
from groundling.games.hexagons.narration.wording import SentenceWording, number_wording
from groundling.games.hexagons.program import Program, format_program, run_program
from groundling.games.hexagons.program.expansion import expand_program
from groundling.games.hexagons.program.shapes import (
    LineShape,
    ParityCondition,
    StopAtColour,
    StopAtEdge,
    TileReference,
    TilesShape,
    WhereShape,
    WholeShape,
)
from groundling.games.hexagons.program.statements import (
    AnyStatement,
    AtStatement,
    GrowStatement,
    MirrorStatement,
    PaintStatement,
    RepeatStatement,
    RotateStatement,
)

Block = tuple[AnyStatement, ...]


def describe_mechanisms(program: Program, voice: SentenceWording) -> list[NarratedSentence]:
    return _describe_block(expand_program(program).statements, (), [], voice)


def _describe_block(
    statements: Block, where: PlacePath, before: list[AnyStatement], voice: SentenceWording
) -> list[NarratedSentence]:
    """Describe each statement. `before` is what was drawn before the block, which conditions may test."""
    told: list[list[NarratedSentence]] = []
    drawn = list(before)
    while len(told) < len(statements):
        number = len(told)
        places = _repeated_places(statements, number)
        if places:
            body: Block = statements[number].body  # type: ignore[union-attr]
            first = number - len(body)
            steps = sum(map(len, told[first:]))
            told += [
                [describe_copies(places, body, steps, where, None, drawn[: len(before) + first], voice)],
                *[[]] * (len(places) - 1),
            ]
        else:
            pieces = _describe_statement(statements[number], where, drawn, voice)
            told.append(drop_narration_steps(pieces, run_program(Program(tuple(drawn)))))
        drawn += [wrap_placed_statements(where, one) for one in statements[number : len(told)]]
    return [one for pieces in told for one in pieces]


def _repeated_places(statements: Block, number: int) -> list[TileReference]:
    """Return the places at which this statement and the following repeat what was drawn just before."""
    match statements[number]:
        case AtStatement(TileReference(), body, ()) if (
            len(body) <= number and statements[number - len(body) : number] == body
        ):
            alike = takewhile(
                lambda one: isinstance(one, AtStatement) and one.body == body and not one.cycles,
                statements[number:],
            )
            return [
                one.shape
                for one in alike
                if isinstance(one, AtStatement) and isinstance(one.shape, TileReference)
            ]
    return []


def _describe_statement(
    statement: AnyStatement, where: PlacePath, before: list[AnyStatement], voice: SentenceWording
) -> list[NarratedSentence]:
    told: list[NarratedSentence] | None = None
    whole = wrap_placed_statements(where, statement)

    def describe_once(body: Block) -> list[NarratedSentence]:
        return _describe_block(body, where, before, voice)

    def describe_transform(
        key: str, first: list[NarratedSentence], **slots: object
    ) -> list[NarratedSentence]:
        """Describe the first copy and then what is done with it."""
        text = voice.write_sentence(key, what=placement_phrase(len(first), before, voice), **slots)
        return [
            *first,
            make_narrated_sentence(
                text + (" " + voice.write_sentence("as far") if has_placed_until(statement) else ""), 3, whole
            ),
        ]

    match statement:
        case PaintStatement((colour,), WhereShape(WholeShape(), ParityCondition(kind, odd))):
            told = [
                make_narrated_sentence(
                    voice.write_sentence(f"{kind}s", colour=colour, parity="odd" if odd else "even"), 3, whole
                )
            ]
        case PaintStatement(_, LineShape(_, way, StopAtEdge() | StopAtColour())) if way in HEADINGS:
            told = _describe_line_until(statement, where, voice)
        case AtStatement(TileReference() as place, body, ()):
            coiled = (
                describe_spiral_growth(placed_strokes(before, whole), voice)
                if "turn" in format_program(Program((statement,)))
                else None
            )
            told = coiled or _describe_block(body, (*where, place), before, voice)
        case AtStatement(TilesShape((first, *others)), body, ()):
            here = _describe_block(body, (*where, first), before, voice)
            told = [*here, describe_copies(others, body, len(here), where, first, before, voice)]
        case AtStatement(WhereShape(), _, ()) if not where:
            told = describe_condition(statement, voice)
        case RepeatStatement():
            told = describe_repeated_copies(statement, where, before, describe_once, voice)
        case RotateStatement(times, (TileReference(None, ()),), body, ()) if body:
            slots = {
                "centre": voice.place_phrase(placed_tile(where)),
                "times": times,
                "six": number_wording(times),
                "degrees": 360 // times,
            }
            told = describe_transform("rotate", describe_once(body), **slots)
        case RotateStatement(2, (_, _), body, ()) if body and not where:
            told = describe_transform("half turn", describe_once(body))
        case MirrorStatement(axis, (TileReference(None, ()),), body, ()) if body:
            told = describe_transform("mirror", describe_once(body), axis=_axis_phrase(axis, where, voice))
        case GrowStatement() if not where and len(before) == 1:
            told = describe_growth(statement, voice)
    if told is None:
        told = [
            one for stroke in placed_strokes(before, whole) for one in describe_stroke_object(stroke, voice)
        ]
    return told


def _axis_phrase(axis: str, where: PlacePath, voice: SentenceWording) -> str:
    here = placed_tile(where)
    return voice.choose_phrase(f"axis {axis}", centre=voice.place_phrase(here), mth=ordinal_number(here[1]))


def _describe_line_until(
    paint: PaintStatement, where: PlacePath, voice: SentenceWording
) -> list[NarratedSentence] | None:
    """Describe a line that continues until something stops it."""
    line = paint.shape
    assert isinstance(line, LineShape)
    start, reach = placed_tile(where, line.start), condition_reach_phrase(line.length, voice)
    if not is_on_lattice(start) or not reach:
        return None
    text = condition_striped_phrase(
        "line until",
        paint.colours,
        voice,
        place=voice.place_phrase(start),
        way=voice.heading_phrase(line.heading),
        far=reach,
    )
    if text:
        return [make_narrated_sentence(voice.finish_sentence(text), 3, wrap_placed_statements(where, paint))]
    return None
