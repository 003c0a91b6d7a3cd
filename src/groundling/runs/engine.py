"""Plays a plan: runs many episodes concurrently, logs every event, and resumes an earlier run of the same
plan."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import msgspec
from msgspec import Struct

from groundling.core.events import AnyEvent, Closed, Failed, Replied, Status, check_schema, decoder
from groundling.core.game import AnyGame
from groundling.core.player import Player
from groundling.core.table import play
from groundling.core.values import Problem, Role
from groundling.runs.files import no_collecting
from groundling.runs.log import Log, broken, lines
from groundling.runs.plan import Episode, Plan


class Glance(Struct, frozen=True, gc=False):
    """The fields of an event that a summary needs."""

    type: str
    episode: str
    schema: int = 0
    version: str = "?"
    result: dict[str, float] | None = None
    usage: dict[str, int] = {}
    role: str = ""
    boundary: str = ""
    message: str = ""


class Tally:
    """The progress of a run: the status, score and cost of its episodes."""

    def __init__(self) -> None:
        self.status: dict[str, Status] = {}
        self.score: dict[str, float] = {}
        self.why: dict[str, str] = {}
        """The last error message of episodes in which a player could not answer."""
        self.usage: dict[str, int] = {}
        self.unfinished: dict[str, list[bytes]] = {}
        """The log lines of episodes that can be resumed."""

    def read(self, log: Path) -> None:
        """Count the events in the log of an earlier run."""
        with no_collecting():
            self._read(log)

    def _read(self, log: Path) -> None:
        decode = msgspec.json.Decoder(Glance).decode
        for number, line in lines(log):
            try:
                seen = decode(line)
            except (msgspec.MsgspecError, UnicodeDecodeError) as trouble:
                raise broken(log, number, trouble) from None
            check_schema(seen)
            episode = seen.episode
            self._spend(seen.usage)
            if seen.type == "closed":
                self.unfinished.pop(episode, None)
                self._end(episode, seen.result["score"] if seen.result else None)
                continue
            self.unfinished.setdefault(episode, []).append(line)
            self.status[episode] = "missing"
            if seen.type == "failed":
                self._fail(seen)

    def take(self, event: AnyEvent) -> None:
        if isinstance(event, Replied):
            self._spend(event.usage)
        elif isinstance(event, Closed):
            self._end(event.episode, event.result.score if event.result else None)
        elif isinstance(event, Failed):
            self._fail(event)

    def _fail(self, event: Failed | Glance) -> None:
        self.status[event.episode] = "errored"
        self.why[event.episode] = f"{event.role} could not answer ({event.boundary}): {event.message}"

    def _end(self, episode: str, score: float | None) -> None:
        self.status[episode] = "aborted" if score is None else "played"
        self.score[episode] = score or 0.0

    def _spend(self, usage: Mapping[str, int]) -> None:
        for key, count in usage.items():
            self.usage[key] = self.usage.get(key, 0) + count

    @property
    def tokens(self) -> int:
        return self.usage.get("total_tokens") or sum(self.usage.values())

    def done(self, episode: str) -> bool:
        return episode in self.score


class Summary(Struct, frozen=True):
    planned: int
    played: int
    aborted: int
    errored: int
    missing: int
    score: float | None
    """The mean of the main score over played and aborted episodes; an aborted one counts 0."""
    usage: dict[str, int]
    why: tuple[str, str] | None = None
    """The first episode in which a player could not answer, and the error message."""

    @property
    def complete(self) -> bool:
        return self.errored == self.missing == 0


def summarise(plan: Plan, tally: Tally) -> Summary:
    ids = [episode.id for episode in plan.episodes()]
    counts: dict[Status, int] = {"played": 0, "aborted": 0, "errored": 0, "missing": 0}
    for episode in ids:
        counts[tally.status.get(episode, "missing")] += 1
    scores = [tally.score[episode] for episode in ids if tally.done(episode)]
    why = next(
        ((episode, tally.why[episode]) for episode in ids if tally.status.get(episode) == "errored"), None
    )
    return Summary(
        len(ids), **counts, score=sum(scores) / len(scores) if scores else None, usage=tally.usage, why=why
    )


def _decoder(path: Path, game: AnyGame) -> Callable[[bytes], AnyEvent]:
    """Return a function that decodes the log lines of an unfinished episode."""
    decode = decoder(type(game)).decode

    def read(line: bytes) -> AnyEvent:
        try:
            return decode(line)
        except msgspec.MsgspecError as trouble:
            raise Problem(
                f"{path} has an unfinished episode that cannot be read ({trouble}): use a new folder"
            ) from None

    return read


async def run(
    plan: Plan,
    log: Log,
    game: AnyGame,
    players: Mapping[Role, Player],
    tally: Tally,
    *,
    jobs: int,
    budget: int | None = None,
) -> None:
    """Play the episodes of the plan that are not done. `tally` must have read the log already. Once `budget`
    tokens are spent, no player is asked any more; unfinished episodes can be resumed."""
    decode = _decoder(log.path, game)
    to_play = (episode for episode in plan.episodes() if not tally.done(episode.id))

    def spent() -> bool:
        return budget is not None and tally.tokens >= budget

    async def work(episodes: Iterable[Episode]) -> None:
        for episode in episodes:
            if spent():
                return
            so_far = [decode(line) for line in tally.unfinished.pop(episode.id, ())]
            async for event in play(
                game,
                episode.instance,
                {role: players[role] for role in game.seats(episode.instance)},
                seed=episode.seed,
                clock=time.time,
                episode=episode.id,
                so_far=so_far,
                retries=plan.retries,
                strict=plan.strict,
            ):
                log.append(event)
                tally.take(event)
                if spent():
                    return
            await asyncio.sleep(0)  # players that never await would block Ctrl-C and the other episodes

    workers = [asyncio.ensure_future(work(to_play)) for _ in range(jobs)]
    try:
        await asyncio.gather(*workers)
    finally:
        for worker in workers:
            worker.cancel()
