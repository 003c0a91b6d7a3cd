"""Groups of the best, and practice on gold that people have confirmed."""

from __future__ import annotations

from typing import Any

import pytest
from tests.studies.study_walk import QUIZ, SOLO, StudyWalk, make_stage, make_study

from groundling.studies.assignment import PersonOutcome, TaskAssignment
from groundling.studies.group_decisions import choose_candidates
from groundling.studies.ranking import candidate_scores, rank_people
from groundling.studies.study import StudyGroup, StudyStimuli
from groundling.studies.study_checks import find_study_mistakes
from groundling.studies.study_decisions import TaskReport, decide_group, exclude_person, leave_study
from groundling.web.studies.researcher_view import list_ranked_groups

STIMULI = StudyStimuli(game="reference", recipe={"n": 4})


def ranked_walk(candidates: int = 3, most: int = 1, **values: Any) -> StudyWalk:
    practice = make_stage("practice", answers=0, most=2, **values)
    group = StudyGroup(stage="practice", by="rank", most=most, candidates=candidates)
    return StudyWalk(make_study(practice, make_stage("work", group="best", never=()), groups={"best": group}))


def practise(walk: StudyWalk, person: str, *scores: float) -> None:
    walk.enter(person)
    for score in scores:
        walk.finish(person, score=score)
        walk.step(person)


def members(walk: StudyWalk) -> set[str]:
    return {name for name, person in walk.state.people.items() if "best" in person.groups}


def test_the_best_are_chosen_when_all_candidates_are_in() -> None:
    walk = ranked_walk(most=2)
    practise(walk, "a", 0.5, 0.5)
    practise(walk, "b", 1.0, 0.9)
    assert walk.step("b") == PersonOutcome("finished")
    assert walk.state.people["b"].reason == "the best candidates are chosen later"
    assert members(walk) == set()
    practise(walk, "c", 0.2, 1.0)
    assert members(walk) == {"b", "c"}
    assert walk.state.people["c"].task, "who is chosen last gets work at once"
    work = walk.enter("b")
    assert isinstance(work, TaskAssignment)
    assert work.assigned.stage == "work"
    assert walk.enter("a") == PersonOutcome("finished"), "others were better"


def test_who_is_not_chosen_is_finished_and_not_screened_out() -> None:
    walk = ranked_walk(candidates=2)
    practise(walk, "a", 1.0, 1.0)
    practise(walk, "b", 0.5, 0.5)
    assert (walk.state.people["b"].outcome, walk.state.people["b"].reason) == (
        "finished",
        "others were chosen",
    )
    assert walk.state.people["b"].owed["base"] == walk.state.people["a"].owed["base"]


def test_of_equals_the_first_is_chosen() -> None:
    walk = ranked_walk()
    for number, person in enumerate("abc"):
        walk.now = float(number)
        practise(walk, person, 0.5, 0.5)
    assert members(walk) == {"a"}


def test_no_more_people_than_candidates_practise_and_who_leaves_makes_room() -> None:
    walk = ranked_walk(candidates=2)
    walk.enter("a")
    walk.enter("b")
    assert walk.enter("c") == PersonOutcome("study full", "there is no task for this person")
    walk.record(leave_study(walk.state, "a", walk.now))
    assert isinstance(walk.enter("c"), TaskAssignment)
    assert not isinstance(walk.enter("a"), TaskAssignment), "the place is taken"


def test_a_candidate_below_the_pass_mark_makes_room_for_another() -> None:
    walk = ranked_walk(candidates=1, pass_mark=0.5)
    practise(walk, "a", 0.4, 0.4)
    assert walk.state.people["a"].outcome == "screened out"
    practise(walk, "b", 0.5, 0.5)
    assert members(walk) == {"b"}


def test_an_administrator_may_decide_before_all_candidates_are_in() -> None:
    walk = ranked_walk(candidates=4, most=2)
    practise(walk, "a", 0.1, 0.1)
    practise(walk, "b", 0.9, 0.9)
    practise(walk, "c", 0.8, 0.8)
    assert rank_people(walk.state, candidate_scores(walk.state, "best")) == ["b", "c", "a"]
    walk.record(decide_group(walk.state, "a", "best", True, walk.now))
    walk.record(choose_candidates(walk.state, "best", walk.now))
    assert members(walk) == {"a", "b"}


def test_an_excluded_candidate_is_none() -> None:
    walk = ranked_walk(candidates=2)
    practise(walk, "a", 1.0, 1.0)
    walk.record(exclude_person(walk.state, "a", "copied", walk.now))
    practise(walk, "b", 0.1, 0.1)
    practise(walk, "c", 0.2, 0.2)
    assert members(walk) == {"c"}


