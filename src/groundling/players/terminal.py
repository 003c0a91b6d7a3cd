"""The player for a person who types at a terminal."""

from __future__ import annotations

import asyncio
import sys
from io import TextIOWrapper
from threading import Thread

from groundling.core.pack import Drawing, Seat, load
from groundling.core.player import Ask, Player, PlayerInfo, Reply, Unable


class TerminalPlayer:
    """Prints the seat's view as text and waits for a line of input."""

    name = "terminal"
    info = PlayerInfo(interactive=True)

    def __init__(self, seat: Seat) -> None:
        self._draw = load(seat.pack.draw)
        self._turn = asyncio.Lock()
        self._gone = False
        """Once the input has ended, no episode of the run asks again."""

    async def act(self, ask: Ask) -> Reply:
        drawing: Drawing = self._draw(ask.view)
        async with self._turn:
            if self._gone:
                raise Unable("left", f"the {ask.role} left the terminal")
            print(f"\n{ask.episode}, you are the {ask.role}\n\n{drawing.text}\n")
            if ask.complaint:
                print(f"Not taken: {ask.complaint}")
            line = await _read_line(f"{ask.role}> ")
            self._gone = line is None
        if line is None:
            raise Unable("left", f"the {ask.role} left the terminal")
        return Reply(text=line)


async def _read_line(prompt: str) -> str | None:
    """A line of input, or None at its end, read in a daemon thread so that Ctrl-C works before Enter."""
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[str | None] = loop.create_future()

    def deliver_line(line: str | None) -> None:
        if not answer.done():
            answer.set_result(line)

    def read_stdin() -> None:
        line = ""
        try:
            print(prompt, end="", flush=True)
            line = sys.stdin.readline()
        finally:
            loop.call_soon_threadsafe(deliver_line, line.rstrip("\n") if line else None)

    Thread(target=read_stdin, daemon=True).start()
    return await answer


def make_terminal_player(seat: Seat) -> Player:
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    return TerminalPlayer(seat)
