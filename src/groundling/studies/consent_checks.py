"""Find what people must be told before they agree, and the study does not say that its consent text tells."""

from __future__ import annotations

from collections.abc import Iterator

from groundling.core.code_files import FILE_SPEC, MODULE_SPEC
from groundling.core.pack import find, load
from groundling.core.setting_fields import read_live_settings
from groundling.core.values import Problem
from groundling.studies.study import PERSON, GameTask, Study, StudyStage

RECORDED = "replay"
"""The player that repeats what a person did in an earlier task. It is no program."""


def find_consent_mistakes(study: Study) -> Iterator[str]:
    """A line for every mistake, with the place in the file."""
    told = study.privacy
    for stage in study.stages:
        programs = list_programs(stage)
        if programs and not told.programs:
            yield (
                f"stages.{stage.name}: {programs[0]} is a program: say in {study.consent} that partners may "
                "be programs, and set programs = true in [privacy]"
            )
        for provider in sorted({found for spec in programs if (found := find_provider(spec))}):
            if provider not in told.providers:
                yield (
                    f"stages.{stage.name}: {provider} would get what people write: name it in "
                    f'{study.consent}, and add "{provider}" to providers in [privacy]'
                )


def list_programs(stage: StudyStage) -> list[str]:
    """The players of a stage that are programs, in some condition. A game has only some of its seats with
    some settings."""
    task = stage.task
    if not isinstance(task, GameTask):
        return []
    named = [
        (role, who)
        for condition in stage.partners or ("",)
        for role, who in stage.seats_in(condition).items()
        if who not in (PERSON, RECORDED)
    ]
    taken = _list_taken_seats(stage, task) if named else set()
    programs = [who for role, who in named if role in taken]
    return [*programs, *filter(None, [task.machine_partner])]


def _list_taken_seats(stage: StudyStage, task: GameTask) -> set[str]:
    """The seats that the game has in some condition; all where its settings cannot be read."""
    try:
        pack = find(task.game)
        instance = load(pack.builtin)()[0]
        settings = [{**task.settings, **each} for each in (stage.conditions or {"": {}}).values()]
        games = [pack.new(read_live_settings(pack, each)) for each in settings]
        return {role for game in games for role in game.seats(instance)}
    except Problem:
        return set(task.seats)


def find_provider(player: str) -> str:
    """The provider of a hosted model, PROVIDER/MODEL; "" for other players."""
    head = player.partition(",")[0]
    if FILE_SPEC.fullmatch(head) or MODULE_SPEC.fullmatch(head):
        return ""
    provider, slash, _ = head.partition(":")[0].partition("/")
    return provider if slash else ""
