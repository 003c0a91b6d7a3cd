import json
import os
from collections import Counter
from functools import cache
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundling.boards.hexes import COLOURS, POINT_GROUP, TILES, Board, is_on_lattice, make_shift
from groundling.core.values import CANARY, Problem
from groundling.games.hexagons.families.canonical_form import (
    canonical_cells,
    canonical_fingerprint,
    canonical_symmetries,
    canonical_symmetry_group,
)
from groundling.games.hexagons.families.conditions import has_condition_period, sample_condition_keys
from groundling.games.hexagons.families.image_checks import check_image, connected_image_pieces
from groundling.games.hexagons.families.sampling import ProgramDraft, ProgramSampler
from groundling.games.hexagons.image import HexagonsImage
from groundling.games.hexagons.make import (
    FAMILIES,
    ImageRecipe,
    builtin,
    make,
    make_hexagons_builtin,
    published_fingerprints,
)
from groundling.games.hexagons.program import format_program, interpret_program, parse_statements, run_program
from groundling.runs.instances import encode_instances

DATA = Path(os.environ.get("GROUNDLING_DATA", "../shared/data")) / "hexagons"
GALLERY = builtin()

patches = st.dictionaries(
    st.sampled_from([(r, c) for r, c in TILES if 4 <= r <= 6 and 8 <= c <= 11]), st.sampled_from(COLOURS[1:])
)


def test_the_gallery_is_what_its_recipe_makes() -> None:
    assert encode_instances(GALLERY) == encode_instances(make_hexagons_builtin())


def test_the_gallery_is_large_enough_and_marked() -> None:
    counts = Counter(image.set for image in GALLERY)
    assert len(GALLERY) >= 100
    assert set(counts) == set(FAMILIES)
    assert min(counts.values()) >= 12
    assert all(image.canary == CANARY for image in GALLERY)


def test_each_image_is_what_its_program_draws() -> None:
    for image in GALLERY:
        program = parse_statements(image.program)
        assert format_program(program) == image.program
        drawn = interpret_program(program)
        assert drawn.board == image.target, image.id
        assert not drawn.is_clipped, image.id


def test_no_image_comes_twice_and_none_is_a_published_one() -> None:
    marks = [canonical_fingerprint(image.target) for image in GALLERY]
    assert len(set(marks)) == len(marks)
    assert not published_fingerprints() & set(marks)


def test_ids_tell_nothing() -> None:
    order = [image.set for image in sorted(GALLERY, key=lambda image: image.id)]
    changes = sum(a != b for a, b in pairwise(order))
    assert changes > len(FAMILIES) * 3


@pytest.mark.parametrize("family", FAMILIES)
def test_the_same_seed_gives_the_same_images(family: str) -> None:
    one, same, other = (make(ImageRecipe(family=family, n=2, seed=seed)) for seed in (3, 3, 4))  # type: ignore[arg-type]
    assert one == same != other


@pytest.mark.parametrize(
    ("family", "colours"), [("objects", 2), ("composed", 2), *((family, 3) for family in FAMILIES)]
)
def test_images_have_as_many_colours_as_were_asked_for(family: str, colours: int) -> None:
    made = make(ImageRecipe(family=family, n=1, colours=colours))  # type: ignore[arg-type]
    assert {len(set(image.target.painted_tiles().values())) for image in made} == {colours}


@pytest.mark.slow
def test_a_key_and_what_goes_with_it_need_three_colours() -> None:
    with pytest.raises(Problem, match="no more than 0 images"):
        make(ImageRecipe(family="conditions", n=1, colours=2))


@pytest.mark.parametrize("family", ["objects", "symmetry"])
def test_larger_images_have_more_tiles(family: str) -> None:
    small, large = (
        sum(image.target.painted_count for image in make(ImageRecipe(family=family, n=6, size=size)))  # type: ignore[arg-type, misc]
        for size in (1, 3)
    )
    assert small < large


def test_what_cannot_be_found_is_a_problem() -> None:
    with pytest.raises(Problem, match=r"no more than \d+ images of the family 'objects' were found"):
        make(ImageRecipe(family="objects", n=2, colours=7))


@cache
def more() -> list[HexagonsImage]:
    return make(ImageRecipe(n=14, seed=11))


def of_family(name: str) -> list[HexagonsImage]:
    return [image for image in [*GALLERY, *more()] if image.set == name]


def test_symmetric_images_are_symmetric_and_functions_are_not() -> None:
    for image in of_family("symmetry"):
        called = "define" in image.program
        assert (canonical_symmetry_group(image.target) == "C1") == called, image.program


def test_lengths_of_conditional_iterations_differ() -> None:
    for image in of_family("conditional"):
        lengths = {run for run in interpret_program(parse_statements(image.program)).runs if run}
        assert len(lengths) > 1, image.program


def test_bounded_iterations_stop_of_themselves() -> None:
    for image in of_family("bounded"):
        assert "repeat" in image.program
        assert "until" not in image.program


def test_conditions_are_not_symmetric_by_accident() -> None:
    assert {canonical_symmetry_group(image.target) for image in of_family("conditions")} == {"C1"}


def test_recursive_images_come_from_programs_that_recur_or_grow() -> None:
    for image in of_family("recursion"):
        assert "define" in image.program or "grow" in image.program or "counting" in image.program


