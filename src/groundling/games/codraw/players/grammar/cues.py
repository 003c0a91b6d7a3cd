"""Where a fact puts a piece: cues for x and for y, each with a name by which its numbers were measured."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from .....boards.scene import CATEGORY, PEOPLE
from .reader import Fact

INCH, CM, FINGER = 1.0, 0.4, 0.6
_UNITS = {"inch": INCH, "cm": CM, "finger": FINGER}
_LEFT, _RIGHT = -1, 1
_SIGN = {"left": -1, "right": 1, "top": -1, "upper": -1, "bottom": 1, "lower": 1}


class Cue(Struct, frozen=True, gc=False):
    """Along an axis: from an edge of the canvas inwards, from the middle of it, or from another piece."""

    name: str
    axis: str
    sign: int = 0
    """Which edge, or on which side of the anchor; 0: the plain coordinate."""
    anchor: str = ""
    amount: float = 0.0
    """Inches, where they were said."""


def cues(kind: str, facts: Sequence[Fact]) -> Iterator[Cue]:
    """All cues of one piece."""
    sides = _sides(facts)
    for fact in facts:
        maker = _MAKERS.get(fact.rule)
        if maker is not None:
            yield from maker(fact, sides)


def all_cues(facts: Mapping[str, Sequence[Fact]]) -> dict[str, list[Cue]]:
    """By kind. "Boy on the left, girl on the right" may only tell how they stand to each other."""
    found = {kind: list(cues(kind, said)) for kind, said in facts.items()}
    plain = {kind: [cue.sign for cue in found.get(kind, ()) if cue.axis == "x" and cue.name == "side"] for kind in PEOPLE}
    one, other = (set(plain[kind]) for kind in PEOPLE)
    if len(one) == len(other) == 1 and one != other:
        for kind in PEOPLE:
            found[kind] = [replace(cue, name="pair side") if cue.axis == "x" and cue.name == "side" else cue for cue in found[kind]]
    return found


def _sides(facts: Sequence[Fact]) -> dict[str, int]:
    """At which edges it is, for "the edge" and "cut off"."""
    found: dict[str, int] = {}
    for fact in facts:
        if fact.rule in ("place", "edge", "cut"):
            said = set(re.findall(r"[a-z]+", fact.said["text"]))
            for word in said & set(_SIGN):
                found["x" if word in ("left", "right") else "y"] = _SIGN[word]
    return found


def _place(fact: Fact, sides: dict[str, int]) -> Iterator[Cue]:
    text = fact.said["text"]
    said = set(re.findall(r"[a-z]+", text))
    left, right = said & {"left", "leftmost"}, said & {"right", "rightmost"}
    middle = said & {"middle", "center", "centered", "mid", "midway", "halfway", "half"}
    top, bottom = said & {"top", "upper", "high"}, said & {"bottom", "lower", "low", "front", "foreground", "down"}
    sky, grass = said & {"sky", "air", "blue"}, said & {"grass", "ground", "field", "green", "lawn"}
    corner = "corner " if "corner" in said else ""
    far = "far " if said & {"far", "all", "extreme", "edge", "leftmost", "rightmost", "very"} else ""
    if bool(left) != bool(right):
        aside = "middle " if middle and not (sky or grass) else "after " if "after" in fact.said else _preposition(text)
        yield Cue(f"{corner or far or aside}side", "x", _LEFT if left else _RIGHT)
    elif middle and not left:
        yield Cue("middle of " + ("sky" if sky else "grass" if grass else "it"), "x")
    where = "sky" if sky else "grass" if grass else ""
    if top:
        yield Cue(f"{corner or where}top", "y", -1)
    elif bottom:
        yield Cue(f"{corner or where}bottom", "y", 1)
    elif where:
        yield Cue(("middle of " if middle else "in ") + where, "y")
    elif middle:
        yield Cue("half way up", "y")


def _preposition(text: str) -> str:
    """ "On the left" is a place; "to the left" and "left" alone may be a direction."""
    if re.fullmatch(r"(?:is |are |just |slightly |more |a |the |of )*(?:left|right)", text):
        return "bare "
    return "to " if re.match(r"(?:is |are |just |more |over |a |bit |little |slightly )*(?:to|towards?)\b", text) else ""


def _amount(fact: Fact) -> float:
    return float(fact.said["amount"]) * _UNITS[fact.said["unit"]] if "amount" in fact.said else 0.0


def _edge(fact: Fact, sides: dict[str, int]) -> Iterator[Cue]:
    said = re.findall(r"[a-z]+", fact.said["edges"])
    named = [word for word in said if word in _SIGN]
    how, adverb = fact.said["how"], fact.said["adverb"]
    if "amount" in fact.said:
        name = "inches"
    elif how in ("touching", "touches", "touch", "against", "up against", "hugging", "flush with", "reaching", "reaches", "meeting"):
        name = "not touching" if "not" in adverb else "almost touching" if re.search("almost|nearly|quite|practically|close", adverb) else "touching"
    elif how in ("close to", "close", "near", "near to", "next to", "from", "off", "off of", "away from", "by"):
        name = "near"
    elif "corner" in said:
        name = "corner"
    elif "edge" in said or "border" in said:
        name = "edge"
    else:
        name = ""
    if "corner" in said and name in ("", "near", "corner"):
        name = "corner"
    if not named:
        for axis, sign in sides.items():
            if axis == "x" or "corner" in said:
                yield Cue(f"{name or 'some'} side", axis, sign, amount=_amount(fact))
    for word in dict.fromkeys(named):
        axis = "x" if word in ("left", "right") else "y"
        plain = ("far side" if "far" in said else "side") if axis == "x" else {-1: "top", 1: "bottom"}[_SIGN[word]]
        yield Cue(f"{name} {'side' if axis == 'x' else plain}" if name else plain, axis, _SIGN[word], amount=_amount(fact))


_SHARES = {"half": "half", "halfway": "half", "most": "most", "mostly": "most", "bit": "bit", "little": "bit", "slightly": "bit", "barely": "bit", "tiny": "bit", "0.5": "half", "0.75": "most", "0.25": "bit", "quarter": "bit"}


def _share(text: str) -> str:
    return next((_SHARES[word] for word in text.split() if word in _SHARES), "some")


def _cut(fact: Fact, sides: dict[str, int]) -> Iterator[Cue]:
    text = fact.said["text"]
    words = text.split()
    named = [word for word in dict.fromkeys(words) if word in _SIGN]
    share = _share(text)
    for word in named:
        axis = "x" if word in ("left", "right") else "y"
        yield Cue(f"cut {share}", axis, _SIGN[word])
    if not named:
        for axis, sign in sides.items():
            yield Cue(f"cut {share} there", axis, sign)


def _visible(fact: Fact, sides: dict[str, int]) -> Iterator[Cue]:
    share = {"half": "half", "0.5": "half", "most": "bit", "majority": "bit", "0.75": "bit", "three quarters": "bit"}.get(fact.said["share"].split(" %")[0], "most")
    for axis, sign in sides.items():
        yield Cue(f"cut {share} seen", axis, sign)


def _whole(fact: Fact, sides: dict[str, int]) -> Iterator[Cue]:
    for axis, sign in sides.items():
        yield Cue("whole", axis, sign)


_HOW = {
    **dict.fromkeys(("above", "over", "past", "beyond"), "above"),
    **dict.fromkeys(("below", "under", "beneath", "underneath"), "below"),
}
_PARTS = {"heads": "head", "eyes": "eye", "ears": "ear", "knees": "knee", "shoulders": "shoulder", "armpits": "armpit", "hips": "hip", "feet": "foot", "arms": "arm", "hands": "hand", "legs": "leg", "tops": "top", "eyebrows": "eyebrow", "elbows": "elbow", "tip": "top", "stump": "trunk", "base": "bottom", "pants": "shorts", "belly": "stomach", "tummy": "stomach", "nose": "eye", "lips": "mouth", "toes":"foot", "shoes":"foot","pigtails":"hair","leaf":"leaves"}


def _horizon(fact: Fact, sides: dict[str, int]) -> Iterator[Cue]:
    how = _HOW.get(fact.said["how"], "at")
    part = fact.said.get("part", "")
    whole = re.search(r"top of (?:the )?(?:head|hair|tree)", fact.said["text"])
    part = "top" if whole else part
    amount = _amount(fact)
    bottom = re.search(r"bottom of", fact.said["text"])
    if bottom and part in ("trunk", "shorts", "leaves"):
        part = f"bottom {part}"
    yield Cue(f"horizon {how} {_PARTS.get(part, part)}".strip(), "y", amount=amount * {"above": -1, "below": 1, "at": 0}[how])


def _beside(fact: Fact, sides: dict[str, int]) -> Iterator[Cue]:
    sign = _SIGN[fact.said["side"]]
    name = "beside part" if fact.said.get("sided") else "beside"
    if fact.said.get("inner"):
        name = "beside inner"
    anchor = fact.anchors[0]
    name = "then beside" if fact.rule == "then beside" else name
    yield Cue(f"{name} inches" if "amount" in fact.said else name, "x", sign, anchor, _amount(fact))
    yield Cue(name, "y", 0, anchor)


def _corner(fact: Fact, sides: dict[str, int]) -> Iterator[Cue]:
    anchor = fact.anchors[0]
    yield Cue("corner of", "x", _SIGN[fact.said["side"]], anchor)
    vertical = fact.said["vert"]
    sign = {"upper": -1, "top": -1, "above": -1, "back": -1}.get(vertical, 1)
    yield Cue("corner of", "y", sign, anchor)


def _vertical(fact: Fact, sides: dict[str, int]) -> Iterator[Cue]:
    anchor, name = fact.anchors[0], fact.rule
    sign = -1 if name == "above" else 1
    yield Cue(f"{name} inches" if "amount" in fact.said else name, "y", sign, anchor, _amount(fact))
    yield from _across(fact)


def _across(fact: Fact) -> Iterator[Cue]:
    """On the same vertical line; more to one side, where that was said."""
    inner = {fact.said.get(name) for name in ("inner", "inner2", "inner3")} & {"left", "right"}
    sign = _SIGN[inner.pop()] if len(inner) == 1 else 0
    yield Cue(f"{fact.rule} part" if sign else fact.rule, "x", sign, fact.anchors[0])


def _near(fact: Fact, sides: dict[str, int]) -> Iterator[Cue]:
    yield from _across(fact)
    yield Cue(fact.rule, "y", 0, fact.anchors[0])


def _level(fact: Fact, sides: dict[str, int]) -> Iterator[Cue]:
    yield Cue("level", "y", 0, fact.anchors[0])


def _between(fact: Fact, sides: dict[str, int]) -> Iterator[Cue]:
    for anchor in fact.anchors:
        yield Cue("between", "x", 0, anchor)
        yield Cue("between", "y", 0, anchor)


def _held(fact: Fact, sides: dict[str, int]) -> Iterator[Cue]:
    if fact.anchors:
        name = "held" if fact.rule == "inhand" else fact.rule
        hand = fact.said.get("hand", "")
        yield Cue(f"{name} {hand}".strip() if hand in ("left", "right") else name, "x", 0, fact.anchors[0])
        yield Cue(f"{name} {hand}".strip() if hand in ("left", "right") else name, "y", 0, fact.anchors[0])


def _after(fact: Fact, sides: dict[str, int]) -> Iterator[Cue]:
    yield Cue("after", "x", 0, fact.anchors[0])
    yield Cue("after", "y", 0, fact.anchors[0])


def _facing(fact: Fact, sides: dict[str, int]) -> Iterator[Cue]:
    """Most look towards the middle."""
    if fact.said.get("side") in ("left", "right"):
        yield Cue("facing", "x", -_SIGN[fact.said["side"]])


def _aside(fact: Fact, sides: dict[str, int]) -> Iterator[Cue]:
    if fact.anchors:
        yield Cue("aside", "x", _SIGN[fact.said["side"]], fact.anchors[0])


_MAKERS = {
    "aside": _aside,
    "face": _facing,
    "trait": _facing,
    "after": _after,
    "place": _place,
    "edge": _edge,
    "cut": _cut,
    "visible": _visible,
    "whole": _whole,
    "horizon": _horizon,
    "beside": _beside,
    "then beside": _beside,
    "corner": _corner,
    "above": _vertical,
    "below": _vertical,
    "front": _near,
    "behind": _near,
    "next": _near,
    "on": _near,
    "in": _near,
    "over": _near,
    "level": _level,
    "between": _between,
    "held": _held,
    "inhand": _held,
    "worn": _held,
}


def group(kind: str) -> str:
    """Kinds whose places are spoken of alike."""
    if kind.endswith("tree"):
        return "tree"
    category = CATEGORY[kind]
    return {"boy": "person", "girl": "person", "food": "small", "toy": "small"}.get(category, category)
