"""Converts our instances and episodes to clembench's format, as far as its scorer needs it."""

from __future__ import annotations

from typing import Any

from groundling.bridges.clem.replay import LABELS
from groundling.core.events import Refused, Replied, Transcript
from groundling.core.values import Instance
from groundling.games.image.rules import DONE, GIVER, INSTRUCTION, Picture
from groundling.games.reference.rules import Lineup

GAMES = {"reference": "referencegame", "image": "imagegame"}
"""clembench's names of the common games, by our names."""


def to_clembench(instance: Instance) -> dict[str, Any]:
    """Return an instance in clembench's format, without prompts and response patterns. `replay` reads it by
    the English rules of v1.6, in the image game with the tag that we use."""
    if isinstance(instance, Picture):
        return {
            "game_id": instance.id,
            "target_grid": instance.target.text(),
            "grid_dimension": instance.target.size,
        }
    if not isinstance(instance, Lineup) or len(instance.grids) != len(LABELS):
        raise ValueError(
            f"clembench has no game for {instance.id}: it has pictures, and lineups of {len(LABELS)} grids"
        )
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
        "target_grid_name": [LABELS[instance.answer - 1], str(instance.answer)],
        "p1_mode": "strict",
        "p2_mode": "strict",
        "lang": "en",
    }


def clembench_replies(transcript: Transcript) -> list[str]:
    """Return the replies of an episode up to the first that we refused: clembench would have refused it too,
    or what would have followed is unknown. If our limit of turns ended a picture, DONE is added."""
    heard: list[str] = []
    last = GIVER
    for event in transcript.events:
        if isinstance(event, Replied):
            heard.append(event.text)
            last = event.role
        elif isinstance(event, Refused):
            break
    else:
        if transcript.result and isinstance(transcript.opened.instance, Picture) and last != GIVER:
            heard.append(f"{INSTRUCTION} {DONE}")
    return heard
