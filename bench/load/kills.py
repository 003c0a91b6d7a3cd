"""The server is killed at random moments while people talk, and started again."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random

from tests.web.server_process import Talker, lost_and_twice, talk_through

from ..number import Number, alone, none
from . import Form
from .servers import server

PAIRS = 10


def kills(folder: Path, form: Form) -> list[Number]:
    with server(folder / "games.db") as one:
        talkers = [Talker(one, *seat) for _ in range(PAIRS) for seat in one.seats().values()]
        asyncio.run(talk_through(one, talkers, form.kills, Random(1)))
    lost, twice = lost_and_twice(one.db, talkers)
    name = f"kill -9, {form.kills} times among {PAIRS} pairs"
    return [
        alone(f"{name}: acknowledged", sum(len(talker.acknowledged) for talker in talkers), "messages"),
        none(f"{name}: acknowledged, not there", lost, "messages"),
        none(f"{name}: there twice", twice, "messages"),
    ]
