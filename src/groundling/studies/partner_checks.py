"""Find mistakes in partners that are conditions, and in questionnaires about each game with them."""

from __future__ import annotations

from collections.abc import Iterator

from groundling.core.pack import Pack, choices_hint
from groundling.studies.study import PERSON, GameTask, QuestionnaireTask, Study, StudyStage


def check_after_each(study: Study, stage: StudyStage) -> Iterator[str]:
    source = study.stage_named(stage.after_each)
    if not stage.after_each:
        return
    if not isinstance(stage.task, QuestionnaireTask):
        yield "after_each is for a questionnaire: remove it"
    if source is None or not isinstance(source.task, GameTask):
        games = [each.name for each in study.stages if isinstance(each.task, GameTask)]
        yield f"after_each: there is no stage of games {stage.after_each!r}: {choices_hint(games)}"


def check_partners(stage: StudyStage, task: GameTask, pack: Pack) -> Iterator[str]:
    """Partners that are conditions."""
    for name, partner in stage.partners.items():
        if extra := sorted(set(partner.seats) - set(pack.roles)):
            yield f"partners.{name}: {task.game} has no seat {extra[0]}: {choices_hint(pack.roles)}"
        elif not stage.person_seats_in(name):
            yield f'partners.{name}: no seat is "{PERSON}": give people a seat'
    if not stage.partners:
        return
    if task.machine_partner:
        yield "machine_partner and partners cannot be combined: make the machine a partner"
    if task.in_a_row > 1 or stage.condition_items or (stage.items and stage.blank_items):
        yield "partners meet a person on one item of the stage at a time: remove in_a_row and condition_items"
    if extra := sorted(set(stage.conditions) - set(stage.partners)):
        yield f"conditions.{extra[0]}: with partners, they are the conditions: {choices_hint(stage.partners)}"
    if "seen" not in stage.never:
        yield 'a person could meet an item twice, with two partners: add "seen" to never'
