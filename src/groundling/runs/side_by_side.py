"""Plays one recorded episode again with other players in one seat: several followers hear the same words, or
several givers describe the same instance. The games are kept beside the run and are played once."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path

import msgspec
from msgspec import Struct

from groundling.core.events import Transcript
from groundling.core.pack import Pack
from groundling.core.values import Problem, Role
from groundling.players.player_specs import check_seat_specs, make_players_from_specs
from groundling.runs.cross_play import cross_play_roles
from groundling.runs.plan import RunPlan
from groundling.runs.run import read_run_recordings
from groundling.runs.session import RunSession, make_session
from groundling.runs.stored_run import Run

FOLDER = "side_by_side"
"""The folder beside the log of a run with these games and their pictures."""


class SideGame(Struct, frozen=True):
    """One of the games that are shown beside each other."""

    label: str
    """The player in the seat that differs, as the user wrote it, or "as recorded"."""
    transcript: Transcript


class SidePlan(Struct, frozen=True):
    """Which seat differs, its players, and the player of the other seat."""

    role: Role
    players: tuple[str, ...]
    partner: str = ""
    """Empty for the recorded words, or for the player of the run where the speakers differ."""


def read_side_plan(pack: Pack, given: Mapping[Role, Sequence[str]]) -> SidePlan:
    """Read the players given for each role. Only the speaker may come with one partner for all."""
    speaker, listener = cross_play_roles(pack)
    speakers, listeners = given.get(speaker, ()), given.get(listener, ())
    for texts in (speakers, listeners):
        if twice := next((text for text in texts if texts.count(text) > 1), ""):
            raise Problem(f"{twice} is given twice: give it once")
    if not speakers:
        return SidePlan(listener, tuple(listeners))
    if len(listeners) > 1:
        raise Problem(
            f"several {speaker}s play with one {listener}, not with {len(listeners)}: "
            f"give --{listener}s once or not at all"
        )
    return SidePlan(speaker, tuple(speakers), *listeners)


def side_folder(run: Run) -> Path:
    return run.path / FOLDER if run.path.is_dir() else run.path.with_name(f"{run.path.stem}-{FOLDER}")


def play_side_games(
    run: Run, transcript: Transcript, plan: SidePlan, on_play: Callable[[str], None]
) -> list[SideGame]:
    """Return the recorded game and one with each player. `on_play` is told what is not there yet."""
    sessions = [_prepare_side_session(run, transcript, plan, text) for text in plan.players]
    found = [SideGame("as recorded", transcript)]
    for text, session in zip(plan.players, sessions, strict=True):
        if not session.folder.log_path.exists() or not session.read_summary().is_complete:
            on_play(text)
            session.play_missing(1)
        found += [SideGame(text, played) for played in session.folder.read_transcripts()]
    return found


def _prepare_side_session(run: Run, transcript: Transcript, plan: SidePlan, text: str) -> RunSession:
    pack, game, about = run.find_pack(), run.make_game(), run.read_about()["plan"]
    speaker, listener = cross_play_roles(pack)
    instance = transcript.opened.instance
    if plan.role == listener:
        seats = {speaker: f"replay:{run.path}", listener: text}
    else:
        seats = {speaker: text, listener: plan.partner or str(about.get("seats", {}).get(listener, ""))}
    if not seats[listener]:
        raise Problem(f"{run.path} does not say who was the {listener}: add --{listener}s PLAYER")

    def open_recordings(name: str) -> Mapping[str, Transcript]:
        return {instance.id: transcript} if name == str(run.path) else read_run_recordings(Path(name))

    check_seat_specs(seats, pack, game, [instance])
    players = make_players_from_specs(pack, game, seats, [instance], open_recordings)
    one = RunPlan(
        game=pack.name,
        settings=game.settings,
        instances=[instance],
        source=f"{run.path} {transcript.episode}",
        seats=seats,
        seed=int(about.get("seed", 0)),
    )
    prefix = side_folder(run) / "games" / file_name(transcript.episode)
    return make_session(pack, game, one, players, None, prefix)


def file_name(text: str) -> str:
    return re.sub(r"\W+", "_", text).strip("_")


def picture_path(run: Run, transcript: Transcript, plan: SidePlan) -> Path:
    """Return the path of the SVG for these players; the PNG is beside it."""
    digest = sha256(msgspec.json.encode(plan)).hexdigest()[:8]
    return side_folder(run) / f"{file_name(transcript.episode)}-{plan.role}s-{digest}.svg"
