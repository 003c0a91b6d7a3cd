"""What holds in every study, whatever people do. The laws read the log only, not the state folded from it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import combinations, pairwise
from random import Random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.studies.study_walk import (
    PAIR,
    StudyWalk,
    let_people_come,
    make_stage,
    make_study,
    random_history,
    random_study,
)

from groundling.studies.assignment import TaskAssignment, TaskWait, assign_task
from groundling.studies.payments import settle_batch
from groundling.studies.study import StudyRecruiting, StudyStage
from groundling.studies.study_decisions import TaskReport, arrive_person, pay_person
from groundling.studies.study_events import (
    AmountOwed,
    AmountPaid,
    AnyStudyEvent,
    Arrived,
    ConditionDrawn,
    Consented,
    FailedQualification,
    PartnerReported,
    PersonEnded,
    PersonErased,
    PlacesAdded,
    Qualified,
    Returned,
    TaskAssigned,
    TaskReleased,
    TaskSubmitted,
    WaitBegan,
    decode_study_event,
    encode_study_event,
)
from groundling.studies.study_state import fold_study
from groundling.studies.study_summary import summary_lines, summary_tables

seeds = st.integers(0, 2**32)


def assignments(events: list[AnyStudyEvent]) -> Iterator[TaskAssigned]:
    return (event for event in events if isinstance(event, TaskAssigned))


def stages_of(walk: StudyWalk) -> dict[str, StudyStage]:
    return {stage.name: stage for stage in walk.state.study.stages}


class AnswerCount:
    """Open and done answers, counted from the log alone."""

    def __init__(self) -> None:
        self.tasks: dict[str, TaskAssigned] = {}
        self.working: dict[str, set[str]] = {}
        self.failed, self.counted = set[str](), set[str]()

    def take(self, event: AnyStudyEvent) -> None:
        if isinstance(event, TaskAssigned):
            self.tasks[event.task], self.working[event.task] = event, set(event.seats.values())
        elif isinstance(event, TaskSubmitted | TaskReleased):
            self.working[event.task].remove(event.person)
            if isinstance(event, TaskReleased) or not event.counts:
                self.failed.add(event.task)
            if not self.working[event.task] and event.task not in self.failed:
                self.counted.add(event.task)
        elif isinstance(event, PersonErased) or (
            isinstance(event, PersonEnded) and (event.outcome == "excluded" or event.uncounted)
        ):
            self.counted -= {name for name, task in self.tasks.items() if event.person in task.seats.values()}

    def taken(self) -> Counter[tuple[str, str]]:
        live = self.counted | {name for name, people in self.working.items() if people}
        return Counter((self.tasks[name].stage, item) for name in live for item in self.tasks[name].items)


@given(seeds)
def test_never_more_answers_are_open_and_done_than_asked_for(seed: int) -> None:
    walk = random_history(seed)
    stages, count = stages_of(walk), AnswerCount()
    for event in walk.events:
        count.take(event)
        if isinstance(event, TaskAssigned) and stages[event.stage].answers:
            taken = count.taken()
            for item in event.items:
                assert taken[event.stage, item] <= stages[event.stage].answers


@pytest.mark.parametrize("how", ["left", "idle", "refused"])
def test_a_freed_place_is_given_again(how: str) -> None:
    walk = StudyWalk(make_study(make_stage("work")), items=1)
    first = walk.enter("a")
    walk.record(arrive_person(walk.state, "b", 0.0))
    assert walk.state.people["b"].outcome == "study full"
    walk.finish("a", a=TaskReport(how))  # type: ignore[arg-type]
    again = walk.enter("c")
    assert isinstance(first, TaskAssignment)
    assert isinstance(again, TaskAssignment)
    assert again.assigned.items == first.assigned.items


@given(seeds)
def test_nobody_gets_an_item_twice_or_one_that_is_barred(seed: int) -> None:
    walk = random_history(seed)
    stages = stages_of(walk)
    met, roots = defaultdict[str, set[tuple[str, str]]](set), defaultdict[str, set[str]](set)
    people: dict[str, tuple[str, ...]] = {}
    groups = defaultdict[str, set[str]](set)
    for event in walk.events:
        if isinstance(event, Qualified):
            groups[event.person].add(event.group)
        if not isinstance(event, TaskAssigned):
            continue
        stage = stages[event.stage]
        people[event.task] = tuple(event.seats.values())
        for person in event.seats.values():
            assert not stage.group or stage.group in groups[person]
            for item in event.items:
                *tasks, root = item.split("/")
                assert (event.stage, item) not in met[person]
                assert "author" not in stage.never or not any(person in people[task] for task in tasks)
                assert "seen" not in stage.never or root not in roots[person]
            met[person].update((event.stage, item) for item in event.items)
        for person in event.seats.values():
            roots[person].update(item.split("/")[-1] for item in event.items)


@given(seeds)
def test_disjoint_groups_share_nobody(seed: int) -> None:
    walk = random_history(seed)
    groups = defaultdict[str, set[str]](set)
    for event in walk.events:
        if isinstance(event, Qualified):
            groups[event.person].add(event.group)
    assert not any({"red", "blue"} <= names for names in groups.values())


@given(seeds)
def test_a_person_has_one_task_at_a_time(seed: int) -> None:
    working: dict[str, str] = {}
    for event in random_history(seed).events:
        if isinstance(event, TaskAssigned):
            for person in event.seats.values():
                assert person not in working
                working[person] = event.task
        elif isinstance(event, TaskSubmitted | TaskReleased):
            assert working.pop(event.person) == event.task


@given(seeds)
def test_everybody_who_arrived_ends_in_exactly_one_outcome(seed: int) -> None:
    walk = random_history(seed)
    walk.end_everything()
    outcomes: dict[str, str | None] = {}
    for event in walk.events:
        if isinstance(event, Arrived):
            assert event.person not in outcomes
            outcomes[event.person] = None
        elif isinstance(event, Returned):
            assert outcomes[event.person] not in (None, "declined", "screened out", "excluded")
            outcomes[event.person] = None
        elif isinstance(event, PersonEnded):
            # only an administrator's exclusion replaces an outcome
            assert outcomes[event.person] is None or event.outcome == "excluded"
            outcomes[event.person] = event.outcome
        elif isinstance(event, TaskAssigned):
            assert all(outcomes[person] is None for person in event.seats.values())
    assert None not in outcomes.values()
    assert not walk.state.active


@given(seeds)
def test_what_is_owed_is_paid_once(seed: int) -> None:
    walk = random_history(seed)
    walk.end_everything()
    for batch, step in list(walk.state.batches.items()):
        if step in ("prepared", "sent"):
            walk.record(settle_batch(walk.state, batch, walk.now))
    for person in walk.state.people:
        walk.record(pay_person(walk.state, person, walk.now))
        assert pay_person(walk.state, person, walk.now) == []
    owed = Counter((event.person, event.key) for event in walk.events if isinstance(event, AmountOwed))
    paid = Counter(
        (event.person, key) for event in walk.events if isinstance(event, AmountPaid) for key in event.keys
    )
    assert set(owed.values()) <= {1}
    assert owed == paid


@given(seeds)
def test_every_submitted_task_that_counts_is_owed(seed: int) -> None:
    events = random_history(seed).events
    stages = {event.task: event.stage for event in assignments(events)}
    owed = {(event.person, event.key): event.amount for event in events if isinstance(event, AmountOwed)}
    for event in events:
        if isinstance(event, TaskSubmitted) and event.counts and stages[event.task].startswith("work"):
            assert owed[event.person, f"task {event.task}"] == 100
            assert owed.get((event.person, f"bonus {event.task}"), 0) in (0, 30)
        elif isinstance(event, TaskReleased):
            assert owed.get((event.person, f"task {event.task}"), 0) <= 100


@given(seeds)
def test_practice_has_only_items_on_which_two_people_agree(seed: int) -> None:
    walk = random_history(seed)
    count, full = AnswerCount(), dict[str, bool]()
    for event in walk.events:
        count.take(event)
        if isinstance(event, TaskSubmitted):
            full[event.task] = event.score == 1
        elif isinstance(event, TaskAssigned) and event.stage == "practice":
            agree = defaultdict[str, set[str]](set)
            for name in count.counted:
                if count.tasks[name].stage == "confirm" and full[name]:
                    for item in count.tasks[name].items:
                        agree[item].update(count.tasks[name].seats.values())
            assert all(len(agree[item]) >= 2 for item in event.items)


@given(seeds)
def test_no_group_has_more_people_than_it_may_and_the_best_enter_it(seed: int) -> None:
    walk = random_history(seed)
    groups = walk.state.study.groups
    for name, group in groups.items():
        verdicts = [
            event
            for event in walk.events
            if isinstance(event, Qualified | FailedQualification) and event.group == name
        ]
        chosen = [event for event in verdicts if isinstance(event, Qualified)]
        assert group.most is None or len(chosen) <= group.most
        if group.by != "rank":
            continue
        assert group.candidates is not None
        scored = [event for event in verdicts if event.score is not None and event.score >= 0.5]
        for decision in {event.at for event in scored}:
            together = [event for event in scored if event.at == decision]
            best = [event.score or 0 for event in together if isinstance(event, Qualified)]
            others = [event.score or 0 for event in together if isinstance(event, FailedQualification)]
            assert not best or not others or min(best) >= max(others)


@given(seeds)
def test_while_people_come_a_study_ends(seed: int) -> None:
    random = Random(seed)
    walk = StudyWalk(random_study(random, waits=(60,), ranked=False), random.randint(1, 4))
    wanted = sum(walk.state.expected_answers(stage) for stage in walk.state.study.stages)
    assert let_people_come(walk, 40 + 4 * wanted) < 40 + 4 * wanted, wanted
    count = AnswerCount()
    for event in walk.events:
        count.take(event)
    taken = count.taken()
    for stage in walk.state.study.stages:
        if stage.has_items and stage.answers:
            answers = [number for (name, _), number in taken.items() if name == stage.name]
            assert set(answers) == {stage.answers}
            assert sum(answers) == walk.state.expected_answers(stage)


@given(seeds)
def test_the_same_two_are_never_paired_twice(seed: int) -> None:
    pairs = Counter(
        frozenset(pair)
        for event in assignments(random_history(seed).events)
        for pair in combinations(event.seats.values(), 2)
    )
    assert set(pairs.values()) <= {1}


@given(seeds)
def test_every_block_has_each_condition_equally_often(seed: int) -> None:
    walk = random_history(seed)
    stages = stages_of(walk)
    blocks = defaultdict[tuple[str, str, int], list[str]](list)
    for event in walk.events:
        if isinstance(event, ConditionDrawn) and not stages[event.stage].partners:
            whose = "" if stages[event.stage].vary == "people" else event.person
            blocks[event.stage, whose, event.block].append(event.condition)
    for (stage, whose, block), drawn in blocks.items():
        seats, names = len(stages[stage].person_seats), stages[stage].conditions
        assert max(Counter(drawn).values()) <= seats
        last = max(number for name, who, number in blocks if (name, who) == (stage, whose))
        assert block == last or Counter(drawn) == dict.fromkeys(names, seats)


@given(seeds)
def test_people_are_in_the_condition_that_was_drawn_for_them(seed: int) -> None:
    walk = random_history(seed)
    stages, drawn = stages_of(walk), dict[tuple[str, str], str]()
    partnered = {name for name, stage in stages.items() if stage.partners}
    for event in walk.events:
        if getattr(event, "stage", "") in partnered:
            continue  # there the condition is that of the item
        if isinstance(event, ConditionDrawn):
            assert stages[event.stage].vary == "tasks" or (event.person, event.stage) not in drawn
            drawn[event.person, event.stage] = event.condition
        elif isinstance(event, TaskAssigned):
            for person in event.seats.values():
                assert event.condition == drawn.get((person, event.stage), "")
                assert bool(event.condition) == bool(stages[event.stage].conditions)


@given(seeds)
def test_each_item_is_played_with_each_partner_as_often_as_asked_for(seed: int) -> None:
    walk = random_history(seed)
    stages, places = stages_of(walk), Counter[tuple[str, str, str]]()
    for task in walk.state.tasks.values():
        assigned = task.assigned
        if stages[assigned.stage].partners and (task.open or task.counted):
            (item,) = assigned.items
            assert item.partition(":")[0] == assigned.condition
            assert set(assigned.seats) == {*stages[assigned.stage].person_seats_in(assigned.condition)}
            places[assigned.stage, assigned.condition, item] += 1
    assert all(number <= stages[stage].answers for (stage, _, _), number in places.items())


@given(seeds)
def test_nobody_exceeds_the_tasks_of_a_person(seed: int) -> None:
    walk = random_history(seed)
    stages = stages_of(walk)
    done = Counter[tuple[str, str]]()
    where = {event.task: event.stage for event in assignments(walk.events)}
    for event in walk.events:
        if isinstance(event, TaskSubmitted):
            done[event.person, where[event.task]] += 1
    for (_, stage), number in done.items():
        assert number <= stages[stages[stage].after_each or stage].tasks_per_person
        if stages[stage].busiest_share < 1:
            share = stages[stage].busiest_share * walk.state.expected_answers(stages[stage])
            assert number <= max(1, share / stages[stage].items_per_task)


@given(seeds)
def test_no_more_people_take_part_than_there_are_places(seed: int) -> None:
    walk = random_history(seed)
    places = walk.state.study.recruiting.places
    taking = set[str]()
    for event in walk.events:
        if isinstance(event, Consented):
            taking.add(event.person)
        elif isinstance(event, PersonEnded) and event.outcome in ("study full", "screened out", "declined"):
            taking.discard(event.person)
        elif isinstance(event, PlacesAdded):
            assert places is not None
            places += event.number
        assert places is None or len(taking) <= places


@given(seeds)
def test_only_people_who_are_ready_wait(seed: int) -> None:
    consented, passed = set[str](), set[str]()
    walk = random_history(seed)
    screened = "screening" in stages_of(walk)
    where = {event.task: event.stage for event in assignments(walk.events)}
    for event in walk.events:
        if isinstance(event, Consented):
            consented.add(event.person)
        elif isinstance(event, TaskSubmitted) and where[event.task] == "screening" and event.score == 1:
            passed.add(event.person)
        elif isinstance(event, WaitBegan):
            assert event.person in consented
            assert not screened or event.person in passed


@given(seeds)
def test_the_log_alone_gives_the_state(seed: int) -> None:
    walk = random_history(seed)
    again = fold_study(decode_study_event(encode_study_event(event)) for event in walk.events)
    assert again.people == walk.state.people
    assert again.tasks == walk.state.tasks
    assert summary_tables(again) == summary_tables(walk.state)
    assert list(summary_lines(again)) == list(summary_lines(walk.state))


@given(seeds)
def test_assigning_a_task_changes_nothing_and_repeats_itself(seed: int) -> None:
    walk = random_history(seed, 60)
    for person in walk.state.people:
        before = msgspec.msgpack.encode([list(walk.state.people.values()), list(walk.state.tasks.values())])
        decision = assign_task(walk.state, person, walk.now)
        assert assign_task(walk.state, person, walk.now) == decision
        assert (
            msgspec.msgpack.encode([list(walk.state.people.values()), list(walk.state.tasks.values())])
            == before
        )


@given(seeds)
def test_somebody_who_waits_is_told_until_when(seed: int) -> None:
    walk = random_history(seed, 120)
    for person, known in walk.state.people.items():
        decision = assign_task(walk.state, person, walk.now)
        if known.waiting and isinstance(decision, TaskWait):
            assert decision.since == known.waiting_since
            assert (
                walk.now
                < decision.until
                == decision.since + 60 * stages_of(walk)[decision.stage].wait_minutes
            )


@given(seeds)
def test_time_never_runs_backwards_in_a_log(seed: int) -> None:
    assert all(one.at <= other.at for one, other in pairwise(random_history(seed).events))


def test_paused_studies_take_no_newcomers() -> None:
    study = make_study(make_stage("work", PAIR), recruiting=StudyRecruiting(paused=True))
    walk = StudyWalk(study)
    walk.enter("a")
    assert walk.state.people["a"].outcome == "study full"


@given(seeds)
def test_who_reports_a_partner_is_paid_and_both_get_the_next_task(seed: int) -> None:
    events = random_history(seed).events
    begun = {event.task: event for event in assignments(events)}
    owed = {(event.person, event.key) for event in events if isinstance(event, AmountOwed)}
    for number, event in enumerate(events):
        if isinstance(event, PartnerReported):
            task = begun[event.task]
            assert len(task.seats) > 1
            in_a_minute = event.at - task.at < 60  # prorated, this may be less than a hundredth
            assert in_a_minute or (event.person, f"task {event.task}") in owed
            ends = [
                each for each in events[number:] if isinstance(each, TaskReleased) and each.task == event.task
            ]
            assert ends[0].why == "reported"
            assert {each.why for each in ends[1:]} <= {"partner left"}
            assert not any(
                isinstance(each, PersonEnded) for each in events[number : number + 2 * len(ends) + 1]
            )
