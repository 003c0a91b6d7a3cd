"""Replies of players, parsed into moves and written from them.

The Teller writes a line `Say: …`, or PEEK, CLOSE, FINISH or WAIT; lines with PEEK and CLOSE may come
first. The Drawer writes one JSON object with its actions and its message; `"say": null` draws and keeps
the turn. Where the Drawer can finish too, it writes `"finish": true` in place of `say`, or FINISH alone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from groundling.core.values import Illegal, Reading, Say
from groundling.games.codraw.actions import (
    REPLY_FORM,
    change_to_action,
    find_action_objects,
    parse_action,
    parse_action_object,
)
from groundling.games.codraw.moves import OK, Agree, Close, CodrawMove, Draw, Finish, Peek, Wait, one_line

TAG = "Say:"
_COMMANDS: dict[str, CodrawMove] = {
    "PEEK": Peek(),
    "CLOSE": Close(),
    "FINISH": Finish(),
    "WAIT": Wait(),
    "AGREE": Agree(),
}
_SPELLED = {type(move): word for word, move in _COMMANDS.items()}
_ENDINGS: dict[str, CodrawMove] = {"agree": Agree(), "finish": Finish()}
"""The keys that stand in place of `say` in a reply of the Drawer."""
_DECORATED = re.compile(rf"[\W_]*({'|'.join(_COMMANDS)})[\W_]*", re.IGNORECASE)
_TAGGED = re.compile(rf"[\s*_`\"'>-]*{TAG}[*_`]*(.*)", re.IGNORECASE | re.DOTALL)
_HOW = f'write one line "{TAG} …", or PEEK, CLOSE or FINISH alone'


def read_teller_reply(text: str, *, peeking: bool, empty: bool, strict: bool) -> Reading[CodrawMove]:
    reading = _strict_teller(text) if strict else _tolerant_teller(text)
    moves = reading.moves
    if not moves or (moves[-1] == Say("") and not empty):
        raise Illegal(f"this says nothing: {_HOW}")
    if peeking and isinstance(moves[0], Say | Finish):  # speaking closes the view of the canvas
        moves = (Close(), *moves)
    return Reading(moves, reading.dropped)


def _strict_teller(text: str) -> Reading[CodrawMove]:
    *before, last = text.strip().split("\n")
    moves = [_COMMANDS[line] for line in before if line in ("PEEK", "CLOSE")]
    if len(moves) < len(before):
        raise Illegal(_HOW)
    if last in _COMMANDS:
        return Reading((*moves, _COMMANDS[last]))
    words = _text_after_tag(last)
    if words is None:
        raise Illegal(f'start with "{TAG}", on the last line: {_HOW}')
    return Reading((*moves, Say(words)))


def _text_after_tag(text: str) -> str | None:
    """Return the message after the tag, or None if the text is not a tagged line."""
    words = text.removeprefix(TAG).removeprefix(" ")
    return words if words == one_line(words) and f"{TAG} {words}".rstrip() == text else None


def _tolerant_teller(text: str) -> Reading[CodrawMove]:
    """Read commands in any spelling, then a message with its tag and prose around it, or without both."""
    lines = [line for line in text.strip().splitlines() if line.strip("`\t ") or not line.strip()]
    moves: list[CodrawMove] = []
    while lines and (not lines[0].strip() or _DECORATED.fullmatch(lines[0])):
        if command := _DECORATED.fullmatch(lines.pop(0)):
            moves.append(_COMMANDS[command[1].upper()])
    if any(_DECORATED.fullmatch(line) for line in lines):
        raise Illegal(f"take one action at a time: {_HOW}")
    tagged = [number for number, line in enumerate(lines) if _TAGGED.fullmatch(line)]
    if len(tagged) > 1:
        raise Illegal(f"there are {len(tagged)} messages: say one")
    if not tagged:
        return Reading((*moves, Say(one_line(" ".join(lines)))) if lines else tuple(moves))
    first = tagged[0]
    end = next((number for number in range(first, len(lines)) if not lines[number].strip()), len(lines))
    found = _TAGGED.fullmatch("\n".join(lines[first:end]))
    assert found
    around = [one_line(" ".join(part)) for part in (lines[:first], lines[end:])]
    return Reading((*moves, Say(one_line(found[1]))), tuple(part for part in around if part))


def read_drawer_reply(
    text: str, *, asked: bool, silent: bool, empty: bool, strict: bool, finishes: bool = False
) -> Reading[CodrawMove]:
    found: dict[str, Any] | None
    dropped: tuple[str, ...]
    words = _text_after_tag(text.strip())
    if words is not None:
        return _finish_reading((), words, (), asked=asked, silent=silent, empty=empty, strict=strict)
    if finishes and text.strip() == _SPELLED[Finish]:
        return Reading((Finish(),))
    found, dropped = (parse_action_object(text), ()) if strict else _find_reply(text)
    if found is None:
        return _read_prose(text, asked=asked, silent=silent)
    endings = _ENDINGS if finishes else {"agree": Agree()}
    strange = sorted(found.keys() - {"actions", "say", *endings})
    if strange:
        raise Illegal(f"there is no key {strange[0]!r} in a reply: write {REPLY_FORM}")
    actions = found.get("actions", None if strict else [])
    if not isinstance(actions, list):
        raise Illegal(f'"actions" is a list: write {REPLY_FORM}')
    changes = tuple(parse_action(action, strict=strict) for action in actions)
    given = [key for key in endings if key in found]
    if given:
        if found[given[0]] is not True:
            raise Illegal(f'"{given[0]}" is true, or it is left out')
        if "say" in found or len(given) > 1:
            raise Illegal(f"{given[0]}, or say something: a message continues the game")
        return Reading((*changes, endings[given[0]]), dropped)
    if "say" not in found and (strict or asked):
        agree = ', or "agree": true' if asked else ""
        raise Illegal(f'add what you say to the Teller, "say": "…"{agree}')
    if "say" in found and found["say"] is None:
        if not changes:
            raise Illegal('this does nothing: with "say": null you draw on, so draw something')
        return Reading(changes, dropped)
    said = found.get("say", OK)
    if not isinstance(said, str):
        raise Illegal('"say" is a text, or null to draw on')
    if strict and said != one_line(said):
        raise Illegal('"say" is one line, without blanks around it')
    return _finish_reading(
        changes, one_line(said), dropped, asked=asked, silent=silent, empty=empty, strict=strict
    )


def _find_reply(text: str) -> tuple[dict[str, Any] | None, tuple[str, ...]]:
    """Find the one reply in a text and the prose around it; None for plain prose."""
    objects, around = find_action_objects(text)
    replies: list[dict[str, Any]] = []
    for found in objects:
        reply = {"actions": found} if isinstance(found, list) else found
        if reply not in replies:
            replies.append(reply)
    if len(replies) > 1:
        raise Illegal(f"there are {len(replies)} different objects: write one, {REPLY_FORM}")
    return (replies[0] if replies else None), around


def _read_prose(text: str, *, asked: bool, silent: bool) -> Reading[CodrawMove]:
    command = _DECORATED.fullmatch(text)
    if command:
        return Reading((_COMMANDS[command[1].upper()],))
    tagged = _TAGGED.fullmatch(text)
    words = one_line(tagged[1] if tagged else text)
    if not words:
        raise Illegal(f"this says nothing: write {REPLY_FORM}")
    return _finish_reading((), words, (), asked=asked, silent=silent, empty=False, strict=False)


def _finish_reading(
    changes: tuple[Draw, ...],
    words: str,
    dropped: tuple[str, ...],
    *,
    asked: bool,
    silent: bool,
    empty: bool,
    strict: bool,
) -> Reading[CodrawMove]:
    """Complete the moves. The words of a silent Drawer are dropped: it says ok, or agrees."""
    if silent:
        if strict and words != OK:
            raise Illegal(f'say nothing but "{OK}"')
        return Reading(
            (*changes, Agree() if asked else Say(OK)), dropped if words == OK else (*dropped, words)
        )
    if not words and not empty:
        raise Illegal('"say" is empty: say something')
    return Reading((*changes, Say(words)), dropped)


def write_codraw_reply(moves: Sequence[CodrawMove]) -> str:
    """Write moves as the seat that can make them: a Drawer draws and agrees, a Teller peeks and waits."""
    if all(isinstance(move, Say | Wait | Peek | Close | Finish) for move in moves):
        return "\n".join(
            f"{TAG} {move.text}" if isinstance(move, Say) else _SPELLED[type(move)] for move in moves
        )
    from msgspec.json import encode

    changes = [
        change_to_action(move)
        for move in moves
        if not isinstance(move, Say | Wait | Peek | Close | Finish | Agree)
    ]
    last = moves[-1]
    key = next((key for key, ending in _ENDINGS.items() if ending == last), "")
    end: dict[str, Any] = {key: True} if key else {"say": last.text if isinstance(last, Say) else None}
    return encode({"actions": changes, **end}).decode()
