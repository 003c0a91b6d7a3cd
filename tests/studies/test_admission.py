"""Who may still begin: places that services free, people a day, and the budget."""

from __future__ import annotations

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs
from tests.studies.study_walk import QUIZ, SOLO, StudyWalk, make_stage, make_study

from groundling.studies.admission import committed_amount, most_per_person, refuse_newcomer
from groundling.studies.study import StageBonus, StudyPay, StudyRecruiting, StudyStage
from groundling.studies.study_decisions import answer_consent, arrive_person, leave_study
from groundling.studies.study_events import SubmissionSeen

BONUS = StageBonus(amount=0.5)


def test_as_many_people_as_a_day_allows_begin_within_any_24_hours() -> None:
    walk = StudyWalk(make_study(make_stage("work", answers=9), recruiting=StudyRecruiting(a_day=2)))
    walk.enter("a")
    walk.now = 3600.0
    walk.record(arrive_person(walk.state, "c", walk.now))
    walk.enter("b")
    walk.record(answer_consent(walk.state, "c", True, walk.now))
    assert walk.state.people["c"].outcome == "study full", "who read the consent meanwhile is too late"
    walk.enter("d")
    assert walk.state.people["d"].reason == "as many people as a day allows have begun"
    walk.now = 86_400.0
    walk.enter("e")
    assert walk.state.people["e"].task
    assert refuse_newcomer(walk.state, walk.now)


def test_places_that_the_service_gives_to_others_are_free_here() -> None:
    walk = StudyWalk(make_study(make_stage("work"), recruiting=StudyRecruiting(places=2)))
    walk.enter("a")
    walk.enter("b")
    assert refuse_newcomer(walk.state, walk.now) == "all places are taken"
    walk.record(leave_study(walk.state, "a", walk.now))
    assert refuse_newcomer(walk.state, walk.now), "who left holds the place until the service says otherwise"
    walk.record([SubmissionSeen(at=walk.now, person="a", status="returned")])
    assert walk.state.places_taken == 1
    walk.record([SubmissionSeen(at=walk.now, person="a", status="returned")])
    assert walk.state.places_taken == 1
    assert not refuse_newcomer(walk.state, walk.now)
    walk.record([SubmissionSeen(at=walk.now, person="a", status="active")])
    assert walk.state.places_taken == 2


@given(st.integers(0, 10_000), st.integers(2, 40))
@settings(max_examples=60, deadline=None)
def test_a_study_of_single_people_never_owes_more_than_its_budget(seed: int, budget: int) -> None:
    random = Random(seed)
    pay = StudyPay(base=1.0, screened_out=0.5, left="prorated", outcomes={"left": 0.2})
    stages = (
        StudyStage(name="quiz", task=QUIZ, pass_mark=1.0, pay=0.1),
        make_stage("work", SOLO, answers=20, most=3, pay=1.5, bonus=BONUS),
    )
    walk = StudyWalk(make_study(*stages, pay=pay, recruiting=StudyRecruiting(budget=float(budget))))
    for number in range(150):
        person = f"p{random.randrange(8)}"
        walk.now += random.choice([1, 60, 3000])
        known = walk.state.people.get(person)
        if known is None or known.outcome is not None:
            walk.record(arrive_person(walk.state, person, walk.now))
            walk.record(answer_consent(walk.state, person, random.random() < 0.9, walk.now))
        elif random.random() < 0.15:
            walk.record(leave_study(walk.state, person, walk.now))
        elif known.task:
            walk.finish(person, score=random.choice([0.0, 1.0, 1.0]))
        if walk.state.people[person].outcome is None:
            walk.step(person)
        owed = sum(sum(each.owed.values()) for each in walk.state.people.values())
        assert owed <= committed_amount(walk.state)
        assert owed <= 100 * budget, number


def test_the_most_that_a_person_earns_counts_every_task_bonus_and_wait() -> None:
    pay = StudyPay(base=1.0, waiting_minute=0.1, outcomes={"finished": 0.3})
    study = make_study(make_stage("work", most=2, pay=1.5, bonus=BONUS), pay=pay)
    assert most_per_person(study) == 100 + 30 + 2 * 200
    pair = structs.replace(
        study.stages[0], task=structs.replace(SOLO, seats={"giver": "person", "follower": "person"})
    )
    assert most_per_person(structs.replace(study, stages=(pair,))) == 130 + 2 * (200 + 100)
