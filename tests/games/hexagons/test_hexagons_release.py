"""The agreement of a procedure's author with two verifiers, and the games of a study as published data."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from groundling.boards.hexes import Board
from groundling.core.events import SCHEMA, Closed, Moved, Opened, Transcript
from groundling.core.replay import EpisodeReplay
from groundling.core.source import CollectedGame
from groundling.games.hexagons.agreement import tags
from groundling.games.hexagons.collected import collect_hexagons_data, hexagons_agreement
from groundling.games.hexagons.data import list_hexagons_splits, read_data_images
from groundling.games.hexagons.gold import gold_recorded_replies
from groundling.games.hexagons.image import HexagonsImage, ImageStep
from groundling.games.hexagons.recorded import recorded_image
from groundling.games.hexagons.rules import HexagonsGame, HexagonsSettings
from groundling.games.hexagons.stats import hexagons_stats_lines

from .small import FLOWER, LINE, MENDED

BLANK = Board.empty()


@pytest.mark.parametrize(
    ("first", "second", "tag", "scores"),
    [
        (FLOWER, FLOWER, "A", (1.0, 1.0, 1.0)),
        (FLOWER, LINE, "V1", (1.0, 0.71, 0.71)),
        (LINE, FLOWER, "V2", (0.71, 1.0, 0.71)),
        (LINE, LINE, "VV", (0.71, 0.71, 1.0)),
        (LINE, BLANK, "F", (0.71, 0, 0)),
    ],
)
def test_a_step_is_tagged_by_who_agrees_with_its_author(
    first: Board, second: Board, tag: str, scores: tuple[float, ...]
) -> None:
    assert tags([FLOWER], [first], [second]) == ((tag,), (scores,))


def test_scores_of_blank_boards_are_whole_numbers_as_published() -> None:
    found, scores = tags([BLANK], [BLANK], [MENDED])
    assert found == ("V1",)
    assert json.dumps(scores) == "[[1, 0, 0]]"


def test_boards_may_be_digits_and_all_steps_are_tagged() -> None:
    author, first, second = (
        [board.cells for board in by] for by in ([LINE, FLOWER], [LINE, LINE], [LINE] * 2)
    )
    found, scores = tags(author, first, second)
    assert found == ("A", "VV")
    assert scores == ((1.0, 1.0, 1.0), (0.71, 0.71, 1.0))
    assert tags([[*map(int, board)] for board in author], first, second) == (found, scores)


def test_boards_of_other_numbers_of_steps_are_refused() -> None:
    with pytest.raises(ValueError, match="boards of 2 steps, the verifiers of 1 and 2"):
        tags([LINE, LINE], [LINE], [LINE, LINE])


@given(*[st.text("01234567", min_size=180, max_size=180)] * 3)
def test_tags_follow_from_which_boards_are_equal(author: str, first: str, second: str) -> None:
    ((tag,), ((one, two, both),)) = tags([author], [first], [second])
    assert (tag in ("A", "V1")) == (author == first)
    assert (tag in ("A", "V2")) == (author == second)
    assert tags([author], [second], [first])[1] == ((two, one, both),), "verifiers may be exchanged"
    assert tags([author], [author], [author])[0] == ("A",)


def aligned(name: str, *steps: tuple[str, Board], at: float = 0.0) -> Transcript:
    """A game in which an author writes these steps and paints these boards."""
    recorded = tuple(ImageStep(text, board) for text, board in steps)
    image = HexagonsImage(id=f"image of {name}", target=steps[-1][1], steps=recorded, category="simple")
    return play_recorded(name, image, HexagonsSettings(mode="align"), gold_recorded_replies, at)


def play_recorded(
    name: str, image: HexagonsImage, settings: HexagonsSettings, replies: Any, at: float
) -> Transcript:
    game = HexagonsGame(settings)
    seats = game.seats(image)
    opened: Any = Opened(
        episode=name,
        at=at,
        game="hexagons",
        instance=image,
        settings=settings,
        seats=dict.fromkeys(seats, "person"),
        seed=0,
        retries=0,
        strict=False,
        version="0",
        schema=SCHEMA,
    )
    replay = EpisodeReplay(game, opened)
    left = {role: [*replies(game, image, role)] for role in seats}
    events: list[Any] = [opened]
    while (role := replay.turn) is not None:
        event: Any = Moved(episode=name, at=at, role=role, moves=left[role].pop(0).moves)
        replay.take_event(event)
        events.append(event)
    return Transcript(
        (*events, Closed(episode=name, at=at, reason="finished", result=game.result(replay.state)))
    )


def verified(name: str, source: Transcript, *boards: Board, at: float = 1.0) -> Transcript:
    """A game in which somebody paints these boards by the words of an author."""
    image = recorded_image(source)
    painted = replace(
        image,
        steps=tuple(replace(step, board=board) for step, board in zip(image.steps, boards, strict=True)),
    )
    return play_recorded(
        name,
        image,
        HexagonsSettings(mode="execute"),
        lambda game, _, role: gold_recorded_replies(game, image if role == "instructor" else painted, role),
        at,
    )


def collected(transcript: Transcript, who: str, number: int | None, continues: str = "") -> CollectedGame:
    role = "executor" if continues else "instructor"
    return CollectedGame(transcript=transcript, round=number, people={role: who}, continues=continues)


def test_the_games_of_a_study_become_files_that_are_read_like_the_published_ones(tmp_path: Path) -> None:
    one = aligned("one", ("a line", LINE), ("a flower", FLOWER), at=1)
    two = aligned("two", ("a line", LINE), ("a flower", FLOWER), at=2)
    alone = aligned("alone", ("a line", LINE), at=3)
    pilot = aligned("pilot", ("a line", LINE), at=0)
    games = [
        collected(pilot, "ann", None),
        collected(alone, "bob", 0),
        collected(two, "bob", 2),
        collected(one, "ann", 1),
        collected(verified("v4", two, LINE, LINE, at=9), "dan", 2, "two"),
        collected(verified("v5", two, LINE, FLOWER, at=10), "eve", 2, "two"),
        collected(verified("v0", one, MENDED, MENDED, at=4), "fay", None, "one"),
        collected(verified("v1", one, LINE, FLOWER, at=5), "dan", 1, "one"),
        collected(verified("v2", one, LINE, LINE, at=6), "dan", 1, "one"),
        collected(verified("v3", one, LINE, FLOWER, at=7), "eve", 1, "one"),
    ]
    written = collect_hexagons_data(games)
    assert "3 drawing procedures of 3 images by 2 instructors, 2 verified" in written.about
    for name, content in written.files.items():
        (tmp_path / name).write_bytes(content)
    images = {
        image.image: image
        for part in list_hexagons_splits(tmp_path)
        for image in read_data_images(tmp_path, part)
    }
    assert {name: image.round for name, image in images.items()} == {
        "image of one": 1,
        "image of two": 2,
        "image of alone": 0,
    }
    assert [images[f"image of {name}"].facts.tags for name in ("one", "two", "alone")] == [  # type: ignore[union-attr]
        ("A", "A"),
        ("A", "V2"),
        None,
    ], "two games of one person count once, and what belongs to no round not at all"
    assert [images[f"image of {name}"].facts.instructor for name in ("one", "two", "alone")] == [1, 2, 2]  # type: ignore[union-attr]
    told = "\n".join(hexagons_stats_lines(tmp_path))
    assert "action-based" in told
    assert "F1           87.50 [75.00, 100.00]  84.46 [74.71, 94.21]" in told
    assert "only tags and rounded board scores" not in told


def test_an_author_agrees_with_the_verifiers_and_each_verifier_with_the_author() -> None:
    one = aligned("one", ("a line", LINE), ("a flower", FLOWER))
    right, wrong = verified("v1", one, LINE, FLOWER), verified("v2", one, LINE, LINE)
    found = hexagons_agreement([one, right, wrong])
    assert found is not None
    assert found.games == pytest.approx(((1 + 0.855) / 2, 1.0, 0.855))
    assert found.tags == {"A": 1, "V1": 1}
    alone = hexagons_agreement([one, wrong])
    assert alone is not None
    assert alone.games == pytest.approx((0.855, 0.855))
    assert alone.tags == {}, "tags need two verifiers"


def test_procedures_of_several_authors_and_single_games_are_not_compared() -> None:
    one, two = aligned("one", ("a line", LINE)), aligned("two", ("a line", LINE))
    assert hexagons_agreement([one, two]) is None
    assert hexagons_agreement([one]) is None
