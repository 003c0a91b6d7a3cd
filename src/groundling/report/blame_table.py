"""The table and the text of `groundling blame`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from groundling.core.values import Role
from groundling.report.score_table import format_count_cells, format_mean_cells
from groundling.report.text_table import Column, TableRow, TextTable, count_noun
from groundling.runs.blame_file import ClauseCredit, EpisodeBlame, RunBlame
from groundling.scores.blame import Verdict
from groundling.scores.intervals import estimate_mean

MOST_CLAUSES = 3
ALL = "all"
CAUSES: tuple[Verdict, ...] = ("words", "listener", "neither")


def blame_table(name: str, found: RunBlame) -> TextTable:
    """Make the table of the mean loss and its parts, for each set and for all."""
    sets = list(dict.fromkeys(one.set for one in found.episodes))
    groups = {one: [each for each in found.episodes if each.set == one] for one in sets if len(sets) > 1}
    columns = [Column("n"), Column("clusters", joined=True)]
    for part in (found.measure, *CAUSES):
        columns += [Column(part, joined=part == found.measure), Column("95 %", joined=True)]
    columns += [Column(f"episodes: {' / '.join(CAUSES)}")]
    return TextTable(
        f"{name}: what was lost of {found.measure}, and by whom",
        ("set",),
        tuple(columns),
        tuple(
            TableRow((label,), _loss_cells(some)) for label, some in {**groups, ALL: found.episodes}.items()
        ),
    )


def _loss_cells(episodes: Sequence[EpisodeBlame]) -> tuple[str, ...]:
    cells: list[str] = []
    parts = (
        [one.split.score for one in episodes],
        [one.split.words for one in episodes],
        [one.split.listener for one in episodes if one.split.listener is not None],
        [one.split.neither for one in episodes],
    )
    listened = [one.cluster for one in episodes if one.split.listener is not None]
    for number, values in enumerate(parts):
        clusters = listened if number == 2 else [one.cluster for one in episodes]
        mean = estimate_mean(values, clusters)
        cells += format_mean_cells(mean) if cells else format_count_cells(mean)
    causes = Counter(one.split.verdict for one in episodes)
    return (*cells, " / ".join(str(causes[cause]) for cause in CAUSES))


def blame_lines(found: RunBlame, speaker: Role, listener: Role, unasked: str) -> Iterator[str]:
    """Yield what the columns mean, and the clauses that mattered most."""
    yield (
        f"panel: {', '.join(found.panel)} heard the same words; reference: the words of {found.reference}, "
        "heard by the same"
    )
    yield (
        f"words: the loss of what nobody got from the words of the {speaker} but some got from the "
        f"reference; listener: of what others got from the same words, or the {listener} misses of the "
        "reference; neither: of what is lost with the reference too. The parts add up to the loss; intervals "
        "resample clusters. Episodes count for who lost more, and for neither if both lost little"
    )
    if any(one.split.listener is None for one in found.episodes):
        yield "nobody listened in these games: the score is that of the panel"
    elif unasked:
        yield f"{unasked}: its part is what others got from the same words"
    if unasked:
        yield "the part of the words is an upper bound: others might get more from them than this panel"
    clauses = [(clause, one.episode) for one in found.episodes for clause in one.clauses]
    if clauses:
        yield from _clause_lines(clauses, exchange=found.exchange)


def _clause_lines(clauses: Sequence[tuple[ClauseCredit, str]], *, exchange: bool) -> Iterator[str]:
    how = "exchanged" if exchange else "deleted"
    lost = sum(clause.credit > 0 for clause, _ in clauses)
    won = sum(clause.credit < 0 for clause, _ in clauses)
    yield (
        f"{count_noun(len(clauses), 'clause')} {how} one at a time: the panel loses without {lost:,}, gains "
        f"without {won:,}; groundling report shows them as shades under the words"
    )
    order = sorted(clauses, key=lambda one: one[0].credit)
    for clause, episode in [*order[:MOST_CLAUSES], *order[-MOST_CLAUSES:]]:
        if clause.credit:
            yield f"{clause.credit:+.3f}  {clause.text} ({episode})"
