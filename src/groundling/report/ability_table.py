"""The tables and the text of `groundling rank`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise
from math import isfinite
from string import ascii_lowercase

from groundling.report.ability_ranking import GameRanking, RankedSeat
from groundling.report.score_table import format_p, format_score_interval, format_score_number
from groundling.report.text_table import Column, TableRow, TextTable, count_noun
from groundling.scores.ability_agreement import agree_abilities
from groundling.scores.ability_tests import PlayerDifference, clusters_to_tell
from groundling.scores.comparison import ALPHA

MOST_DIFFERENCES = 10
"""More neighbours than this are not named one by one."""


def ability_table(ranking: GameRanking, seat: RankedSeat) -> TextTable:
    """Make the table of the players of one seat, the best first."""
    letters = _group_letters(seat)
    order = sorted(seat.fit.players, key=lambda player: (-player.score, player.name))
    several = len(seat.fit.players) > 1
    joined = ("95 %", ranking.measure.name, "95 % of score", "with new partners", "rank", "group")
    scale = "logit" if ranking.is_choice else "points"
    rows = []
    for player in order:
        low, high = seat.ranks.ranks[player.name]
        cells = (
            str(player.episodes),
            *(f"{player.ability:+.2f}", format_score_interval(player.low, player.high, "+.2f")),
            *(f"{player.score:.3f}", format_score_interval(player.score_low, player.score_high)),
            format_score_interval(player.partners_low, player.partners_high),
            *((f"{low}–{high}" if low < high else str(low), letters[player.name]) if several else ()),
        )
        rows.append(TableRow((player.name,), cells))
    others = ranking.seats[0] if seat is ranking.seats[1] else ranking.seats[1]
    return TextTable(
        f"{ranking.pack.name}: abilities in the seat {seat.role}, over "
        f"{count_noun(ranking.instances, 'instance')} in "
        f"{count_noun(ranking.fit.cells.clusters, 'cluster')} and "
        f"{count_noun(len(others.fit.players), 'partner')}",
        (seat.role,),
        (
            Column("episodes"),
            Column(f"ability, {scale}", joined=True),
            *(Column(name, joined=name in ("95 %", "95 % of score", "group")) for name in joined),
        ),
        tuple(rows),
    )


def _group_letters(seat: RankedSeat) -> dict[str, str]:
    groups = seat.ranks.groups
    names = ascii_lowercase if len(groups) <= len(ascii_lowercase) else range(1, len(groups) + 1)
    letters = [str(name) for name in names]
    return {
        player: "".join(letter for letter, group in zip(letters, groups, strict=False) if player in group)
        for player in seat.fit.names
    }


def ability_notes(ranking: GameRanking) -> Iterator[str]:
    """Yield what the columns mean and what was left out."""
    link = (
        "p = c + (1 - c) logistic(level + giver + follower), c the chance level of the instance"
        if ranking.is_choice
        else "score = level + giver + follower"
    )
    yield f"ability: {link}; relative to the mean of the seat, self-play left out"
    yield (
        f"{ranking.measure.name}: the expected score with the average partner; its interval and those of "
        "abilities resample instances, the one with new partners resamples partners too"
    )
    yield (
        "rank: all true ranks are within, with 95 % confidence; players that share a group cannot be told "
        "apart (Holm over all pairs of a seat)"
    )
    if ranking.uneven:
        yield (
            f"{count_noun(ranking.uneven, 'pair')} did not play all instances: abilities take the instances "
            "as equally hard"
        )
    if ranking.left_out:
        yield f"left out, as they played only with themselves: {', '.join(ranking.left_out)}"


def special_pair_lines(ranking: GameRanking) -> Iterator[str]:
    """Yield the pairs that do better or worse than their abilities predict."""
    named = [pair for pair in ranking.special if pair.q < ALPHA]
    tested = sum(isfinite(pair.q) for pair in ranking.special)
    for pair in named:
        more = "better" if pair.mean > pair.expected else "worse"
        own = ", with itself" if pair.self_play else ""
        yield (
            f"{pair.giver} → {pair.follower}{own}: {more} than their abilities predict, {pair.mean:.3f} "
            f"against {pair.expected:.3f} (q {format_p(pair.q)})"
        )
    if not tested:
        yield "pairs: too few to tell a pair's score from its players' abilities"
    elif not named:
        yield f"pairs: none of {tested} differs from its players' abilities (false discovery rate 5 %)"


def power_lines(ranking: GameRanking) -> Iterator[str]:
    """Yield what this design can find, and what more instances would add."""
    clusters = ranking.fit.cells.clusters
    for seat in ranking.seats:
        if seat.power:
            told = "; ".join(
                f"{one.clusters:,} clusters {one.one_pair:.3f} ({one.all_pairs:.3f} among all pairs)"
                for one in seat.power
            )
            yield f"{seat.role}: smallest difference found with a power of 80 %: {told}"
        near = [one for one in _neighbour_differences(seat) if one.holm >= ALPHA]
        for one in near[:MOST_DIFFERENCES]:
            needed = clusters_to_tell(one, clusters)
            if isfinite(needed) and needed > clusters:
                yield (
                    f"{seat.role}: {one.better} and {one.worse} differ by {one.difference:.3f}; to find that "
                    f"takes about {round(needed, -1 if needed < 1000 else -2):,.0f} clusters"
                )


def _neighbour_differences(seat: RankedSeat) -> list[PlayerDifference]:
    order = list(seat.ranks.ranks)
    neighbours = set(pairwise(order))
    return [one for one in seat.ranks.differences if (one.better, one.worse) in neighbours]


def difference_table(ranking: GameRanking, seat: RankedSeat, margin: float | None) -> TextTable:
    names = ("error", "p", "Holm", *([f"within {margin:g}, p"] if margin is not None else []))
    rows = []
    for one in seat.ranks.differences:
        cells = [f"{one.difference:+.3f}", f"{one.error:.3f}", format_p(one.p), format_p(one.holm)]
        cells += [format_p(one.equivalent)] if margin is not None else []
        rows.append(TableRow((one.better, one.worse), tuple(cells)))
    notes: tuple[str, ...] = ()
    if margin is not None:
        same = [f"{one.better} = {one.worse}" for one in seat.ranks.differences if one.equivalent < ALPHA]
        told = ", ".join(same) or "none"
        notes = (f"equivalent within {margin:g} (two one-sided tests, Holm): {told}",)
    return TextTable(
        f"{ranking.pack.name}: differences of {ranking.measure.name} in the seat {seat.role}",
        ("better", "worse"),
        (Column("difference"), *(Column(name, joined=True) for name in names)),
        tuple(rows),
        notes,
    )


def agreement_lines(rankings: Sequence[GameRanking]) -> Iterator[str]:
    """Yield how far abilities in the same seat, the giver's or the follower's, agree between games."""
    for one, other in combinations(rankings, 2):
        for side, seat in enumerate(("givers", "followers")):
            found = agree_abilities(one.seats[side].fit, other.seats[side].fit)
            if found is None:
                continue
            interval = format_score_interval(found.low, found.high, ".2f") or "no interval: noise prevails"
            reliable = " and ".join(format_score_number(value, ".2f") for value in found.reliabilities)
            yield (
                f"{one.pack.name} and {other.pack.name}, {seat}: abilities of {found.players} players "
                f"correlate with {found.correlation:.2f}; without noise "
                f"{format_score_number(found.disattenuated, '.2f')} {interval} (reliabilities {reliable})"
            )
