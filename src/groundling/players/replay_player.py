"""Players that replay recorded replies: `replay`, and the controls `shuffled` and `silent`.

`replay` gives the replies recorded for this instance, in a run or in the instance itself. `shuffled` gives
those of another instance, and `silent` those of this one without words. What a partner still scores with a
control does not come from words."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from itertools import chain
from random import Random
from typing import Any

import msgspec

from groundling.core.events import Moved, Refused, Replied, Transcript, encode_event_json
from groundling.core.pack import Seat, find_episode_instance, load
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

    def check_logged_replies(self, transcript: Transcript) -> None:
        """Raise Problem if this seat said something else in an episode than the recording has: the recording
        may grow, but what was replayed must stay."""
        replied = next(transcript.reply_events(self.seat.role), None)
        said = self._replay_recording(transcript)
        instance, _, repeat = transcript.episode.partition("#")
        # without the id of the donor, in older logs, nothing can be checked
        about = replied.detail.get("donor") if replied and self.name == "shuffled" else instance
        if self.recordings is None or not said or not about:
            return
        for episode in (f"{about}#{repeat}" if repeat else about, about):
            if episode in self.recordings:
                recorded = self._replay_recording(self.recordings[episode])
                if all(_is_same_reply(*pair) for pair in zip(said, recorded, strict=False)):
                    return
        raise Problem(
            f"{self.seat.arg} has other replies of {about} than {transcript.episode} was played with: "
            "restore that recording, or choose another folder with -o"
        )

    def _replay_recording(self, transcript: Transcript) -> list[Reply]:
        return replay_seat_replies(transcript, self.seat.role, silent=self.name == "silent")

    async def act(self, ask: Ask) -> Reply:
        instance, _, repeat = ask.episode.partition("#")
        donor = self.donors.get(instance)
        about = donor.id if donor else instance
        replies = self._replay_recording(
            await self._find_recording(f"{about}#{repeat}" if repeat else about, about)
        )
        if donor and replies:
            # where the partner needs more turns than the recording has, it starts again
            reply = replies[len(ask.past) % len(replies)]
            own_set = self.instances[instance].set
            borrowed = {"donor_set": donor.set} if donor.set != own_set else {}
            return msgspec.structs.replace(reply, detail={"donor": donor.id, **borrowed})
        if len(ask.past) < len(replies):
            return replies[len(ask.past)]
        if self.name == "silent":
            return Reply(moves=(Say(SILENCE),))
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


def _is_same_reply(one: Reply, other: Reply) -> bool:
    return (one.text, one.moves) == (other.text, other.moves)


def choose_replay_donors(seat: Seat) -> dict[str, Instance]:
    """For each instance another one of its set, from another group and cluster, each used about as often. An
    instance that is alone in its set has one of the next set."""
    cluster = load(seat.pack.cluster)
    clusters = {instance.id: cluster(instance) for instance in seat.instances}

    def are_related(one: Instance, other: Instance) -> bool:
        return clusters[one.id] == clusters[other.id] or (one.group != "" and one.group == other.group)

    sets: dict[str, list[Instance]] = {}
    for instance in seat.instances:
        sets.setdefault(instance.set, []).append(instance)
    found: dict[str, Instance] = {}
    orders = [Random(0).sample(members, len(members)) for members in sets.values()]
    for at, order in enumerate(orders):
        elsewhere = [*chain.from_iterable([*orders[at + 1 :], *orders[:at]])]
        for i, instance in enumerate(order):
            others = (order[(i + step) % len(order)] for step in range(1, len(order)))
            donor = next((one for one in chain(others, elsewhere) if not are_related(one, instance)), None)
            if donor is None:
                raise Problem(f"shuffled needs another instance beside {instance.id}: play more of them")
            found[instance.id] = donor
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
        instance = find_episode_instance(self.instances, ask.episode)
        replies = self.replies(instance) if instance else ()
        if len(ask.past) < len(replies):
            return replies[len(ask.past)]
        raise Unable("recording", f"{ask.episode} has no reply {len(ask.past) + 1} of {ask.role}")


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
