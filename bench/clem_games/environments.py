"""Turns a second of CPU time in the environment of clemcore or of TextArena, with constant replies, the most
of three measurements: `python environments.py clemcore 2000`. It runs in an environment with that package,
for clemcore in a folder that holds clembench's reference game. TextArena has no reference game. Taboo is
nearest: one player describes what only they see, another one says what is meant. A turn is one reply."""

from __future__ import annotations

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

    played, done, start = textarena.make("Taboo-v0"), 0, process_time()
    while done < turns:
        played.reset(num_players=4)  # two teams of two, in turn; 48 turns
        over = False
        while not over:
            player, _ = played.get_observation()
            over, _ = played.step(action="[other]" if player % 2 else "The one that looks like the target.")
            done += 1
        played.close()
    return done / (process_time() - start)


def main(name: str, turns: int) -> None:
    measure = {"clemcore": measure_clemcore, "TextArena": measure_textarena}[name]
    with redirect_stdout(sys.stderr):
        best = max(measure(turns) for _ in range(3))
    print(best)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
