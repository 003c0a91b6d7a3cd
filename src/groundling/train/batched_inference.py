"""Batched inference in a thread: questions of concurrent games are answered together, without blocking the
loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache, partial
from threading import Lock
from typing import Generic, TypeVar
from weakref import WeakKeyDictionary

import torch

from groundling.train.devices import max_networks_per_device

A = TypeVar("A")
B = TypeVar("B")


class _NetworkPool:
    """The networks that are computing. Each takes its share of the cores until it has answered: two networks
    on one core each are faster than one after the other on both cores."""

    def __init__(self, most: int) -> None:
        self.threads = ThreadPoolExecutor(most, "networks")
        self._cores = torch.get_num_threads()
        self._busy = 0
        self._lock = Lock()

    @contextmanager
    def busy_network(self) -> Iterator[None]:
        with self._lock:
            self._busy += 1
            torch.set_num_threads(max(1, self._cores // self._busy))
        try:
            yield
        finally:
            with self._lock:
                self._busy -= 1


@cache
def _network_pool() -> _NetworkPool:
    return _NetworkPool(max_networks_per_device())


class BatchedInference(Generic[A, B]):
    """Answers in one batch all questions that arrive until the next cycle of the event loop, or while an
    earlier batch is computed. Batches are computed one at a time, also if they come from several event
    loops."""

    def __init__(self, answer: Callable[[Sequence[A]], Sequence[B]], most: int = 256) -> None:
        self._find, self._most = answer, most
        self._alone = Lock()
        self._queues: WeakKeyDictionary[asyncio.AbstractEventLoop, _RequestQueue[A, B]] = WeakKeyDictionary()

    async def request_answer(self, question: A) -> B:
        loop = asyncio.get_running_loop()
        queue = self._queues.setdefault(loop, _RequestQueue())
        future: asyncio.Future[B] = loop.create_future()
        queue.waiting.append((question, future))
        if not queue.busy:
            queue.busy = True
            loop.call_soon(self._start_batch, loop, queue)
        return await future

    def _start_batch(self, loop: asyncio.AbstractEventLoop, queue: _RequestQueue[A, B]) -> None:
        waiting = [(question, future) for question, future in queue.waiting if not future.done()]
        now, queue.waiting = waiting[: self._most], waiting[self._most :]
        queue.busy = bool(now)
        if now:
            answers = loop.run_in_executor(
                _network_pool().threads, self._answer_batch, [question for question, _ in now]
            )
            answers.add_done_callback(
                partial(self._deliver_answers, loop, queue, [future for _, future in now])
            )

    def _answer_batch(self, questions: Sequence[A]) -> Sequence[B]:
        with self._alone, _network_pool().busy_network():
            return self._find(questions)

    def _deliver_answers(
        self,
        loop: asyncio.AbstractEventLoop,
        queue: _RequestQueue[A, B],
        futures: Sequence[asyncio.Future[B]],
        answers: asyncio.Future[Sequence[B]],
    ) -> None:
        trouble = None if answers.cancelled() else answers.exception()
        for place, future in enumerate(futures):
            if future.done():
                continue
            if answers.cancelled():
                future.cancel()
            elif trouble is not None:
                future.set_exception(trouble)
            else:
                future.set_result(answers.result()[place])
        loop.call_soon(self._start_batch, loop, queue)


class _RequestQueue(Generic[A, B]):
    def __init__(self) -> None:
        self.waiting: list[tuple[A, asyncio.Future[B]]] = []
        self.busy = False
