"""The messages that a page can send, and the seat that handles them."""

from __future__ import annotations

from typing import Any, Literal, Protocol, TypeAlias

import msgspec
from msgspec import Struct

from groundling.core.pack import load
from groundling.core.values import Illegal, Role, Say
from groundling.web.live_room import LiveRoom, Wire
from groundling.web.middleware import TokenBucket
from groundling.web.observations import Milliseconds, ObserveMessage
from groundling.web.responses import DECODE_ERRORS
from groundling.web.screen import changed_live_settings, seat_help

MOST_TEXT = 2_000
"""Characters of one message, whatever the game allows."""
MOST_MOVES = 200
"""Moves in one reply."""
MOVES_A_SECOND, MOVES_AT_ONCE = 30.0, 60.0


class AgreeMessage(Struct, frozen=True, tag="agree", tag_field="do"):
    """The person agrees to the room's consent text."""


class MoveMessage(Struct, frozen=True, tag="move", tag_field="do"):
    id: int
    moves: msgspec.Raw
    at: float = 0.0
    """Milliseconds since the page was opened, by its own clock."""
    first: float | None = None
    """The same for the person's first input in this turn."""
    palette: Literal["usual", "safe"] | None = None
    typing: Milliseconds | None = None
    """Milliseconds in which the person typed these words."""


class EndMessage(Struct, frozen=True, tag="end", tag_field="do"):
    """The person ends the game, or leaves before it has begun."""


class DeclineMessage(Struct, frozen=True, tag="decline", tag_field="do"):
    """The person does not agree to the room's consent text."""


class WaitMessage(Struct, frozen=True, tag="wait", tag_field="do"):
    """The person keeps waiting for the game to begin."""


class ReplaceMessage(Struct, frozen=True, tag="replace", tag_field="do"):
    """The person plays with a built-in player instead of the people who have not come."""


class TypingMessage(Struct, frozen=True, tag="typing", tag_field="do"):
    """The person is typing."""


class RematchMessage(Struct, frozen=True, tag="rematch", tag_field="do"):
    """The person wants to play again with the same people, after the game."""


PageAction: TypeAlias = (
    AgreeMessage
    | DeclineMessage
    | WaitMessage
    | ReplaceMessage
    | MoveMessage
    | EndMessage
    | ObserveMessage
    | TypingMessage
    | RematchMessage
)
_decode = msgspec.json.Decoder(PageAction).decode


class PageSeat(Protocol):
    """The seat of an open page, in a room of any server."""

    def connect_page(self, wire: Wire) -> None: ...

    def handle_action(self, done: PageAction) -> None: ...

    def disconnect_page(self) -> None: ...


class LocalSeat:
    """A seat in a room that this server runs."""

    def __init__(self, room: LiveRoom, role: Role) -> None:
        self._room, self._role = room, role
        self._wire: Wire | None = None
        self._moves = msgspec.json.Decoder(tuple[load(room.pack.game).Move, ...])  # type: ignore[misc]

    def connect_page(self, wire: Wire) -> None:
        self._wire = wire
        wire.send(_hello_message(self._room, self._role))
        self._room.run_in_background(self._room.attach_page(self._role, wire))

    def handle_action(self, done: PageAction) -> None:
        room = self._room
        if isinstance(done, MoveMessage):
            why = self._play_moves(done)
            if why and self._wire:
                self._wire.send(_refusal_message(done.id, why))
            return
        if isinstance(done, ObserveMessage):
            room.run_in_background(room.record_observation(self._role, done))
            return
        actions = {
            AgreeMessage: room.record_consent,
            DeclineMessage: room.record_refusal,
            WaitMessage: room.keep_waiting,
            ReplaceMessage: room.replace_absent,
            EndMessage: room.leave_game,
            TypingMessage: room.relay_typing,
            RematchMessage: room.ask_rematch,
        }
        room.run_in_background(actions[type(done)](self._role))

    def _play_moves(self, done: MoveMessage) -> str | None:
        """Pass the moves to the room, or return why they are refused."""
        try:
            moves = self._moves.decode(done.moves)
        except DECODE_ERRORS as trouble:
            return f"this cannot be done here: {trouble}"
        if not 1 <= len(moves) <= MOST_MOVES:
            return f"a reply has 1 to {MOST_MOVES} moves"
        if any(isinstance(move, Say) and len(move.text) > MOST_TEXT for move in moves):
            return f"a message has at most {MOST_TEXT} characters"
        if self._room.pack.live.reads:
            try:
                moves = self._room.read_words(self._role, moves)
            except Illegal as verdict:
                return str(verdict)
        detail = {"browser": done.at, "first": done.first, "palette": done.palette, "typing": done.typing}
        self._room.handle_moves(
            self._role, done.id, moves, {name: value for name, value in detail.items() if value is not None}
        )
        return None

    def disconnect_page(self) -> None:
        if self._wire:
            self._room.detach_page(self._role, self._wire)


def _hello_message(room: LiveRoom, role: Role) -> dict[str, Any]:
    pack, live = room.pack, room.pack.live
    return {
        "type": "hello",
        "game": pack.name,
        "title": live.title,
        "about": pack.about,
        "role": role,
        "help": seat_help(pack, room.game, room.instance, role),
        "settings": changed_live_settings(pack, room.game),
        "most": MOST_TEXT,
        "code": room.codes.get(role, ""),
        "observe": True,
        "typing": room.shows_typing,
    }


class PageMessageReceiver:
    """Rate-limits and decodes the messages of one page, and passes them to its seat."""

    def __init__(self, seat: PageSeat, wire: Wire) -> None:
        self._seat, self._wire = seat, wire
        self._bucket = TokenBucket(MOVES_A_SECOND, MOVES_AT_ONCE)

    def receive_message(self, sent: str | bytes) -> bool:
        """Handle a message. Returns False where the page sends too fast and should be read after a pause."""
        in_time = self._bucket.take_token()
        try:
            done = _decode(sent)
        except DECODE_ERRORS as trouble:
            self._wire.send(_refusal_message(None, f"this cannot be understood: {trouble}"))
            return in_time
        if in_time:
            self._seat.handle_action(done)
        else:
            self._wire.send(
                _refusal_message(
                    done.id if isinstance(done, MoveMessage) else None, "this is too fast: slow down"
                )
            )
        return in_time


def _refusal_message(number: int | None, why: str) -> dict[str, Any]:
    return {"type": "refused", "id": number, "why": why}
