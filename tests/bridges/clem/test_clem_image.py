"""clembench's image game, replayed: what its rules say, sentence by sentence."""

from __future__ import annotations

from math import isnan
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.bridges.clem.examples import EMPTY, grid, image, old_image, published, published_files

from groundling.bridges.clem import NoScores, replay

TARGET = grid("XX", "X")
SAID = "Command: two in the first row"
DONE = "Command: DONE"


def play(*replies: str, **fields: Any) -> tuple[list[dict[str, float]], dict[str, float]]:
    return replay("imagegame", image(**fields), replies)


def likeness(scores: dict[str, float]) -> tuple[float, float, float]:
    return scores["Precision"], scores["Recall"], scores["F1"]


def test_a_drawn_target_wins() -> None:
    turns, episode = play(SAID, grid("XX"), "Command: X below", TARGET, DONE)
    assert turns == [
        {
            "Generated Expression Length": 29,
            "Generated Expression Number of Tokens": 6,
            "Precision": 100,
            "Recall": 67,
            "F1": 80,
            "Changed Cell Count": 2,
        },
        {
            "Generated Expression Length": 16,
            "Generated Expression Number of Tokens": 3,
            "Precision": 100,
            "Recall": 100,
            "F1": 100,
            "Changed Cell Count": 1,
        },
    ]
    assert episode == {
        "Precision": 100,
        "Recall": 100,
        "F1": 100,
        "Main Score": 100,
        "Average Changed Cell Count": 1.5,
        "Average Generated Instruction Length": 22.5,
        "Average Generated Expression Number of Tokens": 4.5,
        "Success": 1,
        "Lose": 0,
        "Aborted": 0,
    }


def test_the_last_grid_counts_and_a_poor_one_loses() -> None:
    episode = play(SAID, TARGET, SAID, grid("XXX"), DONE)[1]
    assert likeness(episode) == (67, 67, 67)
    assert (episode["Main Score"], episode["Success"], episode["Lose"]) == (67, 0, 1)


@pytest.mark.parametrize(
    "replies", [["no tag"], [SAID, "no grid"], [SAID, TARGET, "no tag"], [SAID, TARGET, SAID, "no grid"]]
)
def test_one_malformed_reply_aborts_and_the_turns_before_it_keep_their_scores(replies: list[str]) -> None:
    turns, episode = play(*replies)
    assert [likeness(turn) for turn in turns] == [(100, 100, 100)] * (len(replies) > 2)
    assert {name: value for name, value in episode.items() if not isnan(value)} == {
        "Success": 0,
        "Lose": 0,
        "Aborted": 1,
    }
    assert len(episode) == 10


@pytest.mark.parametrize(
    ("said", "fits"),
    [
        ("Command: a", True),
        ("COMMAND: a", True),
        ("Command: a\n", True),
        ("Command:  a", True),
        ("Command: a\n\n", False),
        ("Command: a\nb", False),
        ("\nCommand: a", False),
        (" Command: a", False),
        ("Command:a", False),
        ("Command : a", False),
        ("Command: ", False),
        ("Command:\ta", False),
        ("Instruction: a", False),
        ("a", False),
    ],
)
def test_an_instruction_is_one_line_with_its_tag_and_a_blank(said: str, fits: bool) -> None:
    assert play(said, TARGET, DONE)[1]["Aborted"] == (not fits)


@pytest.mark.parametrize(
    "done", ["Command: DONE", "command: done", "Command:DONE", "\n Command :\n Done \n\n"]
)
def test_done_ends_whatever_its_case_and_blanks_and_is_no_turn(done: str) -> None:
    assert play(SAID, TARGET, done) == play(SAID, TARGET, DONE)
    assert len(play(SAID, TARGET, done)[0]) == 1


@pytest.mark.parametrize("said", ["Command: DONE.", "Command: DONE!", "Command: I am DONE"])
def test_done_with_anything_more_is_an_instruction(said: str) -> None:
    turns, episode = play(SAID, TARGET, said, grid("X"), DONE)
    assert len(turns) == 2
    assert episode["F1"] == 50


def test_done_without_its_tag_is_malformed() -> None:
    assert play(SAID, TARGET, "DONE")[1]["Aborted"] == 1


def test_done_as_the_first_reply_has_no_scores() -> None:
    with pytest.raises(NoScores, match="first reply is DONE"):
        play(DONE)


@pytest.mark.parametrize("replies", [[], [SAID], [SAID, TARGET], [SAID, TARGET, SAID]])
def test_a_game_that_is_not_over_has_no_scores(replies: list[str]) -> None:
    with pytest.raises(NoScores, match="end before the game"):
        play(*replies)


def test_a_game_ends_after_fifty_rounds_and_is_scored_as_any_other() -> None:
    turns, episode = play(*[SAID, grid("X")] * 49, SAID, TARGET, SAID, "never asked")
    assert len(turns) == 50
    assert (episode["F1"], episode["Success"], episode["Aborted"]) == (100, 1, 0)
    assert episode["Average Changed Cell Count"] == round((1 + 48 * 0 + 2) / 50, 4)


