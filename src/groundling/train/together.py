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

from groundling.train.gpus import networks_at_once

A = TypeVar("A")
B = TypeVar("B")


class _Networks:
    """The networks that are computing. Each takes its share of the cores until it has answered: two networks
    on one core each are faster than one after the other on both cores."""

    def __init__(self, most: int) -> None:
        self.threads = ThreadPoolExecutor(most, "networks")
        self._cores = torch.get_num_threads()
        self._busy = 0
        self._lock = Lock()

    @contextmanager
    def one_more(self) -> Iterator[None]:
        with self._lock:
            self._busy += 1
            torch.set_num_threads(max(1, self._cores // self._busy))
        try:
            yield
        finally:
            with self._lock:
                self._busy -= 1


@cache
def _networks() -> _Networks:
    return _Networks(networks_at_once())


class Together(Generic[A, B]):
    """Answers in one batch all questions that arrive until the next cycle of the event loop, or while an
    earlier batch is computed. Batches are computed one at a time, also if they come from several event
    loops."""

    def __init__(self, answer: Callable[[Sequence[A]], Sequence[B]], most: int = 256) -> None:
        self._find, self._most = answer, most
        self._alone = Lock()
        self._queues: WeakKeyDictionary[asyncio.AbstractEventLoop, _Queue[A, B]] = WeakKeyDictionary()

    async def ask(self, question: A) -> B:
        loop = asyncio.get_running_loop()
        queue = self._queues.setdefault(loop, _Queue())
        future: asyncio.Future[B] = loop.create_future()
        queue.waiting.append((question, future))
        if not queue.busy:
            queue.busy = True
            loop.call_soon(self._work, loop, queue)
        return await future

    def _work(self, loop: asyncio.AbstractEventLoop, queue: _Queue[A, B]) -> None:
        waiting = [(question, future) for question, future in queue.waiting if not future.done()]
        now, queue.waiting = waiting[: self._most], waiting[self._most :]
        queue.busy = bool(now)
        if now:
            answers = loop.run_in_executor(
                _networks().threads, self._answer, [question for question, _ in now]
            )
            answers.add_done_callback(partial(self._hand_out, loop, queue, [future for _, future in now]))

    def _answer(self, questions: Sequence[A]) -> Sequence[B]:
        with self._alone, _networks().one_more():
            return self._find(questions)

    def _hand_out(
        self,
        loop: asyncio.AbstractEventLoop,
        queue: _Queue[A, B],
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
        loop.call_soon(self._work, loop, queue)


class _Queue(Generic[A, B]):
    def __init__(self) -> None:
        self.waiting: list[tuple[A, asyncio.Future[B]]] = []
        self.busy = False
