"""What happens to people: endings, partners, waiting, coming back, checks, pay."""

from __future__ import annotations

from typing import Any, get_args

import pytest
from tests.studies.study_walk import FORM, PAIR, QUIZ, SOLO, StudyWalk, make_stage, make_study

from groundling.studies.assignment import (
    PersonOutcome,
    TaskAssignment,
    TaskWait,
    assign_machine_partner,
    assign_task,
)
from groundling.studies.study import GameTask, StudyGroup, StudyRecruiting, StudyStage
from groundling.studies.study_decisions import (
    ENDING_RULES,
    TaskReport,
    answer_consent,
    arrive_person,
    decide_group,
    end_task,
    erase_person,
    exclude_person,
    leave_study,
    record_decision,
)
from groundling.studies.study_events import AmountOwed, StudyChanged, TaskReleased
from groundling.web.room_ending import SeatEnding
from groundling.web.studies.participant_steps import advance_person


def live_walk(**values: Any) -> StudyWalk:
    return StudyWalk(make_study(make_stage("work", PAIR, most=3, **values)))


def owed(walk: StudyWalk, person: str) -> dict[str, int]:
    return walk.state.people[person].owed


def test_every_ending_of_a_person_in_a_room_has_a_rule() -> None:
    assert set(ENDING_RULES) == set(get_args(SeatEnding)) - {"failed"}  # only programs fail


@pytest.mark.parametrize(
    ("ending", "outcome"),
    [
        ("left", "left"),
        ("closed", "left"),
        ("idle", "timed out"),
        ("absent", "timed out"),
        ("declined", "declined"),
        ("refused", "excluded"),
    ],
)
def test_the_partner_of_somebody_who_goes_is_paid_and_gets_the_next_task(ending: Any, outcome: str) -> None:
    walk = live_walk()
    walk.enter("a")
    walk.enter("b")
    walk.finish("a", a=TaskReport(ending), b=TaskReport("stayed"))
    assert walk.state.people["a"].outcome == outcome
    assert owed(walk, "b") == {"task t1": 50}
    assert isinstance(walk.step("b"), TaskWait)
    assert isinstance(walk.enter("c"), TaskAssignment)
    assert walk.state.people["b"].task == "t2"


def test_two_who_stayed_until_the_time_was_up_are_paid_and_released() -> None:
    walk = live_walk(least_messages=3)
    walk.enter("a")
    walk.enter("b")
    walk.finish("a", a=TaskReport("stayed", messages=3), b=TaskReport("stayed", messages=2))
    assert [event.why for event in walk.events if isinstance(event, TaskReleased)] == ["time up", "time up"]
    assert (owed(walk, "a"), owed(walk, "b")) == ({"task t1": 50}, {})


def test_a_program_that_fails_counts_as_a_partner_who_left() -> None:
    walk = StudyWalk(make_study(make_stage("work")), items=1)
    walk.enter("a")
    walk.record(end_task(walk.state, "t1", {"a": TaskReport("stayed")}, 0.0, fault=True))
    assert owed(walk, "a") == {"task t1": 50}
    assert walk.step("a") == PersonOutcome("partner left")


def test_somebody_without_a_partner_is_paid_for_the_wait_and_released() -> None:
    walk = live_walk(wait_minutes=5)
    assert walk.enter("a") == TaskWait("work", 0.0, 300.0)
    walk.pass_time(299)
    assert walk.state.people["a"].outcome is None
    walk.pass_time(1)
    assert walk.state.people["a"].outcome == "no partner"
    assert owed(walk, "a") == {"wait work 0": 50, "base": 50}


def test_what_follows_a_wait_without_a_partner_does_not_begin_by_itself() -> None:
    stages = make_stage("work", PAIR, wait_minutes=5), make_stage("alone", SOLO)
    walk = StudyWalk(make_study(*stages))
    walk.enter("a")
    walk.pass_time(300)
    person = walk.state.people["a"]
    assert (person.waiting, person.task, person.outcome) == ("", "", None)
    assert owed(walk, "a") == {"wait work 0": 50}
    assert not advance_person(walk.state, "a", started=False), "only the button begins it"
    assert walk.step("a").assigned.stage == "alone"  # type: ignore[union-attr]


def test_the_expected_wait_comes_from_earlier_waits() -> None:
    walk = live_walk()
    walk.enter("a")
    walk.pass_time(100)
    walk.enter("b")
    wait = walk.enter("c")
    assert isinstance(wait, TaskWait)
    assert wait.expected == 50


