"""Folds a transcript into its states. Play itself runs on this fold, so resuming is ordinary play."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from groundling import __version__
from groundling.core.events import SCHEMA, AnyEvent, Closed, Moved, Opened, Refused, Replied, Transcript
from groundling.core.game import AnyGame
from groundling.core.player import Turn
from groundling.core.values import Illegal, Instance, Problem, Role


class EpisodeReplay:
    """An episode after some of its events."""

    def __init__(self, game: AnyGame, opened: Opened[Any, Any]) -> None:
        self.game = game
        self.opened = opened
        self.state = game.start(opened.instance)
        self.turn = game.turn(self.state)
        self._past: dict[Role, tuple[Turn, ...]] = {}
        self._recent: list[tuple[Moved[Any] | Refused, Replied | None, Any, Any]] = []
        """Verdicts that are not in `_past` yet, with the reply, the state and its view if that was needed."""
        self.pending: Replied | None = None
        """A reply that has neither been played nor refused yet."""
        self.complaint: str | None = None
        self.refusals = 0
        """Refusals in a row of the seat whose turn it is."""
        self.replies = 0
        self.over = False
        self._views: dict[Role, Any] = {}
        self._tried: tuple[Any, Role, Sequence[Any], Any] | None = None

    @property
    def past(self) -> dict[Role, tuple[Turn, ...]]:
        """The earlier exchanges of each seat, made on demand: a replay of states alone computes no views."""
        for event, reply, state, view in self._recent:
            role, complaint = event.role, None
            if type(event) is Refused:
                complaint, text = event.complaint, reply.text if reply else ""
            else:
                text = reply.text if reply else self.game.write(event.moves)
            seen = self.game.view(state, role) if view is None else view
            self._past[role] = (*self._past.get(role, ()), Turn(seen, text, complaint))
        self._recent.clear()
        return self._past

    @property
    def awaited_role(self) -> Role | None:
        """The seat that has to be asked before anything more happens."""
        if self.over or self.pending is not None or self.refusals > self.opened.retries:
            return None
        return self.turn

    def view(self, role: Role) -> Any:
        if role not in self._views:
            self._views[role] = self.game.view(self.state, role)
        return self._views[role]

    def state_after(self, role: Role, moves: Sequence[Any]) -> Any:
        """Return the state after all of these moves of one seat, or raise Illegal and change nothing. The
        last result is cached: the same moves are checked, judged and taken, but played only once."""
        game, state = self.game, self.state
        if (last := self._tried) and last[0] is state and last[1] == role and last[2] is moves:
            return last[3]
        if not moves:
            raise Illegal("there is no move in this reply")
        if role != self.turn:
            raise Illegal("it is not your turn")
        for number, move in enumerate(moves):
            if number and game.turn(state) != role:
                raise Illegal(f"your turn ended with part {number} of this reply")
            state = game.play(state, role, move)
        self._tried = self.state, role, moves, state
        return state

    def take_event(self, event: AnyEvent) -> None:
        # isinstance is ten times as slow on these
        if type(event) is Replied:
            self.pending = event
            self.replies += 1
        elif type(event) is Moved:
            self._recent.append((event, self.pending, self.state, self._views.get(event.role)))
            self.state, self._tried, self._views = self._replay_moves(event), None, {}
            self.turn = self.game.turn(self.state)
            self.pending, self.complaint, self.refusals = None, None, 0
        elif type(event) is Refused:
            self._recent.append((event, self.pending, self.state, self._views.get(event.role)))
            self.pending, self.complaint = None, event.complaint
            self.refusals += 1
        elif type(event) is Closed:
            self.over = True

    def _replay_moves(self, event: Moved[Any]) -> Any:
        try:
            return self.state_after(event.role, event.moves)
        except Illegal as verdict:
            raise Problem(
                f"episode {event.episode} cannot be replayed, {event.role}'s move is not legal here "
                f"({verdict}): use the version of the game that recorded it"
            ) from None


def replay_events(game: AnyGame, transcript: Transcript) -> Iterator[tuple[AnyEvent, EpisodeReplay]]:
    """Yield each event with the episode after it. The EpisodeReplay is one object that is updated."""
    replay = EpisodeReplay(game, transcript.opened)
    for event in transcript.events:
        replay.take_event(event)
        yield event, replay


def replay_transcript(game: AnyGame, transcript: Transcript) -> Any:
    """Return the last state of an episode."""
    replay = EpisodeReplay(game, transcript.opened)
    for event in transcript.events:
        replay.take_event(event)
    return replay.state


def recorded_transcript(
    game: AnyGame,
    instance: Instance,
    seats: Mapping[Role, str],
    turns: Iterable[tuple[Role, tuple[Any, ...]]],
) -> Transcript:
    """Return the transcript of a finished game of which only the moves were recorded."""
    about: dict[str, Any] = {"episode": instance.id, "at": 0.0}
    opened: Opened[Any, Any] = Opened(
        **about,
        game=game.name,
        instance=instance,
        settings=game.settings,
        seats=dict(seats),
        seed=0,
        retries=0,
        strict=False,
        version=__version__,
        schema=SCHEMA,
    )
    moved = [Moved(**about, role=role, moves=moves) for role, moves in turns]
    events: tuple[AnyEvent, ...] = (opened, *moved)
    result = game.result(replay_transcript(game, Transcript(events)))
    return Transcript((*events, Closed(**about, reason="finished", result=result)))
