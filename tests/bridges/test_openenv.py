"""The server of OpenEnv, in the environment that `make test-all` makes for it."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.request import urlopen

import pytest
from websockets.sync.client import connect

ROOT = Path(__file__).parents[2]
PLACE = ROOT / "build" / "openenv" / "bin"


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    if not (PLACE / "openenv").exists():
        pytest.skip("OpenEnv is not installed in build/openenv: make test-all does that")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command: list[str | Path] = [
        PLACE / "python",
        "-m",
        "groundling.bridges.openenv",
        "reference",
        "--seat",
        "giver=gold",
    ]
    process = subprocess.Popen([*command, "--port", str(port)], cwd=ROOT)
    try:
        for _ in range(1200):
            try:
                urlopen(f"http://127.0.0.1:{port}/health").close()
                break
            except OSError:
                assert process.poll() is None
                time.sleep(0.1)
        yield f"127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait()


@pytest.mark.slow
def test_a_session_plays_and_wrong_messages_are_told(server: str) -> None:
    with connect(f"ws://{server}/ws") as session:

        def send(kind: str, **data: object) -> dict[str, object]:
            session.send(
                json.dumps({"type": kind, "data": data} if data or kind == "reset" else {"type": kind})
            )
            found: dict[str, object] = json.loads(session.recv())["data"]
            return found

        assert "send reset" in str(send("step", text="Answer: first"))
        seen = send("reset", seed=3)
        assert "Answer: third" in str(seen["observation"])
        assert "not of giver" in str(send("step", text="Answer: first", role="giver"))
        assert "valid string" in str(send("step", text=5))
        refused = send("step", text="hm")
        assert (refused["done"], refused["reward"]) == (False, 0.0)
        assert "name one grid" in str(refused["observation"])
        ended = send("step", text="Answer: first")
        assert ended["done"] is True
        assert ended["reward"] in (0.0, 1.0)
        assert send("state")["step_count"] == 2
        assert "send reset" in str(send("step", text="Answer: first"))


@pytest.mark.slow
def test_openenv_validates_the_server(server: str) -> None:
    told = subprocess.run(
        [PLACE / "openenv", "validate", "--timeout", "60", f"http://{server}"], capture_output=True, text=True
    )
    assert json.loads(told.stdout)["passed"] is True, told.stdout


@pytest.mark.parametrize(("name", "extra"), [("openenv", "openenv"), ("verifiers", "verifiers")])
def test_a_missing_extra_is_told(name: str, extra: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.delitem(sys.modules, f"groundling.bridges.{name}", raising=False)
    with pytest.raises(ImportError, match=rf"pip install \"groundling\[{extra}\]\""):
        __import__(f"groundling.bridges.{name}")
