"""What participants read about the game of a stage: its help, and who their partners were."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, Literal, TypeAlias

import msgspec

from groundling.core.game import AnyGame
from groundling.core.pack import Pack, find, load
from groundling.core.setting_fields import read_live_settings
from groundling.core.values import Instance, Role
from groundling.studies.consent_checks import RECORDED
from groundling.studies.study import PERSON, GameTask, StudyStage
from groundling.studies.study_events import TaskAssigned
from groundling.studies.study_state import StudyState
from groundling.web.screen import seat_help
from groundling.web.studies.served_study import ServedStudy

PartnerKind: TypeAlias = Literal["person", "program", "recording"]


def describe_stage_help(study: ServedStudy, stage: StudyStage, condition: str, role: Role) -> list[Any]:
    """The game's help for a seat, or for all seats that people take where `role` is ""."""
    if not isinstance(stage.task, GameTask):
        return []
    pack, game, instance = _make_stage_game(study, stage, stage.task, condition)
    taken = stage.person_seats_in(condition)
    roles = [role] if role else [each for each in taken if each in game.seats(instance)]
    return [{"role": each, "texts": seat_help(pack, game, instance, each)} for each in roles]


def list_partner_kinds(study: ServedStudy, state: StudyState, person: str) -> list[list[PartnerKind]]:
    """Who the partners of a person were, game by game."""
    found = []
    for name in state.tasks_of.get(person, ()):
        assigned = state.tasks[name].assigned
        stage = state.stages[assigned.stage].stage
        if isinstance(stage.task, GameTask) and person in state.tasks[name].ends:
            found.append(sorted(_find_partners(study, stage, stage.task, assigned, person)))
    return [kinds for kinds in found if kinds]


def has_program_partner(study: ServedStudy, stage: StudyStage) -> bool:
    """Whether a program has a seat in the game of a stage, in some condition. A recording is no program."""
    task = stage.task
    if not isinstance(task, GameTask):
        return False
    for condition in (*stage.conditions, *stage.partners) or ("",):
        _, game, instance = _make_stage_game(study, stage, task, condition)
        seats = stage.seats_in(condition)
        if any(seats[role] not in (PERSON, RECORDED) for role in game.seats(instance)):
            return True
    return False


def name_partner_kind(seat: str) -> PartnerKind:
    """Return what a debriefing calls the player of a seat that no participant had."""
    return "recording" if seat.partition(",")[0].partition(":")[0] == RECORDED else "program"


def _find_partners(
    study: ServedStudy, stage: StudyStage, task: GameTask, assigned: TaskAssigned, person: str
) -> Iterator[PartnerKind]:
    _, game, instance = _make_stage_game(study, stage, task, assigned.condition)
    for role in game.seats(instance):
        if role not in assigned.seats:
            yield name_partner_kind(stage.seats_in(assigned.condition)[role])
        elif assigned.seats[role] != person:
            yield "person"


def _make_stage_game(
    study: ServedStudy, stage: StudyStage, task: GameTask, condition: str
) -> tuple[Pack, AnyGame, Instance]:
    """The game of a stage in a condition, with an instance of the kind that is played."""
    settings = stage.settings_in(condition)
    sources = stage.item_sources
    while sources and (source := study.files.study.stage_named(sources[0])):
        sources = source.item_sources
    stimuli = study.instances.get(sources[0], {}) if sources else {}
    instance = next(iter(stimuli.values()), None)
    game = _make_game(task.game, msgspec.json.encode(settings))
    return find(task.game), game, instance or _find_sample(task.game)


@cache
def _make_game(game: str, settings: bytes) -> AnyGame:
    pack = find(game)
    return pack.new(read_live_settings(pack, msgspec.json.decode(settings)))


@cache
def _find_sample(game: str) -> Instance:
    found: Instance = load(find(game).builtin)()[0]
    return found
