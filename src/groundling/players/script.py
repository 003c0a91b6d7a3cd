"""A player that gives the replies written in a file."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import msgspec
from msgspec import Struct

from groundling.core.pack import Seat
from groundling.core.player import Ask, Player, PlayerInfo, Reply, Unable
from groundling.core.values import Problem


class ScriptEpisode(Struct, frozen=True):
    """One line of a .jsonl script: the replies of one episode, in order."""

    episode: str
    replies: list[str]


class ScriptPlayer:
    """Gives the k-th line as the k-th reply, the same in every episode or by episode from a .jsonl file."""

    name = "script"

    def __init__(
        self, everywhere: list[str], by_episode: dict[str, list[str]], facts: dict[str, str]
    ) -> None:
        self.everywhere, self.by_episode = everywhere, by_episode
        self.info = PlayerInfo(facts=facts)

    async def act(self, ask: Ask) -> Reply:
        replies = self.by_episode.get(ask.episode, self.everywhere)
        if len(ask.past) >= len(replies):
            raise Unable(
                "script", f"the script for {ask.role} has no reply {len(ask.past) + 1} in {ask.episode}"
            )
        return Reply(text=replies[len(ask.past)])


def make_script_player(seat: Seat) -> Player:
    if not seat.arg:
        raise Problem(
            f"a script needs a file: {seat.role}=script:FILE "
            "(a reply a line, or .jsonl with episode and replies)"
        )
    path = Path(seat.arg)
    content = path.read_bytes()
    if not content.strip():
        raise Problem(f"{path} is empty: write a reply on every line")
    facts = {"sha256": sha256(content).hexdigest()}
    if path.suffix != ".jsonl":
        try:
            return ScriptPlayer(
                content.decode("utf-8-sig").replace("\r\n", "\n").removesuffix("\n").split("\n"), {}, facts
            )
        except UnicodeDecodeError:
            raise Problem(f"{path} is not UTF-8 text: a script has a reply on every line") from None
    by_episode: dict[str, list[str]] = {}
    for number, line in enumerate(content.splitlines(), 1):
        if not line.strip():
            continue
        try:
            found = msgspec.json.decode(line, type=ScriptEpisode)
        except msgspec.MsgspecError as trouble:
            raise Problem(f'{path}:{number} is not {{"episode": …, "replies": […]}}: {trouble}') from None
        by_episode[found.episode] = found.replies
    return ScriptPlayer([], by_episode, facts)
