"""What may be spent: a call starts only if the most that it may take fits, beside what is reserved."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from groundling.runs.budget import BudgetSpent, SpendingBudget
from groundling.runs.prices import ModelPrice
from groundling.runs.seat_usage import SeatUsage


def used(told: int, said: int) -> SeatUsage:
    found = SeatUsage()
    found.add_reply({"input_tokens": told, "output_tokens": said})
    return found


def test_a_call_waits_for_open_calls_and_starts_with_what_they_leave() -> None:
    async def go() -> None:
        budget = SpendingBudget(100)
        first = await budget.reserve_call("model", 40, 20)
        second = asyncio.ensure_future(budget.reserve_call("model", 40, 20))
        await asyncio.sleep(0)
        assert not second.done()
        budget.settle_call("model", first, used(30, 10))
        assert await second == (60, 0.0)
        assert budget.spent_tokens == 40

    asyncio.run(go())


def test_a_call_that_fits_no_more_stops_all_that_wait() -> None:
    async def go() -> None:
        budget = SpendingBudget(100)
        first = await budget.reserve_call("model", 40, 20)
        others = [asyncio.ensure_future(budget.reserve_call("model", 40, 20)) for _ in range(3)]
        await asyncio.sleep(0)
        budget.settle_call("model", first, used(40, 20))
        found = await asyncio.gather(*others, return_exceptions=True)
        assert [type(one) for one in found] == [BudgetSpent] * 3
        await budget.reserve_call("gold", 0, 0)

    asyncio.run(go())


def test_an_answer_longer_than_expected_raises_what_is_reserved() -> None:
    async def go() -> None:
        budget = SpendingBudget(1000)
        budget.settle_call("model", await budget.reserve_call("model", 10, 20), used(10, 500))
        with pytest.raises(BudgetSpent, match=r"510 of 1,000 tokens are spent, and the next call .* 510:"):
            await budget.reserve_call("model", 10, 20)

    asyncio.run(go())


def test_a_log_is_counted_once_and_priced() -> None:
    budget = SpendingBudget(money=1, prices={"model": ModelPrice(1000, 2000, input_cache_read=100)})
    for _ in range(2):
        budget.count_log(Path("log.jsonl"), [("model", used(100, 10)), ("rule", used(100, 10))])
    assert budget.spent_money == pytest.approx(0.12)
    assert budget.spent_tokens == 220


def test_cache_reads_and_writes_have_their_own_prices() -> None:
    seat = SeatUsage()
    seat.add_reply({"input_tokens": 1, "input_tokens_cache_read": 10, "input_tokens_cache_write": 100})
    assert ModelPrice(1e6, 0, 0.1e6, 1.25e6).usage_cost(seat) == pytest.approx(1 + 1 + 125)
    assert ModelPrice(1e6, 0).usage_cost(seat) == pytest.approx(111)
    assert ModelPrice(1e6, 0, 0.1e6, 1.25e6).most_cost(100, 5) == pytest.approx(125)
