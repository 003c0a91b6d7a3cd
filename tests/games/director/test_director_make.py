from collections import Counter
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.games.director.verdict import verdict

from groundling.core.values import Problem
from groundling.games.director.make import builtin, make, make_director_builtin
from groundling.games.director.recipe import RULES, SELECTS, SampleRecipe, count_recipe_strata, recipe_designs
from groundling.games.director.rules import Sample
from groundling.runs.instances import encode_instances

REFERENCE = SampleRecipe(n=400, like_reference=True, seed=5)


def test_the_built_in_file_is_what_the_generator_makes() -> None:
    data = files("groundling.games.director").joinpath("builtin.jsonl").read_bytes()
    assert data == encode_instances(make_director_builtin())
    assert len(builtin()) == 48
    assert [verdict(sample) for sample in builtin()] == [None] * 48


@given(
    st.builds(
        SampleRecipe,
        seed=st.integers(0, 2**64),
        n=st.integers(1, 8).map(lambda half: 2 * half),
        columns=st.integers(2, 8),
        rows=st.integers(2, 8),
        fill=st.integers(0, 10).map(lambda tenths: tenths / 10),
        related_test=st.floats(0, 1),
        related_control=st.floats(0, 1),
        hidden=st.floats(0, 1),
        panels=st.floats(0, 1),
        physics=st.floats(0, 1),
        frames=st.sampled_from(["both", "matter"]),
        distractor=st.sampled_from(["strict", "tie", "any"]),
        twins=st.booleans(),
        like_reference=st.booleans(),
    )
)
def test_whatever_is_asked_for_is_made_or_refused(recipe: SampleRecipe) -> None:
    assume(not recipe.like_reference or recipe.distractor != "tie")
    try:
        made = make(recipe)
    except Problem as why:
        made = []
        refused = str(why)
    if not made:
        assert refused.startswith("cannot make ")
        return
    assert len(made) == len({sample.id for sample in made}) == recipe.n
    distractor = "any" if recipe.like_reference else recipe.distractor
    for sample in made:
        assert verdict(sample, distractor) is None, sample
        assert (sample.shelf.columns, sample.shelf.rows) == (recipe.columns, recipe.rows)


@pytest.mark.parametrize("distractor", ["strict", "tie", "any"])
@pytest.mark.parametrize("twins", [True, False])
def test_every_fill_and_every_shelf_works_or_is_refused_for_too_few_items(
    distractor: str, twins: bool
) -> None:
    for columns, rows in ((2, 2), (2, 8), (3, 5), (8, 2), (8, 8)):
        for tenths in range(1, 11):
            recipe = SampleRecipe(
                n=4,
                columns=columns,
                rows=rows,
                fill=tenths / 10,
                distractor=distractor,  # type: ignore[arg-type]
                twins=twins,
            )
            items = round(columns * rows * tenths / 10 + 1e-9)
            if items >= 2:
                assert [verdict(sample, distractor) for sample in make(recipe)] == [None] * 4
            else:
                with pytest.raises(Problem, match="too few"):
                    make(recipe)


@pytest.mark.no_cover
@pytest.mark.slow
@pytest.mark.parametrize("options", [{}, {"like_reference": True}, {"twins": False}])
def test_of_ten_thousand_samples_none_is_wrong_and_none_ambiguous(options: dict[str, Any]) -> None:
    found = Counter(verdict(sample, "any") for sample in make(SampleRecipe(n=10_000, seed=2026, **options)))
    assert found == {None: 10_000}


def test_the_same_seed_gives_the_same_bytes() -> None:
    for options in ({}, {"like_reference": True}, {"distractor": "any"}):
        recipe = SampleRecipe(n=40, seed=9, **options)
        assert encode_instances(make(recipe)) == encode_instances(make(recipe))
        other = msgspec.structs.replace(recipe, seed=10)
        assert encode_instances(make(recipe)) != encode_instances(make(other))


