"""Prices of models: from a file, from Inspect's cost configuration, or none for models on this machine."""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from groundling.core.player import Player
from groundling.core.values import Problem
from groundling.runs.seat_usage import SeatUsage

if TYPE_CHECKING:
    from groundling.players.chat.hosted_model import HostedModel

COST_CONFIG = "INSPECT_EVAL_MODEL_COST_CONFIG"
"""The environment variable that names Inspect's file of prices."""


class ModelPrice(Struct, frozen=True, forbid_unknown_fields=True):
    """Dollars for a million tokens, by Inspect's names."""

    input: float
    output: float
    input_cache_read: float | None = None
    """None: as much as other input."""
    input_cache_write: float | None = None

    def usage_cost(self, used: SeatUsage) -> float:
        read = self.input if self.input_cache_read is None else self.input_cache_read
        write = self.input if self.input_cache_write is None else self.input_cache_write
        plain = used.input_tokens - used.cached_tokens - used.written_tokens
        told = plain * self.input + used.cached_tokens * read + used.written_tokens * write
        return (told + used.output_tokens * self.output) / 1e6

    def most_cost(self, told: int, said: int) -> float:
        """Return the cost of a call if all of its input is written to a cache where that costs more."""
        return (told * max(self.input, self.input_cache_write or 0.0) + said * self.output) / 1e6


FREE = ModelPrice(0.0, 0.0)


def read_price_file(path: Path) -> dict[str, ModelPrice]:
    """Read a TOML, JSON or YAML file with a table of prices for each model."""
    try:
        return msgspec.convert(_decode_price_file(path), dict[str, ModelPrice])
    except msgspec.ValidationError as trouble:
        told = str(trouble).partition(" - at ")[0]
        raise Problem(
            f"{path} has no valid prices ({told}): give input and output of each model, for a million tokens"
        ) from None
    except (ValueError, msgspec.MsgspecError) as trouble:
        told = " ".join(str(trouble).split())
        raise Problem(f"{path} cannot be read ({told}): prices are TOML, JSON or YAML") from None


def _decode_price_file(path: Path) -> Any:
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".toml":
        return tomllib.loads(text)
    return json.loads(text) if path.suffix == ".json" else msgspec.yaml.decode(text)


def find_prices(players: Iterable[Player], file: Path | None, *, required: bool) -> dict[str, ModelPrice]:
    """Return the known prices by player name. A hosted model without one is a Problem where prices are
    required; other players cost nothing unless the file names them."""
    from groundling.players.chat.chat_player import ChatPlayer  # tables of costs need only ModelPrice
    from groundling.players.chat.hosted_model import HostedModel

    named = file or Path(os.environ.get(COST_CONFIG, ""))
    listed = read_price_file(named) if named.name else {}
    found: dict[str, ModelPrice] = {}
    for player in players:
        price = listed.get(player.name)
        if isinstance(player, ChatPlayer) and isinstance(player.model, HostedModel):
            price = price or _inspect_price(player.model)
        else:
            price = price or FREE
        if price is not None:
            found[player.name] = price
        elif required:
            raise Problem(
                f"the price of {player.name} is not known: "
                f"name it in a file, --prices FILE, or in ${COST_CONFIG}"
            )
    return found


def _inspect_price(model: HostedModel) -> ModelPrice | None:
    """Return the price that was set with Inspect's set_model_cost or set_model_info."""
    from inspect_ai.model import get_model_info

    info = get_model_info(model.inspect_model)
    return None if info is None or info.cost is None else ModelPrice(**info.cost.model_dump())