@given(st.integers(0, 1000), st.integers(5, 12))
def test_keys_have_no_period(seed: int, count: int) -> None:
    order = sample_condition_keys(ProgramSampler(Random(seed)), ["red", "blue"], count)
    assert not has_condition_period(order)
    assert set(order) == {"red", "blue"}


@pytest.mark.parametrize("order", ["abab", "ababa", "aaaa", "abcabc", "abba", "aabaa"])
def test_a_period_is_found(order: str) -> None:
    assert has_condition_period(order)


@given(
    patches,
    st.sampled_from(POINT_GROUP),
    st.permutations(COLOURS[1:]),
    st.sampled_from([(5, 9), (4, 8), (6, 10), (5, 6)]),
)
def test_the_canonical_form_forgets_place_turn_mirror_and_colours(
    patch: dict[tuple[int, int], str], motion: object, names: list[str], to: tuple[int, int]
) -> None:
    renamed = dict(zip(COLOURS[1:], names, strict=True))
    centre = make_shift((5, 9), (1, 1)).followed_by(motion).followed_by(make_shift((1, 1), to))  # type: ignore[arg-type]
    moved = {centre(tile): renamed[colour] for tile, colour in patch.items()}
    assert all(map(is_on_lattice, moved))
    assert canonical_cells(Board.from_tiles(moved)) == canonical_cells(Board.from_tiles(patch))


@given(patches, patches)
def test_the_canonical_form_keeps_everything_else(
    a: dict[tuple[int, int], str], b: dict[tuple[int, int], str]
) -> None:
    if Counter(Counter(a.values()).values()) != Counter(Counter(b.values()).values()):
        assert canonical_cells(Board.from_tiles(a)) != canonical_cells(Board.from_tiles(b))


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("paint red flower 5,9", "D6"),
        ("rotate 6 about 5,9:\n    paint red line (5,9 up 2) up-right 2", "C6"),
        ("rotate 3 about 5,9:\n    paint red line 5,9 up 3", "D3"),
        ("paint red line 5,9 up 3", "D2"),
        ("paint red line 5,9 up 3\npaint blue 5,9", "D1"),
        ("rotate 2 about 5,9:\n    paint red line 5,9 up 3\n    paint red (5,9 up 2 up-right 1)", "C2"),
        ("paint red 5,9 5,10 5,11 8,3", "C1"),
    ],
)
def test_symmetry_groups_are_named(text: str, name: str) -> None:
    board = run_program(parse_statements(text))
    assert canonical_symmetry_group(board) == name
    for motion in canonical_symmetries(board):
        assert {
            motion(tile): colour for tile, colour in board.painted_tiles().items()
        } == board.painted_tiles()


@pytest.mark.parametrize(
    ("family", "draft", "reason"),
    [
        ("objects", ProgramDraft("paint red ring 1,1 2"), "falls off"),
        ("objects", ProgramDraft("paint red 5,9"), "nearly empty"),
        ("composed", ProgramDraft("paint red board"), "nearly full"),
        ("objects", ProgramDraft("paint red disc 2,2 1"), "corner"),
        ("objects", ProgramDraft("paint red disc 5,9 1\npaint red disc 5,11 1", parts=2), "touch"),
        ("bounded", ProgramDraft("repeat 3 right 1:\n    paint red disc 5,9 1"), "cover each other"),
        ("bounded", ProgramDraft("repeat 3 right 3:\n    paint red disc 5,7 1", apart=True), "copies touch"),
        ("bounded", ProgramDraft("repeat 3 right 2:\n    paint red line 5,1 down 3"), "one side"),
        (
            "conditional",
            ProgramDraft("repeat 3 right 2:\n    paint red line 1,5 down until edge"),
            "hardly differ",
        ),
        ("conditions", ProgramDraft("paint red disc 5,9 1"), "symmetric by accident"),
        ("symmetry", ProgramDraft("paint red disc 5,9 2", groups=("C6",)), "another symmetry"),
        ("symmetry", ProgramDraft("paint red ring 5,9 2\npaint blue flower 5,9"), "nothing but rings"),
        ("recursion", ProgramDraft("paint red disc 5,9 1"), "hardly grown"),
        ("composed", ProgramDraft("paint red disc 5,9 1"), "only one part"),
    ],
)
def test_what_is_not_pure_is_refused(family: str, draft: ProgramDraft, reason: str) -> None:
    program = parse_statements(draft.text)
    found = check_image(family, draft, program, interpret_program(program))
    assert found is not None
    assert reason in found


def test_pieces_are_what_hangs_together() -> None:
    board = run_program(parse_statements("paint red disc 3,3 1\npaint blue 3,5\npaint red line 8,9 right 4"))
    assert sorted(map(len, connected_image_pieces(board))) == [4, 8]


def test_the_published_images_are_known() -> None:
    if not (DATA / "train.jsonl").exists():
        pytest.skip(f"{DATA} is not there: set GROUNDLING_DATA to the folder with the published data")
    for name in ("train", "dev"):
        with open(DATA / f"{name}.jsonl", encoding="utf-8") as lines:
            for line in lines:
                board = Board.from_digits(json.loads(line)["drawing_procedure"][-1][2])
                assert canonical_fingerprint(board) in published_fingerprints()
