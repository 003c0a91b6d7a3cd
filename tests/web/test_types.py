"""Threads must not be the first to look at types: that is done before people come."""

from __future__ import annotations

import subprocess
import sys

from groundling.core.pack import find, load
from groundling.web.struct_types import prepare_struct_types

THREADS = """
import sys, threading
sys.setswitchinterval(1e-6)
from groundling.core.pack import find, load
from groundling.web.struct_types import look_at_types
games = [find(name) for name in ("director", "hexagons", "codraw")]
look_at_types(games)
together = threading.Barrier(6)
def read(number):
    together.wait()
    load(games[number % 3].builtin)()
threads = [threading.Thread(target=read, args=(number,)) for number in range(6)]
for thread in threads: thread.start()
for thread in threads: thread.join()
"""


def test_threads_that_read_the_same_types_at_once_live() -> None:
    for _ in range(5):
        assert subprocess.run([sys.executable, "-c", THREADS], check=False).returncode == 0


def test_looking_at_types_twice_is_looking_at_them_once() -> None:
    director = find("director")
    prepare_struct_types([director])
    prepare_struct_types([director])
    assert load(director.builtin)()
