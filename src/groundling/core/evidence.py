"""The evidence of the conformance kit: instances, and episodes that it plays itself."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from functools import cached_property
from itertools import count
from random import Random
from typing import Any, NamedTuple, TypeVar, cast

import msgspec
from msgspec import Struct

from groundling.core.events import (
    LIMIT,
    AnyEvent,
    Closed,
    Failed,
    Moved,
    Opened,
    Refused,
    Replied,
    Transcript,
)
from groundling.core.game import AnyGame
from groundling.core.pack import Pack, Seat, load
from groundling.core.player import Player
from groundling.core.table import play
from groundling.core.values import Illegal, Instance, Problem, Recipe, Role

T = TypeVar("T")
MAX_EVENTS = 10_000
"""The most events that an episode may have."""
MAX_MESSAGES = 3
"""The most messages for each law."""


class EvidenceEpisode(Struct, frozen=True):
    """An episode that the kit played to its end."""

    who: str
    players: dict[Role, Player]
    transcript: Transcript
    last: Any
    """The last state of play."""

    @property
    def opened(self) -> Opened[Any, Any]:
        return self.transcript.opened

    @property
    def label(self) -> str:
        return f"{self.opened.instance.id} ({self.who})"

    def cut_transcripts(self) -> Iterator[tuple[AnyEvent, ...]]:
        """Yield the events whole, and cut at several points, also with a Closed or Failed event added."""
        events, name, role = self.transcript.events, self.transcript.episode, next(iter(self.players))
        yield events
        for cut in sample_evidence_evenly(range(1, len(events)), 20):
            yield events[:cut]
            yield (*events[:cut], Closed(episode=name, at=0.0, reason="left"))
            yield (*events[:cut], Closed(episode=name, at=0.0, reason=f"{LIMIT}time"))
            yield (
                *events[:cut],
                Failed(episode=name, at=0.0, role=role, boundary="left", message="went away"),
            )


class EpisodeBatch(NamedTuple):
    """The episodes of one player in all seats on many instances."""

    episodes: list[EvidenceEpisode]
    troubles: list[str]
    """Why other instances were not played to their end."""


class Point(NamedTuple):
    """A seat's turn in an episode: the state before it and the moves that were played."""

    episode: EvidenceEpisode
    state: Any
    role: Role
    text: str
    """The player's text, or the text of its moves."""
    moves: tuple[Any, ...]


