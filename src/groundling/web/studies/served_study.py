"""A study as a server loads it: checked, with its texts and the instances that it plays."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from time import time

from msgspec import Struct

from groundling.core.pack import Pack, choices_hint
from groundling.core.setting_fields import read_live_settings
from groundling.core.values import Instance, Problem
from groundling.players.player_specs import make_player_from_spec
from groundling.runs.instances import read_instances
from groundling.studies.study import PERSON, DrawTask, GameTask, StudyStage
from groundling.studies.study_checks import find_forbidden_changes, read_usable_study
from groundling.studies.study_decisions import StudyEvents
from groundling.studies.study_events import StudyChanged
from groundling.studies.study_file import StudyFiles, make_study_stimuli
from groundling.studies.study_state import StudyState
from groundling.web.game_catalog import GameCatalog
from groundling.web.stimuli import (
    StimulusSet,
    has_recorded_replies,
    is_recorded_partner,
    refuse_room_recordings,
)
from groundling.web.study_store import StudyLog, open_study_log


class ServedStudy(Struct, frozen=True, eq=False):
    name: str
    """The name of its folder, which is in the address of its pages and names its log."""
    files: StudyFiles
    instances: Mapping[str, Mapping[str, Instance]]
    """By the name of the stimuli, then by id."""
    folder: Path = Path()


def load_served_study(folder: Path, catalog: GameCatalog) -> ServedStudy:
    """Read a study for the server. Raises Problem where it has mistakes, or a game is not served."""
    files = read_usable_study(folder)
    name = folder.resolve().name
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_-]*", name):
        raise Problem(f"{name!r} cannot be in an address: rename the folder to letters, digits, - and _")
    for stage in files.study.stages:
        game = stage.task.game if isinstance(stage.task, GameTask | DrawTask) else ""
        if game and game not in catalog.served:
            raise Problem(f"study {name}: {game!r} is not played here: {choices_hint(catalog.served)}")
        gallery = catalog.served[game].live.gallery if isinstance(stage.task, DrawTask) else None
        if isinstance(stage.task, DrawTask) and (gallery is None or gallery.canvas is None):
            raise Problem(f"study {name}: stages.{stage.name}: nothing can be drawn in {game}: change it")
    instances = {
        key: {
            instance.id: instance
            for instance in (
                read_instances(catalog.served[stimuli.game], folder / stimuli.file)
                if stimuli.file
                else make_study_stimuli(folder, key, stimuli)
            )
        }
        for key, stimuli in files.study.stimuli.items()
        if not stimuli.table
    }
    for stage in files.study.stages:
        if isinstance(stage.task, GameTask):
            pack = catalog.served[stage.task.game]
            there = [each for key in stage.item_sources for each in instances.get(key, {}).values()]
            _check_stage_playable(name, stage, pack, there)
    return ServedStudy(name, files, instances, folder)


def _check_stage_playable(study: str, stage: StudyStage, pack: Pack, instances: Sequence[Instance]) -> None:
    """Check that every instance can be played in every condition, with the seats that people take, and that
    the programs which are conditions can be seated."""
    for name in (*stage.conditions, *stage.partners) or ("",):
        programs = {role: who for role, who in stage.seats_in(name).items() if who != PERSON}
        game = pack.new(read_live_settings(pack, stage.settings_in(name)))
        where = f"study {study}: stages.{stage.name}{f', condition {name}' if name else ''}"
        for instance in instances:
            try:
                game.start(instance)
            except Problem as trouble:
                raise Problem(f"{where}: {trouble}") from None
            if missing := sorted(set(stage.person_seats_in(name)) - set(game.seats(instance))):
                raise Problem(f"{where}: with these settings there is no seat {missing[0]}: change them")
            for role, who in programs.items() if stage.partners else ():
                if is_recorded_partner(who) and not has_recorded_replies(pack, game, role, who, instance):
                    raise Problem(
                        f"{where}: nothing of the {role} is recorded for {instance.id}: take recorded "
                        "stimuli, or another partner"
                    )
        for role, who in programs.items() if stage.partners and instances else ():
            try:
                if not is_recorded_partner(who):
                    make_player_from_spec(pack, game, role, who, instances[:1], refuse_room_recordings)
            except Problem as trouble:
                raise Problem(f"{where}: {trouble}") from None


def load_served_studies(folders: Sequence[str], catalog: GameCatalog) -> tuple[ServedStudy, ...]:
    studies = tuple(load_served_study(Path(folder), catalog) for folder in folders)
    names = [study.name for study in studies]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise Problem(f"two studies are named {twice[0]}: rename the folder of one")
    return studies


def reserved_study_sets(studies: Sequence[ServedStudy]) -> list[StimulusSet]:
    """What the studies play, so that no other room plays it and no page shows it."""
    return [
        StimulusSet(study.files.study.stimuli[key].game, key, list(found.values()), reserved=True)
        for study in studies
        for key, found in study.instances.items()
    ]


def begin_served_studies(db: str, studies: Sequence[ServedStudy]) -> None:
    """Begin or continue the logs of all studies in the server's database."""
    for study in studies:
        with open_study_log(db, study.name) as log:
            begin_study(log, study, time())


def begin_study(log: StudyLog, study: ServedStudy, now: float) -> None:
    """Begin the study's log, or continue it and record what was edited. Raises Problem with a line for each
    change that must not be made while the study runs."""
    files = study.files
    if not log.read_events():
        return log.begin_log([files.start_study(now)])

    def take_changes(state: StudyState) -> tuple[StudyEvents, None]:
        running = StudyFiles(state.study, state.started.items, state.digests)
        if mistakes := find_forbidden_changes(running, files):
            raise Problem("\n".join(f"study {study.name}: {mistake}" for mistake in mistakes))
        kept = files.consents.keys() <= state.consents.keys()
        if kept and (files.study, files.digests) == (state.study, state.digests):
            return [], None
        changed = StudyChanged(at=now, study=files.study, digests=files.digests, consents=files.consents)
        return [changed], None

    return log.decide_events(take_changes)
