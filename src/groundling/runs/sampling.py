"""Stratified samples of instances: an order in which every beginning is spread over sets and categories, and
the weights that make the mean of an uneven sample one of the whole."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from random import Random
from typing import TypeAlias, TypeVar

from groundling.core.pack import Pack, load
from groundling.core.values import Instance, Problem

T = TypeVar("T")
Stratum: TypeAlias = tuple[str, str]
"""The set and the category of an instance."""
SAMPLING_TRIES = 200


def find_stratum(pack: Pack, instance: Instance) -> Stratum:
    return instance.set, load(pack.category)(instance)


def order_by_rotation(pack: Pack, instances: Sequence[Instance], rng: Random | None = None) -> list[Instance]:
    """Return the instances in turn from each set, and within a set from each category, so that the first N
    differ by at most one between those that are not used up. Within a category the order is that of the
    instances, or random with `rng`."""
    category = load(pack.category)
    sets = []
    for members in _group_by(instances, lambda instance: instance.set).values():
        kinds = list(_group_by(members, category).values())
        if rng is not None:
            kinds = [rng.sample(kind, len(kind)) for kind in kinds]
        sets.append(_take_in_turn(kinds))
    return _take_in_turn(sets)


def _group_by(instances: Iterable[Instance], key: Callable[[Instance], str]) -> dict[str, list[Instance]]:
    found: dict[str, list[Instance]] = {}
    for instance in instances:
        found.setdefault(key(instance), []).append(instance)
    return found


def _take_in_turn(groups: Sequence[Sequence[T]]) -> list[T]:
    longest = max(map(len, groups), default=0)
    return [group[at] for at in range(longest) for group in groups if at < len(group)]


def sample_by_share(items: Sequence[T], strata: Sequence[tuple[str, ...]], n: int, rng: Random) -> list[T]:
    """Choose n items so that each stratum, and each value of a field, has its share of n rounded up or down.
    Systematic samples over the items in a random order of strata keep the shares of strata and of the first
    field; of several such samples the one is taken that keeps those of the other fields best."""
    if not 0 < n <= len(items):
        raise Problem(f"{n} of {len(items)} cannot be chosen: give a number from 1 to {len(items)}")
    best: list[int] = []
    least = float("inf")
    for _ in range(SAMPLING_TRIES):
        chosen = _sample_systematically(strata, n, rng)
        excess = _share_excess(strata, chosen)
        if excess < least:
            best, least = chosen, excess
        if not excess:
            break
    return [items[at] for at in best]


def _sample_systematically(strata: Sequence[tuple[str, ...]], n: int, rng: Random) -> list[int]:
    prefixes = {stratum[:end] for stratum in strata for end in range(1, len(stratum) + 1)}
    place = {prefix: rng.random() for prefix in sorted(prefixes)}
    order = sorted(
        range(len(strata)),
        key=lambda at: (*(place[strata[at][:end]] for end in range(1, len(strata[at]) + 1)), rng.random()),
    )
    start = rng.random()
    return sorted(order[int((number + start) * len(order) / n)] for number in range(n))


def _share_excess(strata: Sequence[tuple[str, ...]], chosen: Sequence[int]) -> float:
    """Return by how much the counts of fields' values differ from their shares by one or more."""
    excess = 0.0
    for field in range(len(strata[0])):
        whole = Counter(stratum[field] for stratum in strata)
        sample = Counter(strata[at][field] for at in chosen)
        for value, count in whole.items():
            away = abs(sample[value] - count * len(chosen) / len(strata))
            excess += away if away >= 1 else 0.0
    return excess


def choose_sets(instances: Sequence[Instance], names: Sequence[str]) -> list[Instance]:
    """Return the instances of these sets; of all sets if no name is given."""
    check_set_names(names, {instance.set for instance in instances})
    return [instance for instance in instances if not names or instance.set in names]


def check_set_names(names: Iterable[str], known: Iterable[str]) -> None:
    known = sorted(known)
    for name in names:
        if name not in known:
            told = ", ".join(known) if any(known) else "the instances are in no set, leave out --set"
            raise Problem(f"there is no set {name!r}: choose from {told}" if any(known) else f"{told}")


def count_strata(pack: Pack, instances: Iterable[Instance]) -> dict[str, dict[str, int]]:
    """Return the number of instances by set and category."""
    found: dict[str, dict[str, int]] = {}
    for (name, category), count in Counter(find_stratum(pack, one) for one in instances).items():
        found.setdefault(name, {})[category] = count
    return found


def merge_strata(
    one: Mapping[str, Mapping[str, int]],
    other: Mapping[str, Mapping[str, int]],
    merge_sizes: Callable[[int, int], int],
) -> dict[str, dict[str, int]]:
    """Return the sizes of both, where a stratum is in both as `merge_sizes` says."""
    found = {name: dict(sizes) for name, sizes in one.items()}
    for name, sizes in other.items():
        there = found.setdefault(name, {})
        there |= {category: merge_sizes(size, there.get(category, 0)) for category, size in sizes.items()}
    return found


def sampling_weights(
    whole: Mapping[str, Mapping[str, int]], strata: Iterable[Stratum] | Mapping[Stratum, int]
) -> dict[Stratum, float]:
    """Return the weight of one episode of each stratum, for episodes of these strata, or for these numbers of
    episodes: with it every stratum has the share that it has in the whole. Weights are 1 where shares are
    equal, as in a complete run, and where the whole is unknown."""
    here = Counter(strata)
    sizes = {key: whole.get(key[0], {}).get(key[1], 0) for key in here}
    if not all(sizes.values()):
        return dict.fromkeys(here, 1.0)
    episodes, instances = here.total(), sum(sizes.values())
    return {key: sizes[key] * episodes / (count * instances) for key, count in here.items()}
