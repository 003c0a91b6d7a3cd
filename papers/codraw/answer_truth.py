"""Whether an answer is true: its sentences are split into claims, and each is checked against the published
scene and the sizes of the published drawings. Nothing here is shared with the code that answers."""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path

from msgspec import Struct

from groundling.boards.scene import HEIGHT, HORIZON, KINDS, PEOPLE, SCALES, WIDTH, Piece, Scene
from groundling.boards.scene.scene_strings import BY_LOOK
from groundling.games.codraw.players.grammar.mention_finder import find_mentions
from groundling.games.codraw.players.grammar.tokenizer import tokenize_message

SLACK = 20
"""Pixels by which a described place may be off."""
_INCHES = {"almost touching": (0, 30), "half an inch from": (5, 60), "an inch from": (25, 85)}
_INCHES |= {"2 inches from": (45, 130), "far from": (70, 500), "touching": (-30, 28)}
_POSES = {"arms out": (0,), "both arms": (1,), "both hands": (1,), "kicking": (2,), "running": (3,)}
_POSES |= {"cross": (4,), "legs out": (5,), "legs straight": (5,), "one arm": (6,), "one hand": (6,)}
_FACES = {
    "without teeth": 2,
    "no teeth": 2,
    "teeth": 1,
    "angry": 0,
    "mad": 0,
    "sad": 3,
    "surprised": 4,
    "shocked": 4,
}
_FRONT_LEFT = ("rocket", "oak tree", "kite")
_HEIGHTS = {"hair": (-0.05, 0.3), "eyes": (0.0, 0.45), "chin": (0.05, 0.6), "chest": (0.15, 0.75)}
_HEIGHTS |= {"waist": (0.3, 0.9), "knees": (0.4, 1.05)}
_SHARES = {
    "side cut off a little": (0.0, 0.35),
    "part cut off a little": (0.0, 0.35),
    "third cut off": (0.1, 0.55),
}
_SHARES |= {"half cut off": (0.25, 0.75), "mostly cut off": (0.45, 1.1)}


class Claim(Struct, frozen=True):
    topic: str
    text: str
    kind: str
    true: bool | None
    """None if the claim could not be read."""


def _make_claim(text: str, kind: str, topic: str, true: bool) -> Claim:
    return Claim(topic, text, kind, true)


