"""Actions as text, situations in the seven contexts, and how procedures are varied."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.games.hexagons.procedures import told_images

pytest.importorskip("torch", reason="torch is not installed: pip install '.[train]' to run these")

from groundling.boards.hexes import COLOURS, TILES
from groundling.games.hexagons.neural.lesson import Lesson, LessonBatches, vary_lesson_step
from groundling.games.hexagons.neural.notation import (
    NOTHING,
    Notation,
    changed_notation_tiles,
    paint_notation_cells,
    read_action_notation,
    write_action_notation,
)
from groundling.games.hexagons.neural.procedures import (
    BLANK,
    Procedure,
    permute_procedure_colours,
    set_aside_procedures,
    spoil_procedure_boards,
)
from groundling.games.hexagons.neural.situations import make_situation, situation_suffices

painted = st.dictionaries(st.sampled_from(TILES), st.sampled_from(COLOURS))


@given(painted, st.sampled_from(["runs", "triplets"]))
def test_what_is_written_is_read_as_it_was(actions: dict[tuple[int, int], str], notation: Notation) -> None:
    text = write_action_notation(actions, notation)
    assert read_action_notation(text, notation) == actions
    spaced = " ".join(
        text.replace(":", " : ").replace("-", " - ").replace(",", " , ").replace(";", " ; ").split()
    )
    assert read_action_notation(spaced, notation) == actions


@settings(deadline=None)
@given(painted)
def test_actions_are_written_as_a_program_that_paints_them(actions: dict[tuple[int, int], str]) -> None:
    assert read_action_notation(write_action_notation(actions, "program"), "program") == actions


@pytest.mark.parametrize(
    ("text", "notation", "found"),
    [
        ("red 3:1-2; mauve 4:1; blue 19:1 2:11", "runs", {(1, 3): "red", (2, 3): "red"}),
        ("red 3:9-99999999999", "runs", {(9, 3): "red", (10, 3): "red"}),
        ("0 4 red, 0 5, x y blue, 30 1 red", "triplets", {(1, 5): "red"}),
        (
            "paint red 3,4\npaint mauve 3,5\npaint blue line 9,1 down 5",
            "program",
            {(3, 4): "red", (9, 1): "blue", (10, 1): "blue"},
        ),
        ("at 2,3:\n    paint red here\npaint", "program", {(2, 3): "red"}),
        (NOTHING, "program", {}),
        (NOTHING, "runs", {}),
        ("", "triplets", {}),
    ],
)
def test_malformed_pieces_are_left_out(
    text: str, notation: Notation, found: dict[tuple[int, int], str]
) -> None:
    assert read_action_notation(text, notation) == found


@given(painted)
def test_boards_are_painted_by_their_changes(actions: dict[tuple[int, int], str]) -> None:
    after = paint_notation_cells(BLANK, actions)
    assert changed_notation_tiles(BLANK, after) == {
        tile: colour for tile, colour in actions.items() if colour != "white"
    }


@pytest.mark.parametrize(
    ("context", "texts", "boards"),
    [
        ("no-history", "c", ""),
        ("1-previous", "bc", ""),
        ("full-history", "abc", ""),
        ("predicted", "c", "3"),
        ("oracle", "c", "3"),
        ("predicted+full", "abc", "123"),
        ("oracle+full", "abc", "123"),
    ],
)
def test_each_context_shows_what_the_paper_says(context: str, texts: str, boards: str) -> None:
    situation = make_situation(context, "abcd", "1234", 2)
    assert situation.texts == tuple(texts)
    assert situation.boards == tuple(boards)


def test_a_model_may_see_more_than_it_needs_and_not_less() -> None:
    assert situation_suffices("oracle+full", "predicted+full")
    assert situation_suffices("predicted+full", "no-history")
    assert situation_suffices("full-history", "1-previous")
    assert not situation_suffices("full-history", "predicted")
    assert not situation_suffices("oracle", "full-history")


def test_colours_change_in_words_and_on_boards_alike() -> None:
    one = Procedure(
        "1", "1", ("Paint it RED, then two blue ones",), (BLANK, paint_notation_cells(BLANK, {(1, 1): "red"}))
    )
    other = permute_procedure_colours(one, Random(1))
    (colour,) = set(other.step_changes(0).values())
    assert colour.upper() in other.texts[0]


def test_faults_are_where_they_are_said_to_be() -> None:
    procedure = Procedure.from_image(told_images()[0])
    boards, wrong = spoil_procedure_boards(procedure, len(procedure.texts), 0.0, Random(1))
    assert boards == procedure.boards
    assert not any(wrong)
    boards, wrong = spoil_procedure_boards(procedure, len(procedure.texts), 1.0, Random(1))
    assert all(wrong)
    assert boards != procedure.boards


def test_no_image_is_learned_from_and_set_aside() -> None:
    procedures = [Procedure.from_image(image) for image in told_images()]
    mine, held = set_aside_procedures(procedures, 0)
    assert held
    assert not {one.image for one in mine} & {one.image for one in held}
    assert len(mine) + len(held) == len(procedures)


def draw_batches(*, by_step: bool) -> LessonBatches:
    procedures = [Procedure.from_image(image) for image in told_images()]
    plain = Lesson(colours=0, spoiled=0)
    return LessonBatches(
        [(procedures, 1.0)],
        context="full-history",
        batch=4,
        alone=0,
        seed=1,
        lesson=plain,
        by_step=by_step,
        answered=False,
    )


def test_a_batch_is_the_same_for_the_same_seed_and_step() -> None:
    one, again = (draw_batches(by_step=True) for _ in range(2))
    drawn = [(example.procedure, example.number) for example in one.batch_at(40)]
    one.batch_at(3)
    assert drawn == [(example.procedure, example.number) for example in again.batch_at(40)]


def count_letters(text: str) -> int:
    """With figures and marks as four each: they are tokens of their own."""
    marks = sum(not letter.isalpha() and letter != " " for letter in text)
    return len(text) + 3 * marks


def test_examples_of_a_batch_show_about_as_much() -> None:
    batches = draw_batches(by_step=True)
    lengths = []
    for step in range(32):
        made = (vary_lesson_step(one, "full-history", batches.lesson) for one in batches.batch_at(step))
        lengths.append([sum(map(count_letters, situation.texts)) for situation, _ in made])
    # whole batches lie apart: none begins before another ends
    ordered = sorted(lengths, key=lambda batch: (min(batch), max(batch)))
    assert all(max(one) <= min(other) for one, other in pairwise(ordered))


def test_an_example_of_a_dialog_is_a_whole_procedure() -> None:
    batches = draw_batches(by_step=False)
    examples = [example for step in range(32) for example in batches.batch_at(step)]
    assert all(one.number == len(one.procedure.texts) - 1 for one in examples)
