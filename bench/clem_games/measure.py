"""Plays and scores with clemcore in one process; prints the CPU seconds of each as JSON, the least of some
repetitions. It runs in clemcore's own environment, in a folder that holds the games."""

from __future__ import annotations

import json
import shutil
import sys
from contextlib import redirect_stdout
from pathlib import Path
from time import process_time

from clemcore import backends, cli


def measure(game: str, repetitions: int) -> dict[str, float]:
    found: dict[str, list[float]] = {"played": [], "scored": []}
    for _ in range(repetitions):
        shutil.rmtree("results", ignore_errors=True)
        start = process_time()
        cli.run(
            game, backends.ModelSpec.from_strings(["mock"]), gen_args={}, results_dir_path=Path("results")
        )
        played = process_time()
        cli.score(game, "results")
        found["played"].append(played - start)
        found["scored"].append(process_time() - played)
    return {name: min(times) for name, times in found.items()}


def main(repetitions: int) -> None:
    with redirect_stdout(sys.stderr):
        found = {game: measure(f"{game}game", repetitions) for game in ("reference", "image")}
    print(json.dumps(found))


if __name__ == "__main__":
    main(int(sys.argv[1]))
