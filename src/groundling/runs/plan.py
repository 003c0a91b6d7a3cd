"""The plan of a run, and the identity by which the same run is recognised."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from hashlib import blake2b, sha256
from typing import Any

import msgspec
from msgspec import Struct

from groundling.core.code_files import CodeOrigin
from groundling.core.values import Instance, Role
from groundling.runs.instances import encode_instances


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
    source: str
    """Where the instances come from: "built in", or a file."""
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
        return len(self.instances) * self.repeat * self.wordings

    def planned_episodes(self) -> Iterator[PlannedEpisode]:
        """Yield all episodes; repeats of an instance have the suffix #2, #3… in their ids."""
        for turn in range(1, self.repeat * self.wordings + 1):
            for instance in self.instances:
                name = instance.id if turn == 1 else f"{instance.id}#{turn}"
                yield PlannedEpisode(name, instance, episode_seed(self.seed, name))

    def identity_fields(self) -> dict[str, Any]:
        """Return the fields that identify the run: with equal fields, runs play the same episodes."""
        code = {who: origin.sha256 for who, origin in self.origins.items()}
        return {
            "game": self.game,
            "settings": msgspec.to_builtins(self.settings),
            "instances": sha256(encode_instances(self.instances)).hexdigest(),
            "seats": dict(self.seats),
            "players": {role: dict(facts) for role, facts in self.facts.items() if facts},
            "seed": self.seed,
            "repeat": self.repeat,
            "wordings": self.wordings,
            "retries": 0 if self.strict else self.retries,
            "strict": self.strict,
            **({"code": code} if code else {}),
        }

    def identity_hash(self) -> str:
        return hash_identity(self.identity_fields())


def hash_identity(identity: Mapping[str, Any]) -> str:
    return sha256(msgspec.json.encode(identity, order="sorted")).hexdigest()[:10]
