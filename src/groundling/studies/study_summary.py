"""What a study has given so far: tables of stages and outcomes, hours, cost, waiting times, agreement."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from itertools import combinations
from statistics import median, quantiles

from groundling.core.result_tables import Column, TableRow, TextTable
from groundling.studies.study_events import OUTCOMES, TaskSubmitted
from groundling.studies.study_records import StageState
from groundling.studies.study_state import StudyState


def summary_tables(state: StudyState, speed: float = 1.0) -> list[TextTable]:
    """Tables of stages and outcomes. `speed`: how many times as fast as the study this was; its times are
    multiplied by it."""
    return [_stage_table(state, speed), _outcome_table(state)]


def _stage_table(state: StudyState, speed: float) -> TextTable:
    minutes: dict[str, list[float]] = defaultdict(list)
    for task in state.tasks.values():
        ends = [end.at for end in task.ends.values() if isinstance(end, TaskSubmitted)]
        minutes[task.assigned.stage] += [speed * (end - task.assigned.at) / 60 for end in ends[:1]]
    columns = ("items", "answers", "wanted", "open", "waiting", "median minutes")
    rows = [
        TableRow((name,), (*_count_items(stage), _number(median(minutes[name]) if minutes[name] else None)))
        for name, stage in state.stages.items()
    ]
    return TextTable("Stages", ("stage",), tuple(map(Column, columns)), tuple(rows))


def _count_items(stage: StageState) -> tuple[str, ...]:
    items = [item for item in stage.items.values() if item.usable]
    done, opened = sum(item.done for item in items), sum(item.open for item in items)
    wanted = str(len(items) * stage.stage.answers) if stage.stage.answers and stage.stage.has_items else "-"
    return str(len(items)), str(done), wanted, str(opened), str(len(stage.waiting))


def _outcome_table(state: StudyState) -> TextTable:
    counts: Counter[str] = Counter(person.outcome or "taking part" for person in state.people.values())
    total = max(1, len(state.people))
    rows = [
        TableRow((name,), (str(counts[name]), f"{100 * counts[name] / total:.1f}"))
        for name in (*OUTCOMES, "taking part")
        if counts[name]
    ]
    return TextTable(
        f"Outcomes of {len(state.people):,} people",
        ("outcome",),
        (Column("people"), Column("percent", joined=True)),
        tuple(rows),
    )


def summary_lines(state: StudyState, speed: float = 1.0) -> Iterator[str]:
    """Hours, cost, waiting times and agreement, one line each; `speed` as in `summary_tables`."""
    people = state.people.values()
    yield f"complete: {'yes' if state.complete else 'no'}"
    seconds = sum(end.at - task.assigned.at for task in state.tasks.values() for end in task.ends.values())
    hours, waited = speed * seconds / 3600, speed * sum(person.waited for person in people) / 3600
    yield f"hours of people: {hours:,.1f} in tasks, {waited:,.1f} in waiting rooms"
    owed = sum(sum(person.owed.values()) for person in people)
    paid = sum(person.owed[key] for person in people for key in person.paid)
    counted = sum(task.counted and task.assigned.items != () for task in state.tasks.values())
    each = f", {owed / 100 / counted:,.2f} for each task that counts" if counted else ""
    currency = state.study.pay.currency
    yield f"cost: {owed / 100:,.2f} {currency} owed, {paid / 100:,.2f} paid{each}"
    for name, stage in state.stages.items():
        if stage.waits:
            yield f"wait for a partner, {name}: {_describe_waits([speed * each for each in stage.waits])}"
    for name, stage in state.stages.items():
        agreed, pairs = count_agreement(state, name)
        if pairs and state.study.is_work(stage.stage):
            share = 100 * agreed / pairs
            yield f"agreement, {name}: {share:.1f} % of {pairs:,} pairs of answers have full scores"


def _describe_waits(waits: list[float]) -> str:
    ninth = quantiles(waits, n=10)[-1] if len(waits) > 1 else waits[0]
    return f"median {_number(median(waits) / 60)} minutes, 90 % within {_number(ninth / 60)}"


def count_agreement(state: StudyState, stage: str) -> tuple[int, int]:
    """The pairs of answers to one item that both have the full score, and all pairs."""
    scores: dict[str, list[float]] = defaultdict(list)
    for task in state.tasks.values():
        if task.counted and task.assigned.stage == stage:
            found = [end.score for end in task.ends.values() if isinstance(end, TaskSubmitted)]
            if None not in found and found:
                for item in task.assigned.items:
                    scores[item].append(min(score for score in found if score is not None))
    pairs = [pair for each in scores.values() for pair in combinations(each, 2)]
    return sum(_both_full(pair) for pair in pairs), len(pairs)


def _both_full(pair: Iterable[float]) -> bool:
    return all(score >= 1 for score in pair)


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.1f}"
