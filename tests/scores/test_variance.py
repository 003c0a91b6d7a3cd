import numpy as np
import pytest

from groundling.scores.variance import VarianceShares, variance_shares


def design(
    instances: int, wordings: int, repeats: int, scale: tuple[float, float, float], seed: int = 0
) -> VarianceShares | None:
    """Scores with known spreads of instance, wording and repeat."""
    rng = np.random.default_rng(seed)
    by_instance, by_wording = rng.normal(0, scale[0], instances), rng.normal(0, scale[1], wordings)
    rows = [
        (by_instance[i] + by_wording[w] + rng.normal(0, scale[2]), str(i), str(w))
        for i in range(instances)
        for w in range(wordings)
        for _ in range(repeats)
    ]
    return variance_shares(*(list(column) for column in zip(*rows, strict=True)))


@pytest.mark.parametrize(
    ("scale", "largest"), [((3, 0.1, 0.1), "instance"), ((0.1, 3, 0.1), "wording"), ((0.1, 0.1, 3), "repeat")]
)
def test_the_share_goes_to_what_varies(scale: tuple[float, float, float], largest: str) -> None:
    found = design(30, 6, 4, scale)
    assert found is not None
    assert getattr(found, largest) > 0.9
    assert found.instance + found.wording + found.both + found.repeat == pytest.approx(1)


def test_known_spreads_are_found_again() -> None:
    found = design(400, 40, 3, (1.0, 1.0, 1.0))
    assert found is not None
    assert found.instance == pytest.approx(1 / 3, abs=0.08)
    assert found.repeat == pytest.approx(1 / 3, abs=0.08)
    assert found.both < 0.02


def test_with_one_wording_it_is_instance_and_repeat() -> None:
    found = design(200, 1, 5, (1.0, 9.9, 1.0))
    assert found is not None
    assert (found.wording, found.both) == (0, 0)
    assert found.instance == pytest.approx(0.5, abs=0.1)


def test_instances_that_are_not_complete_are_left_out() -> None:
    found = variance_shares([1, 0, 1, 0, 1], ["a", "a", "b", "b", "c"], ["x", "y", "x", "y", "x"])
    assert found is not None
    assert found.instances == 2


def test_where_nothing_is_repeated_there_is_nothing_to_split() -> None:
    assert variance_shares([1, 0], ["a", "b"], ["x", "x"]) is None
    assert variance_shares([], [], []) is None


def test_where_nothing_varies_all_shares_are_none() -> None:
    assert variance_shares([1] * 4, ["a", "a", "b", "b"], ["x", "y"] * 2) == VarianceShares(0, 0, 0, 0, 2)
