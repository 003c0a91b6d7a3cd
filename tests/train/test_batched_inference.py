"""Networks that answer many games at once, and two of them at the same time."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from time import sleep
from typing import Any

import pytest

torch = pytest.importorskip("torch")

from groundling.train import batched_inference  # noqa: E402
from groundling.train.batched_inference import BatchedInference  # noqa: E402


@pytest.fixture
def two(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever this machine is."""
    found = batched_inference._NetworkPool(2)
    monkeypatch.setattr(batched_inference, "_network_pool", lambda: found)


def test_a_room_is_served_while_a_network_computes() -> None:
    """Its answer waits for something that only the event loop can bring about."""
    went_on = threading.Event()

    def answer(questions: Sequence[int]) -> list[bool]:
        return [went_on.wait(60)] * len(questions)

    async def go() -> bool:
        asked = asyncio.create_task(BatchedInference(answer).request_answer(1))
        await asyncio.sleep(0.01)
        went_on.set()
        return await asked

    assert asyncio.run(go())


def test_what_is_asked_at_once_is_answered_at_once_and_each_gets_its_own() -> None:
    batches: list[list[int]] = []

    def answer(questions: Sequence[int]) -> list[int]:
        batches.append(list(questions))
        if 13 in questions:
            raise ArithmeticError("thirteen")
        return [10 * question for question in questions]

    together = BatchedInference(answer, most=4)

    async def go(*questions: int) -> list[Any]:
        return await asyncio.gather(*map(together.request_answer, questions), return_exceptions=True)

    assert asyncio.run(go(*range(6))) == [0, 10, 20, 30, 40, 50]
    assert batches == [[0, 1, 2, 3], [4, 5]]
    assert [str(found) for found in asyncio.run(go(13, 1, 2, 3, 4))] == [*["thirteen"] * 4, "40"]


@pytest.mark.usefixtures("two")
def test_the_networks_of_two_seats_compute_at_the_same_time() -> None:
    """Each waits for the other."""
    meet = threading.Barrier(2)

    def answer(questions: Sequence[int]) -> list[bool]:
        meet.wait(60)
        return [True] * len(questions)

    async def go() -> list[bool]:
        return await asyncio.gather(*(BatchedInference(answer).request_answer(1) for _ in range(2)))

    assert asyncio.run(go()) == [True, True]


@pytest.mark.usefixtures("two")
def test_two_share_the_cores_and_one_has_all(monkeypatch: pytest.MonkeyPatch) -> None:
    networks = batched_inference._network_pool()
    monkeypatch.setattr(networks, "_cores", 6)
    given: list[int] = []
    monkeypatch.setattr(torch, "set_num_threads", given.append)
    with networks.busy_network(), networks.busy_network():
        pass
    with networks.busy_network():
        pass
    assert given == [6, 3, 6]


@pytest.mark.usefixtures("two")
def test_one_network_is_asked_by_one_at_a_time_also_from_several_event_loops() -> None:
    inside: list[int] = []

    def answer(questions: Sequence[int]) -> list[int]:
        inside.append(1)
        sleep(0.02)
        found = len(inside)
        inside.pop()
        return [found] * len(questions)

    network = BatchedInference(answer)
    with ThreadPoolExecutor(3) as loops:
        assert (
            list(loops.map(lambda number: asyncio.run(network.request_answer(number)), range(6))) == [1] * 6
        )
