"""The limit of tokens and money of a command: a call starts only if the most it may take still fits."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping
from pathlib import Path

from groundling.core.player import Ask, Player, Reply
from groundling.players.chat.chat_player import ChatPlayer, ModelCall
from groundling.runs.prices import FREE, ModelPrice
from groundling.runs.seat_usage import SeatUsage


class BudgetSpent(Exception):  # noqa: N818 - the run stops as the user wished
    """The next call does not fit. Its episode stays unfinished and can be resumed."""


class SpendingBudget:
    """What all runs of a command may spend together, with what their logs say was spent before."""

    def __init__(
        self,
        tokens: int | None = None,
        money: float | None = None,
        prices: Mapping[str, ModelPrice] | None = None,
    ) -> None:
        self.tokens, self.money, self.prices = tokens, money, dict(prices or {})
        self.spent_tokens, self.spent_money = 0, 0.0
        self.stopped = ""
        """Why a call was not made."""
        self._reserved_tokens, self._reserved_money, self._open_calls = 0, 0.0, 0
        self._largest: dict[str, tuple[int, int]] = {}
        """The most tokens in and out of a call so far, by player."""
        self._counted_logs: set[Path] = set()
        self._waiting: list[asyncio.Future[None]] = []

    def count_log(self, log: Path, used: Iterable[tuple[str, SeatUsage]]) -> None:
        """Count what players spent before the command, once for each log."""
        if log.resolve() not in self._counted_logs:
            self._counted_logs.add(log.resolve())
            for name, usage in used:
                self._add_spent(name, usage)

    def limit_players(self, players: Mapping[str, Player]) -> dict[str, Player]:
        if not self.is_limited:
            return dict(players)
        return {
            role: BudgetedModel(player, self)
            if isinstance(player, ChatPlayer)
            else BudgetedPlayer(player, self)
            for role, player in players.items()
        }

    def share_rest(self, count: int) -> SpendingBudget:
        """Return one of `count` equal parts of what is left, for players in another process."""
        tokens = None if self.tokens is None else max(0, self.tokens - self.spent_tokens) // count
        money = None if self.money is None else max(0.0, self.money - self.spent_money) / count
        return SpendingBudget(tokens, money, self.prices)

    @property
    def is_limited(self) -> bool:
        return self.tokens is not None or self.money is not None

    async def spend_call(
        self, name: str, told: int, said: int, send: Callable[[], Awaitable[Reply]]
    ) -> Reply:
        """Make a call once the tokens in and out that it may take fit."""
        reserved, used = await self.reserve_call(name, told, said), SeatUsage()
        try:
            reply = await send()
            used.add_reply(reply.usage)
            return reply
        finally:
            self.settle_call(name, reserved, used)

    async def reserve_call(self, name: str, told: int, said: int) -> tuple[int, float]:
        """Wait until these tokens fit, and reserve them, or raise BudgetSpent if no other call is open."""
        largest_in, largest_out = self._largest.get(name, (0, 0))
        told, said = told or largest_in, max(said, largest_out)
        cost = self.prices.get(name, FREE).most_cost(told, said)
        while lack := self._describe_lack(name, told + said, cost):
            if not self._open_calls:
                self.stopped = lack
                raise BudgetSpent(lack)
            self._waiting.append(asyncio.get_running_loop().create_future())
            await self._waiting[-1]
        self._open_calls += 1
        self._reserved_tokens += told + said
        self._reserved_money += cost
        return told + said, cost

    def settle_call(self, name: str, reserved: tuple[int, float], used: SeatUsage) -> None:
        """Replace what was reserved for a call by what it used."""
        self._open_calls -= 1
        self._reserved_tokens -= reserved[0]
        self._reserved_money = self._reserved_money - reserved[1] if self._open_calls else 0.0
        self._add_spent(name, used)
        largest_in, largest_out = self._largest.get(name, (0, 0))
        said = used.total_tokens - used.input_tokens
        self._largest[name] = max(largest_in, used.input_tokens), max(largest_out, said)
        waiting, self._waiting = self._waiting, []
        for future in waiting:
            if not future.done():
                future.set_result(None)

    def _add_spent(self, name: str, used: SeatUsage) -> None:
        self.spent_tokens += used.total_tokens
        self.spent_money += self.prices.get(name, FREE).usage_cost(used)

    def _describe_lack(self, name: str, tokens: int, cost: float) -> str:
        """Return why a call does not fit, or nothing if it does. A call that takes nothing always fits."""
        left = None if self.tokens is None else self.tokens - self.spent_tokens - self._reserved_tokens
        if left is not None and tokens and tokens > left:
            return (
                f"{self.spent_tokens:,} of {self.tokens:,} tokens are spent, and the next call of {name} may "
                f"take {tokens:,}: raise --max-tokens-total, or set a lower max_tokens in the seat"
            )
        rest = None if self.money is None else self.money - self.spent_money - self._reserved_money
        if rest is not None and cost and cost > rest + 1e-12:
            return (
                f"${self.spent_money:.4f} of ${self.money:g} are spent, and the next call of {name} may cost "
                f"${cost:.4f}: raise --max-cost, or set a lower max_tokens in the seat"
            )
        return ""


class BudgetedPlayer:
    """Asks a player only within a budget. A call is estimated from the largest so far."""

    def __init__(self, player: Player, budget: SpendingBudget) -> None:
        self.name, self._player, self._budget = player.name, player, budget

    async def act(self, ask: Ask) -> Reply:
        return await self._budget.spend_call(self.name, 0, 0, lambda: self._player.act(ask))


class BudgetedModel:
    """Asks a language model only within a budget. A call is estimated from its prompt."""

    def __init__(self, player: ChatPlayer, budget: SpendingBudget) -> None:
        self.name, self.info, self.make_call = player.name, player.info, player.make_call
        self._player, self._budget = player, budget

    async def act(self, ask: Ask) -> Reply:
        return await self.send_call(self.make_call(ask))

    async def send_call(self, call: ModelCall) -> Reply:
        told, said = self._player.estimate_call(call)
        return await self._budget.spend_call(self.name, told, said, lambda: self._player.send_call(call))
