"""The values of krippendorff 0.9.0 (nominal to ratio), irrCAC 0.4.4 (Gwet's ordinal weights, Fleiss, AC1,
percent), scikit-learn 1.9.1 (Cohen) and nltk 3.10.4 (sets) are recorded in agreement_reference.jsonl."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundling.scores.agreement import (
    MIN_ANNOTATORS,
    NO_DISAGREEMENT,
    NO_PAIRS,
    ONE_CATEGORY,
    Agreement,
    ac1,
    alpha,
    alpha_spans,
    cohen,
    fleiss,
    percent,
)

RECORDED = [
    json.loads(line)
    for line in Path(__file__).with_name("agreement_reference.jsonl").read_text().splitlines()
]
Rows = list[list[Any]]
LABEL = st.sampled_from([None, 1, 2, 3])
TABLES = st.integers(2, 5).flatmap(
    lambda people: st.lists(st.lists(LABEL, min_size=people, max_size=people), min_size=1, max_size=12)
)
METRICS = ("nominal", "ordinal", "gwet-ordinal", "interval", "ratio")
STATISTICS: dict[str, Callable[..., Agreement]] = {
    **{f"alpha {metric}": lambda rows, m=metric, **more: alpha(rows, m, **more) for metric in METRICS},
    "fleiss": fleiss,
    "ac1": ac1,
    "percent": percent,
}
# 30 patients, six psychiatrists, five diagnoses (Fleiss 1971)
DIAGNOSES = (
    "00060 03003 01401 00006 03030 20400 00402 20310 20040 00006 10050 11040 03300 10050 02031 "
    "00501 30012 51000 02040 10203 00006 01050 02013 20040 10041 05010 40002 02040 10500 00006"
)


def rows_of(table: dict[str, Any]) -> Rows:
    if isinstance(table["ratings"], str):
        return [[None if c == "." else int(c) for c in unit] for unit in table["ratings"].split()]
    return [[set(labels) for labels in unit] for unit in table["ratings"]]


def repeated(cells: dict[tuple[str, str], int]) -> Rows:
    return [list(labels) for labels, count in cells.items() for _ in range(count)]


def compute(name: str, rows: Rows) -> float | None:
    kind, _, more = name.partition(" ")
    if kind == "alpha":
        return alpha(rows, more).value
    if kind == "cohen":
        first, second = zip(*((row[0], row[1]) for row in rows), strict=True)
        return cohen(first, second, None if more == "None" else more).value
    return STATISTICS[kind](rows).value


@pytest.mark.parametrize("table", RECORDED, ids=[table["name"] for table in RECORDED])
def test_values_equal_those_of_established_libraries(table: dict[str, Any]) -> None:
    rows = rows_of(table)
    for name, value in table["values"].items():
        assert compute(name, rows) == pytest.approx(value, abs=1e-6), name


def test_krippendorffs_example() -> None:
    rows = rows_of(RECORDED[4])
    found = [
        round(alpha(rows, metric).value or 0, 3) for metric in ("nominal", "ordinal", "interval", "ratio")
    ]
    assert found == [0.743, 0.815, 0.849, 0.797]


def test_fleiss_example() -> None:
    rows = [[k for k, count in enumerate(unit) for _ in range(int(count))] for unit in DIAGNOSES.split()]
    found = fleiss(rows)
    assert found.value == pytest.approx(0.430, abs=5e-4)
    assert found.n == 30


def test_cohens_example() -> None:
    cells = dict(zip([(a, b) for a in "xyz" for b in "xyz"], (88, 14, 18, 10, 40, 10, 2, 6, 12), strict=True))
    first, second = zip(*repeated(cells), strict=True)
    found = cohen(first, second)
    assert found.value == pytest.approx((0.70 - 0.41) / (1 - 0.41))
    assert found.confusion["x"] == {"x": 88, "y": 14, "z": 18}


def test_gwets_example_in_which_kappa_is_below_zero_and_ac1_is_high() -> None:
    rows = repeated({("+", "+"): 118, ("+", "-"): 5, ("-", "+"): 2})
    assert ac1(rows).value == pytest.approx(0.9408, abs=5e-5)
    first, second = zip(*rows, strict=True)
    assert cohen(first, second).value == pytest.approx(-0.0234, abs=5e-5)


@pytest.mark.parametrize("name", STATISTICS)
@given(rows=TABLES, order=st.randoms())
def test_the_order_of_units_and_annotators_does_not_matter(name: str, rows: Rows, order: Any) -> None:
    statistic = STATISTICS[name]
    shuffled = [
        list(row) for row in zip(*order.sample(list(zip(*rows, strict=True)), len(rows[0])), strict=True)
    ]
    order.shuffle(shuffled)
    found, again = statistic(rows, resamples=9), statistic(shuffled, resamples=9)
    assert again.value == pytest.approx(found.value)
    assert (again.n, again.note == NO_PAIRS) == (found.n, found.note == NO_PAIRS)


@pytest.mark.parametrize("name", STATISTICS)
@given(rows=TABLES)
def test_a_value_is_at_most_1_and_1_only_without_disagreement(name: str, rows: Rows) -> None:
    found = STATISTICS[name](rows, resamples=9)
    agree = all(len(set(row) - {None}) < 2 for row in rows)
    if found.value is None:
        assert found.note in (NO_PAIRS, ONE_CATEGORY)
        assert (found.low, found.high) == (None, None)
    else:
        assert (found.value == 1) == agree
        assert found.value <= 1


@given(rows=TABLES)
def test_the_confusion_sums_to_the_labels_that_can_be_paired(rows: Rows) -> None:
    paired = [
        label for row in rows if sum(x is not None for x in row) > 1 for label in row if label is not None
    ]
    found = alpha(rows, resamples=9).confusion
    assert sum(sum(row.values()) for row in found.values()) == pytest.approx(len(paired))
    assert all(found[b][a] == pytest.approx(count) for a, row in found.items() for b, count in row.items())


@given(st.lists(st.tuples(st.integers(1, 4), st.integers(1, 4)), min_size=2, max_size=20))
def test_with_two_categories_ordered_metrics_are_the_same(pairs: Rows) -> None:
    low = [[min(a, 2), min(b, 2)] for a, b in pairs]
    values = {alpha(low, metric, resamples=9).value for metric in ("ordinal", "gwet-ordinal", "interval")}
    first = values.pop()
    assert all(other == pytest.approx(first) for other in values)


def test_words_on_an_ordered_scale_need_their_order() -> None:
    rows = [["none", "low"], ["low", "low"], ["high", "none"], ["high", "high"]]
    with pytest.raises(ValueError, match="give their order"):
        alpha(rows, "ordinal")
    numbers = [[("none", "low", "high").index(label) for label in row] for row in rows]
    ordered = alpha(rows, "ordinal", categories=("none", "low", "high"))
    assert ordered.value == alpha(numbers, "ordinal").value
    with pytest.raises(ValueError, match="'high' is not among the categories"):
        alpha(rows, "ordinal", categories=("none", "low"))


@pytest.mark.parametrize(
    ("rows", "metric", "told"),
    [
        ([["a", "b"]], "interval", "not numbers"),
        ([[-1, 2]], "ratio", "below 0"),
        ([[1, 2]], "cardinal", "no metric 'cardinal'"),
        ([[1, 2], [1]], "nominal", "one label or None for each annotator"),
    ],
)
def test_labels_that_do_not_fit_are_refused(rows: Rows, metric: str, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        alpha(rows, metric)


@pytest.mark.parametrize("name", STATISTICS)
def test_undefined_values_have_a_note(name: str) -> None:
    assert STATISTICS[name]([[1, None], [None, 2]]).note == NO_PAIRS
    assert STATISTICS[name]([[1], [2]]).note == NO_PAIRS
    assert STATISTICS[name]([]).note == NO_PAIRS
    if name != "percent":
        assert STATISTICS[name]([[1, 1], [1, 1]]).note == ONE_CATEGORY


def test_a_category_that_nobody_used_counts_for_ac1() -> None:
    rows = [[1, 1], [1, 2], [2, 2], [1, 1]]
    assert (ac1(rows, categories=[1, 2, 3]).value or 0) > (ac1(rows).value or 0)


def test_perfect_agreement_is_not_certainty() -> None:
    few, many = (percent([[1, 1], [2, 2]] * count) for count in (3, 50))
    assert few.note == many.note == NO_DISAGREEMENT
    assert (few.value, few.high) == (1, 1)
    assert few.low == pytest.approx(0.025 ** (1 / 6))  # Clopper and Pearson's
    assert (few.low or 0) < (many.low or 0) < 1
    assert (alpha([[1, 1], [2, 2]] * 50).low or 0) < (many.low or 0)


def noisy(rng: np.random.Generator, units: int, people: int = 2, noise: float = 0.1) -> Rows:
    true = rng.integers(0, 4, units)
    slips = rng.random((units, people)) < noise
    rows: Rows = np.where(slips, rng.integers(0, 4, (units, people)), true[:, None]).tolist()
    return rows


@pytest.mark.parametrize("name", STATISTICS)
def test_446_units_with_1000_resamples_take_less_than_a_second(name: str) -> None:
    rows = [[label + 1 for label in row] for row in noisy(np.random.default_rng(1), 446)]
    begun = time.process_time()
    found = STATISTICS[name](rows)
    assert time.process_time() - begun < 1
    assert found.low is not None
    assert found.high is not None
    assert found.value is not None
    assert found.low < found.value < found.high


def test_clusters_of_like_units_widen_the_interval() -> None:
    rng = np.random.default_rng(3)
    good, bad = noisy(rng, 200, noise=0.02), noisy(rng, 200, noise=0.5)
    clusters = [f"c{at // 20}" for at in range(400)]
    apart, together = alpha(good + bad), alpha(good + bad, clusters=clusters)
    assert apart.value == together.value
    assert (together.high or 0) - (together.low or 0) > 1.5 * ((apart.high or 0) - (apart.low or 0))
    with pytest.raises(ValueError, match="400 units need as many cluster labels, not 1"):
        alpha(good + bad, clusters=["a"])


def test_annotators_are_resampled_from_five_on() -> None:
    rows = noisy(np.random.default_rng(4), 40, people=MIN_ANNOTATORS)
    sloppy = [[row[0], row[1], row[2], row[3], 0] for row in rows]
    over, within = (alpha(sloppy, over_annotators=choice, resamples=200) for choice in (True, False))
    assert over.value == within.value
    assert (over.high or 0) - (over.low or 0) > (within.high or 0) - (within.low or 0)
    four = alpha([row[:4] for row in rows], over_annotators=True)
    assert four.low is None
    assert "it needs 5, not 4" in four.note


def test_one_unit_has_no_interval() -> None:
    found = percent([[1, 2, 2]])
    assert found.value == pytest.approx(1 / 3)
    assert found.low is None
    assert found.note == "no interval: it needs two units or clusters"


def test_many_units_are_merged_to_blocks() -> None:
    rows = noisy(np.random.default_rng(5), 20_000)
    begun = time.process_time()
    found = alpha(rows)
    assert time.process_time() - begun < 3
    assert 0.01 < (found.high or 0) - (found.low or 0) < 0.02


def test_spans_by_hand() -> None:
    """Ten characters: both mark 0 to 3, one also 3. Like labels 1110000000 and 1111000000."""
    found = alpha_spans([[[(0, 3, "goal")], [(0, 4, "goal")]]], [10])
    bits = [list(pair) for pair in zip([1] * 3 + [0] * 7, [1] * 4 + [0] * 6, strict=True)]
    assert found.value == pytest.approx(alpha(bits).value)
    assert found.n == 10


def test_kinds_of_spans_are_separate_and_may_overlap() -> None:
    spans: list[Any] = [
        [[(0, 4, "a"), (2, 6, "b")], [(0, 4, "a"), (5, 6, "b")]],
        [[(0, 1, "a")], []],
        [None, [(0, 2, "b")]],
    ]
    lengths = [8, 3, 5]
    both, only = alpha_spans(spans, lengths), alpha_spans(spans, lengths, "a")
    assert both.n == only.n == 11  # the third text has one annotator
    assert only.confusion[frozenset({"a"})] == {frozenset(): 1, frozenset({"a"}): 8}
    assert (both.value or 0) < (only.value or 0) < 1


@pytest.mark.parametrize("span", [(-1, 2, "a"), (0, 11, "a"), (3, 3, "a"), (5, 2, "a")])
def test_spans_outside_of_the_text_are_refused(span: tuple[int, int, str]) -> None:
    with pytest.raises(ValueError, match="is not inside text 0, which is 10 long"):
        alpha_spans([[[span], []]], [10])


@given(st.permutations([[(0, 3, "a")], [(1, 4, "a")], []]))
def test_annotators_of_spans_can_be_exchanged(spans: Any) -> None:
    values = {alpha_spans([list(some)], [6]).value for some in permutations(spans)}
    assert len({round(value or 0, 9) for value in values}) == 1


@pytest.mark.slow
@pytest.mark.parametrize(("units", "clusters"), [(446, None), (50, None), (446, 20)])
def test_intervals_hold_the_true_value_about_as_often_as_stated(units: int, clusters: int | None) -> None:
    """500 simulations; with clusters, the share of slips differs between clusters."""
    rng = np.random.default_rng([units, clusters or 0])

    def simulate(count: int, groups: int | None) -> tuple[Rows, list[str] | None]:
        if groups is None:
            return noisy(rng, count), None
        owner = rng.integers(0, groups, count)
        noise = rng.beta(1, 9, groups)[owner]
        true = rng.integers(0, 4, count)
        slips = rng.random((count, 2)) < noise[:, None]
        rows = np.where(slips, rng.integers(0, 4, (count, 2)), true[:, None]).tolist()
        return rows, [str(name) for name in owner]

    for metric in ("nominal", "gwet-ordinal", "ordinal"):
        whole, _ = simulate(400_000, clusters and 40_000)
        truth = alpha(whole, metric, resamples=1).value or 0
        held = 0
        for number in range(500):
            rows, names = simulate(units, clusters)
            found = alpha(rows, metric, clusters=names, seed=number)
            held += (found.low or -1) <= truth <= (found.high or -1)
        print(f"{metric}, {units} units, {clusters or 'no'} clusters: {held / 500:.3f}")
        assert 0.91 <= held / 500 <= 0.98
