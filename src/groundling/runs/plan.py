"""The plan of a run, and the identity by which the same run is recognised."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b, sha256
from typing import Any, Literal, TypeAlias

import msgspec
from msgspec import Struct

from groundling.core.code_files import CodeOrigin
from groundling.core.values import Instance, Role
from groundling.runs.instances import hash_instances
from groundling.runs.shards import Shard

Selection: TypeAlias = Literal["all", "limit", "sample", "first"]
"""How the instances were chosen from those that were offered: all, in rotation over sets and categories, at
random in the same shares, or as the first ones, which `--limit` meant before version 0.1.0 was released."""


class PlannedEpisode(Struct, frozen=True, gc=False):
    id: str
    instance: Instance
    seed: int


def episode_seed(seed: int, episode: str) -> int:
    """Derive the seed of an episode from that of the run."""
    return int.from_bytes(blake2b(f"{seed}/{episode}".encode(), digest_size=6).digest(), "big")


class RunPlan(Struct, frozen=True, kw_only=True):
    game: str
    settings: Any
    instances: list[Any]
    whole: list[Any] = []
    """The instances of all shards, where the plan is that of a shard."""
    shard: Shard | None = None
    source: str
    """Where the instances come from: "built in", or a file."""
    data: str = ""
    """The name of the reader of published data that they come from, if any."""
    offered: list[Any] = []
    """The instances from which these were chosen."""
    offered_ids: list[str] = []
    """The ids of all instances from which those of the run were chosen, now or before; empty: unknown."""
    selection: Selection = "all"
    strata: dict[str, dict[str, int]] = {}
    """The number of offered instances by set and category."""
    seats: dict[Role, str]
    facts: dict[Role, dict[str, str]] = {}
    """What else identifies a player, such as the hash of its script."""
    seed: int = 0
    repeat: int = 1
    wordings: int = 1
    """The number of prompts of a language model: each repeat is played with every one of them."""
    retries: int = 1
    strict: bool = False
    origins: dict[str, CodeOrigin] = {}
    """Where the game and players were loaded from that are not installed: by role, or "game"."""

    def __len__(self) -> int:
        return self.count_episodes(self.instances)

    def count_episodes(self, instances: Sequence[Any]) -> int:
        return len(instances) * self.repeat * self.wordings

    @property
    def known_instances(self) -> list[Any]:
        """What players may choose from, such as words about another instance: in a shard, all of the run."""
        return self.whole or self.instances

    def planned_episodes(self) -> Iterator[PlannedEpisode]:
        """Yield all episodes; repeats of an instance have the suffix #2, #3… in their ids."""
        for turn in range(1, self.repeat * self.wordings + 1):
            for instance in self.instances:
                name = instance.id if turn == 1 else f"{instance.id}#{turn}"
                yield PlannedEpisode(name, instance, episode_seed(self.seed, name))

    def identity_fields(self) -> dict[str, Any]:
        """Return the fields that identify the run: with equal fields, episodes can be added to it."""
        code = {who: origin.sha256 for who, origin in self.origins.items()}
        return {
            "game": self.game,
            "settings": msgspec.to_builtins(self.settings),
            "seats": dict(self.seats),
            "players": {role: dict(facts) for role, facts in self.facts.items() if facts},
            "seed": self.seed,
            "wordings": self.wordings,
            "retries": 0 if self.strict else self.retries,
            "strict": self.strict,
            **({"code": code} if code else {}),
        }

    def extent_fields(self) -> dict[str, Any]:
        """Return the fields that change when the run grows."""
        return {
            "instances": hash_instances(self.instances),
            "repeat": self.repeat,
            "selection": self.selection,
            "strata": self.strata,
            **({"data": self.data} if self.data else {}),
            **({"shard": self._shard_fields()} if self.shard else {}),
        }

    def _shard_fields(self) -> dict[str, Any]:
        number, whole = str(self.shard), self.whole
        return {"number": number, "instances": hash_instances(whole), "episodes": self.count_episodes(whole)}

    def with_first_instances(self) -> RunPlan:
        """Return the plan with the first instances instead of a rotation, as old folders have them."""
        if self.selection != "limit":
            return self
        first = self.offered[: len(self.instances)]
        return msgspec.structs.replace(self, instances=first, selection="first")

    def identity_hash(self) -> str:
        """Return the hash that names the folder of the run: runs of other instance files have another."""
        fields = self.identity_fields()
        return hash_identity(
            {**fields, "players": drop_recording_hashes(fields["players"]), "source": self.source}
        )

    def old_identity_hash(self) -> str:
        """Return the hash that named the folder when the instances and repeats were part of it."""
        digest = hash_instances(self.with_first_instances().instances)
        return hash_identity({**self.identity_fields(), "instances": digest, "repeat": self.repeat})


def drop_recording_hashes(players: Mapping[Role, Mapping[str, str]]) -> dict[Role, dict[str, str]]:
    """Return the facts about players without the hashes of what they replay. A recorded run may grow; what
    was replayed before is compared with the log instead."""
    kept = {
        role: {name: fact for name, fact in facts.items() if name != "recording"}
        for role, facts in players.items()
    }
    return {role: facts for role, facts in kept.items() if facts}


def hash_identity(identity: Mapping[str, Any]) -> str:
    return sha256(msgspec.json.encode(identity, order="sorted")).hexdigest()[:10]
