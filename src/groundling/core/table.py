"""Plays an episode: asks the player whose turn it is and yields what happens, event by event."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from typing import Any

from groundling import __version__
from groundling.core.events import (
    SCHEMA,
    AnyEvent,
    Closed,
    Failed,
    Moved,
    Opened,
    Refused,
    Replied,
    encode_event_json,
)
from groundling.core.game import AnyGame
from groundling.core.player import Ask, Player, Reply, Unable
from groundling.core.replay import EpisodeReplay
from groundling.core.values import Illegal, Instance, Role


def play(
    game: AnyGame,
    instance: Instance,
    players: Mapping[Role, Player],
    *,
    seed: int,
    clock: Callable[[], float],
    episode: str | None = None,
    so_far: Sequence[AnyEvent] = (),
    retries: int = 1,
    strict: bool = False,
) -> AsyncIterator[AnyEvent]:
    """Play one episode. With `so_far`, continue after those events and yield only new ones."""
    if so_far:
        opened = so_far[0]
        assert isinstance(opened, Opened)
        if set(opened.seats) != set(players) or opened.settings != game.settings:
            raise ValueError(f"episode {opened.episode} was opened with other seats or settings")
        replay = EpisodeReplay(game, opened)
        for event in so_far:
            replay.take_event(event)
    else:
        opened = open_episode(
            game, instance, players, seed=seed, at=clock(), episode=episode, retries=retries, strict=strict
        )
        replay = EpisodeReplay(game, opened)
    return continue_episode(replay, players, clock, from_start=not so_far)


async def continue_episode(
    replay: EpisodeReplay,
    players: Mapping[Role, Player],
    clock: Callable[[], float],
    *,
    from_start: bool = False,
) -> AsyncIterator[AnyEvent]:
    """Play an episode to its end from its present state. Each event is applied to it before it is yielded.
    The first event, by which it was opened, is yielded only `from_start`."""
    if from_start:
        yield replay.opened
    referee = Referee(replay, clock)
    while not replay.over:
        role = replay.awaited_role
        if role is not None:
            try:
                reply = await players[role].act(referee.make_ask(role))
            except Unable as trouble:
                yield Failed(
                    episode=replay.opened.episode,
                    at=clock(),
                    role=role,
                    boundary=trouble.boundary,
                    message=str(trouble),
                    retries=trouble.retries,
                )
                return
            happened: AnyEvent = referee.read_reply(role, reply)
        else:
            happened = referee.next_event()
        replay.take_event(happened)
        yield happened


def open_episode(
    game: AnyGame,
    instance: Instance,
    players: Mapping[Role, Player],
    *,
    seed: int,
    at: float,
    episode: str | None = None,
    retries: int = 1,
    strict: bool = False,
) -> Opened[Any, Any]:
    seats = game.seats(instance)
    if set(seats) != set(players):
        raise ValueError(f"{game.name} seats {', '.join(seats)}; got players for {', '.join(players)}")
    return Opened(
        episode=instance.id if episode is None else episode,
        at=at,
        game=game.name,
        instance=instance,
        settings=game.settings,
        seats={role: players[role].name for role in seats},
        seed=seed,
        retries=0 if strict else retries,
        strict=strict,
        version=__version__,
        schema=SCHEMA,
    )


class Referee:
    """Turns the replies of one episode into events."""

    def __init__(self, replay: EpisodeReplay, clock: Callable[[], float]) -> None:
        self.replay, self.clock = replay, clock
        self.game, self.opened = replay.game, replay.opened
        self._ready: tuple[Any, ...] | None = None
        """The moves of the pending reply if this process read it; else its text is read again."""

    def make_ask(self, role: Role) -> Ask:
        opened, replay = self.opened, self.replay
        return Ask(
            episode=opened.episode,
            role=role,
            view=replay.view(role),
            past=replay.past.get(role, ()),
            complaint=replay.complaint,
            seed_source=(opened.seed, role, replay.replies),
        )

    def read_reply(self, role: Role, reply: Reply) -> Replied:
        """Read the reply strictly and tolerantly; `write` gives the text of a reply of moves."""
        self._ready = reply.moves
        dropped: tuple[str, ...] = ()
        complaints: list[str | None] = []
        if reply.blocked is not None:
            text, complaints = _loggable_text(reply.text), [reply.blocked] * 2
        elif reply.moves is None:
            text = _loggable_text(reply.text)
            for strict in (True, False):
                try:
                    reading = self.game.read(self.replay.state, role, text, strict=strict)
                except Illegal as verdict:
                    complaints.append(str(verdict))
                    continue
                if strict or not self.opened.strict:
                    self._ready, dropped = reading.moves, reading.dropped
                break  # what is read strictly is read tolerantly as the same moves
        else:
            try:
                self.replay.state_after(role, reply.moves)
                text = self.game.write(reply.moves)
            except Illegal as verdict:  # `write` need only know what can be played
                text = encode_event_json(reply.moves).decode()
                complaints = [str(verdict)] * 2
        strictly, tolerantly, *_ = (*complaints, None, None)
        return Replied(
            episode=self.opened.episode,
            at=self.clock(),
            role=role,
            text=text,
            strict=strictly,
            tolerant=tolerantly,
            dropped=dropped,
            seconds=reply.seconds,
            usage=reply.usage,
            detail=reply.detail,
            blocked=reply.blocked is not None,
        )

    def next_event(self) -> AnyEvent:
        """Return the event that needs no player: the pending reply is played or refused, or the game ends."""
        replay, episode = self.replay, self.opened.episode
        pending = replay.pending
        if pending is not None:
            try:
                moves = self._playable_moves(pending)
            except Illegal as verdict:
                return Refused(episode=episode, at=self.clock(), role=pending.role, complaint=str(verdict))
            finally:
                self._ready = None
            return Moved(episode=episode, at=self.clock(), role=pending.role, moves=moves)
        if replay.turn is None:
            return Closed(
                episode=episode, at=self.clock(), reason="finished", result=self.game.result(replay.state)
            )
        return Closed(episode=episode, at=self.clock(), reason="refused")

    def _playable_moves(self, pending: Replied) -> tuple[Any, ...]:
        """Return the moves to be played, or raise Illegal."""
        complaint = pending.strict if self.opened.strict else pending.tolerant
        if complaint is not None:
            raise Illegal(complaint)
        moves = self._ready
        if moves is None:
            strict = pending.strict is None
            moves = self.game.read(self.replay.state, pending.role, pending.text, strict=strict).moves
        self.replay.state_after(pending.role, moves)
        return moves


def _loggable_text(text: str | None) -> str:
    """Return the text of a reply without lone surrogates, which could not be logged."""
    text = text or ""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode(errors="replace").decode()
    return text