def test_twins_differ_in_what_the_rival_is_and_in_nothing_else() -> None:
    made = make(SampleRecipe(n=80, seed=1))
    groups: dict[str, list[Sample]] = {}
    for sample in made:
        groups.setdefault(sample.group, []).append(sample)
    assert Counter(map(len, groups.values())) == {4: 20}
    for group in groups.values():
        assert Counter(sample.kind for sample in group) == {"test": 2, "control": 2}
        for test in (sample for sample in group if sample.kind == "test"):
            (control,) = [
                sample for sample in group if sample.kind == "control" and sample.target == test.target
            ][:1]
            same = [
                control
                for control in group
                if control.kind == "control" and control.shelf.hidden == test.shelf.hidden
            ]
            control = same[0]
            (rival,) = test.rivals
            assert {
                cell
                for cell in test.shelf.cells
                if test.shelf.items.get(cell) != control.shelf.items.get(cell)
            } == {rival}
            assert not test.request.tags <= control.shelf.items[rival].tags
            assert (test.request, test.words, test.target) == (control.request, control.words, control.target)
            mirrors = [sample for sample in group if sample.shelf == test.shelf.mirrored()]
            assert mirrors[0].kind == "test"
            assert (mirrors[0].words == test.words) == (test.rule != "spatial_different_perspective")


def test_shares_are_exact() -> None:
    made = make(SampleRecipe(n=1000, twins=False, distractor="any", control=0.3, physics=0.4, seed=8))
    assert Counter(sample.kind for sample in made) == {"control": 300, "test": 700}
    assert Counter((sample.kind, sample.rule) for sample in made) == {
        **{("control", rule): 75 for rule in RULES},
        **{("test", rule): 175 for rule in RULES},
    }
    assert Counter(sample.physics for sample in made) == {True: 400, False: 600}
    assert Counter(sample.request.frame for sample in made) == {"participant": 500, "director": 500}
    sides = Counter(sample.request.select for sample in made)
    assert all(abs(sides[select] - sides[other]) <= 8 for select, other in SELECTS.values())


def test_strict_tests_have_a_superlative_and_the_share_goes_to_the_others() -> None:
    recipe = SampleRecipe(n=1200, twins=False, rules="none=0.4,size_related=0.4,spatial_same_perspective=0.2")
    made = make(recipe)
    assert Counter(sample.rule for sample in made if sample.kind == "test") == {
        "size_related": 400,
        "spatial_same_perspective": 200,
    }
    assert Counter(sample.rule for sample in made if sample.kind == "control")["none"] == 240
    (note,) = recipe.notes()
    assert "no test asks" in note
    assert "(0.4)" in note
    assert msgspec.structs.replace(recipe, distractor="tie").notes() == []


def test_like_the_reference_there_are_8_items_9_in_controls_without_a_rule_and_6_panels() -> None:
    made = make(REFERENCE)
    assert {sample.set for sample in made} == {"control", "test"}
    for sample in made:
        assert len(sample.shelf.items) == (9 if (sample.kind, sample.rule) == ("control", "none") else 8)
        assert len(sample.shelf.hidden) == 6
        fitting = [cell for cell, item in sample.shelf.items.items() if sample.request.tags <= item.tags]
        assert len(fitting) == (1 if (sample.kind, sample.rule) == ("control", "none") else 3)
    ties = [verdict(sample, "tie") is None for sample in made if sample.kind == "test"]
    assert 0.6 < sum(ties) / len(ties) < 0.9, "about three of four merely tie"


def test_ties_are_a_set_of_their_own_unless_the_reference_is_followed() -> None:
    made = make(SampleRecipe(n=200, distractor="any", seed=4))
    for sample in made:
        ties = sample.kind == "test" and verdict(sample, "tie") is None
        apart = "tie-none" if sample.rule == "none" else "tie"
        assert sample.set == (apart if ties else sample.kind)
    assert {sample.set for sample in make(SampleRecipe(n=40, distractor="tie"))} == {
        "control",
        "tie",
        "tie-none",
    }


def test_a_sweep_makes_a_set_for_each_combination() -> None:
    made = make(SampleRecipe(n=8, sweep=("related=0.3,0.5,0.7,0.9", "fill=0.5,0.9")))
    sets = Counter(sample.set for sample in made)
    assert len(sets) == 16
    assert set(sets.values()) == {4}
    crowded = [sample for sample in made if sample.set == "test related=0.9 fill=0.9"]
    for sample in crowded:
        assert len(sample.shelf.items) == 14
        assert sum(sample.request.tags <= item.tags for item in sample.shelf.items.values()) == 13
        assert verdict(sample) is None


def test_frames_are_said_only_where_they_matter_if_that_is_wanted() -> None:
    for sample in make(SampleRecipe(n=80, frames="matter")):
        assert ("point of view" in sample.words) == (sample.rule == "spatial_different_perspective")


