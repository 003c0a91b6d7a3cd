"""Converts our instances and episodes to clembench's format, as far as its scorer needs it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from groundling.bridges.clem.clembench_prompts import WORDING
from groundling.bridges.clem.replay import LABELS
from groundling.core.events import Refused, Replied, Transcript
from groundling.core.values import Instance
from groundling.games.image.rules import DONE, FOLLOWER, GIVER, INSTRUCTION, Picture
from groundling.games.reference.rules import Lineup

GAMES = {"reference": "referencegame", "image": "imagegame"}
"""clembench's names of the common games, by our names."""


def to_clembench(instance: Instance, *, carried: bool = False) -> dict[str, Any]:
    """Return an instance in clembench's format, without prompts. `replay` reads it by the English rules of
    v1.6, in the image game with the tag that we use; with `carried`, by the tags and labels of the prompts
    that the instance carries."""
    if isinstance(instance, Picture):
        tag = re.escape(instance.tags[GIVER].removesuffix(":").lower()) if carried and instance.tags else ""
        patterns = {
            "player_1_response_pattern": rf"^{tag}: [^\n]+$",
            "player_1_terminate_pattern": rf"^\s*{tag}\s*:\s*done\s*$",
        }
        return {
            "game_id": instance.id,
            "target_grid": instance.target.text(),
            "grid_dimension": instance.target.size,
            **(patterns if tag else {}),
        }
    if not isinstance(instance, Lineup) or len(instance.grids) != len(LABELS):
        raise ValueError(
            f"clembench has no game for {instance.id}: it has pictures, and lineups of {len(LABELS)} grids"
        )
    labels = instance.labels if carried and instance.labels else LABELS
    # clembench shows the target to the giver first
    seen = {1: (0, *(i for i in instance.giver if i)), 2: instance.follower}
    first = {1: "target", 2: "first"}
    return {
        "game_id": instance.id,
        **{
            f"player_{player}_{name}_grid": instance.grids[i].text()
            for player, order in seen.items()
            for name, i in zip((first[player], "second", "third"), order, strict=True)
        },
        "target_grid_name": [labels[instance.answer - 1].lower(), str(instance.answer)],
        **(_response_patterns(instance, labels) if carried and instance.tags else {}),
        "p1_mode": "strict",
        "p2_mode": "strict",
        "lang": "en",
    }


def _response_patterns(lineup: Lineup, labels: Sequence[str]) -> dict[str, str]:
    names = "|".join([*map(re.escape, labels), "1", "2", "3"])
    rest = r"\n*(?P<remainder>(.|\n)*))"
    said, answer = (re.escape(lineup.tags[role]) for role in (GIVER, FOLLOWER))
    return {
        "player_1_response_pattern": rf"^(?P<tag>{said}\s*)(?P<content>(?P<response>.+){rest}",
        "player_2_response_pattern": rf"^(?P<tag>{answer}\s*)(?P<content>(?P<response>{names}).*{rest}",
    }


def has_clembench_prompts(transcript: Transcript) -> bool:
    """Whether language models were prompted as the instance itself says."""
    replies = (event for event in transcript.events if isinstance(event, Replied))
    return any(str(reply.detail.get("prompt", "")).endswith(f".{WORDING}") for reply in replies)


def clembench_replies(transcript: Transcript) -> list[str]:
    """Return the replies of an episode up to the first that we refused: clembench would have refused it too,
    or what would have followed is unknown. If our limit of turns ended a picture, DONE is added."""
    heard: list[str] = []
    opened = transcript.opened
    last = GIVER
    for event in transcript.events:
        if isinstance(event, Replied):
            heard.append(event.text)
            last = event.role
        elif isinstance(event, Refused):
            break
    else:
        if transcript.result and isinstance(opened.instance, Picture) and last != GIVER:
            tag = opened.instance.tags.get(GIVER) if has_clembench_prompts(transcript) else None
            heard.append(f"{tag or INSTRUCTION} {DONE}")
    return heard