def test_the_number_of_rounds_is_twice_that_of_the_cells() -> None:
    small = old_image("X ▢\n▢ ▢", grid_dimension=2)
    turns, _ = replay("imagegame", small, ["Instruction: a", "X ▢\n▢ ▢"] * 9)
    assert len(turns) == 8


@pytest.mark.parametrize(
    "drawn",
    [
        TARGET.lower(),
        TARGET.replace("▢", "□"),
        TARGET.replace("▢", "."),
        f"```\n{TARGET}\n```",
        f"Here it is:\n{TARGET}",
        TARGET + " ",
        " " + TARGET,
        TARGET + "\n▢ ▢ ▢ ▢ ▢",
        TARGET.rpartition("\n")[0],
        TARGET.replace(" ", ""),
        TARGET.replace(" ", "  "),
        TARGET.replace("\n", "\n\n"),
        "",
    ],
)
def test_a_grid_is_rows_of_capitals_and_empty_cells_and_nothing_else(drawn: str) -> None:
    assert play(SAID, drawn, DONE)[1]["Aborted"] == 1


@pytest.mark.parametrize("drawn", [f"\n\n{TARGET}", f"{TARGET}\n\n", f"\n{TARGET}\n"])
def test_line_ends_around_a_grid_are_free(drawn: str) -> None:
    assert play(SAID, drawn, DONE) == play(SAID, TARGET, DONE)


@pytest.mark.parametrize("white", ["\t", "\n", "\r", "\u2003"])
@pytest.mark.parametrize("count", [1, -1])
def test_other_white_space_between_cells_passes_and_scores_nothing(white: str, count: int) -> None:
    turns, episode = play(SAID, TARGET, SAID, TARGET.replace(" ", white, count), DONE)
    assert likeness(turns[1]) == (0, 0, 0)
    assert turns[1]["Changed Cell Count"] == 0
    assert (episode["F1"], episode["Aborted"], episode["Lose"]) == (0, 0, 1)


def test_where_only_a_later_row_does_not_split_the_previous_scores_stay() -> None:
    broken = TARGET[:-1].rpartition(" ")[0] + "\t▢"
    turns, _ = play(SAID, grid("X"), SAID, broken, SAID, TARGET, DONE)
    assert [likeness(turn) for turn in turns] == [(100, 33, 50), (100, 33, 50), (100, 100, 100)]
    # Its last row then has a cell less, which is a "▢\t▢".
    assert [turn["Changed Cell Count"] for turn in turns] == [1, 0, 1]


def test_an_empty_grid_keeps_the_scores_of_the_turn_before() -> None:
    turns, episode = play(SAID, EMPTY, SAID, grid("X"), SAID, EMPTY, DONE)
    assert [likeness(turn) for turn in turns] == [(0, 0, 0), (100, 33, 50), (100, 33, 50)]
    assert [turn["Changed Cell Count"] for turn in turns] == [0, 1, 1]
    assert likeness(episode) == (100, 33, 50)


def test_an_empty_target_is_never_scored() -> None:
    assert likeness(play(SAID, grid("X"), SAID, EMPTY, DONE, target=EMPTY)[1]) == (0, 0, 0)


@pytest.mark.parametrize(
    ("wanted", "drawn", "told"),
    [
        # 1 of 8 is 12.5, and 5 of 8 is 62.5: halves go to the even number
        (grid("XXXXX", "XXX"), grid("X"), (100, 12, 22)),
        (grid("XXXXX", "XXX"), grid("XXXXX"), (100, 62, 77)),
        (grid("XXXXX", "XXX"), grid("XXX"), (100, 38, 55)),
        # F1 of 0.3 and 0.5 is 0.37499999999999994, which is 0.375 in four places
        (grid("XXXXX", "X"), grid("XXX..", "..XXX", "XXXX"), (30, 50, 38)),
        # F1 of 0.5556 and 0.7143 is 0.6250336, which is 0.625 in four places
        (grid("XXXXX", "XX"), grid("XXXXX", "..XXX", "X"), (56, 71, 62)),
        (grid("XX", "X"), grid("YY", "Y"), (0, 0, 0)),
        (grid("XX", "X"), grid("XY", "X"), (67, 67, 67)),
    ],
)
def test_numbers_are_rounded_as_its_are(wanted: str, drawn: str, told: tuple[float, ...]) -> None:
    assert likeness(play(SAID, drawn, DONE, target=wanted)[1]) == told


def test_success_begins_at_99() -> None:
    """A grid of 5 by 5 cannot come so near, one of 10 by 10 can."""
    full = [["X"] * 10 for _ in range(10)]
    for wrong, told in ((1, (99, 1, 0)), (2, (98, 0, 1))):
        drawn = [list(row) for row in full]
        for place in range(wrong):
            drawn[0][place] = "Y"
        texts = ["\n".join(" ".join(row) for row in cells) for cells in (full, drawn)]
        episode = replay(
            "imagegame",
            old_image(texts[0], grid_dimension=10),
            ["Instruction: a", texts[1], "Instruction: DONE"],
        )[1]
        assert (episode["F1"], episode["Success"], episode["Lose"]) == told


