"""What people wrote in games, and games as they are exported: with other texts, and with days for times."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import structs

from groundling.core.events import AnyEvent, Moved, Opened, Refused, Replied, Transcript
from groundling.core.game import AnyGame
from groundling.core.pack import Pack
from groundling.core.values import Say
from groundling.studies.study_tables import day_of
from groundling.studies.study_texts import Replacements, StudyText

LEAST_PART = 12
"""Characters of a text that is also found as a part of others, such as a line of a procedure."""


def list_game_texts(place: str, transcript: Transcript) -> Iterator[StudyText]:
    """The messages of a game, and replies that are not just moves."""
    events = transcript.events
    for event, after in zip(events, (*events[1:], None), strict=True):
        if isinstance(event, Moved):
            yield from (StudyText(place, move.text) for move in event.moves if isinstance(move, Say))
        elif isinstance(event, Replied) and event.text and not _is_just_moves(event, after):
            yield StudyText(place, event.text)


def _is_just_moves(reply: Replied, after: AnyEvent | None) -> bool:
    return isinstance(after, Moved) and reply.strict is None and not reply.dropped


def round_game_times(transcript: Transcript) -> Transcript:
    """The game as if it had begun at midnight. What passes between its events stays."""
    begun = transcript.events[0].at
    shift = day_of(begun) - begun
    return Transcript(
        tuple(structs.replace(event, at=round(event.at + shift, 3)) for event in transcript.events)
    )


def replace_game_texts(pack: Pack, transcript: Transcript, by: Replacements) -> Transcript:
    """The game with other texts. The reply that a message came from follows it."""
    if not by:
        return transcript
    game: AnyGame = pack.new(transcript.opened.settings)
    events = transcript.events
    afters = (*events[1:], None)
    return Transcript(
        tuple(_replace_texts(game, event, after, by) for event, after in zip(events, afters, strict=True))
    )


def _replace_texts(game: AnyGame, event: AnyEvent, after: AnyEvent | None, by: Replacements) -> AnyEvent:
    match event:
        case Opened():
            instance = msgspec.to_builtins(event.instance)
            other = _replace_inside(instance, by)
            changed = msgspec.convert(other, type(event.instance)) if other != instance else event.instance
            return structs.replace(event, instance=changed)
        case Moved():
            return structs.replace(event, moves=_replace_moves(event.moves, by))
        case Replied() if isinstance(after, Moved):
            moves = _replace_moves(after.moves, by)
            if moves == after.moves and event.text not in by:
                return event
            return structs.replace(event, text=game.write(moves), dropped=(), strict=None, tolerant=None)
        case Replied() if event.text in by:
            complaints = {name: getattr(event, name) and by[event.text] for name in ("strict", "tolerant")}
            return structs.replace(event, text=by[event.text], dropped=(), **complaints)
        case Refused():
            return structs.replace(event, complaint=_replace_inside(event.complaint, by))
        case _:
            return event


def _replace_moves(moves: tuple[Any, ...], by: Replacements) -> tuple[Any, ...]:
    return tuple(Say(by.get(move.text, move.text)) if isinstance(move, Say) else move for move in moves)


def _replace_inside(value: Any, by: Replacements) -> Any:
    """The value with these texts replaced in all its parts. An instance can repeat what people wrote."""
    if isinstance(value, dict):
        return {key: _replace_inside(part, by) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(_replace_inside(part, by) for part in value)
    if not isinstance(value, str) or value in by:
        return by.get(value, value) if isinstance(value, str) else value
    for text, other in by.items():
        if len(text) >= LEAST_PART:
            value = value.replace(text, other)
    return value
