"""The appearance of a piece: size, flip, pose and expression, from the facts or else from the priors."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from groundling.boards.scene import PEOPLE, WIDTH
from groundling.games.codraw.players.grammar import pose_expression, priors
from groundling.games.codraw.players.grammar.facts import Fact

_SIZES = {
    **dict.fromkeys(("large", "big", "huge", "largest", "biggest", "lg", "lrg", "giant", "full", "lge"), 0),
    **dict.fromkeys(("medium", "med", "mid", "middle", "normal", "average", "medum", "median", "regular"), 1),
    **dict.fromkeys(("small", "smallest", "tiny", "little", "mini", "tiniest", "smal", "sm"), 2),
}
_FIGURE_RULES = re.findall(r"\S+", "trait word face place shift hand edge horizon size on in next front")
_ANY_PIECE = re.compile(r"@\d+")


def appearance_holder(facts: Sequence[Fact]) -> str | None:
    """Return the kind that holds or wears the piece."""
    said = [fact for fact in facts if fact.rule in ("held", "worn", "inhand") and fact.anchors]
    return said[-1].anchors[0] if said else None


def decide_sizes(facts: Mapping[str, Sequence[Fact]]) -> dict[str, int]:
    """Decide the size of every piece. People share one size, which most things have too."""
    said = {kind: _said_size(told) for kind, told in facts.items()}
    people = next((size for kind in PEOPLE if (size := said.get(kind)) is not None), priors.LARGE)
    found = {kind: priors.prior_size(kind, people) if size is None else size for kind, size in said.items()}
    for kind, told in facts.items():
        whose = found.get(appearance_holder(told) or "")
        if whose is not None and said[kind] is None and kind not in priors.ON_STRINGS:
            found[kind] = whose
    return found


def unstated_sizes(facts: Mapping[str, Sequence[Fact]]) -> list[str]:
    """Return the kinds of which no size was stated; one of two people, and not what they hold."""
    found = [kind for kind, told in facts.items() if _said_size(told) is None and not appearance_holder(told)]
    known = [kind for kind in PEOPLE if kind in facts and kind not in found]
    people = [kind for kind in PEOPLE if kind in found][:1]
    return [*([] if known else people), *(kind for kind in found if kind not in PEOPLE)]


def unstated_flips(facts: Mapping[str, Sequence[Fact]]) -> list[str]:
    """Return the kinds of which no direction was stated, without what somebody wears or holds."""
    middle = dict.fromkeys(facts, WIDTH / 2)
    return [
        kind
        for kind, told in facts.items()
        if _stated_flip(kind, told, middle) is None and not appearance_holder(told)
    ]


def _said_size(facts: Sequence[Fact]) -> int | None:
    """Return the last stated or corrected size."""
    said = [fact.said for fact in facts if fact.rule in ("size", "resized")]
    if not said:
        return None
    return int(said[-1]["to"]) if "to" in said[-1] else _SIZES[said[-1]["size"].split()[0]]


def decide_flips(facts: Mapping[str, Sequence[Fact]], x: Mapping[str, float]) -> dict[str, bool]:
    """Decide which pieces are mirrored: by the last stated direction, else by the priors."""
    found: dict[str, bool] = {}
    for kind, said in sorted(facts.items(), key=lambda item: appearance_holder(item[1]) is not None):
        told = _stated_flip(kind, said, x)
        wearer = found.get(appearance_holder(said) or "")
        found[kind] = priors.prior_flip(kind, x[kind], wearer) if told is None else told
    return found


def _stated_flip(kind: str, said: Sequence[Fact], x: Mapping[str, float]) -> bool | None:
    for fact in reversed(said):
        if fact.rule == "turned":
            return bool(fact.said["flip"])
        if side := _facing_side(kind, fact, x):
            return priors.is_mirrored(kind, side, fact.said.get("part", ""))
    return None


def _facing_side(kind: str, fact: Fact, x: Mapping[str, float]) -> str:
    """Return the side that a piece faces by one fact: left, right or "" if it is not stated."""
    right: bool | None = None
    match fact.rule:
        case "face" | "partside" | "tilt" | "trait":
            return str(fact.said.get("side", ""))
        case "lookat" | "away" if fact.anchors and fact.anchors[0] in x:
            right = (x[fact.anchors[0]] > x[kind]) == (fact.rule == "lookat")
        case "eachother":
            others = [x[person] for person in PEOPLE if person != kind and person in x]
            right = others[0] > x[kind] if kind in PEOPLE and others else None
        case "lookcenter":
            right = x[kind] < WIDTH / 2
    return "" if right is None else "right" if right else "left"


def decide_figure(facts: Sequence[tuple[int, Fact]]) -> tuple[int, int]:
    """Decide pose and expression from facts with the numbers of their messages."""
    said: dict[int, list[str]] = {}
    for number, fact in facts:
        if fact.rule in _FIGURE_RULES and "text" in fact.said:
            said.setdefault(number, []).append(_ANY_PIECE.sub("@", fact.said["text"]))
    messages = [" ".join(texts) for texts in said.values()]
    return pose_expression.vote_pose(messages), pose_expression.vote_expression(messages)
