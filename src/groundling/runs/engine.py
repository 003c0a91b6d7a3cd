"""Plays a plan: runs episodes concurrently, logs every event, and resumes earlier runs of the plan."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeAlias

import msgspec
from msgspec import Struct

from groundling.core.events import (
    AnyEvent,
    Closed,
    Failed,
    Replied,
    Status,
    Transcript,
    check_event_schema,
    event_decoder,
)
from groundling.core.game import AnyGame
from groundling.core.player import LASTING, Player
from groundling.core.table import play
from groundling.core.values import Instance, Problem, Role
from groundling.runs.budget import BudgetSpent
from groundling.runs.event_log import (
    EventLog,
    broken_log_line_problem,
    pause_garbage_collection,
    whole_log_lines,
)
from groundling.runs.plan import PlannedEpisode, RunPlan
from groundling.runs.sampling import Stratum, sampling_weights
from groundling.runs.scoring import RowKeeper
from groundling.runs.seat_usage import SeatUsage, is_model_call


class EventSummary(Struct, frozen=True, gc=False):
    """The fields of an event that a summary needs."""

    type: str
    episode: str
    schema: int = 0
    version: str = "?"
    result: dict[str, float] | None = None
    usage: dict[str, int] = {}
    seconds: float | None = None
    detail: dict[str, Any] = {}
    role: str = ""
    boundary: str = ""
    message: str = ""
    retries: int = 0


class RunTally:
    """The progress of a run: the status, score and cost of its episodes."""

    def __init__(self) -> None:
        self.status: dict[str, Status] = {}
        self.score: dict[str, float] = {}
        self.why: dict[str, str] = {}
        """The last error message of episodes in which a player could not answer."""
        self.lasting: set[str] = set()
        """Those of them that would fail again in the same way."""
        self.seats: dict[Role, SeatUsage] = {}
        """What the players that report usage have used."""
        self.reused: dict[str, int] = {}
        """The number of replies that language models did not give again, by the run that they are from."""
        self.unfinished: dict[str, list[bytes]] = {}
        """The log lines of episodes that can be resumed."""

    def read_log(self, log: Path) -> None:
        """Count the events in the log of an earlier run."""
        with pause_garbage_collection():
            self._read_lines(log)

    def _read_lines(self, log: Path) -> None:
        decode = msgspec.json.Decoder(EventSummary).decode
        for number, line in whole_log_lines(log):
            try:
                seen = decode(line)
            except (msgspec.MsgspecError, UnicodeDecodeError) as trouble:
                raise broken_log_line_problem(log, number, trouble) from None
            check_event_schema(seen)
            episode = seen.episode
            if seen.usage or seen.detail:
                self._add_reply(seen)
            if seen.type == "closed":
                self.unfinished.pop(episode, None)
                self._record_end(episode, seen.result["score"] if seen.result else None)
                continue
            self.unfinished.setdefault(episode, []).append(line)
            self.status[episode] = "missing"
            if seen.type == "failed":
                self._record_failure(seen)

    def count_event(self, event: AnyEvent) -> None:
        if type(event) is Replied:  # isinstance is ten times as slow on these
            if event.usage or event.detail:
                self._add_reply(event)
        elif type(event) is Closed:
            self._record_end(event.episode, event.result.score if event.result else None)
        elif type(event) is Failed:
            self._record_failure(event)

    def _record_failure(self, event: Failed | EventSummary) -> None:
        self.status[event.episode] = "errored"
        if event.retries:
            self.seats.setdefault(event.role, SeatUsage()).retries += event.retries
        (self.lasting.add if event.boundary in LASTING else self.lasting.discard)(event.episode)
        self.why[event.episode] = f"{event.role} could not answer ({event.boundary}): {event.message}"

    def _record_end(self, episode: str, score: float | None) -> None:
        self.status[episode] = "aborted" if score is None else "played"
        self.score[episode] = score or 0.0

    def _add_reply(self, event: Replied | EventSummary) -> None:
        if source := event.detail.get("reused_from"):
            run = source.partition("/")[0]
            self.reused[run] = self.reused.get(run, 0) + 1
        elif is_model_call(event.usage, event.detail):
            self.seats.setdefault(event.role, SeatUsage()).add_reply(event.usage, event.seconds, event.detail)

    def is_done(self, episode: str) -> bool:
        return episode in self.score


class RunSummary(Struct, frozen=True):
    planned: int
    played: int
    aborted: int
    errored: int
    missing: int
    score: float | None
    """The mean of the main score over played and aborted episodes; an aborted one counts 0."""
    seats: dict[Role, SeatUsage]
    """What the players that report usage have used."""
    why: tuple[str, str] | None = None
    """The first episode in which a player could not answer, and the error message."""
    lasting: int = 0
    """How many of the errored episodes would fail again in the same way."""
    reused: dict[str, int] = {}
    """The number of replies that were not paid for again, by the run that they are from."""

    @property
    def is_complete(self) -> bool:
        return self.errored == self.missing == 0


def summarise_engine_run(
    plan: RunPlan, tally: RunTally, stratum: Callable[[Instance], Stratum] = lambda instance: ("", "")
) -> RunSummary:
    """Count the episodes of a plan. Their mean score is weighted to the strata of the whole."""
    ids = [episode.id for episode in plan.planned_episodes()]
    counts: dict[Status, int] = {"played": 0, "aborted": 0, "errored": 0, "missing": 0}
    for episode in ids:
        counts[tally.status.get(episode, "missing")] += 1
    done = {one.id: stratum(one.instance) for one in plan.planned_episodes() if tally.is_done(one.id)}
    weights = sampling_weights(plan.strata, done.values())
    scores = [weights[key] * tally.score[episode] for episode, key in done.items()]
    why = next(
        ((episode, tally.why[episode]) for episode in ids if tally.status.get(episode) == "errored"), None
    )
    return RunSummary(
        len(ids),
        **counts,
        score=sum(scores) / len(scores) if scores else None,
        seats=tally.seats,
        why=why,
        lasting=sum(episode in tally.lasting for episode in ids if tally.status.get(episode) == "errored"),
        reused=tally.reused,
    )


def _line_decoder(path: Path, game: AnyGame) -> Callable[[bytes], AnyEvent]:
    """Return a function that decodes the log lines of an unfinished episode."""
    decode = event_decoder(type(game)).decode

    def decode_line(line: bytes) -> AnyEvent:
        try:
            return decode(line)
        except msgspec.MsgspecError as trouble:
            raise Problem(
                f"{path} has an unfinished episode that cannot be read ({trouble}): use a new folder"
            ) from None

    return decode_line


EpisodePlayer: TypeAlias = Callable[[PlannedEpisode, tuple[AnyEvent, ...]], AsyncIterator[AnyEvent]]
"""Plays an episode, continuing after the given events, and yields the new ones."""


def play_here(plan: RunPlan, game: AnyGame, players: Mapping[Role, Player]) -> EpisodePlayer:
    """Return a function that plays an episode in this process."""

    def play_episode(episode: PlannedEpisode, so_far: tuple[AnyEvent, ...]) -> AsyncIterator[AnyEvent]:
        return play(
            game,
            episode.instance,
            {role: players[role] for role in game.seats(episode.instance)},
            seed=episode.seed,
            clock=time.time,
            episode=episode.id,
            so_far=so_far,
            retries=plan.retries,
            strict=plan.strict,
        )

    return play_episode


async def play_plan(
    plan: RunPlan,
    log: EventLog,
    game: AnyGame,
    play_episode: EpisodePlayer,
    tally: RunTally,
    rows: RowKeeper,
    *,
    jobs: int,
) -> None:
    """Play the episodes of the plan that are not done. `tally` must have read the log already. Where a call
    does not fit the budget, its episode stays unfinished and can be resumed."""
    decode = _line_decoder(log.path, game)
    to_play = (episode for episode in plan.planned_episodes() if not tally.is_done(episode.id))

    async def play_episodes(episodes: Iterable[PlannedEpisode]) -> None:
        for episode in episodes:
            lines = tally.unfinished.pop(episode.id, ())
            log.resume_episode(episode.id, lines)
            events = [decode(line) for line in lines]
            async for event in play_episode(episode, tuple(events)):
                log.append_event(event)
                tally.count_event(event)
                events.append(event)
            if tally.is_done(episode.id):
                rows.add_episode(Transcript(tuple(events)))
            await asyncio.sleep(0)  # players that never await would block Ctrl-C and the other episodes

    async def play_within_budget() -> None:
        with suppress(BudgetSpent):
            await play_episodes(to_play)

    at_once = min(jobs, len(plan))
    workers = [asyncio.ensure_future(play_within_budget()) for _ in range(at_once)]
    try:
        await asyncio.gather(*workers)
    finally:
        for worker in workers:
            worker.cancel()
