"""What cannot be seen from one word alone: sizes, which way round, poses and expressions, weighed against what is usual."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .....boards.scene import EXPRESSIONS, PEOPLE, POSES
from .phrases import SIZES
from .reader import Fact
from . import feelings, usual

_TELLING = ("trait", "word", "face", "place", "shift", "hand", "edge", "horizon", "size", "on", "in", "next", "front")


def holder(facts: Sequence[Fact]) -> str | None:
    """Who carries or wears it."""
    said = [fact for fact in facts if fact.rule in ("held", "worn", "inhand") and fact.anchors]
    return said[-1].anchors[0] if said else None


def sizes(facts: Mapping[str, Sequence[Fact]]) -> dict[str, int]:
    """Of every piece. Things are as large as people are, mostly, and both people are alike."""
    said = {kind: _said_size(told) for kind, told in facts.items()}
    people = next((size for kind in PEOPLE if (size := said.get(kind)) is not None), usual.LARGE)
    found = {}
    for kind in facts:
        size = said[kind]
        found[kind] = usual.size(kind, people) if size is None else size
    for kind, told in facts.items():
        whose = holder(told)
        if whose in found and whose is not None and said[kind] is None and kind not in ("balloons", "kite"):
            found[kind] = found[whose]
    return found


def _said_size(facts: Sequence[Fact]) -> int | None:
    """What it was last called, or corrected to."""
    said = [fact for fact in facts if fact.rule in ("size", "resized")]
    if not said:
        return None
    return said[-1].said["to"] if said[-1].rule == "resized" else SIZES[said[-1].said["size"].split()[0]]


def flips(facts: Mapping[str, Sequence[Fact]], x: Mapping[str, float]) -> dict[str, bool]:
    """Mirrored or not: as last turned or said to look, else as is usual."""
    found: dict[str, bool] = {}
    for kind, said in sorted(facts.items(), key=lambda item: holder(item[1]) is not None):
        told = _told(kind, said, x)
        wearer = found.get(holder(said) or "")
        found[kind] = usual.looks(kind, x[kind], wearer) if told is None else told
    return found


def _told(kind: str, said: Sequence[Fact], x: Mapping[str, float]) -> bool | None:
    for fact in reversed(said):
        if fact.rule == "turned":
            return bool(fact.said["flip"])
        if side := _looks(kind, fact, x):
            return usual.mirrored(kind, side, fact.said.get("part", ""))
    return None


def _looks(kind: str, fact: Fact, x: Mapping[str, float]) -> str:
    """Left, right or nothing."""
    match fact.rule:
        case "face" | "partside" | "tilt" | "trait":
            return str(fact.said.get("side", ""))
        case "lookat" | "away" if fact.anchors and fact.anchors[0] in x:
            right = (x[fact.anchors[0]] > x[kind]) == (fact.rule == "lookat")
            return "right" if right else "left"
        case "eachother":
            other = [person for person in PEOPLE if person != kind and person in x]
            if kind in PEOPLE and other:
                return "right" if x[other[0]] > x[kind] else "left"
        case "lookcenter":
            return "right" if x[kind] < 250 else "left"
    return ""


def pose(facts: Sequence[Fact]) -> int:
    return feelings.pose(_texts(facts)) or 0


def expression(facts: Sequence[Fact]) -> int:
    found = feelings.expression(_texts(facts))
    return 2 if found is None else found


def _texts(facts: Sequence[Fact]) -> list[str]:
    return [fact.said["text"] for fact in facts if fact.rule in _TELLING and "text" in fact.said]
