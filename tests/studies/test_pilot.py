"""Pilots: bots walk through a study in virtual time."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest
from msgspec import structs
from tests.studies.study_walk import ANY_PAIR, FORM, QUIZ, StudyWalk, make_stage, make_study

from groundling.studies.pilot import BotHabits, PilotRun
from groundling.studies.study import Study, StudyGroup, StudyStage
from groundling.studies.study_decisions import erase_person
from groundling.studies.study_events import encode_study_event
from groundling.studies.study_file import StudyFiles
from groundling.studies.study_flow import FLOW_STEPS, count_flow, flow_svg, flow_text
from groundling.studies.study_state import fold_study
from groundling.studies.study_summary import count_full_score_pairs, summary_lines, summary_tables


def three_stages() -> Study:
    """Pairs describe, others verify in solo, both after qualifying for disjoint groups."""
    check = structs.replace(QUIZ.questions[0], attention=True)
    quiz = structs.replace(QUIZ, questions=(*QUIZ.questions, check, check, check))
    quizzes = [StudyStage(name=f"into-{name}", task=quiz, pass_mark=1.0) for name in ("pairs", "verifiers")]
    return make_study(
        *quizzes,
        make_stage("describe", ANY_PAIR, group="pairs", answers=2, most=4),
        make_stage("verify", items="describe", group="verifiers", answers=2, most=10),
        make_stage("draw", items="s", answers=1, most=3, never=("author",)),
        StudyStage(name="remarks", task=FORM),
        groups={
            "pairs": StudyGroup(stage="into-pairs", disjoint=("verifiers",)),
            "verifiers": StudyGroup(stage="into-verifiers", by="administrator"),
        },
    )


USUAL = BotHabits()


def run_pilot(
    people: int, seed: int = 1, habits: BotHabits = USUAL, items: int = 40, study: Study | None = None
) -> PilotRun:
    names = {"s": tuple(f"i{number}" for number in range(items))}
    run = PilotRun(StudyFiles(study or three_stages(), names, {}), seed, habits, 60.0, 0.0)
    run.add_people(people)
    run.run_queue()
    return run


def test_everybody_has_an_outcome_and_is_paid_and_the_study_is_complete() -> None:
    run = run_pilot(400)
    assert not run.state.active
    assert all(set(person.owed) == person.paid for person in run.state.people.values())
    assert run.state.complete
    outcomes = Counter(person.outcome for person in run.state.people.values())
    assert {"declined", "finished", "left", "screened out", "study full"} <= set(outcomes)


def test_the_best_candidates_come_back_and_do_the_work() -> None:
    best = StudyGroup(stage="practice", by="rank", most=10, candidates=25)
    study = make_study(
        make_stage("confirm", answers=3, most=4),
        make_stage("practice", answers=0, most=3, gold="confirm", never=("author",)),
        make_stage("work", group="best", answers=2, most=40, never=()),
        groups={"best": best},
    )
    run = run_pilot(400, study=study)
    assert run.state.complete
    assert run.state.group_sizes == {"best": 10}
    assert sum(bool(person.failed_groups) for person in run.state.people.values()) == 15


@pytest.mark.slow
def test_the_best_are_chosen_when_nobody_else_will_come() -> None:
    group = StudyGroup(stage="practice", by="rank", most=5, candidates=500)
    stages = make_stage("practice", answers=0), make_stage("work", group="best", never=(), most=40)
    run = run_pilot(20, study=make_study(*stages, groups={"best": group}))
    assert run.state.group_sizes["best"] == 5
    assert run.state.complete


def test_two_thousand_people_walk_through_three_stages() -> None:
    run = run_pilot(2000, items=300)
    assert run.state.complete
    assert len(run.state.people) == 2000
    assert not run.state.active


def test_the_same_seed_gives_the_same_log() -> None:
    one, other = (list(map(encode_study_event, run_pilot(60).events)) for _ in range(2))
    assert one == other
    assert one != list(map(encode_study_event, run_pilot(60, seed=2).events))


def test_the_times_of_a_faster_pilot_are_multiplied_by_its_speed() -> None:
    run = run_pilot(60)
    # division by a power of two is exact
    fast = fold_study(structs.replace(event, at=event.at / 64) for event in run.events)
    assert summary_tables(fast, 64) == summary_tables(run.state)
    assert list(summary_lines(fast, 64)) == list(summary_lines(run.state))
    assert summary_tables(fast) != summary_tables(run.state)


def test_people_who_never_leave_do_not_leave() -> None:
    run = run_pilot(60, habits=BotHabits(leave=0, fall_silent=0, decline=0, be_careless=0))
    assert not {"left", "timed out", "declined", "excluded"} & {
        person.outcome for person in run.state.people.values()
    }


def test_slips_lower_the_share_of_pairs_that_are_both_right() -> None:
    shares = []
    for slip in (0.0, 0.3):
        run = run_pilot(200, habits=BotHabits(slip=slip, be_careless=0))
        full, pairs = count_full_score_pairs(run.state, "verify")
        shares.append(full / pairs)
        lines = list(summary_lines(run.state))
        assert (
            f"both answers right, verify: {100 * shares[-1]:.1f} % of {pairs} pairs of answers to one item"
            in lines
        )
        assert not any(line.startswith("agreement") for line in lines), "two wrong answers may agree"
    assert shares[0] == 1.0
    assert 0.3 < shares[1] < 0.7  # 0.7 squared is 0.49


def test_the_flow_counts_everybody_once() -> None:
    run = run_pilot(200)
    steps = count_flow(run.state)
    assert [step.name for step in steps] == list(FLOW_STEPS)
    assert steps[0].people == 200
    assert steps[-1].people + sum(sum(step.exits.values()) for step in steps) == 200
    for step, after in pairwise(steps):
        assert after.people == step.people - sum(step.exits.values())
    assert f"arrived{200:>12}" in flow_text(steps)
    assert flow_svg("<t>", steps).startswith("<svg")
    assert "&lt;t&gt;" in flow_svg("<t>", steps)


def test_the_flow_names_people_whose_answers_do_not_count() -> None:
    walk = StudyWalk(make_study(make_stage("work")))
    for person in "ab":
        walk.enter(person)
        walk.finish(person)
        walk.step(person)
    walk.record(erase_person(walk.state, "a", 0.0))
    finished, analysed = count_flow(walk.state)[-2:]
    assert (finished.exits, analysed.people) == ({"erased": 1}, 1)
