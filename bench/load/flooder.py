"""A seat that sends as fast as it can for some seconds, and rests for as many: `python -m bench.load.flooder
URL`. Whoever cuts it off is called again at once. Tells how many frames it has sent."""

from __future__ import annotations

import asyncio
import sys
from time import time

import aiohttp
import uvloop

from .crowd import CODRAW, Crowd
from .plan import PERIOD, Plan, flooding


async def run(url: str) -> None:
    async with aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as web:
        crowd = Crowd(Plan(urls=(url,)), web)
        people = await crowd.sit(CODRAW)
        seat, sent = people["teller"], 0
        while True:
            await asyncio.sleep(PERIOD - time() % PERIOD if not flooding() else 0)
            try:
                await seat.send({"move": "say", "text": "me, me, me"})
            except (ConnectionError, aiohttp.ClientError):
                await seat.leave()
                await seat.come()
            sent += 1
            if sent % 20 == 0:
                print(sent, flush=True)


if __name__ == "__main__":
    uvloop.run(run(sys.argv[1]))
