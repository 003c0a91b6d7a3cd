from collections import Counter
from importlib.resources import files

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundling.core.values import CANARY, Problem
from groundling.games.reference.make import LineupRecipe, builtin, make, make_reference_builtin
from groundling.games.reference.rules import Lineup
from groundling.games.reference.score import cluster
from groundling.games.reference.targets import DRAWN, count_possible_targets


def distances(lineup: Lineup) -> set[int]:
    return {lineup.grids[0].count_differing(other) for other in lineup.grids[1:]}


def only_emptied(lineup: Lineup) -> bool:
    return all(
        grid.letters_by_cell.items() <= lineup.grids[0].letters_by_cell.items() for grid in lineup.grids[1:]
    )


def test_the_built_in_file_is_what_the_generator_makes() -> None:
    lines = b"".join(msgspec.json.encode(lineup) + b"\n" for lineup in make_reference_builtin())
    assert files("groundling.games.reference").joinpath("builtin.jsonl").read_bytes() == lines
    assert builtin() == make_reference_builtin()


def test_the_built_in_set_has_18_lineups_at_two_edits_and_18_at_four() -> None:
    assert Counter((lineup.set, *distances(lineup)) for lineup in builtin()) == {
        ("edits-2", 2): 18,
        ("edits-4", 4): 18,
    }
    assert all(only_emptied(lineup) for lineup in builtin())
    assert len(set(DRAWN)) == 18


def test_the_targets_place_is_balanced_for_both_seats() -> None:
    for name in ("edits-2", "edits-4"):
        members = [lineup for lineup in builtin() if lineup.set == name]
        assert Counter(lineup.answer for lineup in members) == {1: 6, 2: 6, 3: 6}
        assert Counter(lineup.giver.index(0) for lineup in members) == {0: 6, 1: 6, 2: 6}


def test_every_built_in_lineup_carries_the_canary() -> None:
    assert {lineup.canary for lineup in builtin()} == {CANARY}


@given(
    st.builds(
        LineupRecipe,
        seed=st.integers(0, 2**64),
        n=st.integers(2, 12),
        size=st.integers(3, 12),
        distractors=st.integers(2, 8),
        edits=st.sampled_from(["1", "2", "1-2", "2,4", "3-5", "1-9"]),
        fill=st.booleans(),
        crossed=st.booleans(),
    )
)
def test_whatever_is_asked_for_is_what_is_made(recipe: LineupRecipe) -> None:
    made = make(recipe)
    assert made == make(recipe)
    parts = recipe.edits.split(",")
    assert len(made) == recipe.n * (len(parts) * (recipe.distractors + 1) if recipe.crossed else 1)
    assert len({lineup.id for lineup in made}) == len(made)
    for lineup in made:
        low, _, high = lineup.set.removeprefix("edits-").partition("-")
        assert len(lineup.grids) == recipe.distractors + 1
        assert {grid.size for grid in lineup.grids} == {recipe.size}
        assert all(grid.letters_by_cell for grid in lineup.grids)
        assert distances(lineup) <= set(range(int(low), int(high or low) + 1))
        assert recipe.fill or only_emptied(lineup)
    for name in {lineup.set for lineup in made}:
        places = Counter(lineup.answer for lineup in made if lineup.set == name)
        counts = [places[place] for place in range(1, recipe.distractors + 2)]
        assert max(counts) - min(counts) <= 1


def test_edits_that_fill_do_fill() -> None:
    assert not all(only_emptied(lineup) for lineup in make(LineupRecipe(n=20, fill=True)))


def test_another_seed_gives_other_lineups() -> None:
    assert make(LineupRecipe(seed=1)) != make(LineupRecipe(seed=2))


def test_crossed_puts_every_target_at_every_distance_in_every_place() -> None:
    made = make(LineupRecipe(n=200, crossed=True, seed=3))
    assert len(made) == 200 * 2 * 3
    assert len({lineup.grids[0] for lineup in made}) == 200
    cells = Counter((lineup.grids[0], lineup.set, lineup.answer) for lineup in made)
    assert len(cells) == len(made)
    assert len({cluster(lineup) for lineup in made}) == 400, "the three places of one lineup are one cluster"
    assert Counter(Counter(lineup.group for lineup in made).values()) == {6: 200}


def test_an_id_does_not_tell_the_place() -> None:
    made = [lineup for lineup in make(LineupRecipe(n=60, crossed=True)) if lineup.set == "edits-2"]
    by_number = Counter((number % 3, lineup.answer) for number, lineup in enumerate(made))
    assert max(by_number.values()) < 40


@pytest.mark.parametrize(
    ("recipe", "why"),
    [
        ({"size": 3, "edits": "9"}, "no 3x3 grid"),
        ({"size": 3, "edits": "10", "fill": True}, "no 3x3 grid"),
        ({"size": 3, "edits": "8", "distractors": 8, "n": 27}, "only 26 such targets"),
        ({"edits": "0"}, "no number of edits"),
        ({"edits": "4-2"}, "no number of edits"),
        ({"edits": "two"}, "no number of edits"),
        ({"edits": "2,2"}, "twice"),
        ({"n": 1}, "cannot be shared"),
    ],
)
def test_the_impossible_is_refused_before_anything_is_made(recipe: dict[str, object], why: str) -> None:
    with pytest.raises(Problem, match=why):
        make(LineupRecipe(**recipe))  # type: ignore[arg-type]


def test_the_last_possible_target_is_still_found() -> None:
    recipe = LineupRecipe(size=3, edits="8", distractors=8, n=26)
    assert count_possible_targets(3, 9) == 26
    assert len({lineup.grids[0] for lineup in make(recipe)}) == 26
