"""Sentences about growth: layers, crystals and spirals."""

from __future__ import annotations

from itertools import pairwise

from groundling.boards.hexes import HEADINGS
from groundling.games.hexagons.narration.narration_steps import NarratedSentence, make_narrated_sentence
from groundling.games.hexagons.narration.object_sentences import describe_stroke_object
from groundling.games.hexagons.narration.shape_recognition import recognise_line_heading, recognised_tile
from groundling.games.hexagons.narration.wording import SentenceWording, join_wording, number_wording
from groundling.games.hexagons.program import ProgramStroke
from groundling.games.hexagons.program.shapes import LineShape, SomeCondition, TouchingCondition
from groundling.games.hexagons.program.statements import GrowStatement, PaintStatement


def describe_growth(growth: GrowStatement, voice: SentenceWording) -> list[NarratedSentence] | None:
    """Describe growth, or return None if there is no wording for it."""
    if not isinstance(growth.times, int):
        return None
    colours = [growth.colours[n % len(growth.colours)] for n in range(growth.times)]
    told = (
        join_wording(colours) if len(set(colours)) > 1 else voice.choose_phrase("always", colour=colours[0])
    )
    slots = {"times": growth.times, "three": number_wording(growth.times), "colours": told}
    match growth.test:
        case None:
            text = voice.write_sentence("layers", **slots)
        case TouchingCondition("painted", 1, 1):
            text = voice.write_sentence("growth", touched=voice.choose_phrase("touched one"), **slots)
        case SomeCondition((TouchingCondition("painted", 1, 1), TouchingCondition("painted", 3, 3))):
            text = voice.write_sentence(
                "growth", touched=voice.choose_phrase("touched one or three"), **slots
            )
        case _:
            return None
    return [make_narrated_sentence(text, 3, growth)]


def describe_spiral_growth(
    strokes: list[ProgramStroke], voice: SentenceWording
) -> list[NarratedSentence] | None:
    """Describe lines that each start at the last one's end, turn one way and get longer; else None."""
    lines = [[(row, column) for row, column, _ in stroke.actions] for stroke in strokes]
    hues = [stroke.actions[0][2] for stroke in strokes if stroke.actions]
    ways = [recognise_line_heading(line) if len(line) > 1 else None for line in lines]
    if len(lines) < 4 or len(hues) < len(lines) or not all(way in HEADINGS for way in ways):
        return None
    if any(a[-1] != b[0] for a, b in pairwise(lines)):
        return None
    turns = {(HEADINGS.index(str(b)) - HEADINGS.index(str(a))) % 6 for a, b in pairwise(ways)}
    lengths = [len(line) for line in lines]
    steps = [b - a for a, b in pairwise(lengths)]
    if len(turns) > 1 or not (
        len(set(steps)) == 1 or lengths == [lengths[0] + n // 3 for n in range(len(lengths))]
    ):
        return None
    period = 3 if len(set(steps)) > 1 else 1
    if len(set(hues)) > 1 and hues != [hues[n // period % 2 * period] for n in range(len(hues))]:
        return None
    turn = turns.pop()
    text = voice.write_sentence(
        "spiral",
        degrees=60 * min(turn, 6 - turn),
        side="clockwise" if turn < 3 else "counter-clockwise",
        total=len(lines),
        grows=voice.choose_phrase("every third longer")
        if period == 3
        else voice.choose_phrase("each longer", steps=steps[0]),
    )
    if len(set(hues)) > 1:
        text += " " + voice.write_sentence(
            "spiral colours" if period == 1 else "spiral thirds",
            colours=join_wording(list(dict.fromkeys(hues))),
        )
    paints = [
        PaintStatement((hue,), LineShape(recognised_tile(line[0]), str(way), len(line)))
        for hue, line, way in zip(hues, lines, ways, strict=True)
    ]
    return [*describe_stroke_object(strokes[0], voice), make_narrated_sentence(text, 3, *paints)]
