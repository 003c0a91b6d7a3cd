"""Who plays with whom in a tournament: all pairs, or a balanced and connected part of them."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Collection, Iterable, Sequence
from itertools import combinations
from typing import TypeAlias

from groundling.core.values import Problem

Pair: TypeAlias = tuple[str, str]
"""The names of a giver and a follower."""


def choose_pairs(
    allowed: Sequence[Pair], partners: int | None = None, kept: Iterable[Pair] = ()
) -> list[Pair]:
    """Return all allowed pairs, or a part in which each giver plays with `partners` others, all followers are
    heard about equally often, and all players are connected through their partners, without which their
    abilities could not be compared. Pairs of an earlier design are `kept`: a player added later adds only its
    own pairs."""
    if partners is None:
        return list(allowed)
    others = [pair for pair in allowed if pair[0] != pair[1]]
    fixed = set(kept) & set(others)
    found = _connect_design(_spread_partners(others, partners, fixed), fixed, others)
    if found is None:
        raise _unconnected_problem(others, partners, fixed)
    return [pair for pair in allowed if pair in found]


def is_connected(pairs: Collection[Pair]) -> bool:
    """Return whether every seat can be reached from every other through pairs of two players."""
    return len(_find_parts({pair for pair in pairs if pair[0] != pair[1]})) <= 1


def _unconnected_problem(others: Sequence[Pair], partners: int, kept: set[Pair]) -> Problem:
    most = max(Counter(giver for giver, _ in others).values(), default=0)
    enough = next(
        (
            more
            for more in range(partners + 1, most + 1)
            if _connect_design(_spread_partners(others, more, kept), kept, others)
        ),
        None,
    )
    advice = f"give --partners {enough} or more" if enough else "add a player who can play with more of them"
    return Problem(
        f"with --partners {partners} the players are not connected, so that nobody compares: {advice}"
    )


def _spread_partners(others: Sequence[Pair], partners: int, kept: set[Pair]) -> set[Pair]:
    """Choose partners for every giver, those first whom the fewest have."""
    chosen = set(kept)
    givers, followers = (
        (list(dict.fromkeys(names)) for names in zip(*others, strict=True)) if others else ([], [])
    )
    for giver in givers:
        mine = [follower for one, follower in others if one == giver]
        while sum(one == giver for one, _ in chosen) < min(partners, len(mine)):
            heard = Counter(follower for _, follower in chosen)
            own = {follower for one, follower in chosen if one == giver}
            chosen.add((giver, min((one for one in mine if one not in own), key=lambda one: heard[one])))
    _even_out(chosen, kept, others, followers)
    share = len(givers) * partners // max(1, len(followers))
    known = {follower for _, follower in kept}
    for follower in followers if kept else ():
        theirs = [giver for giver, one in others if one == follower and (giver, one) not in chosen]
        while follower not in known and theirs and sum(one == follower for _, one in chosen) < share:
            spoken = Counter(giver for giver, _ in chosen)
            giver = min(theirs, key=lambda one: spoken[one])
            theirs.remove(giver)
            chosen.add((giver, follower))
    return chosen


def _even_out(chosen: set[Pair], kept: set[Pair], others: Sequence[Pair], followers: Sequence[str]) -> None:
    """Exchange followers of givers until no two followers differ by more than one, as far as that goes."""
    while path := _find_exchange(chosen, kept, others, followers):
        for giver, old, new in path:
            chosen.remove((giver, old))
            chosen.add((giver, new))


def _find_exchange(
    chosen: set[Pair], kept: set[Pair], others: Sequence[Pair], followers: Sequence[str]
) -> list[tuple[str, str, str]]:
    """Return the shortest chain of exchanges (giver, old follower, new follower) from a follower with many
    givers to one with at least two fewer."""
    heard = Counter(follower for _, follower in chosen)
    for start in sorted(followers, key=lambda one: -heard[one]):
        came: dict[str, list[tuple[str, str, str]]] = {start: []}
        queue = deque([start])
        while queue:
            old = queue.popleft()
            if heard[old] <= heard[start] - 2:
                return came[old]
            free = [giver for giver, one in others if one == old and (giver, one) in chosen - kept]
            for giver, new in others:
                if giver in free and new not in came and (giver, new) not in chosen:
                    came[new] = [*came[old], (giver, old, new)]
                    queue.append(new)
    return []


def _connect_design(chosen: set[Pair], kept: set[Pair], others: Sequence[Pair]) -> set[Pair] | None:
    """Let two pairs exchange followers until all players are connected; None where that does not help."""
    possible, nodes = (
        set(others),
        {("giver", one) for one, _ in others} | {("follower", one) for _, one in others},
    )
    order = {pair: at for at, pair in enumerate(others)}
    while True:
        parts = _find_parts(chosen)
        if len(parts) == 1 and parts[0] == nodes:
            return chosen
        for one, other in combinations(sorted(chosen - kept, key=order.__getitem__), 2):
            crossed = {(one[0], other[1]), (other[0], one[1])}
            if crossed <= possible and not crossed & chosen:
                trial = (chosen - {one, other}) | crossed
                if len(_find_parts(trial)) < len(parts):
                    chosen = trial
                    break
        else:
            return None


def _find_parts(pairs: Iterable[Pair]) -> list[set[tuple[str, str]]]:
    """Return the seats that are connected with each other through pairs."""
    parts: list[set[tuple[str, str]]] = []
    for giver, follower in pairs:
        both = {("giver", giver), ("follower", follower)}
        touched = [part for part in parts if part & both]
        parts = [part for part in parts if not part & both] + [both.union(*touched)]
    return parts
