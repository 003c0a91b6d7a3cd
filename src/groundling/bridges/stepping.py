"""Episodes that a caller plays step by step: what the environments of all frameworks share.

The caller takes the free seats; players take the others, and answer in between. Every episode follows the
rules of `groundling play`: two readings of every text, the same retries, the same log."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from threading import Thread
from typing import Any, Literal, TypeAlias, get_args
from weakref import finalize

from msgspec import Struct

from groundling.core.events import LIMIT, AnyEvent, Closed, Failed, Opened, Refused, Transcript
from groundling.core.pack import Pack, choices_hint, command_name, find, load, resolve_settings
from groundling.core.player import Ask, Player, Reply, Unable
from groundling.core.replay import EpisodeReplay
from groundling.core.setting_fields import read_settings
from groundling.core.table import Referee, open_episode
from groundling.core.values import Instance, Problem, Role
from groundling.players.player_specs import (
    check_seat_specs,
    language_model_seats,
    make_players_from_specs,
    read_seat_specs,
    with_recorded_specs,
)
from groundling.runs.event_log import EventLog
from groundling.runs.instances import check_instance_ids, choose_instances
from groundling.runs.run import read_run_recordings
from groundling.runs.run_folder import RunFolder

Rewarding: TypeAlias = Literal["score", "change"]
InstanceSource: TypeAlias = str | Path | Sequence[Instance] | None


class StepOptions(Struct, frozen=True, kw_only=True):
    """What every environment can be told beside the settings of its game."""

    instances: InstanceSource = None
    """A file made by `groundling make`, or instances; the built-in set by default."""
    seats: Mapping[Role, str] = {}
    """Players for some of the seats, as for `--seat`; the caller has the others."""
    reward: Rewarding = "score"
    """The score when the episode ends, or how much each turn changes it."""
    illegal_reward: float = 0.0
    """What a seat gets for a reply that is refused."""
    retries: int = 1
    strict: bool = False
    log: str | Path | None = None
    """A folder for the episodes, which is then a run like any other."""
    name: str = "agent"
    """The name of the caller in that run."""


def make_stepper(game: str | Pack, options: Mapping[str, Any]) -> EpisodeStepper:
    """Make the episodes of a game from the options of an environment and the settings of the game."""
    known = StepOptions.__struct_fields__
    own = {name: value for name, value in options.items() if name in known and value is not None}
    if own.get("reward", "score") not in get_args(Rewarding):
        raise Problem(f"reward is {own['reward']!r}: {choices_hint(get_args(Rewarding))}")
    return EpisodeStepper(
        game, StepOptions(**own), {name: value for name, value in options.items() if name not in known}
    )


class CallerSeat:
    """Stands in a seat that the caller plays."""

    def __init__(self, name: str) -> None:
        self.name = name

    async def act(self, ask: Ask) -> Reply:
        raise Unable("caller", f"seat {ask.role} is played from outside")


class PlayerThread:
    """Runs the players' coroutines in a thread, so that the caller may have an event loop of its own."""

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None

    def ask_player(self, player: Player, ask: Ask) -> Reply:
        if self._loop is None:
            self._loop = asyncio.new_event_loop()
            Thread(target=self._loop.run_forever, name="players", daemon=True).start()
            finalize(self, self._loop.call_soon_threadsafe, self._loop.stop)
        return asyncio.run_coroutine_threadsafe(player.act(ask), self._loop).result()


class EpisodeRecorder:
    """Writes the episodes as a run. Whatever ends the process, the log holds what was synced before."""

    def __init__(self, path: Path, pack: Pack, settings: Any, source: str) -> None:
        folder = RunFolder(path)
        if folder.log_path.exists() or folder.about_path.exists():
            raise Problem(f"{path} already holds a run: choose another folder for the log, or remove it")
        self._count = [0]
        folder.write_recording_about(pack, settings, source, 0)
        self._log = EventLog(folder.log_path)
        about = (folder, pack, settings, source)
        self.close = finalize(self, _close_recording, self._log, about, self._count)

    def append_event(self, event: AnyEvent) -> None:
        self._count[0] += type(event) is Opened
        self._log.append_event(event)


def _close_recording(log: EventLog, about: tuple[RunFolder, Pack, Any, str], count: list[int]) -> None:
    log.close()
    folder, pack, settings, source = about
    folder.write_recording_about(pack, settings, source, count[0])


