"""Players that replay recorded replies: `replay`, and the controls `shuffled` and `silent`.

`replay` gives the replies recorded for this instance, in a run or in the instance itself. `shuffled` gives
those of another instance, and `silent` those of this one without words. What a partner still scores with a
control does not come from words."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from random import Random
from typing import Any

import msgspec

from groundling.core.events import Moved, Refused, Replied, Transcript, encode_event_json
from groundling.core.pack import Seat, load
from groundling.core.player import Ask, Player, PlayerInfo, Reply, Unable
from groundling.core.table import play
from groundling.core.values import Instance, Problem, Role, Say

SILENCE = "…"


class ReplayPlayer:
    """Replays a run. Without one, gold players play each instance when it is first needed."""

    def __init__(self, seat: Seat, recordings: Mapping[str, Transcript] | None) -> None:
        self.name = seat.name
        self.seat = seat
        self.recordings = recordings
        self.instances = {instance.id: instance for instance in seat.instances}
        self.donors = choose_replay_donors(seat) if seat.name == "shuffled" else {}
        facts = {"recording": self._recordings_digest()} if recordings is not None else {}
        self.info = PlayerInfo(facts=facts)
        self._gold: dict[str, Transcript] = {}

    def _recordings_digest(self) -> str:
        """A hash of the replies for these instances; the run may hold more."""
        found = sha256()
        for episode, transcript in sorted((self.recordings or {}).items()):
            if transcript.opened.instance.id in self.instances:
                said = [reply.text for reply in transcript.reply_events(self.seat.role)]
                found.update(encode_event_json([episode, said]))
        return found.hexdigest()

    async def act(self, ask: Ask) -> Reply:
        instance, _, repeat = ask.episode.partition("#")
        about = self.donors.get(instance, instance)
        transcript = await self._find_recording(f"{about}#{repeat}" if repeat else about, about)
        replies = replay_seat_replies(transcript, ask.role, silent=self.name == "silent")
        if len(ask.past) < len(replies):
            return replies[len(ask.past)]
        if self.name == "silent":
            return Reply(moves=(Say(SILENCE),))
        # the partner needs more turns than the recording has: start again
        if self.name == "shuffled" and replies:
            return replies[len(ask.past) % len(replies)]
        raise Unable("recording", f"the recording of {about} has no reply {len(ask.past) + 1} of {ask.role}")

    async def _find_recording(self, episode: str, instance: str) -> Transcript:
        if self.recordings is not None:
            found = self.recordings.get(episode) or self.recordings.get(instance)
            if found is None:
                raise Unable("recording", f"there is no recording of {episode}")
            if found.opened.instance != self.instances[instance]:
                raise Unable("recording", f"the recording of {episode} has another instance with that id")
            return found
        if instance not in self._gold:
            self._gold[instance] = await self._play_gold(self.instances[instance])
        return self._gold[instance]

    async def _play_gold(self, instance: Instance) -> Transcript:
        seat, game = self.seat, self.seat.game
        gold = load(seat.pack.players["gold"])
        players = {
            role: gold(Seat(seat.pack, game, role, "gold", instances=seat.instances))
            for role in game.seats(instance)
        }
        events = [event async for event in play(game, instance, players, seed=0, clock=lambda: 0.0)]
        return Transcript(tuple(events))


def replay_seat_replies(transcript: Transcript, role: Role, *, silent: bool) -> list[Reply]:
    """All replies of a seat in order, with refused ones. With `silent`, played ones have no words."""
    replies: list[Reply] = []
    text: str | None = None
    blocked: str | None = None
    for event in transcript.events:
        if isinstance(event, Replied) and event.role == role:
            text, blocked = event.text, event.tolerant if event.blocked else None
        elif isinstance(event, Moved) and event.role == role:
            if silent:
                replies.append(Reply(moves=_without_words(event.moves)))
            else:  # imported games may have moves without text
                replies.append(Reply(moves=event.moves) if text is None else Reply(text=text))
            text = None
        elif isinstance(event, Refused) and event.role == role:
            replies.append(Reply(text=text, blocked=blocked))
            text = None
    return replies


def _without_words(moves: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(
        msgspec.structs.replace(move, text=SILENCE) if isinstance(move, Say) else move for move in moves
    )


def choose_replay_donors(seat: Seat) -> dict[str, str]:
    """For each instance another one of its set, from another group and cluster, each used about as often."""
    cluster = load(seat.pack.cluster)
    clusters = {instance.id: cluster(instance) for instance in seat.instances}

    def are_related(one: Instance, other: Instance) -> bool:
        return clusters[one.id] == clusters[other.id] or (one.group != "" and one.group == other.group)

    sets: dict[str, list[Instance]] = {}
    for instance in seat.instances:
        sets.setdefault(instance.set, []).append(instance)
    found: dict[str, str] = {}
    for members in sets.values():
        order = Random(0).sample(members, len(members))
        for i, instance in enumerate(order):
            others = (order[(i + step) % len(order)] for step in range(1, len(order)))
            donor = next((other for other in others if not are_related(other, instance)), None)
            if donor is None:
                raise Problem(
                    f"shuffled needs another instance beside {instance.id} in its set: play more of them"
                )
            found[instance.id] = donor.id
    return found


class InstanceReplayPlayer:
    """Replays the replies that the instance itself carries."""

    def __init__(self, seat: Seat) -> None:
        self.name = seat.name
        self.instances = {instance.id: instance for instance in seat.instances}
        assert seat.pack.data.recorded is not None
        self.replies = load(seat.pack.data.recorded)(seat)
        seated = (instance for instance in seat.instances if seat.role in seat.game.seats(instance))
        bare = next((instance for instance in seated if not self.replies(instance)), None)
        if bare is not None:
            raise Problem(
                f"{bare.id} has no recording of the {seat.role}: name a run, {seat.role}=replay:RUN"
            )

    async def act(self, ask: Ask) -> Reply:
        instance = ask.episode.partition("#")[0]
        replies = self.replies(self.instances[instance])
        if len(ask.past) < len(replies):
            return replies[len(ask.past)]
        raise Unable("recording", f"{instance} has no reply {len(ask.past) + 1} of {ask.role}")


def make_replay_player(seat: Seat) -> Player:
    if seat.name == "replay" and not seat.arg:
        if seat.pack.data.recorded is None:
            raise Problem(
                f"{seat.pack.name} has no recordings of its own: name a run, {seat.role}=replay:RUN"
            )
        return InstanceReplayPlayer(seat)
    assert seat.recordings is not None
    found = seat.recordings(seat.arg) if seat.arg else None
    if found is not None and not {name.partition("#")[0] for name in found} & {
        instance.id for instance in seat.instances
    }:
        raise Problem(
            f"{seat.arg} has no recording of any of these instances: play the instances of that run"
        )
    return ReplayPlayer(seat, found)
