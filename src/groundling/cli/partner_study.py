"""The results of a study whose conditions are partners: the games of people, and the same without people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from groundling.cli.study_commands import study_log_name
from groundling.core.events import Transcript
from groundling.core.pack import Pack, find, load
from groundling.core.setting_fields import read_live_settings
from groundling.core.values import Instance, Problem
from groundling.progress import progress_bar
from groundling.runs.session import RunSession, new_session_plan, prepare_session
from groundling.studies.consent_checks import find_provider
from groundling.studies.partner_results import (
    PartnerGame,
    PartnerResults,
    SoloGame,
    find_rating_stage,
    list_form_questions,
    read_rating,
)
from groundling.studies.study import PERSON, FormQuestion, GameTask, StudyStage
from groundling.studies.study_events import TaskReleased
from groundling.studies.study_state import StudyState
from groundling.web.studies.study_games import StudyGame, read_study_games
from groundling.web.study_store import StoredStudy

ALONE_FOLDER = "without-people"
"""The folder in that of the study with the runs in which nobody is a person."""


def collect_partner_results(
    folder: Path, db: str, state: StudyState, stored: StoredStudy
) -> list[PartnerResults]:
    """The results of all stages whose conditions are partners. Games without people are played once and kept
    in the study's folder."""
    stages = [stage for stage in state.study.stages if stage.partners]
    if not stages:
        return []
    games, _ = read_study_games(db, study_log_name(folder), state)
    return [_stage_results(folder, state, stored, stage, games) for stage in stages]


def _stage_results(
    folder: Path, state: StudyState, stored: StoredStudy, stage: StudyStage, games: Sequence[StudyGame]
) -> PartnerResults:
    assert isinstance(stage.task, GameTask)
    pack = find(stage.task.game)
    own = [game for game in games if game.row.stage == stage.name and (game.row.run or game.incomplete)]
    own.sort(key=lambda game: game.transcript.opened.at)
    if not own:
        raise Problem(
            f"stages.{stage.name}: no game has ended yet: let people play, or bots with "
            "groundling study simulate --server"
        )
    main = load(pack.measures)[0]
    measure = main.name
    questions = list_form_questions(find_rating_stage(state, stage))
    ratings = _read_ratings(state, stored, questions)
    finished = [game.transcript for game in own if game.row.run]
    hook = pack.data.prior
    priors = load(hook)([game.transcript for game in own], finished) if hook else [{} for _ in own]
    played = {
        game.transcript.opened.instance.id: game.transcript.opened.instance for game in own if game.row.run
    }
    alone, notes = _play_alone(folder, pack, stage, list(played.values()), measure)
    return PartnerResults(
        stage=stage,
        measure=measure,
        bounds=(main.low, main.high),
        games=[
            _make_game(state, pack, game, prior, ratings.get(game.row.task, {}))
            for game, prior in zip(own, priors, strict=True)
        ],
        alone=alone,
        questions=questions,
        notes=notes,
    )


def _make_game(
    state: StudyState,
    pack: Pack,
    game: StudyGame,
    prior: Mapping[str, float],
    ratings: Mapping[int, Sequence[float]],
) -> PartnerGame:
    ends = state.tasks[game.row.task].ends.values()
    reasons = {end.why for end in ends if isinstance(end, TaskReleased)}
    return PartnerGame(
        condition=game.row.condition,
        item=game.row.item,
        cluster=load(pack.cluster)(game.transcript.opened.instance),
        people=tuple(game.room.assigned.seats.values()),
        finished=bool(game.row.run),
        fault="technical fault" in reasons,
        time_up=bool(reasons & {"time up", "timed out"}),
        scores=_score_game(pack, game.transcript),
        prior=prior,
        ratings=ratings,
    )


def _score_game(pack: Pack, transcript: Transcript) -> dict[str, float]:
    """The measures of a game at the state that it reached. What is not known counts as the lowest."""
    scores = load(pack.score)(pack.new(transcript.opened.settings), transcript).episode
    known = [each for each in load(pack.measures) if not each.category]
    return {each.name: float(scores.get(each.name) or each.low or 0.0) for each in known}


def _read_ratings(
    state: StudyState, stored: StoredStudy, questions: Sequence[FormQuestion]
) -> dict[str, dict[int, list[float]]]:
    """The answers about each game, by its task and by the number of the question."""
    found: dict[str, dict[int, list[float]]] = {}
    for sent in stored.answers:
        about = state.tasks[sent.task].assigned.about
        answers = msgspec.json.decode(sent.body, type=list[str]) if about else []
        for number, (question, answer) in enumerate(zip(questions, answers, strict=False)):
            if (value := read_rating(question, answer)) is not None:
                found.setdefault(about, {}).setdefault(number, []).append(value)
    return found


def _play_alone(
    folder: Path, pack: Pack, stage: StudyStage, instances: Sequence[Instance], measure: str
) -> tuple[list[SoloGame], list[str]]:
    """Play each program with the stand-in for people on the items that people played."""
    games: list[SoloGame] = []
    notes: list[str] = []
    for condition in stage.partners:
        seats = stage.seats_in(condition)
        if all(who == PERSON for who in seats.values()) or not instances:
            continue
        if hosted := next((who for who in seats.values() if find_provider(who)), ""):
            notes.append(f"{condition}: {hosted} costs money and was not played without people.")
            continue
        assert isinstance(stage.task, GameTask)
        stand_in = stage.task.stand_in
        table = {role: stand_in.get(role, "") if who == PERSON else who for role, who in seats.items()}
        if "" in table.values():
            notes.append(f"{condition}: nobody stands in for people: name a player in stand_in.")
            continue
        settings = read_live_settings(pack, stage.settings_in(condition))
        plan = new_session_plan(pack, instances, settings=settings, source=folder.name, seats=table)
        place = folder / ALONE_FOLDER / stage.name / condition
        games += _play_session(pack, prepare_session(pack, plan, place), condition, measure)
    return games, notes


def _play_session(pack: Pack, session: RunSession, condition: str, measure: str) -> Iterator[SoloGame]:
    with progress_bar() as bar:
        session.play_missing(
            jobs=session.default_jobs,
            on_start=lambda done: bar.set_progress(f"{condition} without people", done, len(session.plan)),
            on_synced=lambda episodes: bar.advance_by(len(episodes)),
        )
    for transcript in session.folder.read_transcripts():
        cluster = load(pack.cluster)(transcript.opened.instance)
        yield SoloGame(condition, cluster, _score_game(pack, transcript)[measure])
