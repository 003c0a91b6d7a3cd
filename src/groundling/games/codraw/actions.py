"""The Drawer's actions as JSON: `{"do": "put", "kind": "sun", "x": 60, "y": 50, "size": "large"}`. Sizes,
poses and expressions are given by name. The direction of a piece is given by `facing` if it has a front,
else by `flip`."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from math import isfinite
from typing import Any

from groundling.boards.scene import (
    EXPRESSIONS,
    FRONTS,
    KINDS,
    PEOPLE,
    POSES,
    SIZES,
    Express,
    Flip,
    Piece,
    Pose,
    Put,
    Remove,
    Resize,
    Shift,
)
from groundling.core.values import Illegal
from groundling.games.codraw.moves import Draw

_REQUIRED_KEYS = {
    "put": {"x", "y", "size"},
    "move": {"x", "y"},
    "flip": set(),
    "resize": {"size"},
    "pose": {"pose"},
    "expression": {"expression"},
    "remove": set(),
}
"""The keys that each action needs besides `kind`."""
_OPTIONAL_KEYS = {"put": {"flip", "facing", "pose", "expression"}, "flip": {"flip", "facing"}}
_KINDS = {kind.lower(): kind for kind in KINDS}
REPLY_FORM = '{"actions": […], "say": "…"}'
_BRACKET = re.compile(r"[{}\[\]]")


def parse_action(action: Any, *, strict: bool) -> Draw:
    """Return one action as a move, or raise Illegal with what would be accepted."""
    if not isinstance(action, dict):
        raise Illegal('an action is an object: {"do": "<action>", "kind": "<name from the palette>", …}')
    do = action.get("do")
    if not isinstance(do, str) or do not in _REQUIRED_KEYS:
        raise Illegal(f'there is no action {do!r}: "do" is one of {", ".join(_REQUIRED_KEYS)}')
    kind = _parse_kind(action.get("kind"), strict)
    missing = sorted(_REQUIRED_KEYS[do] - action.keys())
    if missing:
        raise Illegal(f'to {do} {kind}, add "{missing[0]}"')
    strange = sorted(action.keys() - {"do", "kind"} - _REQUIRED_KEYS[do] - _OPTIONAL_KEYS.get(do, set()))
    if strange:
        raise Illegal(f"to {do} {kind}, leave {strange[0]!r} out")
    return _build_change(do, kind, action, strict)


def _build_change(do: str, kind: str, action: dict[str, Any], strict: bool) -> Draw:
    match do:
        case "put":
            return _build_put(kind, action, strict)
        case "move":
            return Shift(
                kind, _parse_number(action["x"], "x", strict), _parse_number(action["y"], "y", strict)
            )
        case "flip":
            flip = _parse_flip(kind, action)
            if flip is None:
                raise Illegal(
                    f'to flip {kind}, add "flip": true or false{", or facing" if kind in FRONTS else ""}'
                )
            return Flip(kind, flip)
        case "resize":
            return Resize(kind, _parse_choice(action["size"], "size", SIZES, strict))
        case "pose":
            return Pose(kind, _parse_choice(action["pose"], "pose", POSES, strict))
        case "expression":
            return Express(kind, _parse_choice(action["expression"], "expression", EXPRESSIONS, strict))
        case _:
            return Remove(kind)


def _build_put(kind: str, action: dict[str, Any], strict: bool) -> Put:
    figure: list[int | None] = []
    for name, choices in (("pose", POSES), ("expression", EXPRESSIONS)):
        if kind in PEOPLE and name not in action:
            raise Illegal(f'to put {kind}, add "{name}": {_format_choices(choices)}')
        if kind not in PEOPLE and name in action:
            raise Illegal(f"only {' and '.join(PEOPLE)} have a {name}, not {kind}: leave it out")
        figure.append(_parse_choice(action[name], name, choices, strict) if name in action else None)
    x, y = _parse_number(action["x"], "x", strict), _parse_number(action["y"], "y", strict)
    size = _parse_choice(action["size"], "size", SIZES, strict)
    try:
        return Put(Piece(kind, x, y, size, bool(_parse_flip(kind, action)), *figure))
    except ValueError as trouble:
        raise Illegal(str(trouble)) from None


def _parse_kind(value: Any, strict: bool) -> str:
    name = (
        value
        if strict or not isinstance(value, str)
        else _KINDS.get(" ".join(value.lower().replace("-", " ").split()))
    )
    if not isinstance(name, str) or name not in KINDS:
        raise Illegal(f"there is no clip art called {value!r}: take one of the palette, named as it is there")
    return name


def _parse_number(value: Any, name: str, strict: bool) -> int:
    if (
        isinstance(value, bool)
        or not isinstance(value, int | float)
        or not isfinite(value)
        or (strict and value != int(value))
    ):
        raise Illegal(f'"{name}" is a whole number, not {value!r}')
    return round(value)


def _parse_choice(value: Any, name: str, choices: Sequence[str], strict: bool) -> int:
    found = value if strict or not isinstance(value, str) else " ".join(value.lower().split())
    if found not in choices:
        raise Illegal(f'there is no {name} {value!r}: "{name}" is one of {_format_choices(choices)}')
    return choices.index(found)


def _parse_flip(kind: str, action: dict[str, Any]) -> bool | None:
    """Read `flip` or `facing`; None if the action has neither."""
    flip = action.get("flip")
    if flip is not None and not isinstance(flip, bool):
        raise Illegal(f'"flip" is true or false, not {flip!r}')
    if "facing" not in action:
        return flip
    if kind not in FRONTS:
        raise Illegal(f'{kind} has no front: use "flip", true for mirrored')
    if action["facing"] not in ("left", "right"):
        raise Illegal(f'"facing" is left or right, not {action["facing"]!r}')
    turned = bool(action["facing"] != FRONTS[kind])
    if flip not in (None, turned):
        raise Illegal(f'"flip" and "facing" of {kind} say different things: leave one out')
    return turned


def change_to_action(move: Draw) -> dict[str, Any]:
    match move:
        case Put(piece=piece):
            found: dict[str, Any] = {
                "do": "put",
                "kind": piece.kind,
                "x": piece.x,
                "y": piece.y,
                "size": SIZES[piece.size],
            }
            if piece.kind in FRONTS:
                found["facing"] = action_facing_side(piece.kind, piece.flip)
            elif piece.flip:
                found["flip"] = True
            if piece.pose is not None and piece.expression is not None:
                found |= {"pose": POSES[piece.pose], "expression": EXPRESSIONS[piece.expression]}
            return found
        case Shift(kind=kind, x=x, y=y):
            return {"do": "move", "kind": kind, "x": x, "y": y}
        case Flip(kind=kind, flip=flip):
            look: dict[str, Any] = (
                {"facing": action_facing_side(kind, flip)} if kind in FRONTS else {"flip": flip}
            )
            return {"do": "flip", "kind": kind, **look}
        case Resize(kind=kind, size=size):
            return {"do": "resize", "kind": kind, "size": SIZES[size]}
        case Pose(kind=kind, pose=pose):
            return {"do": "pose", "kind": kind, "pose": POSES[pose]}
        case Express(kind=kind, expression=expression):
            return {"do": "expression", "kind": kind, "expression": EXPRESSIONS[expression]}
        case Remove(kind=kind):
            return {"do": "remove", "kind": kind}


def action_facing_side(kind: str, flip: bool) -> str:
    """Return the direction in which the front of such a piece points."""
    front = FRONTS[kind]
    return front if not flip else "left" if front == "right" else "right"


def _format_choices(names: Sequence[str]) -> str:
    return ", ".join(f'"{name}"' for name in names)


def _reject_duplicate_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key stands there twice")
    return found


def _reject_constant(name: str) -> Any:
    raise ValueError(f"{name} is no number")


_decoder = json.JSONDecoder(object_pairs_hook=_reject_duplicate_keys, parse_constant=_reject_constant)


def parse_action_object(text: str) -> dict[str, Any]:
    """Parse a text that must be one JSON object with nothing around it."""
    try:
        found = _decoder.decode(text)
    except (ValueError, RecursionError) as trouble:
        raise Illegal(f"write one JSON object and nothing else ({str(trouble)[:80]})") from None
    if not isinstance(found, dict):
        raise Illegal("write one JSON object and nothing else")
    return found


def find_action_objects(text: str) -> tuple[list[Any], tuple[str, ...]]:
    """Find JSON objects and lists anywhere in a text, and the prose around them. Invalid JSON after an
    opening bracket is an error: the rest of a truncated reply could mean something else."""
    found: list[Any] = []
    around: list[str] = []
    start = 0
    while opening := _BRACKET.search(text, start):
        around.append(text[start : opening.start()])
        try:
            value, start = _decoder.raw_decode(text, opening.start())
        except (ValueError, RecursionError):
            raise Illegal(f"this is not JSON that can be read: write {REPLY_FORM}") from None
        found.append(value)
    around.append(text[start:])
    return found, tuple(
        " ".join(part.split()) for part in around if part.strip("` \t\r\n") not in ("", "json")
    )
