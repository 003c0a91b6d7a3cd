"""Samples are nested and spread over sets and categories, and their means are weighted to the whole."""

from collections import Counter
from random import Random
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.helpers import GOLD

from groundling.core.pack import Pack, find, load
from groundling.core.values import Instance, Problem
from groundling.report.score_table import score_interval, weighted_mean
from groundling.runs.sampling import order_by_rotation, sample_by_share, sampling_weights
from groundling.runs.scoring_table import with_sampling_weights
from groundling.runs.session import new_session_plan

reference = find("reference")
grouped: Pack = replace(reference, category=lambda instance: instance.group)
FIELDS: dict[str, Any] = {"settings": None, "source": "", "seats": GOLD}
kinds = st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("xyz")), min_size=1, max_size=40)


def make_instances(strata: list[tuple[str, str]]) -> list[Instance]:
    return [Instance(id=str(number), set=name, group=kind) for number, (name, kind) in enumerate(strata)]


@given(kinds, st.one_of(st.none(), st.integers(0, 3)))
def test_a_sample_of_n_is_contained_in_that_of_n_plus_1(
    strata: list[tuple[str, str]], seed: int | None
) -> None:
    instances = make_instances(strata)
    fields: dict[str, Any] = {"settings": None, "source": "made", "seats": GOLD, "seed": seed or 0}

    def chosen(n: int) -> list[str]:
        limits: dict[str, Any] = {"limit": n} if seed is None else {"sample": n}
        return [one.id for one in new_session_plan(grouped, instances, **limits, **fields).instances]

    for n in range(1, len(instances)):
        assert set(chosen(n)) < set(chosen(n + 1))
        assert len(chosen(n)) == n


@given(kinds, st.one_of(st.none(), st.integers(0, 3)), st.integers(1, 40))
def test_shares_differ_by_at_most_one_until_a_stratum_is_used_up(
    strata: list[tuple[str, str]], seed: int | None, n: int
) -> None:
    rng = None if seed is None else Random(seed)
    chosen = order_by_rotation(grouped, make_instances(strata), rng)[:n]
    for whole, part in (
        (Counter(name for name, _ in strata), Counter(one.set for one in chosen)),
        *(
            (
                Counter(kind for other, kind in strata if other == name),
                Counter(one.group for one in chosen if one.set == name),
            )
            for name in "abc"
        ),
    ):
        most = max(part.values(), default=0)
        assert all(part[key] >= most - 1 or part[key] == size for key, size in whole.items())


@given(kinds, st.integers(0, 3), st.integers(1, 40))
def test_a_random_sample_has_the_shares_of_the_rotation(
    strata: list[tuple[str, str]], seed: int, n: int
) -> None:
    instances = make_instances(strata)
    shares = [
        Counter((one.set, one.group) for one in order_by_rotation(grouped, instances, rng)[:n])
        for rng in (None, Random(seed))
    ]
    assert shares[0] == shares[1]


def test_a_sample_depends_on_its_seed_alone() -> None:
    built = load(reference.builtin)()
    one, same, other = (
        [instance.id for instance in new_session_plan(reference, built, sample=8, seed=s, **FIELDS).instances]
        for s in (1, 1, 2)
    )
    assert one == same != other


def test_sixteen_hexagons_are_of_all_sets() -> None:
    pack = find("hexagons")
    chosen = order_by_rotation(pack, load(pack.builtin)())[:16]
    assert sorted(Counter(one.set for one in chosen).values()) == [2, 2, 2, 2, 2, 3, 3]


def test_the_mean_of_an_uneven_sample_is_that_of_the_whole() -> None:
    """Of 90 easy and 10 hard instances, 4 each are played."""
    whole = {"easy": {"": 90}, "hard": {"": 10}}
    rows = {
        "set": ["easy"] * 4 + ["hard"] * 4,
        "category": [""] * 8,
        "status": ["played"] * 8,
        "success": [1.0] * 4 + [0.0] * 4,
        "weight": [1.0] * 8,
        "cluster": list("abcdefgh"),
    }
    table = with_sampling_weights(pl.LazyFrame(rows), whole).collect()
    assert weighted_mean(table, "success") == pytest.approx(0.9)
    found = score_interval(table, load(reference.measures)[0])
    assert found.mean == pytest.approx(0.9)
    assert found.low < 0.9 < found.high
    assert weighted_mean(with_sampling_weights(pl.LazyFrame(rows), {}).collect(), "success") == 0.5


@given(kinds, st.integers(1, 3))
def test_a_complete_run_has_no_weights(strata: list[tuple[str, str]], repeats: int) -> None:
    whole: dict[str, dict[str, int]] = {}
    for (name, kind), size in Counter(strata).items():
        whole.setdefault(name, {})[kind] = size
    assert set(sampling_weights(whole, strata * repeats).values()) == {1.0}


def test_sets_are_chosen_by_name() -> None:
    built = load(reference.builtin)()
    plan = new_session_plan(reference, built, 4, sets=["edits-4"], **FIELDS)
    assert {one.set for one in plan.instances} == {"edits-4"}
    assert plan.strata == {"edits-4": {"": 18}}
    with pytest.raises(Problem, match="no set 'edits-5': choose from edits-2, edits-4"):
        new_session_plan(reference, built, sets=["edits-5"], **FIELDS)


@pytest.mark.parametrize("option", ["limit", "sample"])
def test_an_empty_sample_is_refused(option: str) -> None:
    given: dict[str, Any] = {option: 0}
    with pytest.raises(Problem, match=f"{option} is 0: play at least 1"):
        new_session_plan(reference, load(reference.builtin)(), **given, **FIELDS)


@given(kinds, st.randoms(use_true_random=False), st.data())
def test_a_sample_by_share_keeps_the_shares_of_strata_and_of_the_first_field(
    strata: list[tuple[str, str]], rng: Random, data: st.DataObject
) -> None:
    n = data.draw(st.integers(1, len(strata)))
    chosen = sample_by_share(range(len(strata)), strata, n, rng)
    assert len(set(chosen)) == n
    keyed: tuple[list[Any], ...] = (strata, [first for first, _ in strata])
    for keys in keyed:
        whole, sample = Counter(keys), Counter(keys[at] for at in chosen)
        for key, count in whole.items():
            assert abs(sample[key] - count * n / len(strata)) < 1


def test_a_sample_by_share_keeps_the_shares_of_the_second_field_where_it_can() -> None:
    strata = [(kind, part) for kind in "abcdefgh" for part in "xxyz"]
    for seed in range(20):
        chosen = sample_by_share(range(32), strata, 8, Random(seed))
        assert Counter(strata[at][1] for at in chosen) == {"x": 4, "y": 2, "z": 2}


def test_every_item_is_equally_likely_to_be_sampled() -> None:
    strata = [("a", "x")] * 6 + [("a", "y")] * 3 + [("b", "x")] * 7
    rng = Random(0)
    counts = Counter(at for _ in range(2000) for at in sample_by_share(range(16), strata, 4, rng))
    assert all(abs(counts[at] / 2000 - 0.25) < 0.05 for at in range(16))


@pytest.mark.parametrize("n", [0, -1, 4])
def test_a_sample_has_at_least_one_item_and_not_more_than_there_are(n: int) -> None:
    with pytest.raises(Problem, match="give a number from 1 to 3"):
        sample_by_share("abc", [("x",)] * 3, n, Random(0))
