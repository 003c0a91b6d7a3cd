"""Killed at any moment, a run loses nothing that was acknowledged and plays nothing acknowledged again."""

import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path

from groundling.core.events import Opened
from groundling.runs.run import read_run_recordings
from groundling.runs.run_folder import RunFolder
from groundling.runs.verify import verify_run

# Each line of input starts a run in a new process, whose number and exit status are printed. The follower
# notes in `asked` which episodes it was asked about, the run notes in `safe` which are on disk.
PLAYED = """
import asyncio, os, sys
from pathlib import Path
import msgspec
from groundling.core.player import Reply
from tests.helpers import session

folder = Path(sys.argv[1])
asked = os.open(folder / "asked", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
safe = os.open(folder / "safe", os.O_WRONLY | os.O_CREAT | os.O_APPEND)

class Follower:
    name = "follower"
    async def act(self, ask):
        os.write(asked, f"{ask.episode}\\n".encode())
        await asyncio.sleep(0.004)
        return Reply(text="second")

def on_synced(episodes):
    os.write(safe, "".join(f"{e}\\n" for e in episodes).encode())

for _ in sys.stdin:
    child = os.fork()
    if not child:
        table = session(folder / "run", repeat=60)
        table = msgspec.structs.replace(table, players={**table.players, "follower": Follower()})
        table.play_missing(4, on_synced=on_synced)
        os._exit(0)
    print(child, flush=True)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


def test_sigkill_at_twenty_random_moments_loses_nothing(tmp_path: Path) -> None:
    rng = random.Random(20)
    kills = 0
    asked_after_safe: Counter[str] = Counter()
    process = subprocess.Popen(
        [sys.executable, "-c", PLAYED, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None

    def lines(name: str) -> list[str]:
        return (tmp_path / name).read_text().split() if (tmp_path / name).exists() else []

    status = None
    while status != 0:
        safe, asked_before = set(lines("safe")), len(lines("asked"))
        process.stdin.write("\n")
        process.stdin.flush()
        child = int(process.stdout.readline())
        if kills < 20:
            time.sleep(rng.uniform(0.0, 0.15))
            with suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
        status = int(process.stdout.readline())
        kills += status == -signal.SIGKILL
        asked_after_safe.update(episode for episode in lines("asked")[asked_before:] if episode in safe)
        found = read_run_recordings(tmp_path / "run") if (tmp_path / "run" / "run.toml").exists() else {}
        assert all(found[episode].status == "played" for episode in lines("safe"))
        assert not found or not verify_run(RunFolder(tmp_path / "run")).findings
    process.communicate()
    assert kills == 20
    assert not asked_after_safe, "an acknowledged episode was played again"
    assert len(found) == 36 * 60
    assert all(t.status == "played" for t in found.values())
    assert all(sum(isinstance(e, Opened) for e in t.events) == 1 for t in found.values())