def test_a_machine_partner_takes_the_other_seat() -> None:
    task = GameTask(game="reference", seats=PAIR.seats, machine_partner="gold")
    walk = StudyWalk(make_study(make_stage("work", task)), items=1)
    wait = walk.enter("a")
    assert isinstance(wait, TaskWait)
    assert wait.machine == "gold"
    walk.now = 60.0
    chosen = assign_machine_partner(walk.state, "a", walk.now)
    walk.record(record_decision(walk.state, "a", chosen, walk.now))
    assert chosen.assigned.machine
    assert list(chosen.assigned.seats.values()) == ["a"]
    walk.finish("a")
    assert walk.state.complete


def test_somebody_who_comes_back_is_where_they_were() -> None:
    walk = StudyWalk(make_study(make_stage("work")))
    first = walk.enter("a")
    assert isinstance(first, TaskAssignment)
    walk.now = 60.0
    assert walk.enter("a") == TaskAssignment(first.assigned, is_new=False)


def test_somebody_who_restarts_gets_another_task() -> None:
    walk = StudyWalk(make_study(make_stage("work", most=2), returning="restart"))
    first, again = walk.enter("a"), walk.enter("a")
    assert isinstance(first, TaskAssignment)
    assert isinstance(again, TaskAssignment)
    assert again.assigned.items != first.assigned.items


def test_somebody_who_is_blocked_has_left() -> None:
    walk = StudyWalk(make_study(make_stage("work", most=2), returning="block"))
    walk.enter("a")
    assert walk.enter("a") == PersonOutcome("left")


def test_somebody_who_timed_out_may_come_back_the_next_day() -> None:
    walk = StudyWalk(make_study(make_stage("work", most=2)))
    walk.enter("a")
    walk.pass_time(24 * 3600)
    assert walk.state.people["a"].outcome == "timed out"
    assert isinstance(walk.enter("a"), TaskAssignment)


@pytest.mark.parametrize(
    ("values", "why"), [({"least_seconds": 60}, "too fast"), ({"least_messages": 6}, "too few messages")]
)
def test_an_answer_without_effort_does_not_count(values: dict[str, Any], why: str) -> None:
    walk = StudyWalk(make_study(make_stage("work", **values)), items=1)
    walk.enter("a")
    walk.now = 59.0
    walk.finish("a")
    assert walk.state.tasks["t1"].ends["a"].why == why
    assert owed(walk, "a") == {}
    assert isinstance(walk.enter("b"), TaskAssignment)


@pytest.mark.parametrize(
    ("rule", "reason", "paid"),
    [("screen out", "attention checks", {"screened out": 20}), ("ask to return", "asked to return", {})],
)
def test_failed_attention_checks_screen_out_before_anything_is_rejected_and_free_places(
    rule: Any, reason: str, paid: dict[str, int]
) -> None:
    walk = StudyWalk(make_study(make_stage("work", most=3), attention_failures=1, failed_attention=rule))
    for _ in range(2):
        walk.enter("a")
        walk.finish("a", a=TaskReport("finished", 1.0, attention_failed=1))
    assert (walk.state.people["a"].outcome, walk.state.people["a"].reason) == ("screened out", reason)
    assert not any(item.done or item.open for item in walk.state.stages["work"].items.values())
    assert owed(walk, "a") == {"task t1": 100, "task t2": 100, **paid}


def test_who_fails_the_quiz_twice_is_screened_out_and_paid_for_it() -> None:
    walk = StudyWalk(make_study(StudyStage(name="quiz", task=QUIZ, pass_mark=1.0), make_stage("work")))
    walk.enter("a")
    walk.finish("a", score=0.5)
    assert isinstance(walk.step("a"), TaskAssignment)
    walk.finish("a", score=0.5)
    assert walk.step("a") == PersonOutcome("screened out", "did not pass")
    assert owed(walk, "a") == {"screened out": 20}


def practice_study() -> StudyWalk:
    practice = make_stage("practice", answers=0, most=2, pass_mark=0.75)
    groups = {"good": StudyGroup(stage="practice")}
    return StudyWalk(make_study(practice, make_stage("work", group="good", never=()), groups=groups))


@pytest.mark.parametrize(("scores", "passed"), [((1.0, 0.5), True), ((1.0, 0.4), False)])
def test_practice_is_passed_by_the_mean_over_all_its_tasks(scores: tuple[float, ...], passed: bool) -> None:
    walk = practice_study()
    walk.enter("a")
    for score in scores:
        walk.finish("a", score=score)
        walk.step("a")
    assert walk.state.people["a"].groups == ({"good"} if passed else set())
    assert (walk.state.people["a"].outcome == "screened out") is not passed


