"""Who must be told what before they agree, and for how long data is kept."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import structs
from tests.studies.study_walk import ANY_PAIR, PAIR, SOLO, make_stage, make_study, start_study

from groundling.studies.consent_checks import find_consent_mistakes, find_provider
from groundling.studies.privacy_rules import find_expired_people
from groundling.studies.study import GameTask, Study, StudyPrivacy
from groundling.studies.study_checks import find_forbidden_changes
from groundling.studies.study_events import AmountOwed, AmountPaid, AnyStudyEvent, Arrived, PersonEnded
from groundling.studies.study_file import StudyFiles
from groundling.studies.study_state import fold_study

DAY = 86_400
ALIGN = GameTask(
    game="hexagons", seats={"instructor": "person", "executor": "gold"}, settings={"mode": "align"}
)
REPLAY = structs.replace(ALIGN, seats={"instructor": "replay", "executor": "person"}, settings={})


@pytest.mark.parametrize("task", [SOLO, ANY_PAIR, structs.replace(ALIGN, settings={})])
def test_people_are_told_that_partners_may_be_programs(task: GameTask) -> None:
    study = make_study(make_stage("work", task))
    assert list(find_consent_mistakes(study)) == [
        "stages.work: gold is a program: say in c.md that partners may be programs, "
        "and set programs = true in [privacy]"
    ]
    assert not list(find_consent_mistakes(structs.replace(study, privacy=StudyPrivacy(programs=True))))


@pytest.mark.parametrize("task", [PAIR, ALIGN, REPLAY])
def test_people_recordings_and_seats_that_a_game_does_not_have_are_no_programs(task: GameTask) -> None:
    assert not list(find_consent_mistakes(make_study(make_stage("work", task))))


@pytest.mark.parametrize(
    "task",
    [
        structs.replace(SOLO, seats={"giver": "person", "follower": "openai/gpt-4o,temperature=0"}),
        structs.replace(PAIR, machine_partner="openai/gpt-4o"),
    ],
)
def test_a_hosted_model_gets_no_words_unless_its_provider_is_named(task: GameTask) -> None:
    study = make_study(make_stage("work", task), privacy=StudyPrivacy(programs=True, providers=("mistral",)))
    (line,) = find_consent_mistakes(study)
    assert line == (
        "stages.work: openai would get what people write: name it in c.md, "
        'and add "openai" to providers in [privacy]'
    )
    named = StudyPrivacy(programs=True, providers=("mistral", "openai"))
    assert not list(find_consent_mistakes(structs.replace(study, privacy=named)))


@pytest.mark.parametrize(
    ("player", "provider"),
    [
        ("openai/gpt-4o", "openai"),
        ("together/meta-llama/Llama-3-8b:free,top_p=1", "together"),
        ("gold", ""),
        ("gguf:models/small.gguf", ""),
        ("players/mine.py:Player", ""),
        ("my.players:Mine", ""),
    ],
)
def test_the_provider_is_what_comes_before_the_model(player: str, provider: str) -> None:
    assert find_provider(player) == provider


def walk_with(privacy: StudyPrivacy) -> list[AnyStudyEvent]:
    """Four people came on the first day: two have finished, and one of them is owed 1.00; one takes part."""
    events: list[AnyStudyEvent] = [start_study(make_study(make_stage("work"), privacy=privacy))]
    for person in ("paid", "unpaid", "here"):
        events.append(Arrived(at=0, person=person))
    events += [AmountOwed(at=1, person=person, key="base", amount=100) for person in ("paid", "unpaid")]
    events += [PersonEnded(at=2, person=person, outcome="finished") for person in ("paid", "unpaid")]
    return [*events, AmountPaid(at=3, person="paid", keys=("base",))]


def test_ids_are_due_first_then_people_and_nobody_before_they_are_paid() -> None:
    state = fold_study(walk_with(StudyPrivacy(ids_days=10, data_days=20)))
    known = ["paid", "unpaid", "here", "never arrived"]

    def find(days: float) -> tuple[Any, ...]:
        return structs.astuple(find_expired_people(state, known, days * DAY + 2))

    assert find(9.9) == (("never arrived",), (), ())
    assert find(10) == (("paid", "never arrived"), (), ("unpaid",))
    assert find(20) == (("never arrived",), ("paid",), ("unpaid",))
    assert structs.astuple(find_expired_people(state, [], 12 * DAY)) == ((), (), ()), "their ids are gone"
    forever = fold_study(walk_with(StudyPrivacy()))
    assert structs.astuple(find_expired_people(forever, known, 9_999 * DAY)) == ((), (), ())


def test_data_may_only_be_kept_for_less_long_than_people_agreed_to() -> None:
    def changes(before: StudyPrivacy, after: StudyPrivacy) -> list[str]:
        studies: list[Study] = [make_study(make_stage("work"), privacy=each) for each in (before, after)]
        return find_forbidden_changes(*(StudyFiles(study, {}, {}) for study in studies))

    assert not changes(StudyPrivacy(), StudyPrivacy(ids_days=9, data_days=99, providers=("openai",)))
    assert not changes(StudyPrivacy(ids_days=9), StudyPrivacy(ids_days=8))
    for later in (10, None):
        (line,) = changes(StudyPrivacy(ids_days=9), StudyPrivacy(ids_days=later))
        assert "privacy.ids_days may only become less while the study runs: set at most 9" in line
