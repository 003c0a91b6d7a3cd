"""Run a coroutine to its end, also where an event loop is running."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")


def run_to_end(main: Coroutine[Any, Any, T]) -> T:
    """Do as `asyncio.run`. In a notebook a loop is running in this thread: then another thread runs the
    coroutine in a loop of its own, and an interruption cancels it there."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(main)
    begun: list[tuple[asyncio.AbstractEventLoop, asyncio.Task[Any]]] = []

    async def run_here() -> T:
        task = asyncio.current_task()
        assert task is not None
        begun.append((asyncio.get_running_loop(), task))
        return await main

    with ThreadPoolExecutor(1, "groundling") as thread:  # waits for the thread's end
        running = thread.submit(asyncio.run, run_here())
        try:
            return running.result()
        except KeyboardInterrupt:
            for loop, task in begun:
                loop.call_soon_threadsafe(task.cancel)
            raise
