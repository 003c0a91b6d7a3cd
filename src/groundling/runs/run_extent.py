"""What must be said beside the score of a run: of which part of the whole it is, whether means are weighted,
and whether the run was enlarged after first results."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from groundling.runs.run_folder import count_planned_instances
from groundling.runs.sampling import Stratum, sampling_weights

CHOSEN = {
    "limit": "in rotation over sets and categories",
    "sample": "a random sample with equal shares of sets and categories",
    "first": "the first ones",
    "all": "all that were given",
}
NAMED = 6
"""The most sets or categories that are named."""


def extent_lines(about: Mapping[str, Any], scored: Mapping[Stratum, int]) -> Iterator[str]:
    """Yield these lines for a run, from its run.toml and its numbers of scored episodes by stratum."""
    plan, planned = about["plan"], about["episodes"]
    whole: dict[str, dict[str, int]] = plan.get("strata", {})
    total, instances = sum(sum(sizes.values()) for sizes in whole.values()), count_planned_instances(about)
    parts, count = [], sum(scored.values())
    if count < planned:
        parts.append(f"{count:,} of {planned:,} planned episodes have a score")
    if instances < total:
        how = f"as shard {plan['shard']['number']}" if "shard" in plan else CHOSEN[plan["selection"]]
        parts.append(f"{instances:,} of {total:,} instances are planned, {how}")
    if parts and (absent := _absent_strata(whole, scored)):
        shown = ", ".join(absent[:NAMED]) + (f" and {len(absent) - NAMED} more" if absent[NAMED:] else "")
        parts.append(f"nothing is from {shown}")
    if parts:
        yield f"a part of the whole: {'; '.join(parts)}"
    if any(weight != 1 for weight in sampling_weights(whole, scored).values()):
        yield f"means are weighted: each set and category has its share of all {total:,} instances"
    grown = [step for step in about.get("growth", []) if step["ended"]]
    if grown:
        steps = ", ".join(
            f"from {before:,} to {after:,} episodes at {step['at']:%Y-%m-%dT%H:%MZ}"
            for step in grown
            for before, after in [step["episodes"]]
        )
        yield f"n was not fixed in advance: after first results the run grew {steps}"


def _absent_strata(whole: Mapping[str, Mapping[str, int]], scored: Collection[Stratum]) -> list[str]:
    """Name the sets without a scored episode, and the categories of other sets."""
    there, sets = set(scored), {name for name, _ in scored}
    absent = [name for name in whole if name not in sets]
    absent += [
        f"{name}: {category}" if name else category
        for name, sizes in whole.items()
        for category in sizes
        if name in sets and (name, category) not in there
    ]
    return absent