def test_ids_tell_nothing() -> None:
    made = make(SampleRecipe(n=400, seed=6))
    assert [sample.id for sample in made] == [f"shelf-{number:03d}" for number in range(1, 401)]
    kinds = [sample.kind for sample in made]
    assert 150 < sum(one != other for one, other in pairwise(kinds)) < 250, "in no order"


@pytest.mark.parametrize(
    ("recipe", "why"),
    [
        ({"n": 0}, "n is 0"),
        ({"n": -1}, "n is -1"),
        ({"n": 5}, "twins come in pairs"),
        ({"control": 0.2}, "add --no-twins"),
        ({"rules": "none"}, "choose tie or any"),
        ({"rules": "upside_down=1"}, "no rule 'upside_down'"),
        ({"rules": "none=2,size_related=-1"}, "'2' is no share"),
        ({"rules": "size_related=0.4"}, "add up to 0.4"),
        ({"rules": "none=0.5,none=0.5"}, "named twice"),
        (
            {"columns": 2, "rows": 2, "fill": 0.1},
            "test, .* on 2 by 2: fill 0.1 of 4 cells makes 0 items, too few",
        ),
        ({"panels": 1.0}, "16 of 16 cells would have a panel, but 2 must be open"),
        (
            {"related_test": 1.0, "fill": 1.0},
            "15 related items beside the target leave it no place on 4 by 4",
        ),
        ({"sweep": ("fill=1.5",)}, "fill=1.5"),
        ({"sweep": ("seed=1",)}, "write OPTION=VALUE"),
        ({"sweep": ("fill=0.5", "fill=0.6")}, "names an option twice"),
        ({"sweep": ("fill=0.5,0.5",)}, "named twice"),
        ({"sweep": ("fill=",)}, "write OPTION=VALUE"),
    ],
)
def test_the_impossible_is_refused_with_the_reason(recipe: dict[str, Any], why: str) -> None:
    with pytest.raises(Problem, match=why):
        make(SampleRecipe(**recipe))


def test_feasibility_is_looked_at_before_anything_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    def place(self: object, rng: object) -> None:
        raise AssertionError("something was made")

    monkeypatch.setattr("groundling.games.director.shelf_placer.ShelfPlacer.place_items", place)
    with pytest.raises(Problem, match=r"related=1\.0"):
        make(SampleRecipe(n=8, fill=1.0, sweep=("related=0.3,1.0",)))


def test_items_of_ones_own_are_asked_for_by_their_own_words(tmp_path: Path) -> None:
    sheet = {
        "properties": [
            {"name": "stuff", "role": "category", "one": "keepsake", "many": "keepsakes", "generic": True},
            {"name": "coin", "role": "category", "one": "coin", "many": "coins"},
            {"name": "shell", "role": "category", "one": "sea shell", "many": "sea shells"},
            {"name": "shiny", "role": "quality", "adjective": "shiny", "rank": 1},
            {
                "name": "floats",
                "role": "quality",
                "clause": "that floats",
                "clauses": "that float",
                "physics": True,
            },
        ],
        "items": [
            {
                "name": f"{kind} {size}",
                "drawing": "book",
                "size": size,
                "category": [kind],
                "colour": [],
                "material": [],
                "quality": own if size > 1 else [],
            }
            for kind, own in (("coin", ["shiny"]), ("shell", ["floats"]))
            for size in (1, 2, 3, 4)
        ],
    }
    file = tmp_path / "items.json"
    file.write_bytes(msgspec.json.encode(sheet))
    made = make(SampleRecipe(n=40, items=str(file)))
    assert any("sea shell that floats" in sample.words for sample in made)
    assert {verdict(sample) for sample in made} == {None}
    sheet["items"][0]["quality"] = ["sparkling"]  # type: ignore[index]
    file.write_bytes(msgspec.json.encode(sheet))
    with pytest.raises(Problem, match="'sparkling'"):
        make(SampleRecipe(n=40, items=str(file)))


def test_strata_add_up() -> None:
    (design,) = recipe_designs(SampleRecipe(n=202))
    assert sum(count for _, count in count_recipe_strata(design)) == 51, (
        "the last of the groups of four has only two"
    )
    assert len(make(SampleRecipe(n=202))) == 202
