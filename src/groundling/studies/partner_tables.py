"""The tables of a study whose conditions are partners, such as CoDraw's Table 1 with people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import isnan

import numpy as np

from groundling.core.result_tables import Column, TableRow, TextTable
from groundling.scores.crossed_clusters import ALPHA, CrossedEstimate, attrition_test
from groundling.studies.partner_results import (
    ConditionScores,
    PartnerGame,
    PartnerResults,
    PartnerSample,
    make_solo_sample,
)
from groundling.studies.study import PERSON, FormQuestion

PROGRAM = "programs alone"


def partner_tables(results: PartnerResults) -> list[TextTable]:
    """All tables of a stage. Games that ended early are in the columns “all begun” with the state that they
    reached (intention to treat), and left out elsewhere."""
    finished = PartnerSample([game for game in results.games if game.finished], results.measure)
    begun = PartnerSample(results.games, results.measure)
    alone = make_solo_sample(results.alone)
    tables = [
        _score_table(results, finished, begun, alone),
        _attrition_table(results),
        _order_table(results, finished, alone),
        _ratio_table(results, finished, begun),
        _rating_table(results, finished),
        _component_table(results, finished),
    ]
    return [table for table in tables if table is not None]


def format_crossed(found: CrossedEstimate | None, digits: int = 2) -> str:
    if found is None or isnan(found.value):
        return "-"
    if isnan(found.error) or (not found.error and not found.exact):  # all values are equal
        return f"{found.value:.{digits}f}"
    return f"{found.value:.{digits}f} [{found.low:.{digits}f}, {found.high:.{digits}f}]"


def _score_table(
    results: PartnerResults, finished: PartnerSample, begun: PartnerSample, alone: ConditionScores
) -> TextTable:
    rows = []
    for name in results.conditions:
        seats = results.stage.seats_in(name)
        people = ", ".join(role for role, who in seats.items() if who == PERSON)
        partner = ", ".join(_short_name(who) for who in seats.values() if who != PERSON) or PERSON
        count = str(int(finished.of(name).sum()) if finished.games else 0)
        cells = (
            partner,
            people,
            count,
            format_crossed(finished.mean(name, bounds=results.bounds)),
            format_crossed(begun.mean(name, bounds=results.bounds)),
            format_crossed(alone.mean(name, bounds=results.bounds)),
            results.stage.partners[name].published or "-",
        )
        rows.append(TableRow((name,), cells))
    columns = (
        Column("partner"),
        Column("people as", joined=True),
        Column("games", joined=True),
        Column("finished"),
        Column("all begun"),
        Column(PROGRAM),
        Column("published"),
    )
    return TextTable(
        f"{results.measure} by partner, with 95 % intervals over items and people",
        ("condition",),
        columns,
        tuple(rows),
        (
            "all begun: also games that ended early, with the state that they reached.",
            f"{PROGRAM}: the partner with the stand-in for people, on the same items.",
            *results.notes,
        ),
    )


def _short_name(player: str) -> str:
    """A player without the folders of its file."""
    head, comma, options = player.partition(",")
    name, colon, file = head.partition(":")
    return f"{name}{colon}{file.rstrip('/').rpartition('/')[2]}{comma}{options}"


def _attrition_table(results: PartnerResults) -> TextTable:
    rows = []
    for name in results.conditions:
        games = [game for game in results.games if game.condition == name]
        ended = [game for game in games if not game.finished]
        faults, late = sum(game.fault for game in ended), sum(game.time_up for game in ended)
        share = f"{100 * len(ended) / len(games):.1f}" if games else "-"
        counts = (len(games), len(games) - len(ended), len(ended) - faults - late, late, faults)
        rows.append(TableRow((name,), (*map(str, counts), share)))
    first = results.first_games()
    p_value = attrition_test(
        [not game.finished for game in first],
        [game.condition for game in first],
        [game.item for game in first],
    )
    told = "nothing to test" if isnan(p_value) else f"p = {p_value:.3f}"
    names = ("begun", "finished", "left", "time up", "program failed", "percent ended early")
    return TextTable(
        "Games that ended early",
        ("condition",),
        tuple(Column(name, joined=True) for name in names),
        tuple(rows),
        (
            f"Whether conditions lose equally many: {told}, over the first game of each cell, with "
            "conditions exchanged within items.",
        ),
    )


def _order_table(
    results: PartnerResults, finished: PartnerSample, alone: ConditionScores
) -> TextTable | None:
    rows = []
    for one, other in combinations(results.conditions, 2):
        found, solo = finished.difference(one, other), alone.difference(one, other)
        if found is None:
            continue
        both = "-"
        if solo is not None:
            alike = found.positive * solo.positive + (1 - found.positive) * (1 - solo.positive)
            both = _format_probability(alike)
        rows.append(
            TableRow(
                (f"{one} - {other}",),
                (
                    format_crossed(found),
                    _format_probability(found.p_value),
                    "-" if isnan(found.detectable) else f"{found.detectable:.2f}",
                    _format_probability(found.positive),
                    _format_probability(solo.positive) if solo else "-",
                    both,
                ),
            )
        )
    columns = (
        Column("difference"),
        Column("p", joined=True),
        Column("found with 80 % power", joined=True),
        Column("P(first is better) with people"),
        Column("P(first is better) programs alone", joined=True),
        Column("P(same order)", joined=True),
    )
    title = "Each pair of conditions, finished games"
    return TextTable(title, ("conditions",), columns, tuple(rows)) if rows else None


def _format_probability(value: float) -> str:
    return "-" if isnan(value) else f"{value:.3f}"


def _ratio_table(results: PartnerResults, finished: PartnerSample, begun: PartnerSample) -> TextTable | None:
    rows = []
    for live in results.people_conditions():
        for script in results.script_conditions():
            for name, sample in (("finished", finished), ("all begun", begun)):
                if cells := _ratio_cells(sample, script, live):
                    rows.append(TableRow((f"{script} / {live}", name), cells))
    if not rows:
        return None
    return TextTable(
        "What a script keeps of live play",
        ("conditions", "games"),
        (Column("prior"), Column("plain ratio", joined=True), Column("(script - prior) / (live - prior)")),
        tuple(rows),
        ("prior: what the outcomes of other items score on an item.", *_published_ratios(results)),
    )


def _published_ratios(results: PartnerResults) -> Iterator[str]:
    """The plain ratios of published figures, which begin with a number."""
    for live in results.people_conditions():
        for script in results.script_conditions():
            figures = [results.stage.partners[name].published.split() for name in (script, live)]
            if all(figures) and all(part[0].replace(".", "", 1).isdigit() for part in figures):
                one, other = (part[0] for part in figures)
                yield f"published: {one} / {other} = {float(one) / float(other):.3f}"


def _ratio_cells(sample: PartnerSample, script: str, live: str) -> tuple[str, ...]:
    one, other = sample.of(script), sample.of(live)
    if sample.crossed is None or not (one.any() and other.any()):
        return ()
    nothing = np.zeros(len(sample.values))
    plain = sample.crossed.ratio_above(sample.values, nothing, one, other)
    prior = sample.prior[one | other]
    if np.isnan(prior).any():
        return "-", format_crossed(plain, 3), "-"
    above = sample.crossed.ratio_above(sample.values, sample.prior, one, other)
    return f"{prior.mean():.2f}", format_crossed(plain, 3), format_crossed(above, 3)


def _rating_table(results: PartnerResults, finished: PartnerSample) -> TextTable | None:
    asked = [
        (number, question)
        for number, question in enumerate(results.questions)
        if any(number in game.ratings for game in finished.games)
    ]
    if not asked:
        return None
    names = [
        f"said “{question.choices[1]}”" if len(question.choices) == 2 else question.text
        for _, question in asked
    ]
    partner = next((number for number, question in asked if question.asks_partner), None)
    rows = []
    for condition in results.conditions:
        cells = [format_crossed(_mean_rating(finished, condition, *each)) for each in asked]
        if partner is not None:
            cells.append(format_crossed(_find_sensitivity(results, finished, condition, partner)))
        rows.append(TableRow((condition,), tuple(cells)))
    columns = [Column(name) for name in names] + [Column("d′")] * (partner is not None)
    notes = ["Points of a scale, or the share who gave an answer."]
    if partner is not None:
        notes.append("d′: how well programs are told from people; 0 is not at all.")
    return TextTable(
        "What people said after each game", ("condition",), tuple(columns), tuple(rows), tuple(notes)
    )


def _rated_sample(finished: PartnerSample, number: int) -> tuple[PartnerSample, list[float]]:
    """One observation for each answer, as two people of a game answer for themselves."""
    games: list[PartnerGame] = []
    values: list[float] = []
    for game in finished.games:
        for value in game.ratings.get(number, ()):
            games.append(game)
            values.append(value)
    sample = PartnerSample(games, next(iter(games[0].scores))) if games else PartnerSample([], "")
    return sample, values


def _mean_rating(
    finished: PartnerSample, condition: str, number: int, question: FormQuestion
) -> CrossedEstimate | None:
    sample, values = _rated_sample(finished, number)
    scale = {"choice": (0.0, 1.0), "scale": (1.0, float(question.points))}
    return sample.mean(condition, np.array(values), scale.get(question.answer_kind, (None, None)))


def _find_sensitivity(
    results: PartnerResults, finished: PartnerSample, condition: str, number: int
) -> CrossedEstimate | None:
    people = results.people_conditions()
    sample, values = _rated_sample(finished, number)
    if condition in people or sample.crossed is None or not sample.of(*people).any():
        return None
    return sample.crossed.sensitivity(np.array(values), sample.of(condition), sample.of(*people))


def _component_table(results: PartnerResults, finished: PartnerSample) -> TextTable | None:
    """Measures as a share of the way from the prior (0) to people (1)."""
    people = results.people_conditions()
    names = list(finished.games[0].prior) if finished.games else []
    live = finished.of(*people) if finished.games else np.zeros(0, np.bool_)
    if not names or not live.any():
        return None
    rows = [
        TableRow((condition,), tuple(_relative_cells(finished, names, condition, live)))
        for condition in results.conditions
        if finished.of(condition).any()
    ]
    return TextTable(
        "Measures of finished games: 0 is the prior, 1 is people",
        ("condition",),
        tuple(Column(name) for name in names),
        tuple(rows),
        ("-: people are not known to differ from the prior.",),
    )


def _relative_cells(
    finished: PartnerSample,
    names: Sequence[str],
    condition: str,
    live: np.ndarray[tuple[int], np.dtype[np.bool_]],
) -> Iterator[str]:
    assert finished.crossed is not None
    for name in names:
        values = finished.column(lambda game, name=name: game.scores[name])  # type: ignore[misc]
        prior = finished.column(lambda game, name=name: game.prior[name])  # type: ignore[misc]
        chosen = finished.of(condition)
        if (chosen == live).all():
            yield "1.00"
        elif not finished.crossed.mean(values - prior, live).p_value < ALPHA:
            yield "-"
        else:
            yield format_crossed(finished.crossed.ratio_above(values, prior, chosen, live))