def test_an_administrator_decides_after_the_practice() -> None:
    groups = {"good": StudyGroup(stage="practice", by="administrator")}
    stages = make_stage("practice", answers=0), make_stage("work", group="good", never=())
    walk = StudyWalk(make_study(*stages, groups=groups))
    walk.enter("a")
    walk.finish("a")
    assert walk.step("a") == PersonOutcome("finished", "an administrator decides about the group")
    walk.record(decide_group(walk.state, "a", "good", True, 0.0))
    found = walk.enter("a")
    assert isinstance(found, TaskAssignment)
    assert found.assigned.stage == "work"


def test_newcomers_go_to_the_smaller_of_two_disjoint_groups() -> None:
    stages = [StudyStage(name=f"into-{name}", task=QUIZ, pass_mark=1.0) for name in ("red", "blue")]
    groups = {"red": StudyGroup(stage="into-red", disjoint=("blue",)), "blue": StudyGroup(stage="into-blue")}
    work = [make_stage(f"work-{name}", group=name, answers=3) for name in groups]
    walk = StudyWalk(make_study(*stages, *work, groups=groups))
    for number in range(6):
        walk.enter(f"p{number}")
        walk.finish(f"p{number}")
    assert walk.state.group_sizes == {"red": 3, "blue": 3}


def test_a_questionnaire_after_the_work_ends_the_visit() -> None:
    walk = StudyWalk(make_study(make_stage("work", most=2), StudyStage(name="end", task=FORM)), items=2)
    walk.enter("a")
    walk.enter("b")
    walk.finish("a")
    assert isinstance(walk.step("a"), TaskAssignment)  # the questionnaire, as b has the other item
    walk.finish("b", b=TaskReport("left"))
    walk.finish("a")
    assert walk.step("a") == PersonOutcome("finished")


def test_an_excluded_author_takes_their_answer_out_of_later_stages() -> None:
    walk = StudyWalk(make_study(make_stage("work"), make_stage("verify", items="work", never=())), items=1)
    walk.enter("a")
    walk.finish("a")
    walk.step("a")
    walk.record(exclude_person(walk.state, "a", "copied", 0.0))
    found = walk.enter("b")
    assert isinstance(found, TaskAssignment)
    assert found.assigned.stage == "work"
    assert [item.withdrawn for item in walk.state.stages["verify"].items.values()] == [True]


def test_an_erased_person_keeps_only_a_code_and_cannot_come_back() -> None:
    walk = StudyWalk(make_study(make_stage("work", most=3)))
    walk.enter("a")
    walk.finish("a")
    walk.record(erase_person(walk.state, "a", 0.0))
    assert walk.state.people["a"].scores == {}
    assert arrive_person(walk.state, "a", 0.0) == []
    assert not walk.state.tasks["t1"].counted


def test_who_stops_between_tasks_after_some_work_is_finished() -> None:
    walk = StudyWalk(make_study(make_stage("work", most=3)))
    walk.enter("a")
    walk.finish("a")
    walk.record(leave_study(walk.state, "a", 0.0))
    assert walk.state.people["a"].outcome == "finished"


def test_places_may_be_added_while_a_study_runs() -> None:
    study = make_study(make_stage("work"), recruiting=StudyRecruiting(places=1))
    walk = StudyWalk(study)
    walk.enter("a")
    assert walk.enter("b") == PersonOutcome("study full")
    more = make_study(make_stage("work"), recruiting=StudyRecruiting(places=2))
    walk.record([StudyChanged(at=0.0, study=more, digests={"consent": "new"})])
    assert isinstance(walk.enter("b"), TaskAssignment)


def test_somebody_who_was_turned_away_comes_back_only_when_there_is_work_again() -> None:
    walk = StudyWalk(make_study(make_stage("work")), items=1)
    walk.enter("a")
    assert walk.enter("b") == PersonOutcome("study full")
    assert arrive_person(walk.state, "b", 0.0) == []
    walk.finish("a", a=TaskReport("left"))
    assert isinstance(walk.enter("b"), TaskAssignment)


def test_nobody_is_asked_before_they_agree() -> None:
    walk = StudyWalk(make_study(make_stage("work")))
    walk.record(arrive_person(walk.state, "a", 0.0))
    assert assign_task(walk.state, "a", 0.0) == TaskWait("", 0.0, 3600.0)
    walk.record(answer_consent(walk.state, "a", False, 0.0))
    assert walk.step("a") == PersonOutcome("declined")
    assert not any(isinstance(event, AmountOwed) for event in walk.events)
