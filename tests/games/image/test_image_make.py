from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundling.core.values import CANARY, Problem
from groundling.games.image.make import DRAWN, PictureRecipe, builtin, make, make_image_builtin
from groundling.runs.instances import encode_instances


def test_the_built_in_file_is_what_the_generator_makes() -> None:
    data = files("groundling.games.image").joinpath("builtin.jsonl").read_bytes()
    assert data == encode_instances(make_image_builtin())


def test_the_built_in_set_has_20_compact_and_20_random_pictures_of_one_letter() -> None:
    pictures = builtin()
    assert len(set(DRAWN)) == 20
    assert len({picture.target for picture in pictures}) == 40
    for name, most in (("compact", 25), ("random", 10)):
        members = [picture for picture in pictures if picture.set == name]
        assert len(members) == 20
        for picture in members:
            assert 5 <= len(picture.target.letters_by_cell) <= most
            assert len(set(picture.target.letters_by_cell.values())) == 1
            assert (picture.target.size, picture.canary) == (5, CANARY)


@given(
    st.builds(
        PictureRecipe,
        seed=st.integers(0, 2**64),
        n=st.integers(2, 6),
        size=st.integers(3, 9),
        letters=st.integers(1, 5),
        set=st.sampled_from(["both", "compact", "random"]),
    )
)
def test_whatever_is_asked_for_is_what_is_made(recipe: PictureRecipe) -> None:
    made = make(recipe)
    assert made == make(recipe)
    assert (
        len(made)
        == len({picture.target for picture in made})
        == len({picture.id for picture in made})
        == recipe.n
    )
    for picture in made:
        assert picture.target.size == recipe.size
        assert len(picture.target.letters_by_cell) >= 5
        assert len(set(picture.target.letters_by_cell.values())) == recipe.letters
        assert picture.set == "compact" or len(picture.target.letters_by_cell) <= 10
    assert {picture.set for picture in made} == (
        {"compact", "random"} if recipe.set == "both" else {recipe.set}
    )


@pytest.mark.parametrize(
    ("recipe", "why"),
    [
        ({"n": 1}, "cannot be shared"),
        ({"letters": 6}, "at most 5 letters"),
        ({"n": 27, "size": 3, "set": "compact"}, "no more compact"),
    ],
)
def test_the_impossible_is_refused(
    recipe: dict[str, object], why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There are as many pictures of one pattern as there are letters."""
    pattern = [(1, 1), (1, 2), (1, 3), (2, 1), (2, 2)]
    monkeypatch.setattr("groundling.games.image.make.random_pattern", lambda rng, size: pattern)
    with pytest.raises(Problem, match=why):
        make(PictureRecipe(**recipe))  # type: ignore[arg-type]