class Evidence:
    """Instances, and episodes of gold and of random players on them. Evidence that cannot be made is left out
    here and reported by the one law that checks for it."""

    def __init__(self, pack: Pack, settings: Any, seed: int, count: int, texts: int) -> None:
        self.pack, self.settings, self.seed, self.count, self.texts = pack, settings, seed, count, texts
        self.strays: list[str] = []
        """Turns that went to a seat that the instance does not have."""
        self._players: dict[tuple[str, Role], Player] = {}

    @cached_property
    def game(self) -> AnyGame:
        return self.pack.new(self.settings)

    def make_instances(self, seed: int) -> list[Any]:
        """Make `count` instances, or the default number if the generator refuses so few."""
        recipe: type[Recipe] = load(self.pack.recipe)
        try:
            return load(self.pack.make)(recipe(seed=seed, n=self.count))
        except Problem:
            return load(self.pack.make)(recipe(seed=seed))

    @cached_property
    def made_instances(self) -> list[Any]:
        return evidence_or_default([], lambda: self.make_instances(self.seed))

    @cached_property
    def builtin_instances(self) -> list[Any]:
        return evidence_or_default([], lambda: load(self.pack.builtin)())

    @property
    def instances(self) -> list[Any]:
        return self.builtin_instances + self.made_instances

    @property
    def sampled_instances(self) -> list[Any]:
        return sample_evidence_evenly(
            self.builtin_instances, self.count - self.count // 2
        ) + sample_evidence_evenly(self.made_instances, self.count // 2)

    def hidden_instance(self, instance: Any, role: Role) -> Any:
        return load(self.pack.hide)(instance, role, Random(f"{self.seed}/{instance.id}/{role}"))

    @cached_property
    def gold_batch(self) -> EpisodeBatch:
        return self._play_all("gold", self.instances)

    @cached_property
    def random_batch(self) -> EpisodeBatch:
        return self._play_all("random", self.sampled_instances)

    @cached_property
    def episodes(self) -> list[EvidenceEpisode]:
        return sample_evidence_evenly(self.gold_batch.episodes, self.count) + self.random_batch.episodes

    def _play_all(self, who: str, instances: list[Any]) -> EpisodeBatch:
        played = EpisodeBatch([], [])
        for instance in instances:
            if len(played.troubles) == MAX_MESSAGES:  # each endless game takes long
                break
            try:
                played.episodes.append(self._play_episode(who, instance))
            except _UnknownSeat as stray:
                self.strays.append(f"{instance.id} ({who}): {stray}")
            except _Unfinished as why:
                played.troubles.append(f"{instance.id}: {why}")
            # third-party rules may raise anything; the message is kept as the reason
            except Exception as trouble:
                played.troubles.append(f"{instance.id}: {describe_evidence_error(trouble)}")
        return played

    def _play_episode(self, who: str, instance: Any) -> EvidenceEpisode:
        players = {role: self._seat_player(who, role) for role in self.game.seats(instance)}
        witness = _RecordingGame(self.game, instance)
        seed = Random(f"{self.seed}/{instance.id}/{who}").getrandbits(32)
        events = self.play_events(witness, instance, players, seed)
        closed = events[-1]
        if not isinstance(closed, Closed):
            why = (
                f"{closed.role} gave up: {closed.message}"
                if isinstance(closed, Failed)
                else f"no end after {len(events)} events"
            )
            raise _Unfinished(why)
        if closed.reason != "finished":
            complaint = next(
                (event.complaint for event in reversed(events) if isinstance(event, Refused)), ""
            )
            raise _Unfinished(f"closed as {closed.reason!r}, not finished: {complaint}")
        return EvidenceEpisode(who, players, Transcript(tuple(events)), witness.last)

    def continue_episode(
        self, episode: EvidenceEpisode, so_far: Sequence[AnyEvent], most: int
    ) -> list[AnyEvent]:
        opened = episode.opened
        witness = _RecordingGame(self.game, opened.instance)
        return self.play_events(witness, opened.instance, episode.players, opened.seed, so_far, most)

    def play_events(
        self,
        game: _RecordingGame,
        instance: Instance,
        players: dict[Role, Player],
        seed: int,
        so_far: Sequence[AnyEvent] = (),
        most: int = MAX_EVENTS,
    ) -> list[AnyEvent]:
        clock = map(float, count(len(so_far))).__next__
        return asyncio.run(
            _collect_first(
                play(cast("AnyGame", game), instance, players, seed=seed, clock=clock, so_far=so_far), most
            )
        )

    def _seat_player(self, who: str, role: Role) -> Player:
        if (who, role) not in self._players:
            if who not in self.pack.players:
                raise _Unfinished(
                    f"the pack has no player {who!r}: add it to players, or choices to derive it"
                )
            seat = Seat(pack=self.pack, game=self.game, role=role, name=who, instances=self.instances)
            self._players[who, role] = load(self.pack.players[who])(seat)
        return self._players[who, role]

    def replay_states(self, instance: Any, moves: Sequence[tuple[Role, Any]]) -> Iterator[Any]:
        """Yield the first state and the state after each move, as long as the moves are legal."""
        state = self.game.start(instance)
        yield state
        for role, move in moves:
            if self.game.turn(state) != role:
                return
            try:
                state = self.game.play(state, role, move)
            except Illegal:
                return
            yield state

    def episode_points(self, episode: EvidenceEpisode) -> Iterator[Point]:
        state, text = self.game.start(episode.opened.instance), ""
        for event in episode.transcript.events:
            if isinstance(event, Replied):
                text = event.text
            elif isinstance(event, Moved):
                yield Point(episode, state, event.role, text, event.moves)
                for move in event.moves:
                    state = self.game.play(state, event.role, move)

    @cached_property
    def turns(self) -> list[Point]:
        """A few turns of every seat at which texts are tried."""
        points = [point for episode in self.episodes for point in self.episode_points(episode)]
        return [
            point
            for role in self.pack.roles
            for point in sample_evidence_evenly([p for p in points if p.role == role], 8)
        ]

    def try_read(self, point: Point, text: str, *, strict: bool) -> tuple[Any, ...] | Illegal | None:
        """Return the moves or the Illegal; None if `read` raises anything else."""
        try:
            return self.game.read(point.state, point.role, text, strict=strict).moves
        except Illegal as verdict:
            return verdict
        except Exception:  # the law `text` reports this
            return None

    def try_say(self, state: Any, role: Role, text: str) -> tuple[Any, str]:
        """Return the state after a text (None if it cannot be played) and the complaint."""
        try:
            for move in self.game.read(state, role, text).moves:
                if self.game.turn(state) != role:
                    break
                state = self.game.play(state, role, move)
        except Illegal as verdict:
            return None, f"Illegal: {verdict}"
        except Exception as trouble:  # the law `text` reports this
            return None, type(trouble).__name__
        return state, ""

    def sampled_views(self, hard: Sequence[str]) -> Iterator[tuple[str, Any]]:
        """Yield every seat's view at points of the episodes and after texts that are hard to draw."""
        for episode in self.episodes:
            instance = episode.opened.instance
            for state in sample_evidence_evenly(
                list(self.replay_states(instance, list(episode.transcript.event_moves()))), 40
            ):
                for role in self.game.seats(instance):
                    yield f"{episode.label}: {role}", self.game.view(state, role)
        for point in self.turns:
            for word in hard:
                state, _ = self.try_say(point.state, point.role, point.text + word)
                for role in point.episode.players if state is not None else ():
                    yield (
                        f"{point.episode.label}: after {point.role} said {word!r}, {role}",
                        self.game.view(state, role),
                    )

    def try_write(self, moves: Sequence[Any]) -> str:
        return evidence_or_default("", lambda: self.game.write(moves))

    def top_score(self, instance: Any) -> float | None:
        return evidence_or_default(None, lambda: load(self.pack.top)(instance))


class _UnknownSeat(Exception):  # noqa: N818
    """The turn went to a seat that the instance does not have."""


class _Unfinished(Exception):  # noqa: N818
    """The episode did not come to a result."""


class _RecordingGame:
    """A wrapper around the game that keeps the last state and swallows errors that other laws report."""

    def __init__(self, game: AnyGame, instance: Any) -> None:
        self.game = game
        self.roles = game.seats(instance)
        self.last: Any = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self.game, name)

    def start(self, instance: Any) -> Any:
        self.last = self.game.start(instance)
        return self.last

    def play(self, state: Any, role: Role, move: Any) -> Any:
        self.last = self.game.play(state, role, move)
        return self.last

    def turn(self, state: Any) -> Role | None:
        role = self.game.turn(state)
        if role is not None and role not in self.roles:
            raise _UnknownSeat(f"it is the turn of {role!r}, who has no seat: {', '.join(self.roles)}")
        return role

    def write(self, moves: Sequence[Any]) -> str:
        return evidence_or_default("", lambda: self.game.write(moves))


async def _collect_first(events: AsyncIterator[AnyEvent], most: int) -> list[AnyEvent]:
    found: list[AnyEvent] = []
    async for event in events:
        found.append(event)
        if len(found) == most:
            break
    return found


def describe_evidence_error(trouble: BaseException) -> str:
    return f"{type(trouble).__name__}: {trouble}"


def evidence_or_default(default: T, make: Callable[[], T]) -> T:
    try:
        return make()
    except Exception:  # another law computes the same value and reports the error
        return default


def sample_evidence_evenly(items: Sequence[T], most: int) -> list[T]:
    """Return at most `most` evenly spaced items, including the first and the last."""
    if len(items) <= most:
        return list(items)
    return [items[round(n * (len(items) - 1) / max(most - 1, 1))] for n in range(most)]


_encoder = msgspec.json.Encoder(enc_hook=repr, order="deterministic")


def evidence_bytes(value: Any) -> bytes:
    """Serialise a value for comparison, as JSON if possible, else as its repr."""
    return evidence_or_default(repr(value).encode(), lambda: _encoder.encode(value))


def is_same_evidence(one: Any, other: Any) -> bool:
    return bool(one == other) or evidence_bytes(one) == evidence_bytes(other)
