"""How a game ended, and how each seat did: in the record, and in words for the person in a seat."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Literal, TypeAlias

from groundling.core.events import Closed, Failed, Refused, Transcript
from groundling.core.values import Role

SeatEnding: TypeAlias = Literal[
    "finished", "left", "ended", "closed", "idle", "stayed", "refused", "failed", "declined", "absent"
]
"""Played to the end; ended the game early; ended it because the partner was away; had closed the page or lost
the connection; had the turn and did nothing; was there until the end; gave replies that could not be used;
was a player that failed. Before a game begins: did not agree; never came."""
END_REASONS = {
    "finished": "The game is finished.",
    "refused": "The game ended because a player could not be understood.",
    "time": "The time was up.",
    "idle": "The game was ended because nothing happened for a long time.",
    "left": "A player ended the game early.",
    "away": "The game was ended because a player had gone away.",
    "admin": "The game was ended by the administrator of this server.",
}
FAILED = "A player failed."
FAULT = "The game ended because of a technical fault. This was not your fault."


def find_seat_endings(
    seats: Iterable[Role], reason: str, by: Role, away: Collection[Role], turn: Role | None
) -> dict[Role, SeatEnding]:
    """How each seat ends when the game is ended for this reason, by the person in a seat or by the server."""
    endings: dict[Role, SeatEnding] = {role: "closed" if role in away else "stayed" for role in seats}
    if by:
        endings[by] = "ended" if reason == "away" else "left"
    elif reason == "idle" and turn is not None and endings[turn] == "stayed":
        endings[turn] = "idle"
    return endings


def read_seat_endings(transcript: Transcript) -> dict[Role, SeatEnding]:
    """How each seat ended, as far as the record says; games ended in earlier versions do not."""
    last, seats = transcript.events[-1], transcript.opened.seats
    if isinstance(last, Failed):
        return {role: "failed" if role == last.role else "stayed" for role in seats}
    if not isinstance(last, Closed):
        return {}
    if last.result is not None:
        return dict.fromkeys(seats, "finished")
    if last.reason == "refused":
        refused = [event.role for event in transcript.events if isinstance(event, Refused)][-1:]
        return {role: "refused" if role in refused else "stayed" for role in seats}
    return {role: ending for role, ending in last.endings.items() if role in seats}  # type: ignore[misc]


def describe_game_end(transcript: Transcript, *, blind: bool = False) -> str:
    """Why a game ended, in words that hold for everybody; with `blind` they do not tell who is a program."""
    last = transcript.events[-1]
    reason = last.reason if isinstance(last, Closed) else "failed"
    if blind and reason in ("failed", "refused"):
        return FAULT
    return FAILED if reason == "failed" else END_REASONS.get(reason, reason)


def describe_seat_end(transcript: Transcript, role: Role, *, blind: bool = False) -> str:
    """Why a game ended, said to the person in this seat; with `blind` without telling who is a program."""
    endings = read_seat_endings(transcript)
    mine, others = endings.pop(role, "stayed"), set(endings.values())
    last = transcript.events[-1]
    reason = last.reason if isinstance(last, Closed) else "failed"
    match reason:
        case "failed" | "refused" if blind and mine == "stayed":
            return FAULT
        case "left" if mine == "left":
            return "You ended the game early."
        case "left" if "left" in others:
            return "Your partner ended the game early. This says nothing about how you played."
        case "away" if mine == "ended":
            return "You ended the game because your partner had gone."
        case "away" if mine == "closed":
            end = "your partner ended the game" if "ended" in others else "the game was ended"
            return f"Your page was closed or had lost its connection, so {end}."
        case "away" if "closed" in others:
            return "Your partner closed the page or lost the connection, and did not come back."
        case "idle" if mine == "idle":
            return "The game was ended because it was your turn and nothing happened for a long time."
        case "idle" if "idle" in others:
            return "The game was ended because your partner did nothing for a long time."
        case "time" | "idle" if "closed" in others:
            return f"{END_REASONS[reason]} Your partner had closed the page or lost the connection."
        case "refused" if "refused" in others:
            return "The game ended because your partner's answers could not be understood."
        case "failed" if "failed" in others:
            return "Your partner is a program and could not answer. This was not your fault."
        case _:
            return describe_game_end(transcript)
