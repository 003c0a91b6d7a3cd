"""The player for a person who types at a terminal."""

from __future__ import annotations

import asyncio
import shutil
import sys
import textwrap
from io import TextIOWrapper
from threading import Thread

from msgspec.structs import replace

from groundling.core.pack import Seat, load
from groundling.core.player import Ask, Player, PlayerInfo, Reply, Unable
from groundling.core.values import Problem
from groundling.players.chat.messages import build_messages
from groundling.players.chat.prompts import Prompt, load_prompt, prompt_hints

KEYS = "? shows this again. A line that ends in \\ continues on the next. Ctrl-D leaves."


class TerminalPlayer:
    """Prints the rules once and the seat's view at every turn, as text, and waits for a reply."""

    name = "terminal"
    info = PlayerInfo(interactive=True)

    def __init__(self, seat: Seat) -> None:
        self._draw, self._prompt = load(seat.pack.draw), _load_rules(seat)
        self._hints = prompt_hints(seat.pack, seat.game)
        self._told_rules = False
        self._turn = asyncio.Lock()
        self._gone = False
        """Once the input has ended, no episode of the run asks again."""

    async def act(self, ask: Ask) -> Reply:
        async with self._turn:
            if self._gone:
                raise Unable("left", f"the {ask.role} left the terminal")
            print(f"\n{ask.episode}, you are the {ask.role}\n")
            if self._told_rules:
                print(f"{self._draw(ask.view).text}\n")
            else:
                self._print_rules(ask)
            if ask.complaint:
                print(f"Not taken: {ask.complaint}")
            while (reply := await _read_reply(f"{ask.role}> ")) == "?":
                self._print_rules(ask)
            self._gone = reply is None
        if reply is None:
            raise Unable("left", f"the {ask.role} left the terminal")
        return Reply(text=reply)

    def _print_rules(self, ask: Ask) -> None:
        """Print the rules, what the seat sees, and the form of a reply."""
        self._told_rules = True
        opening = replace(ask, past=(), complaint=None)
        message, *_ = build_messages(opening, self._prompt, self._draw, "text", self._hints)
        width = shutil.get_terminal_size().columns
        for line in message.text.splitlines():
            print(textwrap.fill(line, width) if len(line) > width else line)
        print(f"\n{KEYS}\n")


def _load_rules(seat: Seat) -> Prompt:
    """Return what a language model in this seat is told: the rules, its view, and the form of a reply."""
    try:
        return load_prompt(seat.pack, seat.role, "en", seat.pack.wordings.default)
    except Problem:  # a game need not have English prompts
        return Prompt(name="", hash="", open="{view}")


async def _read_reply(prompt: str) -> str | None:
    """Read lines as long as they end in a backslash; None if the input ended."""
    lines: list[str] = []
    while (line := await _read_line(prompt)) is not None:
        lines.append(line.removesuffix("\\"))
        if not line.endswith("\\"):
            return "\n".join(lines)
        prompt = "... "
    return None


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
