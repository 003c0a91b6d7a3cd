"""Position cues: facts as named cues for x and y, which `cue_offsets` converts to pixels."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from groundling.boards.scene import CATEGORY, PEOPLE
from groundling.games.codraw.players.grammar.facts import Fact
from groundling.games.codraw.players.grammar.steps import inches

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


def all_cues(facts: Mapping[str, Sequence[Fact]]) -> dict[str, list[Cue]]:
    """Collect the cues by kind. "Boy on the left, girl on the right" may only state how they stand to each
    other."""
    found = {kind: list(_cues(said)) for kind, said in facts.items()}
    one, other = ({cue.sign for cue in found.get(kind, ()) if _is_side(cue)} for kind in PEOPLE)
    if len(one) == len(other) == 1 and one != other:
        for kind in PEOPLE:
            found[kind] = [replace(cue, name="pair side") if _is_side(cue) else cue for cue in found[kind]]
    return found


def group(kind: str) -> str:
    """Return the group of kinds that share a way of stating positions."""
    if kind.endswith("tree"):
        return "tree"
    category = CATEGORY[kind]
    return {"boy": "person", "girl": "person", "food": "small", "toy": "small"}.get(category, category)


def _is_side(cue: Cue) -> bool:
    return cue.axis == "x" and cue.name == "side"


def _cues(facts: Sequence[Fact]) -> Iterator[Cue]:
    """Yield the cues of one piece."""
    sides = _sides(facts)
    hand = any(fact.rule == "inhand" and fact.said.get("hand") in _ACROSS for fact in facts)
    for fact in facts:
        if hand and fact.rule == "held":
            continue
        if maker := _MAKERS.get(fact.rule):
            yield from maker(fact, sides)


def _sides(facts: Sequence[Fact]) -> Sides:
    """Return the edges at which a piece is, which resolve "the edge" and "cut off"."""
    said = [
        word
        for fact in facts
        if fact.rule in ("place", "edge", "cut")
        for word in _WORD.findall(fact.said["text"])
    ]
    return {_axis(word): _SIGN[word] for word in said if word in _SIGN}


def _axis(side: str) -> str:
    return "x" if side in _ACROSS else "y"


def _place(fact: Fact, sides: Sides) -> Iterator[Cue]:
    text = fact.said["text"]
    said = set(_WORD.findall(text))
    left, right = said & {"left", "leftmost"}, said & {"right", "rightmost"}
    middle = said & {"middle", "center", "centered", "mid", "midway", "halfway", "half"}
    top, bottom = (
        said & {"top", "upper", "high"},
        said & {"bottom", "lower", "low", "front", "foreground", "down"},
    )
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
            "middle " if middle and not where else "after " if "after" in fact.said else _preposition(text)
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


def _preposition(text: str) -> str:
    """ "On the left" is a place; "to the left" and a bare "left" may be a direction."""
    if re.fullmatch(r"(?:is |are |just |slightly |more |a |the |of )*(?:left|right)", text):
        return "bare "
    return (
        "to "
        if re.match(r"(?:is |are |just |more |over |a |bit |little |slightly )*(?:to|towards?)\b", text)
        else ""
    )


_TOUCHING = (
    "touching",
    "touches",
    "touch",
    "against",
    "up against",
    "hugging",
    "flush with",
    "reaching",
    "reaches",
    "meeting",
)
_NEAR = ("close to", "close", "near", "near to", "next to", "from", "off", "off of", "away from", "by")


def _edge(fact: Fact, sides: Sides) -> Iterator[Cue]:
    said = _WORD.findall(fact.said["edges"])
    name, amount = _how_near(fact, said), inches(fact)
    named = [word for word in dict.fromkeys(said) if word in _SIGN]
    for word in named:
        axis, sign = _axis(word), _SIGN[word]
        edge = "side" if axis == "x" else "top" if sign < 0 else "bottom"
        far = "far" if not name and axis == "x" and "far" in said else name
        yield Cue(f"{far} {edge}".strip(), axis, sign, amount=amount)
    if not named:
        for axis, sign in sides.items():
            if axis == "x" or "corner" in said:
                yield Cue(f"{name or 'some'} side", axis, sign, amount=amount)


def _how_near(fact: Fact, said: Sequence[str]) -> str:
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


_SHARES = {
    **dict.fromkeys(("half", "halfway", "0.5"), "half"),
    **dict.fromkeys(("most", "mostly", "0.75"), "most"),
    **dict.fromkeys(("bit", "little", "slightly", "barely", "tiny", "0.25", "quarter"), "bit"),
}
_SEEN = {
    **dict.fromkeys(("half", "0.5"), "half"),
    **dict.fromkeys(("most", "majority", "0.75", "three quarters"), "bit"),
}


def _cut(fact: Fact, sides: Sides) -> Iterator[Cue]:
    said = fact.said["text"].split()
    share = next((_SHARES[word] for word in said if word in _SHARES), "some")
    named = {_axis(word): _SIGN[word] for word in said if word in _SIGN}
    for axis, sign in (named or sides).items():
        yield Cue(f"cut {share}", axis, sign)


def _visible(fact: Fact, sides: Sides) -> Iterator[Cue]:
    share = _SEEN.get(fact.said["share"].split(" %")[0], "most")
    for axis, sign in sides.items():
        yield Cue(f"cut {share}", axis, sign)


def _whole(fact: Fact, sides: Sides) -> Iterator[Cue]:
    for axis, sign in sides.items():
        yield Cue("whole", axis, sign)


_HOW = {**dict.fromkeys(("above", "over", "past", "beyond"), "above")}
_HOW |= dict.fromkeys(("below", "under", "beneath", "underneath"), "below")


def _horizon(fact: Fact, sides: Sides) -> Iterator[Cue]:
    how = _HOW.get(fact.said["how"], "at")
    top = re.search(r"top of (?:the )?(?:head|hair|tree)", fact.said["text"])
    part = "top" if top else fact.said.get("part", "")
    yield Cue(
        f"horizon {how} {part}".strip(), "y", amount=inches(fact) * {"above": -1, "below": 1, "at": 0}[how]
    )


def _beside(fact: Fact, sides: Sides) -> Iterator[Cue]:
    name = (
        "then beside" if fact.rule == "then beside" else "beside part" if fact.said.get("sided") else "beside"
    )
    amount = " inches" if "amount" in fact.said else ""
    yield Cue(f"{name}{amount}", "x", _SIGN[fact.said["side"]], fact.anchors[0], inches(fact))
    yield Cue(name, "y", 0, fact.anchors[0])


def _corner(fact: Fact, sides: Sides) -> Iterator[Cue]:
    yield Cue("corner of", "x", _SIGN[fact.said["side"]], fact.anchors[0])
    yield Cue(
        "corner of", "y", -1 if fact.said["vert"] in ("upper", "top", "above", "back") else 1, fact.anchors[0]
    )


def _vertical(fact: Fact, sides: Sides) -> Iterator[Cue]:
    amount = " inches" if "amount" in fact.said else ""
    yield Cue(f"{fact.rule}{amount}", "y", -1 if fact.rule == "above" else 1, fact.anchors[0], inches(fact))
    yield _aligned(fact)


def _aligned(fact: Fact) -> Cue:
    """Align with the anchor vertically, or shift to one side if that was stated."""
    inner = {str(fact.said.get(name)) for name in ("inner", "inner2", "inner3")} & {*_ACROSS}
    sign = _SIGN[inner.pop()] if len(inner) == 1 else 0
    return Cue(f"{fact.rule} part" if sign else fact.rule, "x", sign, fact.anchors[0])


def _near(fact: Fact, sides: Sides) -> Iterator[Cue]:
    yield _aligned(fact)
    yield Cue(fact.rule, "y", 0, fact.anchors[0])


def _level(fact: Fact, sides: Sides) -> Iterator[Cue]:
    yield Cue("level", "y", 0, fact.anchors[0])


def _by(fact: Fact, sides: Sides) -> Iterator[Cue]:
    for anchor in fact.anchors:
        yield Cue(fact.rule, "x", 0, anchor)
        yield Cue(fact.rule, "y", 0, anchor)


def _held(fact: Fact, sides: Sides) -> Iterator[Cue]:
    """Place a held or worn piece relative to its holder, never the holder relative to the piece."""
    name = "held" if fact.rule == "inhand" else fact.rule
    hand = fact.said.get("hand")
    for anchor in fact.anchors[:1]:
        for axis in ("x", "y"):
            yield Cue(f"{name} {hand}" if hand in _ACROSS else name, axis, 0, anchor)


def _aside(fact: Fact, sides: Sides) -> Iterator[Cue]:
    for anchor in fact.anchors[:1]:
        yield Cue("aside", "x", _SIGN[fact.said["side"]], anchor)


_MAKERS: dict[str, Callable[[Fact, Sides], Iterator[Cue]]] = {
    "place": _place,
    "edge": _edge,
    "cut": _cut,
    "visible": _visible,
    "whole": _whole,
    "horizon": _horizon,
    **dict.fromkeys(("beside", "then beside"), _beside),
    **dict.fromkeys(("above", "below"), _vertical),
    **dict.fromkeys(("front", "behind", "next", "on", "in", "over"), _near),
    **dict.fromkeys(("after", "between"), _by),
    **dict.fromkeys(("held", "inhand", "worn"), _held),
    "corner": _corner,
    "level": _level,
    "aside": _aside,
}
