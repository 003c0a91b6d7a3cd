"""The messages of language models as text, and the first ones of a game that is not played yet."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterator, Mapping, Sequence

from groundling.core.game import AnyGame
from groundling.core.pack import Pack, Seat, load
from groundling.core.player import Ask, Player, Reply, Unable
from groundling.core.table import play
from groundling.core.values import Instance, Role
from groundling.players.chat.chat_player import ChatPlayer
from groundling.players.chat.messages import PromptMessage


def preview_message_lines(messages: Sequence[PromptMessage]) -> Iterator[str]:
    for message in messages:
        yield f"[{message.author}]"
        yield message.text
        if message.picture is not None:
            yield f"[picture, PNG of {len(message.picture)} bytes]"


def preview_first_prompts(
    pack: Pack,
    game: AnyGame,
    instance: Instance,
    players: Mapping[Role, Player],
    roles: Collection[Role] | None = None,
) -> Iterator[str]:
    """Yield the first messages of each language model in this instance, or of those in some roles. What a
    partner says before is said by `gold`; if that is a language model too, by the partner of people."""
    models = {role: player for role, player in players.items() if isinstance(player, ChatPlayer)}
    partners = {role: pack.live.partners[role] for role in models}
    asks = preview_asks(pack, game, instance, partners=partners) if models else {}
    for role, player in models.items():
        if asks.get(role) and (roles is None or role in roles):
            yield f"\n[first prompt of {role}, {player.name}, in {instance.id}]"
            yield from preview_message_lines(player.build_conversation(asks[role][0]))


def estimate_game_calls(
    pack: Pack, game: AnyGame, instance: Instance, episode: str, players: Mapping[Role, Player]
) -> dict[Role, list[tuple[int, int]]]:
    """Return the tokens that each call of each language model in this episode may take at most, in and out,
    if all play like `gold`."""
    models = {role: player for role, player in players.items() if isinstance(player, ChatPlayer)}
    asks = preview_asks(pack, game, instance, episode) if models else {}
    return {
        role: [player.estimate_call(player.make_call(ask)) for ask in asks.get(role, ())]
        for role, player in models.items()
    }


def preview_asks(
    pack: Pack, game: AnyGame, instance: Instance, episode: str = "", partners: Mapping[Role, str] = {}
) -> dict[Role, list[Ask]]:
    """Return what each seat is asked in a game that these players of the pack play, else `gold`, as far as
    they can."""

    def make_partner(role: Role) -> Player | None:
        name = partners.get(role, "gold")
        if name not in pack.players:
            return None
        return load(pack.players[name])(Seat(pack, game, role, name, instances=[instance]))

    watched = {role: _WatchedPlayer(make_partner(role)) for role in game.seats(instance)}

    async def play_gold() -> None:
        async for _ in play(
            game, instance, watched, seed=0, clock=lambda: 0.0, episode=episode or instance.id
        ):
            pass

    asyncio.run(play_gold())
    return {role: player.asks for role, player in watched.items()}


class _WatchedPlayer:
    """Keeps what it is asked. Without a player it cannot answer, and the game ends there."""

    name = "gold"

    def __init__(self, player: Player | None) -> None:
        self.player = player
        self.asks: list[Ask] = []

    async def act(self, ask: Ask) -> Reply:
        self.asks.append(ask)
        if self.player is None:
            raise Unable("preview", "nobody plays here")
        return await self.player.act(ask)
