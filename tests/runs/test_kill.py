"""Killed at any moment, a run loses nothing that was acknowledged and plays nothing acknowledged again."""

import random
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

from groundling.core.events import Opened
from groundling.runs.run import read_recordings

# The follower notes in `asked` whom it was asked about, the run notes in `safe` what it was told is on disk.
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
        await asyncio.sleep(0.002)
        return Reply(text="second")

def on_synced(episodes):
    os.write(safe, "".join(f"{e}\\n" for e in episodes).encode())

table = session(folder / "run", repeat=100)
table = msgspec.structs.replace(table, players={**table.players, "follower": Follower()})
print("ready", flush=True)
table.play_missing(4, on_synced=on_synced)
print("done", flush=True)
"""


def test_sigkill_at_twenty_random_moments_loses_nothing(tmp_path: Path) -> None:
    rng = random.Random(20)
    kills = 0
    asked_after_safe: Counter[str] = Counter()
    for _ in range(80):
        safe = set((tmp_path / "safe").read_text().split()) if (tmp_path / "safe").exists() else set()
        asked_before = (tmp_path / "asked").read_text().split() if (tmp_path / "asked").exists() else []
        process = subprocess.Popen(
            [sys.executable, "-c", PLAYED, str(tmp_path)], stdout=subprocess.PIPE, text=True
        )
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        try:
            process.wait(rng.uniform(0.0, 0.08) if kills < 20 else 60)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.wait()
            kills += 1
        asked = (tmp_path / "asked").read_text().split()
        asked_after_safe.update(episode for episode in asked[len(asked_before) :] if episode in safe)
        acknowledged = set((tmp_path / "safe").read_text().split())
        found = read_recordings(tmp_path / "run") if (tmp_path / "run" / "run.toml").exists() else {}
        assert all(found[episode].status == "played" for episode in acknowledged)
        if process.returncode == 0:
            break
    assert kills == 20
    assert not asked_after_safe, "an acknowledged episode was played again"
    assert len(found) == 3600
    assert all(t.status == "played" for t in found.values())
    assert all(sum(isinstance(e, Opened) for e in t.events) == 1 for t in found.values())
