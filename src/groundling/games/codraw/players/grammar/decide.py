"""What cannot be seen from one word alone: sizes, which way round, poses and expressions, weighed against what is usual."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .....boards.scene import CATEGORY, EXPRESSIONS, PEOPLE, POSES
from .cues import group
from .feelings import expression_cues, pose_cues
from .measured import measured
from .phrases import SIZES
from .reader import Fact

_TELLING = ("trait", "word", "face", "place", "shift", "hand", "edge", "horizon", "size", "on", "in", "next", "front")
_NOTHING = 3


def size_word(facts: Sequence[Fact]) -> int:
    """What the size was last called: 0 large, 1 medium, 2 small, 3 nothing."""
    said = [fact for fact in facts if fact.rule == "size"]
    return SIZES[said[-1].said["size"].split()[0]] if said else _NOTHING


def _resized(facts: Sequence[Fact]) -> int | None:
    """To what it was corrected, if that was said last."""
    said = [fact for fact in facts if fact.rule in ("size", "resized")]
    return said[-1].said["to"] if said and said[-1].rule == "resized" else None


def holder(facts: Sequence[Fact]) -> str | None:
    """Who carries or wears it."""
    said = [fact for fact in facts if fact.rule in ("held", "worn", "inhand") and fact.anchors]
    return said[-1].anchors[0] if said else None


def sizes(facts: Mapping[str, Sequence[Fact]]) -> dict[str, int]:
    """The likeliest size of every piece. Things are as large as people are, mostly, and both people are alike."""
    table = measured()
    words = {kind: size_word(said) for kind, said in facts.items()}
    likely = {kind: table.size_words[_size_group(kind)][words[kind]] for kind in facts}
    people = [0.0, 0.0, 0.0]
    joint = {}
    for one in range(3):
        for two in range(3):
            chance = table.couples[one][two]
            for kind, size in zip(PEOPLE, (one, two), strict=True):
                chance *= likely[kind][size] if kind in facts else 1.0
            joint[one, two] = chance
            people[one] += chance
    people = [chance / sum(people) for chance in people]
    for kind in facts:
        if kind not in PEOPLE:
            given = _given_people(kind)
            seen = [sum(given[size][z] * likely[kind][z] for z in range(3)) for size in range(3)]
            people = [p * s for p, s in zip(people, seen, strict=True)]
            people = [chance / sum(people) for chance in people]
    marginal = [sum(joint[one, two] for two in range(3)) for one in range(3)]
    factor = [p / m if m else 0.0 for p, m in zip(people, marginal, strict=True)]
    both = max(joint, key=lambda pair: joint[pair] * factor[pair[0]])
    found = {}
    for kind in facts:
        if kind in PEOPLE:
            found[kind] = both[PEOPLE.index(kind)]
        else:
            given = _given_people(kind)
            chances = [likely[kind][z] * sum(people[s] * given[s][z] for s in range(3)) for z in range(3)]
            found[kind] = max(range(3), key=chances.__getitem__)
    for kind, said in facts.items():
        whose = holder(said)
        if whose in found and whose is not None and words[kind] == _NOTHING and table.alike[kind][0] > 0.8:
            found[kind] = found[whose]
        fixed = _resized(said)
        found[kind] = found[kind] if fixed is None else fixed
    return found


def _size_group(kind: str) -> str:
    return kind if kind in measured().size_words else group(kind)


def _given_people(kind: str) -> list[list[float]]:
    """By the size of the people: the chance of each size of this kind."""
    table = measured()
    rows = table.beside[CATEGORY[kind]]
    base = [sum(row[z] * w for row, w in zip(rows, (0.77, 0.19, 0.04), strict=True)) for z in range(3)]
    found = []
    for row in rows:
        chances = [own * there / usual for own, there, usual in zip(table.sizes[kind], row, base, strict=True)]
        found.append([chance / sum(chances) for chance in chances])
    return found


def flips(facts: Mapping[str, Sequence[Fact]], x: Mapping[str, float]) -> dict[str, bool]:
    """Mirrored or not: as last turned or said to look, else as its holder or as such things stand there."""
    table = measured()
    found: dict[str, bool] = {}
    for kind, said in facts.items():
        told = _told(kind, said, x)
        if told is not None:
            found[kind] = told
    for kind, said in sorted(facts.items(), key=lambda item: holder(item[1]) is not None):
        if kind in found:
            continue
        left, middle, right = table.flips[kind]
        at = x[kind]
        share = left if at < 170 else right if at > 330 else _between(left, middle, right, at)
        whose = holder(said)
        alike = table.alike[kind][1]
        if whose in found and abs(alike - 0.5) > 0.1 and whose is not None:
            found[kind] = found[whose] == (alike > 0.5)
        else:
            found[kind] = share > 0.5
    return found


def _told(kind: str, said: Sequence[Fact], x: Mapping[str, float]) -> bool | None:
    for fact in reversed(said):
        if fact.rule == "turned":
            return bool(fact.said["flip"])
        if side := _looks(kind, fact, x):
            chances = measured().parts.get(fact.said.get("part", "")) or measured().fronts[kind]
            return chances[side == "right"] > 0.5
    return None


def _between(left: float, middle: float, right: float, at: float) -> float:
    return left + (middle - left) * (at - 170) / 80 if at < 250 else middle + (right - middle) * (at - 250) / 80


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
    return _best(measured().poses, pose_cues(_texts(facts)), len(POSES))


def expression(facts: Sequence[Fact]) -> int:
    return _best(measured().expressions, expression_cues(_texts(facts)), len(EXPRESSIONS))


def _texts(facts: Sequence[Fact]) -> list[str]:
    return [fact.said["text"] for fact in facts if fact.rule in _TELLING and "text" in fact.said]


def _best(weights: Mapping[str, Sequence[float]], found: Sequence[str], count: int) -> int:
    scores = [weights[""][n] + sum(weights[cue][n] for cue in found) for n in range(count)]
    return max(range(count), key=scores.__getitem__)
