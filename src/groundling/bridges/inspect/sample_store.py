"""Transcripts in the stores of Inspect's samples, and how those end that Inspect stopped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from inspect_ai.util import Store

from groundling.core.events import (
    LIMIT,
    AnyEvent,
    Closed,
    Failed,
    Transcript,
    encode_event_json,
    event_type_of,
)
from groundling.core.game import AnyGame
from groundling.core.replay import replay_transcript

TRANSCRIPT_KEY = "transcript"
"""The key in a sample's store."""


def store_events(store: Store, events: Sequence[AnyEvent]) -> None:
    store.set(TRANSCRIPT_KEY, [event_to_json(event) for event in events])


def stored_transcript(store: Store | Mapping[str, Any], game: type[AnyGame]) -> Transcript | None:
    """Return the transcript in a sample's store; None if there is none."""
    events = store.get(TRANSCRIPT_KEY)
    if not events:
        return None
    return Transcript(tuple(msgspec.convert(events, list[event_type_of(game)])))  # type: ignore[misc]


def stopped_transcript(
    transcript: Transcript, game: AnyGame, *, limit: str = "", error: str = ""
) -> Transcript:
    """Return the transcript of an episode that Inspect stopped, with the event that says so. An episode that
    a limit ended is scored with the state that it reached; after an error it can be played again."""
    last = transcript.events[-1]
    if isinstance(last, Closed | Failed) or not (limit or error):
        return transcript
    episode, at = transcript.episode, last.at
    if error:
        role = game.turn(replay_transcript(game, transcript)) or ""
        end: AnyEvent = Failed(episode=episode, at=at, role=role, boundary="inspect", message=error)
    else:
        end = Closed(episode=episode, at=at, reason=f"{LIMIT}{limit}")
    return Transcript((*transcript.events, end))


def event_to_json(event: AnyEvent) -> Any:
    return msgspec.json.decode(encode_event_json(event))
