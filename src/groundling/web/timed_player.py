"""A player that may not keep people waiting."""

from __future__ import annotations

import asyncio

from groundling.core.player import Ask, Player, Reply, Unable
from groundling.core.values import Illegal

PATIENCE = 60.0
"""Seconds that a player that is not a person may take for a turn."""


class TimedPlayer:
    """Gives a player a time limit, and turns its errors into Unable."""

    def __init__(self, player: Player) -> None:
        self.name, self._player = player.name, player

    async def act(self, ask: Ask) -> Reply:
        try:
            return await asyncio.wait_for(self._player.act(ask), PATIENCE)
        except TimeoutError:
            raise Unable("timeout", f"{self.name} gave no answer in {PATIENCE:g} s") from None
        except (Unable, Illegal):
            raise
        except Exception as trouble:  # a player may raise anything
            raise Unable("player", f"{self.name} broke ({type(trouble).__name__}: {trouble})") from trouble
