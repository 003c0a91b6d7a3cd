"""Stages whose conditions are partners: who meets whom on what."""

from __future__ import annotations

from collections import Counter
from math import isnan
from statistics import fmean

import pytest
from tests.studies.partner_studies import PARTNERS, draw_partner_games, partner_stage, run_partner_pilot
from tests.studies.study_walk import FORM, PAIR, StudyWalk, make_stage, make_study

from groundling.studies.assignment import PersonOutcome, TaskAssignment, TaskWait
from groundling.studies.partner_cells import FIRST_WAIT
from groundling.studies.study import StudyStage
from groundling.studies.study_checks import find_study_mistakes
from groundling.studies.study_decisions import TaskReport, end_task, report_partner
from groundling.studies.study_events import TaskReleased
from groundling.studies.study_part import PartnerCondition

PROGRAMS = {name: PARTNERS[name] for name in ("one", "two", "three")}


def walk_programs(items: int = 6, **values: object) -> StudyWalk:
    return StudyWalk(make_study(partner_stage(partners=PROGRAMS, **values)), items)


def test_every_cell_is_filled_once_and_nobody_meets_an_item_twice() -> None:
    state = run_partner_pilot(3, items=8, people=60, leave=0.3)
    counted = [task.assigned for task in state.tasks.values() if task.counted]
    cells = Counter((task.condition, task.items[0]) for task in counted)
    assert len(cells) == 8 * len(PARTNERS)
    assert set(cells.values()) == {1}
    met = Counter(
        (person, state.stages["games"].items[task.assigned.items[0]].root)
        for task in state.tasks.values()
        for person in task.assigned.seats.values()
    )
    assert set(met.values()) == {1}


def test_a_person_meets_all_partners_equally_often() -> None:
    walk = walk_programs(most=6)
    walk.enter("a")
    met = []
    for _ in range(6):
        met.append(walk.state.tasks[walk.state.people["a"].task].assigned.condition)
        walk.finish("a")
        walk.step("a")
    assert Counter(met) == dict.fromkeys(PROGRAMS, 2)
    assert len({*met[:3]}) == 3


def test_a_program_that_fails_is_a_technical_fault_and_another_person_gets_the_cell() -> None:
    walk = walk_programs(items=1)
    first = walk.enter("a")
    assert isinstance(first, TaskAssignment)
    walk.record(end_task(walk.state, "t1", {"a": TaskReport("stayed")}, walk.now, fault=True))
    released = [event.why for event in walk.events if isinstance(event, TaskReleased)]
    assert released == ["technical fault"]
    assert walk.state.people["a"].owed == {"task t1": 50}
    assert walk.step("a") == PersonOutcome("partner left"), "the item was met"
    given = []
    for person in ("b", "c", "d"):
        decision = walk.enter(person)
        assert isinstance(decision, TaskAssignment)
        given.append(decision.assigned.items)
        walk.finish(person)
    assert first.assigned.items in given


def test_people_wait_before_games_with_programs_as_they_do_for_people() -> None:
    walk = StudyWalk(make_study(partner_stage()), 6)
    waits = [walk.enter(person) for person in "abcdef"]
    programs = [
        wait for wait in waits if isinstance(wait, TaskWait) and wait.draw and wait.draw.condition != "person"
    ]
    assert programs, "of six people some meet a program first"
    assert {wait.until for wait in programs} == {FIRST_WAIT}
    walk.now += FIRST_WAIT
    for person in "abcdef":
        walk.step(person)
    assert all(walk.state.people[wait.draw.person].task for wait in programs if wait.draw)


def test_who_finds_no_partner_in_time_plays_with_a_program() -> None:
    person = {"person": PARTNERS["person"], "one": PARTNERS["one"]}
    walk = StudyWalk(make_study(partner_stage(partners=person, most=2)), 6)
    decision = walk.enter("a")
    for _ in range(2):
        if isinstance(decision, TaskWait) and decision.draw and decision.draw.condition == "person":
            break
        walk.now += FIRST_WAIT
        walk.step("a")
        walk.finish("a")
        decision = walk.step("a")
    assert isinstance(decision, TaskWait)
    walk.pass_time(3 * 60)
    assert walk.state.tasks[walk.state.people["a"].task].assigned.condition == "one"


def test_a_questionnaire_follows_each_game_and_says_which_it_is_about() -> None:
    ratings = StudyStage(name="ratings", task=FORM, after_each="games")
    remarks = StudyStage(name="remarks", task=FORM)
    walk = StudyWalk(make_study(partner_stage(partners=PROGRAMS, most=2), ratings, remarks), 6)
    walk.enter("a")
    stages = []
    while task := walk.state.people["a"].task:
        assigned = walk.state.tasks[task].assigned
        stages.append((assigned.stage, assigned.about))
        walk.finish("a")
        walk.step("a")
    assert stages == [("games", ""), ("ratings", "t1"), ("games", ""), ("ratings", "t3"), ("remarks", "")]


def test_a_partner_who_may_be_a_program_can_be_reported() -> None:
    walk = walk_programs()
    walk.enter("a")
    walk.record(report_partner(walk.state, "a", "rude", walk.now))
    assert not walk.state.people["a"].task


def test_mistakes_in_partners_are_named() -> None:
    def mistakes(**values: object) -> str:
        return "\n".join(find_study_mistakes(make_study(partner_stage(**values))))

    assert "has no seat drawer" in mistakes(partners={"x": PartnerCondition(seats={"drawer": "gold"})})
    both = PartnerCondition(seats={"giver": "gold", "follower": "gold"})
    assert 'partners.x: no seat is "person"' in mistakes(partners={"x": both})
    assert 'add "seen" to never' in mistakes(never=("author",))
    assert "with partners, they are the conditions" in mistakes(conditions={"other": {}})
    stray = StudyStage(name="ratings", task=FORM, after_each="nothing")
    told = "\n".join(find_study_mistakes(make_study(make_stage("games", PAIR), stray)))
    assert "after_each: there is no stage of games 'nothing'" in told


@pytest.mark.slow
def test_equal_partners_differ_in_five_percent_and_planted_differences_are_found_as_often_as_stated() -> None:
    state = run_partner_pilot(1, items=24, people=80)
    wrong, found, stated = 0, 0, []
    for seed in range(500):
        equal = draw_partner_games(state, seed, {}).difference("one", "two")
        planted = draw_partner_games(state, 1000 + seed, {"one": 0.5}).difference("one", "two")
        assert equal is not None
        assert planted is not None
        wrong += equal.p_value < 0.05
        found += planted.p_value < 0.05
        stated.append(planted.power_for(0.5))
    assert 0.02 < wrong / 500 < 0.08
    assert found / 500 == pytest.approx(fmean(stated), abs=0.07)
    assert not any(map(isnan, stated))