class SceneTruth:
    def __init__(self, scene: Scene, art: Path) -> None:
        self.scene, self.art = scene, art

    def box(self, piece: Piece) -> tuple[float, float, float, float]:
        png = BY_LOOK[KINDS.index(piece.kind), piece.figure].png
        width, height = (side * SCALES[piece.size] / 2 for side in _png_size(self.art / png))
        return piece.x - width, piece.y - height, piece.x + width, piece.y + height

    def gap(self, piece: Piece, side: str) -> float:
        left, top, right, bottom = self.box(piece)
        return {"left": left, "top": top, "right": WIDTH - right, "bottom": HEIGHT - bottom}[side]

    def claims(self, answer: str) -> Iterator[Claim]:
        """Yield the claims of an answer, sentence by sentence."""
        for sentence in answer.rstrip(".").split(". "):
            text = re.sub(r"^(yes|no), ", "", sentence.strip().lower())
            kinds = mentioned_kinds(text)
            if re.match(r"(there (is|are)|\d)", text) or text.startswith("no, there"):
                yield self._presence(text, kinds)
                continue
            piece = self.scene.by_kind.get(kinds[0]) if kinds else None
            if piece is None:
                yield Claim("there", text, "", False if kinds else None)
                continue
            yield from self._piece_claims(text, piece, kinds)

    def _presence(self, text: str, kinds: list[str]) -> Claim:
        there = [kind in self.scene.by_kind for kind in kinds]
        if " no " in f" {text} " or " none" in text or "nothing" in text:
            return Claim(
                "there", text, "", not any(there) and (bool(kinds) or "none" in text or "nothing" in text)
            )
        number = re.match(r"there (?:is|are) (\d+)", text)
        counted = number is None or int(number[1]) == len(kinds)
        where = re.search(r"(in the sky|on the left|on the right|on the grass)$", text)
        true = all(there) and bool(kinds) and counted and (where is None or self._all_at(kinds, where[1]))
        return Claim("there", text, kinds[0] if kinds else "", true)

    def _all_at(self, kinds: list[str], where: str) -> bool:
        pieces = [self.scene.by_kind[kind] for kind in kinds]
        checks: dict[str, Callable[[Piece], bool]] = {
            "in the sky": lambda piece: piece.y < HORIZON + SLACK,
            "on the left": lambda piece: piece.x < WIDTH / 2 + SLACK,
            "on the right": lambda piece: piece.x > WIDTH / 2 - SLACK,
            "on the grass": lambda piece: self.box(piece)[3] > HORIZON - SLACK,
        }
        return all(checks[where](piece) for piece in pieces)

    def _piece_claims(self, text: str, piece: Piece, kinds: list[str]) -> Iterator[Claim]:
        others = [self.scene.by_kind[kind] for kind in kinds[1:] if kind in self.scene.by_kind]
        for part in re.split(r", | and (?=its |wearing|holding)", text):
            if found := re.search(r"(wearing|holding) (.*) (?:to|on) the (left|right)", part):
                owner = self._wearer(part) or piece
                thing = self.scene.by_kind.get((mentioned_kinds(found[2]) or [""])[0])
                side = "left" if thing and thing.x < owner.x else "right"
                yield Claim("had", part, owner.kind, thing is not None and side == found[3])
                continue
            if (found := re.match(r"(?:on|in) the .*(?:end|part) of the|(?:on|in) the \w", part)) and others:
                yield Claim(
                    "where", part, piece.kind, min(self._distance(piece, other) for other in others) < 0
                )
                continue
            if (other_wearer := self._wearer(part)) and other_wearer != piece:
                yield from self._read_belongings(part, other_wearer, partial(_make_claim, part, ""))
                continue
            if (
                (named := mentioned_kinds(part))
                and named[0] in PEOPLE
                and named[0] in self.scene.by_kind
                and " is facing" in part
            ):
                piece = self.scene.by_kind[named[0]]
            read = list(self._read_part(part, piece, others))
            if part in ("sitting", "standing", "big smile", "small smile", "one leg out", "waving"):
                continue
            yield from read or [Claim("unread", part, piece.kind, None)]

    def _read_part(self, part: str, piece: Piece, others: list[Piece]) -> Iterator[Claim]:
        claim = partial(_make_claim, part, piece.kind)
        if found := re.search(
            r"\b(?:is|are) (large|medium|small)$|^(?:a |an )?(big|large|medium|small) (?!smile)", part
        ):
            size = {"big": "large"}.get(found[1] or found[2], found[1] or found[2])
            yield claim("size", ("large", "medium", "small")[piece.size] == size)
        if found := re.search(r"(?:facing|pointing|mound on the) (left|right)", part):
            front = "left" if piece.kind in _FRONT_LEFT else "right"
            other = {"left": "right", "right": "left"}[front]
            yield claim("way", (other if piece.flip else front) == found[1])
        if piece.kind in PEOPLE:
            yield from self._read_figure(part, piece, claim)
        yield from self._read_belongings(part, piece, claim)
        yield from self._read_place(part, piece, claim)
        if found := re.search(
            r"\b(?:is|are)? ?(left of|right of|above|below)(?: and (above|below))? (?!the horizon|center)",
            part,
        ):
            yield from (claim("order", self._holds_order(piece, other, found)) for other in others[:1])
        if "next to" in part and others:
            yield claim("order", self._distance(piece, others[0]) < 60)
        if "do not touch" in part and others:
            yield claim("touch", self._distance(piece, others[0]) > -10)
        if part.endswith("overlap") and others:
            yield claim("touch", self._distance(piece, others[0]) < 0)
        if found := re.search(r"in front of|behind", part):
            ahead = others and (piece.size, -piece.index) < (others[0].size, -others[0].index)
            yield claim("touch", bool(others) and bool(ahead) == (found[0] != "behind"))

    def _read_figure(self, part: str, piece: Piece, claim: Callable[[str, bool], Claim]) -> Iterator[Claim]:
        pose = next((poses for words, poses in _POSES.items() if words in part), None)
        if pose and "holding" not in part:
            yield claim("pose", piece.pose in pose)
        face = next((number for words, number in _FACES.items() if words in part), None)
        if face is not None:
            yield claim("face", piece.expression == face)

    def _read_belongings(
        self, part: str, piece: Piece, claim: Callable[[str, bool], Claim]
    ) -> Iterator[Claim]:
        if found := re.search(r"not (wearing or holding|wearing|holding) anything", part):
            yield claim("had", not self._near_things(piece, found[1]))
        elif found := re.search(r"\b(wearing|holding) ", part):
            things = [kind for kind in mentioned_kinds(part.partition(found[0])[2]) if kind not in PEOPLE]
            reach = 40 if found[1] == "wearing" else 60
            near = [
                kind in self.scene.by_kind and self._distance(piece, self.scene.by_kind[kind]) < reach
                for kind in things
            ]
            yield claim("had", bool(near) and all(near))

    def _wearer(self, part: str) -> Piece | None:
        """Return who wears or holds something in a part of a sentence with a subject of its own."""
        before, verb, _ = part.partition(" is wearing" if " is wearing" in part else " is holding")
        named = mentioned_kinds(before) if verb else []
        return self.scene.by_kind.get(named[0]) if named else None

    def _near_things(self, person: Piece, verb: str) -> list[str]:
        """Return what lies so close to a person that it is surely worn or held."""
        left, top, right, bottom = self.box(person)
        head = top + (bottom - top) * 0.15
        found = []
        for other in self.scene.pieces:
            worn = other.category == "clothing" and "wearing" in verb
            if worn and left + 10 < other.x < right - 10 and abs(other.y - head) < 15:
                found.append(other.kind)
        return found

    def _read_place(self, part: str, piece: Piece, claim: Callable[[str, bool], Claim]) -> Iterator[Claim]:
        x, middle = piece.x, WIDTH / 2
        if found := re.search(
            r"on the far (left|right)|on the (left|right) side|\b(left|right) of center|in the (middle)", part
        ):
            side = found[1] or found[2] or found[3] or found[4]
            off = {"left": middle - x, "right": x - middle, "middle": 40 - abs(x - middle)}[side]
            yield claim("where", off > (100 if found[1] else 0) - SLACK)
        if found := re.search(r"in the (top|bottom) (left|right) corner", part):
            high = self.gap(piece, found[1]) < 60 + SLACK
            yield claim("where", high and (x < middle) == (found[2] == "left"))
        if found := re.search(r"on the grass|in the sky", part):
            _, top, _, bottom = self.box(piece)
            yield claim("where", bottom > HORIZON if found[0] == "on the grass" else top < HORIZON)
        for words, (low, high_gap) in _INCHES.items():
            if found := re.search(rf"\b{words} the (left|right|top|bottom)", part):
                gap = self.gap(piece, found[1])
                yield claim("where", low - SLACK <= gap <= high_gap + SLACK)
                break
        yield from self._read_cut(part, piece, claim)
        if "horizon" in part:
            yield claim("where", self._holds_horizon(part, piece))

    def _read_cut(self, part: str, piece: Piece, claim: Callable[[str, bool], Claim]) -> Iterator[Claim]:
        gaps = {side: self.gap(piece, side) for side in ("left", "right", "top", "bottom")}
        if "not cut off" in part:
            yield claim("cut", min(gaps.values()) > -SLACK)
        elif found := re.search(
            r"(left|right|top|bottom) (side cut|part cut|third cut|half cut)"
            r"|mostly cut off by the (\w+)|cut off at the (\w+)",
            part,
        ):
            side = found[1] or found[3] or found[4]
            left, top, right, bottom = self.box(piece)
            share = -gaps[side] / ((right - left) if side in ("left", "right") else (bottom - top))
            low, high = next((span for words, span in _SHARES.items() if words in part), (0.0, 1.1))
            yield claim("cut", low - 0.05 <= share <= high)

    def _holds_horizon(self, part: str, piece: Piece) -> bool:
        _, top, _, bottom = self.box(piece)
        share = (HORIZON - top) / (bottom - top)  # the part of the height that is above the horizon
        if found := re.search(r"(hair|eyes|chin|chest|waist|knees) on the horizon", part):
            low, high = _HEIGHTS[found[1]]
            return low - 0.1 <= share <= high + 0.1
        if "head just below" in part or ("just below the horizon" in part and "bottom" not in part):
            return -SLACK < top - HORIZON < 3.5 * SLACK
        if "bottom is just below" in part or "bottom just below" in part or "most of" in part:
            return 0.5 < share < 1.1
        if "just above the horizon" in part and "top" not in part:
            return -SLACK < HORIZON - bottom < 2.5 * SLACK
        spans = {
            "top third": (0.1, 0.55),
            "half of": (0.3, 0.75),
            "through": (0.3, 0.75),
            "top": (-0.15, 0.35),
        }
        spans |= {"bottom": (0.8, 1.2)}
        low, high = next(span for words, span in spans.items() if words in part)
        return low <= share <= high

    def _holds_order(self, one: Piece, other: Piece, found: re.Match[str]) -> bool:
        right, down = one.x - other.x, one.y - other.y
        holds = {"left of": right < 0, "right of": right > 0, "above": down < 0, "below": down > 0}
        return all(holds[word] for word in found.groups() if word)

    def _distance(self, one: Piece, other: Piece) -> float:
        mine, theirs = self.box(one), self.box(other)
        across = max(theirs[0] - mine[2], mine[0] - theirs[2])
        return max(across, theirs[1] - mine[3], mine[1] - theirs[3])


def mentioned_kinds(text: str) -> list[str]:
    """Return the kinds that a text names in so many words, in order."""
    _, found = find_mentions(tokenize_message(text))
    named = [one.kinds if one.how == "both" else one.kinds[:1] for one in found]
    return list(dict.fromkeys(kind for kinds in named for kind in kinds))


@cache
def _png_size(file: Path) -> tuple[int, int]:
    width, height = struct.unpack(">II", file.read_bytes()[16:24])
    return width, height