def confirmed_walk(items: str) -> StudyWalk:
    """Authors write, two verifiers carry it out, and others practise on what they agree on."""
    stages = [
        make_stage("write", most=4),
        make_stage("verify", SOLO, items=items, answers=3, most=4, never=("author",)),
        make_stage("practice", SOLO, items=items, answers=0, gold="verify", pass_mark=0.5, never=("author",)),
        make_stage("skilled", SOLO, group="good", never=()),
    ]
    groups = {"good": StudyGroup(stage="practice")}
    return StudyWalk(make_study(*stages, groups=groups), items=1)


def gold(walk: StudyWalk) -> list[str]:
    return [item.id for item in walk.state.stages["practice"].free_items()]


def test_gold_is_what_an_author_and_a_verifier_agree_on() -> None:
    walk = confirmed_walk("write")
    walk.enter("author")
    walk.finish("author")
    walk.enter("first")
    walk.finish("first", score=0.9)
    assert gold(walk) == []
    walk.enter("second")
    walk.finish("second", score=1.0)
    assert gold(walk) == ["t1/i0"]
    walk.enter("third")
    found = walk.enter("candidate")
    assert isinstance(found, TaskAssignment)
    assert (found.assigned.stage, found.assigned.items) == ("practice", ("t1/i0",))


def test_gold_of_stimuli_needs_two_people_who_agree_with_it() -> None:
    walk = confirmed_walk("s")
    walk.enter("writer")
    for name, score, found in (("first", 1.0, []), ("second", 0.9, []), ("third", 1.0, ["i0"])):
        assigned = walk.enter(name)
        assert isinstance(assigned, TaskAssignment)
        assert assigned.assigned.stage == "verify"
        walk.finish(name, score=score)
        assert gold(walk) == found


@pytest.mark.parametrize("person", ["author", "second"])
def test_gold_whose_author_or_verifier_is_excluded_is_no_longer_used(person: str) -> None:
    walk = confirmed_walk("write")
    for name, score in (("author", 1.0), ("second", 1.0)):
        walk.enter(name)
        walk.finish(name, score=score)
    walk.record(exclude_person(walk.state, person, "copied", walk.now))
    assert gold(walk) == []
    if person == "second":
        walk.enter("third")
        walk.finish("third", score=1.0)
        assert gold(walk) == ["t1/i0"], "another verifier confirms it again"


def test_a_verifier_who_leaves_confirms_nothing() -> None:
    walk = confirmed_walk("write")
    walk.enter("author")
    walk.finish("author")
    walk.enter("first")
    walk.finish("first", first=TaskReport("left", 1.0))
    assert gold(walk) == []


def chained_walk() -> StudyWalk:
    """A quiz leads to practice for a group of the best, and another one to a group that is disjoint."""
    stages = [
        make_stage("ask-one", QUIZ, "", pass_mark=1.0),
        make_stage("ask-two", QUIZ, "", pass_mark=1.0),
        make_stage("try-one", group="one", answers=0),
        make_stage("try-two", group="two", answers=0),
        make_stage("work-one", group="best", never=()),
        make_stage("work-two", group="rest", never=()),
    ]
    groups = {
        "one": StudyGroup(stage="ask-one"),
        "two": StudyGroup(stage="ask-two"),
        "best": StudyGroup(stage="try-one", by="rank", most=1, candidates=1, disjoint=("rest",)),
        "rest": StudyGroup(stage="try-two", by="administrator"),
    }
    return StudyWalk(make_study(*stages, groups=groups))


def stage_of(walk: StudyWalk, person: str) -> str:
    task = walk.state.people[person].task
    return walk.state.tasks[task].assigned.stage if task else ""


def test_people_are_questioned_for_a_group_only_while_it_has_a_place_for_them() -> None:
    walk = chained_walk()
    walk.enter("a")
    assert stage_of(walk, "a") == "ask-one"
    walk.finish("a")
    walk.enter("b")
    assert stage_of(walk, "b") == "ask-two", "the only candidate practises already"
    walk.step("a")
    assert stage_of(walk, "a") == "try-one"
    walk.finish("b")
    walk.step("b")
    assert stage_of(walk, "b") == "try-two", "who has qualified for one group is not asked about another"


def test_a_rank_may_compare_people_with_authors_but_a_pass_mark_needs_confirmed_gold() -> None:
    def mistakes(**values: Any) -> list[str]:
        write, check = make_stage("write", never=()), make_stage("check", items="write", **values)
        group = StudyGroup(stage="check", by="rank", most=1, candidates=2)
        study = make_study(write, check, groups={"best": group}, stimuli={"s": STIMULI})
        return [line for line in find_study_mistakes(study) if "confirm the gold" in line]

    assert mistakes() == []
    assert len(mistakes(pass_mark=0.5)) == 1


def test_researchers_see_how_many_candidates_there_are_until_these_are_decided() -> None:
    walk = ranked_walk(most=1)
    assert list_ranked_groups(walk.state) == []
    practise(walk, "a", 0.5, 0.5)
    assert list_ranked_groups(walk.state) == [{"group": "best", "candidates": 1, "wanted": 3, "most": 1}]
    walk.record(choose_candidates(walk.state, "best", walk.now))
    assert list_ranked_groups(walk.state) == []
