"""Processes that play the games of a table before it is printed."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context, parent_process
from threading import Thread

import torch

from groundling.games.codraw.neural.evaluation.play_cache import PlayCache, PlayTask


def run_missing_tasks(stage: PlayCache, look: Callable[[], object], processes: int) -> None:
    """Run tasks until nothing is missing that `look` needs. The processes share the threads."""
    tasks = stage.missing_tasks(look)
    if not tasks:
        return
    threads = max(1, torch.get_num_threads() // processes)
    with ProcessPoolExecutor(processes, get_context("spawn"), _start_worker, (threads,)) as pool:
        while tasks:
            for done in as_completed([pool.submit(PlayTask.run_task, task) for task in tasks]):
                stage.print_line(done.result())
            tasks = stage.missing_tasks(look)


def _start_worker(threads: int) -> None:
    torch.set_num_threads(threads)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """End this worker with the command; otherwise it would wait for ever after the command was killed."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
