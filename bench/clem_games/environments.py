"""Turns a second of CPU time in the environments of clemcore and TextArena, with constant replies, printed as
JSON. It runs in their own environment, in a folder that holds clembench's reference game. TextArena has no
reference game: its turns are those of tic-tac-toe, one of its shortest."""

from __future__ import annotations

import json
import sys
from contextlib import redirect_stdout
from time import process_time

REPLIES = {"player_0": "Expression: The one that looks like the target.", "player_1": "Answer: first"}


def measure_clemcore(turns: int) -> float:
    from clemcore.clemgame.envs.pettingzoo import env

    played, done, start = env("referencegame"), 0, process_time()
    while done < turns:
        played.reset()
        for agent in played.agent_iter():
            _, _, terminated, truncated, _ = played.last()
            over = terminated or truncated
            played.step(None if over else REPLIES[agent])
            done += not over
    return done / (process_time() - start)


def measure_textarena(turns: int) -> float:
    import textarena

    played, done, start = textarena.make("TicTacToe-v0"), 0, process_time()
    while done < turns:
        played.reset(num_players=2)
        over, cell = False, 0
        while not over:
            played.get_observation()
            over, _ = played.step(action=f"[{cell}]")
            done, cell = done + 1, cell + 1
        played.close()
    return done / (process_time() - start)


def main(turns: int) -> None:
    found = {}
    with redirect_stdout(sys.stderr):
        for name, measure in (("clemcore", measure_clemcore), ("TextArena", measure_textarena)):
            try:
                found[name] = measure(turns)
            except ImportError as trouble:
                print(f"{name} is not measured: {trouble}", file=sys.stderr)
    print(json.dumps(found))


if __name__ == "__main__":
    main(int(sys.argv[1]))
