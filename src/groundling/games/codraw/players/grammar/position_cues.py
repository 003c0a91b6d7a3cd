"""Position cues: facts as named cues for x and y, which `cue_offsets` converts to pixels."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from groundling.boards.scene import CATEGORY, PEOPLE
from groundling.games.codraw.players.grammar.facts import Fact, stated_distance_inches

Sides: TypeAlias = Mapping[str, int]
"""The edge at which a piece is by axis, -1 or 1."""
_SIGN = {"left": -1, "right": 1, "top": -1, "upper": -1, "bottom": 1, "lower": 1}
_ACROSS = ("left", "right")
_WORD = re.compile(r"[a-z]+")


class Cue(Struct, frozen=True, gc=False):
    """A position along one axis, relative to an edge of the canvas, its middle, or another piece."""

    name: str
    axis: str
    sign: int = 0
    """The edge, or the side of the anchor; 0 for a plain coordinate."""
    anchor: str = ""
    amount: float = 0.0
    """Inches, if a length was stated."""


def collect_position_cues(facts: Mapping[str, Sequence[Fact]]) -> dict[str, list[Cue]]:
    """Collect the cues by kind. "Boy on the left, girl on the right" may only relate them."""
    found = {kind: list(_piece_cues(said)) for kind, said in facts.items()}
    one, other = ({cue.sign for cue in found.get(kind, ()) if _is_side(cue)} for kind in PEOPLE)
    if len(one) == len(other) == 1 and one != other:
        for kind in PEOPLE:
            found[kind] = [replace(cue, name="pair side") if _is_side(cue) else cue for cue in found[kind]]
    return found


def position_cue_group(kind: str) -> str:
    """Return the group of kinds that share a way of stating positions."""
    if kind.endswith("tree"):
        return "tree"
    category = CATEGORY[kind]
    return {"boy": "person", "girl": "person", "food": "small", "toy": "small"}.get(category, category)


def _is_side(cue: Cue) -> bool:
    return cue.axis == "x" and cue.name == "side"


def _piece_cues(facts: Sequence[Fact]) -> Iterator[Cue]:
    """Yield the cues of one piece."""
    sides = _edge_sides(facts)
    hand = any(fact.rule == "inhand" and fact.said.get("hand") in _ACROSS for fact in facts)
    for fact in facts:
        if hand and fact.rule == "held":
            continue
        if maker := _CUE_MAKERS.get(fact.rule):
            yield from maker(fact, sides)


def _edge_sides(facts: Sequence[Fact]) -> Sides:
    """Return the edges at which a piece is, which resolve "the edge" and "cut off"."""
    said = [
        word
        for fact in facts
        if fact.rule in ("place", "edge", "cut")
        for word in _WORD.findall(fact.said["text"])
    ]
    return {_side_axis(word): _SIGN[word] for word in said if word in _SIGN}


def _side_axis(side: str) -> str:
    return "x" if side in _ACROSS else "y"


def _place_cues(fact: Fact, sides: Sides) -> Iterator[Cue]:
    text = fact.said["text"]
    said = set(_WORD.findall(text))
    left, right = said & {"left", "leftmost"}, said & {"right", "rightmost"}
    middle = said & {"middle", "center", "centered", "mid", "midway", "halfway", "half"}
    top = said & {"top", "upper", "high"}
    bottom = said & {"bottom", "lower", "low", "front", "foreground", "down"}
    where = (
        "sky"
        if said & {"sky", "air", "blue"}
        else "grass"
        if said & {"grass", "ground", "field", "green", "lawn"}
        else ""
    )
    corner = "corner " if "corner" in said else ""
    far = "far " if said & {"far", "all", "extreme", "edge", "leftmost", "rightmost", "very"} else ""
    if bool(left) != bool(right):
        aside = (
            "middle "
            if middle and not where
            else "after "
            if "after" in fact.said
            else _side_preposition(text)
        )
        yield Cue(f"{corner or far or aside}side", "x", -1 if left else 1)
    elif middle and not left:
        yield Cue(f"middle of {where or 'it'}", "x")
    if top or bottom:
        yield Cue(f"{corner or where}{'top' if top else 'bottom'}", "y", -1 if top else 1)
    elif where:
        yield Cue(f"{'middle of' if middle else 'in'} {where}", "y")
    elif middle:
        yield Cue("half way up", "y")


def _side_preposition(text: str) -> str:
    """ "On the left" is a place; "to the left" and a bare "left" may be a direction."""
    if re.fullmatch(r"(?:is |are |just |slightly |more |a |the |of )*(?:left|right)", text):
        return "bare "
    if re.match(r"(?:is |are |just |more |over |a |bit |little |slightly )*(?:to|towards?)\b", text):
        return "to "
    return ""


_TOUCHING = (
    *("touching", "touches", "touch", "against", "up against", "hugging"),
    *("flush with", "reaching", "reaches", "meeting"),
)
_NEAR = ("close to", "close", "near", "near to", "next to", "from", "off", "off of", "away from", "by")


def _edge_cues(fact: Fact, sides: Sides) -> Iterator[Cue]:
    said = _WORD.findall(fact.said["edges"])
    name, amount = _edge_nearness(fact, said), stated_distance_inches(fact)
    named = [word for word in dict.fromkeys(said) if word in _SIGN]
    for word in named:
        axis, sign = _side_axis(word), _SIGN[word]
        edge = "side" if axis == "x" else "top" if sign < 0 else "bottom"
        far = "far" if not name and axis == "x" and "far" in said else name
        yield Cue(f"{far} {edge}".strip(), axis, sign, amount=amount)
    if not named:
        for axis, sign in sides.items():
            if axis == "x" or "corner" in said:
                yield Cue(f"{name or 'some'} side", axis, sign, amount=amount)


def _edge_nearness(fact: Fact, said: Sequence[str]) -> str:
    how, adverb = fact.said["how"], fact.said["adverb"]
    if "amount" in fact.said:
        return "inches"
    if how in _TOUCHING:
        almost = re.search("almost|nearly|quite|practically|close", adverb)
        return (
            "not touching"
            if "not" in adverb.split() and not almost
            else "almost touching"
            if almost
            else "touching"
        )
    if "corner" in said:
        return "corner"
    return "near" if how in _NEAR else "edge" if "edge" in said or "border" in said else ""


_CUT_SHARES = {
    **dict.fromkeys(("half", "halfway", "0.5"), "half"),
    **dict.fromkeys(("most", "mostly", "0.75"), "most"),
    **dict.fromkeys(("bit", "little", "slightly", "barely", "tiny", "0.25", "quarter"), "bit"),
}
_VISIBLE_SHARES = {
    **dict.fromkeys(("half", "0.5"), "half"),
    **dict.fromkeys(("most", "majority", "0.75", "three quarters"), "bit"),
}


def _cut_cues(fact: Fact, sides: Sides) -> Iterator[Cue]:
    said = fact.said["text"].split()
    share = next((_CUT_SHARES[word] for word in said if word in _CUT_SHARES), "some")
    named = {_side_axis(word): _SIGN[word] for word in said if word in _SIGN}
    for axis, sign in (named or sides).items():
        yield Cue(f"cut {share}", axis, sign)


def _visible_cues(fact: Fact, sides: Sides) -> Iterator[Cue]:
    share = _VISIBLE_SHARES.get(fact.said["share"].split(" %")[0], "most")
    for axis, sign in sides.items():
        yield Cue(f"cut {share}", axis, sign)


def _whole_cues(fact: Fact, sides: Sides) -> Iterator[Cue]:
    for axis, sign in sides.items():
        yield Cue("whole", axis, sign)


_HOW = {**dict.fromkeys(("above", "over", "past", "beyond"), "above")}
_HOW |= dict.fromkeys(("below", "under", "beneath", "underneath"), "below")


def _horizon_cues(fact: Fact, sides: Sides) -> Iterator[Cue]:
    how = _HOW.get(fact.said["how"], "at")
    top = re.search(r"top of (?:the )?(?:head|hair|tree)", fact.said["text"])
    part = "top" if top else fact.said.get("part", "")
    yield Cue(
        f"horizon {how} {part}".strip(),
        "y",
        amount=stated_distance_inches(fact) * {"above": -1, "below": 1, "at": 0}[how],
    )


def _beside_cues(fact: Fact, sides: Sides) -> Iterator[Cue]:
    name = (
        "then beside" if fact.rule == "then beside" else "beside part" if fact.said.get("sided") else "beside"
    )
    amount = " inches" if "amount" in fact.said else ""
    yield Cue(f"{name}{amount}", "x", _SIGN[fact.said["side"]], fact.anchors[0], stated_distance_inches(fact))
    yield Cue(name, "y", 0, fact.anchors[0])


def _corner_cues(fact: Fact, sides: Sides) -> Iterator[Cue]:
    yield Cue("corner of", "x", _SIGN[fact.said["side"]], fact.anchors[0])
    yield Cue(
        "corner of", "y", -1 if fact.said["vert"] in ("upper", "top", "above", "back") else 1, fact.anchors[0]
    )


def _vertical_cues(fact: Fact, sides: Sides) -> Iterator[Cue]:
    amount = " inches" if "amount" in fact.said else ""
    yield Cue(
        f"{fact.rule}{amount}",
        "y",
        -1 if fact.rule == "above" else 1,
        fact.anchors[0],
        stated_distance_inches(fact),
    )
    yield _aligned_cue(fact)


def _aligned_cue(fact: Fact) -> Cue:
    """Align with the anchor vertically, or shift to one side if that was stated."""
    inner = {str(fact.said.get(name)) for name in ("inner", "inner2", "inner3")} & {*_ACROSS}
    sign = _SIGN[inner.pop()] if len(inner) == 1 else 0
    return Cue(f"{fact.rule} part" if sign else fact.rule, "x", sign, fact.anchors[0])


def _near_cues(fact: Fact, sides: Sides) -> Iterator[Cue]:
    yield _aligned_cue(fact)
    yield Cue(fact.rule, "y", 0, fact.anchors[0])


def _level_cues(fact: Fact, sides: Sides) -> Iterator[Cue]:
    yield Cue("level", "y", 0, fact.anchors[0])


def _anchor_cues(fact: Fact, sides: Sides) -> Iterator[Cue]:
    for anchor in fact.anchors:
        yield Cue(fact.rule, "x", 0, anchor)
        yield Cue(fact.rule, "y", 0, anchor)


def _carried_cues(fact: Fact, sides: Sides) -> Iterator[Cue]:
    """Place a held or worn piece relative to its holder, never the holder relative to the piece."""
    name = "held" if fact.rule == "inhand" else fact.rule
    hand = fact.said.get("hand")
    for anchor in fact.anchors[:1]:
        for axis in ("x", "y"):
            yield Cue(f"{name} {hand}" if hand in _ACROSS else name, axis, 0, anchor)


def _aside_cues(fact: Fact, sides: Sides) -> Iterator[Cue]:
    for anchor in fact.anchors[:1]:
        yield Cue("aside", "x", _SIGN[fact.said["side"]], anchor)


_CUE_MAKERS: dict[str, Callable[[Fact, Sides], Iterator[Cue]]] = {
    "place": _place_cues,
    "edge": _edge_cues,
    "cut": _cut_cues,
    "visible": _visible_cues,
    "whole": _whole_cues,
    "horizon": _horizon_cues,
    **dict.fromkeys(("beside", "then beside"), _beside_cues),
    **dict.fromkeys(("above", "below"), _vertical_cues),
    **dict.fromkeys(("front", "behind", "next", "on", "in", "over"), _near_cues),
    **dict.fromkeys(("after", "between"), _anchor_cues),
    **dict.fromkeys(("held", "inhand", "worn"), _carried_cues),
    "corner": _corner_cues,
    "level": _level_cues,
    "aside": _aside_cues,
}
