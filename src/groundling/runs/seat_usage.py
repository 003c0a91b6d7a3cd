"""What the calls of one seat used: tokens, time, retries, and answers that were cut short."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict

from groundling.players import ESTIMATED, USAGE_SOURCE

TRUNCATED = frozenset({"length", "max_tokens", "model_length"})
"""The stop reasons of answers that were cut off at a limit of tokens."""
FILTERED = "content_filter"


def is_model_call(usage: Mapping[str, int], detail: Mapping[str, Any]) -> bool:
    """Return whether a model was called for a reply: rules may give details of their own, but use nothing."""
    return bool(usage) or "stop" in detail


class SeatUsage(Struct):
    calls: int = 0
    input_tokens: int = 0
    """With those that a cache had, or that were written to one."""
    cached_tokens: int = 0
    written_tokens: int = 0
    output_tokens: int = 0
    """With those of reasoning."""
    reasoning_tokens: int = 0
    total_tokens: int = 0
    seconds: float = 0.0
    retries: int = 0
    truncated: int = 0
    filtered: int = 0
    estimated: int = 0
    """Calls whose provider reported no usage."""

    def add_reply(
        self, usage: Mapping[str, int], seconds: float | None = None, detail: Mapping[str, Any] | None = None
    ) -> None:
        detail = detail or {}
        if "reused_from" in detail:
            return
        read, written = usage.get("input_tokens_cache_read", 0), usage.get("input_tokens_cache_write", 0)
        told, said = usage.get("input_tokens", 0) + read + written, usage.get("output_tokens", 0)
        self.calls += 1
        self.input_tokens += told
        self.cached_tokens += read
        self.written_tokens += written
        self.output_tokens += said
        self.reasoning_tokens += usage.get("reasoning_tokens", 0)
        # players of users may report counts by other names
        self.total_tokens += usage.get("total_tokens") or told + said or sum(usage.values())
        self.seconds += seconds or 0.0
        self.retries += detail["retries"] if isinstance(detail.get("retries"), int) else 0
        stop = detail.get("stop")
        self.truncated += isinstance(stop, str) and stop in TRUNCATED
        self.filtered += stop == FILTERED
        self.estimated += detail.get(USAGE_SOURCE) == ESTIMATED

    def add_usage(self, other: SeatUsage) -> None:
        for name, value in asdict(other).items():
            setattr(self, name, getattr(self, name) + value)

    def scale_usage(self, factor: float) -> None:
        for name, value in asdict(self).items():
            setattr(self, name, round(value * factor))
