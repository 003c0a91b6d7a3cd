"""The tagged events of an episode, and the Transcript that holds all events of one episode."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Generic, Literal, Protocol, TypeAlias, TypeVar, Union, final

import msgspec
from msgspec import Struct

from groundling.core.game import AnyGame
from groundling.core.values import Problem, Result, Role

SCHEMA = 1
I = TypeVar("I")  # noqa: E741
S = TypeVar("S")
M = TypeVar("M")


class Event(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False, tag=str.lower, tag_field="type"):
    episode: str
    at: float


class Opened(Event, Generic[I, S], frozen=True, gc=False):
    """The episode began. Together with the moves it suffices to rebuild all that followed."""

    game: str
    instance: I
    settings: S
    seats: dict[Role, str]
    """The name of the player in each seat."""
    seed: int
    retries: int
    strict: bool
    version: str
    schema: int


class Replied(Event, frozen=True, gc=False):
    """A player answered with `text`; `strict` and `tolerant` are the readings' complaints, if any."""

    role: Role
    text: str
    strict: str | None = None
    tolerant: str | None = None
    dropped: tuple[str, ...] = ()
    seconds: float | None = None
    usage: Mapping[str, int] = {}
    detail: Mapping[str, Any] = {}
    blocked: bool = False
    """The text is not an answer of the player and was refused unread."""


class Moved(Event, Generic[M], frozen=True, gc=False):
    """All moves of the reply were played."""

    role: Role
    moves: tuple[M, ...]


@final
class Refused(Event, frozen=True, gc=False):
    """The reply could not be played; the state is unchanged."""

    role: Role
    complaint: str


class Failed(Event, frozen=True, gc=False):
    """A player could not answer. The episode stops here and can be resumed later."""

    role: Role
    boundary: str
    message: str
    retries: int = 0
    """How often the player tried again before it gave up."""


class Closed(Event, frozen=True, gc=False):
    """The episode is over: finished, or stopped for another reason (then without a result). A reason that
    begins with LIMIT names a limit from outside the game, such as Inspect's."""

    reason: str
    result: Result | None = None
    endings: Mapping[Role, str] = {}
    """How each seat ended, where a person or a server ended the episode."""


AnyEvent: TypeAlias = Opened[Any, Any] | Replied | Moved[Any] | Refused | Failed | Closed
Status: TypeAlias = Literal["played", "aborted", "limited", "errored", "missing"]
LIMIT = "limit: "
SCORED: tuple[Status, ...] = ("played", "aborted", "limited")
"""The episodes that have scores. One that was stopped by a limit is scored with the state that it reached."""


class Transcript(Struct, frozen=True, gc=False):
    """The events of one episode in order, beginning with Opened."""

    events: tuple[AnyEvent, ...]

    @property
    def opened(self) -> Opened[Any, Any]:
        first = self.events[0]
        assert isinstance(first, Opened)
        return first

    @property
    def episode(self) -> str:
        return self.events[0].episode

    @property
    def status(self) -> Status:
        last = self.events[-1]
        if isinstance(last, Closed):
            if last.result is not None:
                return "played"
            return "limited" if last.reason.startswith(LIMIT) else "aborted"
        return "errored" if isinstance(last, Failed) else "missing"

    @property
    def result(self) -> Result | None:
        last = self.events[-1]
        return last.result if isinstance(last, Closed) else None

    def event_moves(self) -> list[tuple[Role, Any]]:
        return [(event.role, move) for event in self.events if type(event) is Moved for move in event.moves]

    def reply_events(self, role: Role | None = None) -> Iterator[Replied]:
        return (e for e in self.events if type(e) is Replied and role in (None, e.role))


@cache
def event_type_of(game: type[AnyGame]) -> Any:
    """Return the union of event types with the instance, settings and move types of that game."""
    opened = Opened[game.Instance, game.Settings]  # type: ignore[name-defined]
    moved = Moved[game.Move]  # type: ignore[name-defined]
    return Union[opened, Replied, moved, Refused, Failed, Closed]  # noqa: UP007


@cache
def event_decoder(game: type[AnyGame]) -> msgspec.json.Decoder[AnyEvent]:
    return msgspec.json.Decoder(event_type_of(game))


_encoder = msgspec.json.Encoder()


def encode_event_json(value: Any) -> bytes:
    """Encode a value as JSON. A lone surrogate of a provider becomes a question mark."""
    try:
        return _encoder.encode(value)
    except UnicodeEncodeError:
        return json.dumps(msgspec.to_builtins(value), ensure_ascii=False).encode(errors="replace")


def encode_event_lines(events: Sequence[AnyEvent]) -> bytes:
    """Encode each event as `encode_event_json` does, on a line of its own."""
    try:
        return _encoder.encode_lines(events)
    except UnicodeEncodeError:
        return b"".join(encode_event_json(event) + b"\n" for event in events)


class Stamped(Protocol):
    @property
    def episode(self) -> str: ...
    @property
    def schema(self) -> int: ...
    @property
    def version(self) -> str: ...


class _Peek(Struct):
    """The fields of Opened that every version writes."""

    episode: str = ""
    schema: int = 0
    version: str = "?"


def check_event_schema(opened: Stamped) -> None:
    """Raise Problem if the episode was recorded with a newer schema than this version reads."""
    if opened.schema > SCHEMA:
        raise Problem(
            f"episode {opened.episode} was recorded by groundling {opened.version} (schema {opened.schema}, "
            f"this one reads up to {SCHEMA}): upgrade groundling"
        )


def refuse_newer_events(line: bytes) -> None:
    """Raise Problem if a line that cannot be decoded was written by a newer version."""
    try:
        check_event_schema(msgspec.json.decode(line, type=_Peek))
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return