class EpisodeStepper:
    """Plays one episode after another; `replay` is the present one."""

    replay: EpisodeReplay

    def __init__(self, game: str | Pack, options: StepOptions, settings: Mapping[str, Any]) -> None:
        self.pack = pack = game if isinstance(game, Pack) else find(game)
        self.options = options
        self.instances, source = find_stepped_instances(pack, options.instances)
        specs = read_seat_specs([f"{role}={spec}" for role, spec in options.seats.items()], pack)
        chosen = read_settings(pack, settings)
        self.game = pack.new(resolve_settings(pack, chosen, language_model_seats(specs)))
        specs = with_recorded_specs(specs, pack, self.game, self.instances)
        needed = {role for instance in self.instances for role in self.game.seats(instance)}
        self.free = tuple(role for role in pack.roles if role in needed and role not in specs)
        check_seat_specs({**dict.fromkeys(self.free, "agent"), **specs}, pack, self.game, self.instances)
        self.partners = make_players_from_specs(
            pack, self.game, specs, self.instances, lambda name: read_run_recordings(Path(name))
        )
        self._score, self._measure = load(pack.score), load(pack.measures)[0].name
        self._by_id = {instance.id: instance for instance in self.instances}
        self._times_played: dict[str, int] = {}
        self._thread = PlayerThread()
        self.recorder = (
            EpisodeRecorder(Path(options.log), pack, self.game.settings, source) if options.log else None
        )
        self.rng = Random()

    def open_episode(self, seed: int | None = None, instance: str | None = None) -> None:
        """Begin an episode of that instance, else of one at random. A seed fixes this one and all later
        ones. Players in the other seats answer until it is the caller's turn."""
        if seed is not None:
            self.rng = Random(seed)
        if instance is not None and instance not in self._by_id:
            raise Problem(f"there is no instance {instance!r} in this environment: give one of its instances")
        chosen = self.rng.choice(self.instances) if instance is None else self._by_id[instance]
        self._times_played[chosen.id] = count = self._times_played.get(chosen.id, 0) + 1
        caller = CallerSeat(self.options.name)
        players = {role: self.partners.get(role, caller) for role in self.game.seats(chosen)}
        opened = open_episode(
            self.game,
            chosen,
            players,
            seed=self.rng.getrandbits(48),
            at=time.time(),
            episode=chosen.id if count == 1 else f"{chosen.id}#{count}",
            retries=self.options.retries,
            strict=self.options.strict,
        )
        self.replay = EpisodeReplay(self.game, opened)
        self.referee = Referee(self.replay, time.time)
        self.events: list[AnyEvent] = []
        self.ending, self.value = "", 0.0
        self._take_event(opened)
        self._continue_play()
        if self.failed:
            raise Problem(self.ending)

    @property
    def role(self) -> Role | None:
        """The seat whose reply is needed next; None when the episode is over."""
        return None if self.ending else self.replay.awaited_role

    @property
    def failed(self) -> bool:
        """Whether a player in another seat could not answer. The episode then has no score."""
        return type(self.events[-1]) is Failed

    def take_reply(self, reply: Reply) -> tuple[float, str | None]:
        """Play a reply of the seat whose turn it is, and let the other players answer. Return by how much
        that changed what the episode is worth, and the complaint if the reply was refused."""
        role, before = self.role, self.value
        assert role is not None
        self._take_event(self.referee.read_reply(role, reply))
        self._take_event(verdict := self.referee.next_event())
        self._continue_play()
        self.value = self._current_value(before)
        return self.value - before, verdict.complaint if type(verdict) is Refused else None

    def _continue_play(self) -> None:
        replay = self.replay
        while not replay.over:
            role = replay.awaited_role
            if role is None:
                self._take_event(self.referee.next_event())
            elif role not in self.partners:
                return
            else:
                try:
                    reply = self._thread.ask_player(self.partners[role], self.referee.make_ask(role))
                except Unable as trouble:
                    self.ending = f"{role} could not answer ({trouble.boundary}): {trouble}"
                    about: dict[str, Any] = {"episode": replay.opened.episode, "at": time.time()}
                    failed = Failed(**about, role=role, boundary=trouble.boundary, message=str(trouble))
                    self._take_event(failed)
                    return
                self._take_event(self.referee.read_reply(role, reply))

    def _take_event(self, event: AnyEvent) -> None:
        self.replay.take_event(event)
        self.events.append(event)
        if type(event) is Closed:
            self.ending = event.reason
        if self.recorder is not None:
            self.recorder.append_event(event)

    def _current_value(self, before: float) -> float:
        """Return the score; before the end, that of the present state if changes are rewarded."""
        last = self.events[-1]
        if type(last) is Closed:
            return 0.0 if last.result is None else last.result.score
        if self.options.reward == "score" or type(last) is Failed:
            return before
        limited = Closed(episode=last.episode, at=last.at, reason=f"{LIMIT}turn")
        now = self._score(self.game, Transcript((*self.events, limited))).episode[self._measure]
        return before if now is None else now

    def close(self) -> None:
        if self.recorder is not None:
            self.recorder.close()


def find_stepped_instances(pack: Pack, given: InstanceSource) -> tuple[Sequence[Instance], str]:
    """Return the instances of an environment, and where they come from."""
    if given is None or isinstance(given, str | Path):
        found = choose_instances(pack, None if given is None else Path(given), None, "", None)
        return found.instances, found.source
    if not given or not all(isinstance(one, load(pack.game).Instance) for one in given):
        what = f"one or more instances of {pack.name}"
        raise Problem(f"the instances must be {what}: make some with groundling make {command_name(pack)}")
    check_instance_ids("the environment", given)
    return given, "given"
