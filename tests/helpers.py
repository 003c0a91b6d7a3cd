"""What several tests need: sessions in a temporary folder, players made for the occasion."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from groundling.core.pack import Pack, find, load
from groundling.core.player import Ask, Reply, Unable
from groundling.runs.session import RunSession, new_session_plan, prepare_session

GOLD = {"giver": "gold", "follower": "gold"}


def session(
    folder: Path, seats: dict[str, str] | None = None, limit: int | None = None, **fields: Any
) -> RunSession:
    """The built-in reference set, ready to be played."""
    pack: Pack = find("reference")
    instances = fields.pop("instances", None) or load(pack.builtin)()
    plan = new_session_plan(
        pack, instances, limit, settings=pack.new().settings, source="built in", seats=seats or GOLD, **fields
    )
    return prepare_session(pack, plan, folder)


class Says:
    """Replies with these texts in order, and remembers what it was asked."""

    def __init__(self, *texts: str, name: str = "says") -> None:
        self.name, self.texts = name, texts
        self.asks: list[Ask] = []

    async def act(self, ask: Ask) -> Reply:
        self.asks.append(ask)
        return Reply(
            text=self.texts[min(len(ask.past), len(self.texts) - 1)], usage={"output": 3}, seconds=0.5
        )


class Fails:
    """Cannot answer the first few times."""

    name = "fails"

    def __init__(self, times: int, then: str) -> None:
        self.times, self.then = times, then

    async def act(self, ask: Ask) -> Reply:
        if self.times:
            self.times -= 1
            raise Unable("timeout", "no answer in time")
        return Reply(text=self.then)
