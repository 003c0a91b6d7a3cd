"""What a language model is to a chat player: it answers a conversation, and has sampling options."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from msgspec import Struct

from groundling.core.pack import Seat
from groundling.core.values import Problem
from groundling.players.chat.messages import PromptMessage

_KINDS: dict[str, type[int] | type[float]] = {
    "temperature": float,
    "top_p": float,
    "top_k": int,
    "max_tokens": int,
    "frequency_penalty": float,
    "presence_penalty": float,
}


USAGE_KEYS = (
    "input_tokens",
    "input_tokens_cache_read",
    "input_tokens_cache_write",
    "output_tokens",
    "reasoning_tokens",
    "total_tokens",
)
"""Token counts in the log, by Inspect's names: input without cached ones, output with reasoning."""


class ModelAnswer(Struct, frozen=True):
    text: str
    reasoning: str = ""
    usage: Mapping[str, int] = {}
    detail: Mapping[str, Any] = {}
    filtered: bool = False
    """The provider's content filter stopped the answer: its text is no reply."""


class ChatModel(Protocol):
    """Something that answers a conversation. Raises Unable where it cannot."""

    @property
    def name(self) -> str: ...

    @property
    def sampling(self) -> Mapping[str, Any]: ...

    async def answer(self, conversation: list[PromptMessage], seed: int) -> ModelAnswer: ...


def read_sampling(seat: Seat) -> dict[str, Any]:
    """Take the sampling options from the seat, such as `,temperature=0,max_tokens=200`."""
    found: dict[str, Any] = {}
    for name, kind in _KINDS.items():
        text = seat.option(name)
        if text:
            try:
                found[name] = kind(text)
            except ValueError:
                raise Problem(f"{name}={text} in seat {seat.role} is not a number") from None
    return found


def read_count_option(seat: Seat, name: str, default: str) -> int:
    text = seat.option(name, default)
    if not text.isdecimal():
        raise Problem(f"{name}={text} in seat {seat.role} is not a whole number")
    return int(text)
