"""The messages of language models as text, and the first ones of a game that is not played yet."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterator, Mapping, Sequence

from msgspec import Struct

from groundling.core.game import AnyGame
from groundling.core.pack import Pack, Seat, load
from groundling.core.player import Ask, Player, Reply, Unable
from groundling.core.table import play
from groundling.core.values import Instance, Role
from groundling.players.chat.chat_player import ChatPlayer
from groundling.players.chat.messages import PromptMessage
from groundling.players.chat.reply_book import ReplyBook


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


class EstimatedCall(Struct, frozen=True):
    input_tokens: int
    """The most that it may take."""
    output_tokens: int
    sent: bool
    """Whether it has to be sent: its reply is not known."""


def estimate_game_calls(
    pack: Pack,
    game: AnyGame,
    instance: Instance,
    players: Mapping[Role, Player],
    book: ReplyBook,
    *,
    episode: str,
    seed: int,
) -> dict[Role, list[EstimatedCall]]:
    """Return the calls of each language model in this episode if all play like `gold`, or say what the book
    has. Replies that it does not have are added."""
    models = {role: player for role, player in players.items() if isinstance(player, ChatPlayer)}
    if not models:
        return {}
    seated: dict[Role, Player] = {
        role: _WatchedPlayer(_make_partner(pack, game, instance, role)) for role in game.seats(instance)
    }
    guessed: set[str] = set()
    counted = {
        role: _CountedModel(models[role], seated[role], game, book, guessed)
        for role in seated
        if role in models
    }
    _play_preview(game, instance, {**seated, **counted}, episode, seed)
    return {role: player.calls for role, player in counted.items()}


def preview_asks(
    pack: Pack, game: AnyGame, instance: Instance, partners: Mapping[Role, str] = {}
) -> dict[Role, list[Ask]]:
    """Return what each seat is asked in a game of these players of the pack, else `gold`, if they can."""
    watched = {
        role: _WatchedPlayer(_make_partner(pack, game, instance, role, partners.get(role, "gold")))
        for role in game.seats(instance)
    }
    _play_preview(game, instance, watched, instance.id)
    return {role: player.asks for role, player in watched.items()}


def _make_partner(
    pack: Pack, game: AnyGame, instance: Instance, role: Role, name: str = "gold"
) -> Player | None:
    if name not in pack.players:
        return None
    return load(pack.players[name])(Seat(pack, game, role, name, instances=[instance]))


def _play_preview(
    game: AnyGame, instance: Instance, players: Mapping[Role, Player], episode: str, seed: int = 0
) -> None:
    async def play_all() -> None:
        async for _ in play(game, instance, players, seed=seed, clock=lambda: 0.0, episode=episode):
            pass

    asyncio.run(play_all())


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


class _CountedModel:
    """Keeps the calls that a language model would make, and plays like its stand-in. `guessed` are the models
    of this episode whose words are not known yet: what others are told depends on them."""

    name = "gold"

    def __init__(
        self, model: ChatPlayer, stand_in: Player, game: AnyGame, book: ReplyBook, guessed: set[str]
    ) -> None:
        self._model, self._stand_in, self._game, self._book = model, stand_in, game, book
        self._guessed = guessed
        self.calls: list[EstimatedCall] = []

    async def act(self, ask: Ask) -> Reply:
        call, sent = self._model.make_call(ask), False
        me = f"{ask.role} {dict(self._model.info.facts)}"
        key = "+".join([call.key, *sorted(self._guessed - {me})])

        async def answer_call() -> Reply:
            nonlocal sent
            sent = True
            reply = await self._stand_in.act(ask)
            text = self._game.write(reply.moves or ()) if reply.text is None else reply.text
            return Reply(text=text, detail={"call": key})

        try:
            answered = await self._book.reply_once(key, source="", send=answer_call)
        finally:
            self.calls.append(EstimatedCall(*self._model.estimate_call(call), sent))
        if not answered.detail.get("reused_from"):  # a stand-in has no source
            self._guessed.add(me)
        return answered
