"""What a study has given so far: tables of stages and outcomes, hours, cost, waiting times, full scores."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from statistics import fmean, median, quantiles

from msgspec import Struct

from groundling.core.result_tables import Column, TableRow, TextTable
from groundling.studies.annotation_schema import AnnotateTask
from groundling.studies.eligibility import may_enter_group
from groundling.studies.pay_rules import pay_floor
from groundling.studies.pay_sheet import median_hourly, pay_rows
from groundling.studies.study_decisions import FINAL_OUTCOMES
from groundling.studies.study_events import OUTCOMES, OutcomeName, TaskSubmitted
from groundling.studies.study_records import ParticipantState, StageState
from groundling.studies.study_state import StudyState

DROPPED: tuple[OutcomeName, ...] = ("left", "timed out")
"""The outcomes of people who dropped out."""


class StageSummary(Struct, frozen=True):
    name: str
    items: int
    answers: int
    wanted: int | None
    """None where any number of answers is taken."""
    open: int
    waiting: int
    minutes: float | None
    """The median of the tasks that were submitted."""


class PersonSummary(Struct, frozen=True, kw_only=True):
    """What researchers see of a person. Of an erased person only the code is left."""

    person: str
    state: str
    """What they do now, or their outcome."""
    arrived: float = 0.0
    since: float = 0.0
    """When something last happened to them."""
    stage: str = ""
    """The stage in which they work or wait."""
    reason: str = ""
    groups: tuple[str, ...] = ()
    undecided: tuple[str, ...] = ()
    """Groups about which an administrator has to decide."""
    tasks: int = 0
    answers: int = 0
    """Their tasks of work that count."""
    minutes: float = 0.0
    """In tasks that have ended."""
    waited: float = 0.0
    """Minutes in waiting rooms."""
    owed: float = 0.0
    paid: float = 0.0
    score: float | None = None
    """The mean over their tasks that count."""
    agreement: float | None = None
    """With others who worked on the same items, as the game measures it."""
    attention_failed: int = 0


class StudyFigures(Struct, frozen=True):
    consented: int
    dropped: int
    """People who agreed, and left or were timed out."""
    answers: int
    hours: float
    waited: float
    """Hours in waiting rooms."""
    owed: float
    paid: float
    hourly: float | None
    """As the pay sheet tells it."""
    floor: float
    """What an hour should give at least; 0 where there is no such limit."""


def summary_tables(state: StudyState, speed: float = 1.0) -> list[TextTable]:
    """Tables of stages and outcomes. `speed`: how many times as fast as the study this was; its times are
    multiplied by it."""
    return [_stage_table(state, speed), _outcome_table(state)]


def summarize_stages(state: StudyState, speed: float = 1.0) -> list[StageSummary]:
    minutes = task_minutes(state, speed)
    return [
        StageSummary(name, *_count_items(stage), median(minutes[name]) if minutes[name] else None)
        for name, stage in state.stages.items()
    ]


def task_minutes(state: StudyState, speed: float = 1.0) -> dict[str, list[float]]:
    """How long the tasks took that were submitted, by stage."""
    minutes: dict[str, list[float]] = {name: [] for name in state.stages}
    for task in state.tasks.values():
        ends = [end.at for end in task.ends.values() if isinstance(end, TaskSubmitted)]
        minutes[task.assigned.stage] += [speed * (end - task.assigned.at) / 60 for end in ends[:1]]
    return minutes


def _stage_table(state: StudyState, speed: float) -> TextTable:
    columns = ("items", "answers", "wanted", "open", "waiting", "median minutes")
    rows = []
    for stage in summarize_stages(state, speed):
        wanted = "-" if stage.wanted is None else str(stage.wanted)
        counts = (str(stage.items), str(stage.answers), wanted, str(stage.open), str(stage.waiting))
        rows.append(TableRow((stage.name,), (*counts, _number(stage.minutes))))
    return TextTable("Stages", ("stage",), tuple(map(Column, columns)), tuple(rows))


def _count_items(stage: StageState) -> tuple[int, int, int | None, int, int]:
    items = [item for item in stage.items.values() if item.usable]
    done, opened = sum(item.done for item in items), sum(item.open for item in items)
    wanted = len(items) * stage.stage.answers if stage.stage.answers and stage.stage.has_items else None
    return len(items), done, wanted, opened, len(stage.waiting)


def count_outcomes(state: StudyState) -> dict[str, int]:
    """People by outcome, and those who take part now; what nobody has is left out."""
    counts: Counter[str] = Counter(person.outcome or "taking part" for person in state.people.values())
    return {name: counts[name] for name in (*OUTCOMES, "taking part") if counts[name]}


def _outcome_table(state: StudyState) -> TextTable:
    rows = [
        TableRow((name,), (str(count), f"{100 * count / len(state.people):.1f}"))
        for name, count in count_outcomes(state).items()
    ]
    return TextTable(
        f"Outcomes of {len(state.people):,} people",
        ("outcome",),
        (Column("people"), Column("percent", joined=True)),
        tuple(rows),
    )


def summary_lines(state: StudyState, speed: float = 1.0) -> Iterator[str]:
    """Hours, cost, waiting times and full scores, one line each; `speed` as in `summary_tables`."""
    people = list(summarize_people(state))
    figures, currency = summarize_study(state, people), state.study.pay.currency
    yield f"complete: {'yes' if state.complete else 'no'}"
    hours, waited = speed * figures.hours, speed * figures.waited
    yield f"hours of people: {hours:,.1f} in tasks, {waited:,.1f} in waiting rooms"
    counted = sum(task.counted and task.assigned.items != () for task in state.tasks.values())
    each = f", {figures.owed / counted:,.2f} for each task that counts" if counted else ""
    yield f"cost: {figures.owed:,.2f} {currency} owed, {figures.paid:,.2f} paid{each}"
    if figures.hourly is not None:
        yield f"median pay: {figures.hourly / speed:,.2f} {currency} an hour, with waiting"
    if figures.consented:
        share = 100 * figures.dropped / figures.consented
        yield f"dropped out: {share:.1f} % of {figures.consented:,} people who agreed"
    for busy in find_busiest(people)[:1]:
        share = 100 * busy.answers / figures.answers
        yield f"busiest person: {busy.answers:,} tasks, {share:.1f} % of all that count"
    for name, stage in state.stages.items():
        if stage.waits:
            yield f"wait for a partner, {name}: {_describe_waits([speed * each for each in stage.waits])}"
    for name, (full, pairs) in full_score_pairs(state).items():
        share = 100 * full / pairs
        yield f"both answers right, {name}: {share:.1f} % of {pairs:,} pairs of answers to one item"


def summarize_people(state: StudyState, names: Iterable[str] | None = None) -> Iterator[PersonSummary]:
    work = {name for name, stage in state.stages.items() if state.study.is_work(stage.stage)}
    for name in state.people if names is None else names:
        person = state.people[name]
        if person.erased:
            yield PersonSummary(person=name, state="erased")
            continue
        tasks = [state.tasks[task] for task in state.tasks_of.get(name, ())]
        ends = [(task.assigned.at, task.ends[name].at) for task in tasks if name in task.ends]
        scores = [score for found in person.scores.values() for score in found]
        yield PersonSummary(
            person=name,
            state=person.outcome or ("working" if person.task else "waiting" if person.waiting else "here"),
            arrived=person.arrived,
            since=person.seen_at,
            stage=state.tasks[person.task].assigned.stage if person.task else person.waiting,
            reason=person.reason,
            groups=tuple(sorted(person.groups)),
            undecided=_undecided_groups(state, person),
            tasks=len(tasks),
            answers=sum(task.counted and task.assigned.stage in work for task in tasks),
            minutes=sum(end - start for start, end in ends) / 60,
            waited=person.waited / 60,
            owed=person.owed_total / 100,
            paid=person.paid_total / 100,
            score=fmean(scores) if scores else None,
            attention_failed=person.attention_failed,
        )


def _undecided_groups(state: StudyState, person: ParticipantState) -> tuple[str, ...]:
    if person.outcome in FINAL_OUTCOMES:
        return ()
    return tuple(
        name
        for name, group in state.study.groups.items()
        if group.by == "administrator"
        and person.accepted.get(group.stage)
        and may_enter_group(state, person, name)
    )


def summarize_study(state: StudyState, people: Sequence[PersonSummary]) -> StudyFigures:
    """Figures of the whole study. Amounts of erased people are among those owed and paid."""
    known, agreed = state.people.values(), [each for each in state.people.values() if each.consented]
    hourly = median_hourly(pay_rows(state))
    seconds = sum(end.at - task.assigned.at for task in state.tasks.values() for end in task.ends.values())
    return StudyFigures(
        len(agreed),
        sum(person.outcome in DROPPED for person in agreed),
        sum(each.answers for each in people),
        seconds / 3600,
        sum(person.waited for person in known) / 3600,
        sum(person.owed_total for person in known) / 100,
        sum(person.paid_total for person in known) / 100,
        None if hourly is None else hourly / 100,
        pay_floor(state.study.pay) / 100,
    )


def find_busiest(people: Iterable[PersonSummary]) -> list[PersonSummary]:
    """The five people with the most tasks that count."""
    return sorted((each for each in people if each.answers), key=lambda each: -each.answers)[:5]


def full_score_pairs(state: StudyState) -> dict[str, tuple[int, int]]:
    """For each stage of work with several answers to an item, what `count_full_score_pairs` gives.
    Annotations have `annotation_tables`."""
    found = {
        name: count_full_score_pairs(state, name)
        for name, stage in state.stages.items()
        if state.study.is_work(stage.stage) and not isinstance(stage.stage.task, AnnotateTask)
    }
    return {name: counts for name, counts in found.items() if counts[1]}


def _describe_waits(waits: list[float]) -> str:
    ninth = quantiles(waits, n=10)[-1] if len(waits) > 1 else waits[0]
    return f"median {_number(median(waits) / 60)} minutes, 90 % within {_number(ninth / 60)}"


def count_full_score_pairs(state: StudyState, stage: str) -> tuple[int, int]:
    """The pairs of answers to one item that both have the full score, and all pairs."""
    scores: dict[str, list[float]] = defaultdict(list)
    for task in state.tasks.values():
        if task.counted and task.assigned.stage == stage:
            found = [end.score for end in task.ends.values() if isinstance(end, TaskSubmitted)]
            if None not in found and found:
                for item in task.assigned.items:
                    scores[item].append(min(score for score in found if score is not None))
    pairs = [pair for each in scores.values() for pair in combinations(each, 2)]
    return sum(min(pair) >= 1 for pair in pairs), len(pairs)


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.1f}"