@pytest.mark.parametrize(
    ("said", "length", "tokens"),
    [
        ("Command: a b", 12, 3),
        ("command: a  b.", 14, 4),
        ("Command: a\n", 10, 2),
        ("Command: a   ", 10, 2),
        ("Command: Instruction: a", 11, 3),
        ("Command: instruction: a", 23, 3),
    ],
)
def test_lengths_count_the_tag_and_leave_out_a_word_that_is_no_longer_the_tag(
    said: str, length: int, tokens: int
) -> None:
    (turn,), episode = play(said, TARGET, DONE)
    assert (turn["Generated Expression Length"], turn["Generated Expression Number of Tokens"]) == (
        length,
        tokens,
    )
    assert episode["Average Generated Instruction Length"] == length
    assert episode["Average Generated Expression Number of Tokens"] == tokens


def test_averages_are_rounded_to_four_places() -> None:
    episode = play("Command: a", grid("X"), "Command: a", grid("X"), "Command: a b", grid("XX"), DONE)[1]
    assert episode["Average Changed Cell Count"] == 0.6667
    assert episode["Average Generated Instruction Length"] == 10.6667
    assert episode["Average Generated Expression Number of Tokens"] == 2.3333


def test_v0_9_and_v1_0_are_read_with_their_own_tag() -> None:
    turns, episode = replay(
        "imagegame",
        old_image(TARGET),
        ["instruction: a b", TARGET, "Instruction: a b", TARGET, "INSTRUCTION: done"],
    )
    assert [turn["Generated Expression Length"] for turn in turns] == [16, 3]
    assert [turn["Generated Expression Number of Tokens"] for turn in turns] == [3, 2]
    assert episode["Success"] == 1
    for said in ("Command: a", "Instruction:a", "Instruction: a\nb"):
        assert replay("imagegame", old_image(TARGET), [said])[1]["Aborted"] == 1


def test_a_target_may_end_with_a_line_end() -> None:
    assert play(SAID, TARGET, DONE, target=TARGET + "\n") == play(SAID, TARGET, DONE)


@pytest.mark.parametrize(("size", "changed"), [(3, 0), (5, 25), (6, 25)])
def test_the_first_change_is_counted_against_five_by_five(size: int, changed: int) -> None:
    full = "\n".join([" ".join("X" * size)] * size)
    turns, _ = replay(
        "imagegame", old_image(full, grid_dimension=size), ["Instruction: all", full, "Instruction: DONE"]
    )
    assert turns[0]["Changed Cell Count"] == changed


cells = st.lists(st.lists(st.sampled_from("XY▢"), min_size=5, max_size=5), min_size=5, max_size=5)


@given(cells, st.lists(cells, min_size=1, max_size=4))
def test_changes_and_likeness_are_those_of_the_cells(
    target: list[list[str]], drawings: list[list[list[str]]]
) -> None:
    texts = ["\n".join(" ".join(row) for row in drawn) for drawn in (target, *drawings)]
    replies = [reply for drawn in texts[1:] for reply in (SAID, drawn)]
    turns, episode = play(*replies, DONE, target=texts[0])
    before = [["▢"] * 5 for _ in range(5)]
    for turn, drawn in zip(turns, drawings, strict=True):
        flat, wanted, old = ([cell for row in rows for cell in row] for rows in (drawn, target, before))
        assert turn["Changed Cell Count"] == sum(a != b for a, b in zip(flat, old, strict=True))
        filled = sum(cell != "▢" for cell in flat)
        right = sum(a == b != "▢" for a, b in zip(flat, wanted, strict=True))
        if filled and any(cell != "▢" for cell in wanted):
            assert abs(turn["Precision"] - 100 * right / filled) <= 0.51
            assert abs(turn["F1"] - 200 * right / (filled + sum(cell != "▢" for cell in wanted))) <= 0.52
        before = drawn
    assert likeness(episode) == likeness(turns[-1])


@published
def test_every_published_target_can_be_drawn_in_one_turn() -> None:
    files = {name: found for name, found in published_files().items() if name.startswith("imagegame")}
    assert {name.partition("/")[2]: len(found) for name, found in files.items()} == {
        "instances": 59,
        "instances_v0.9": 40,
        "instances_v1.0": 40,
        "instances_v1.6": 40,
    }
    for name, instances in files.items():
        tag = "Instruction:" if name.endswith(("v0.9", "v1.0")) else "Command:"
        for instance in instances:
            target = instance["target_grid"]
            turns, episode = replay("imagegame", instance, [f"{tag} this", target, f"{tag} DONE"])
            assert (episode["Success"], episode["Main Score"]) == (1, 100)
            assert turns[0]["Changed Cell Count"] == 25 - target.count("▢")
            assert replay("imagegame", instance, [f"{tag}this"])[1]["Aborted"] == 1
