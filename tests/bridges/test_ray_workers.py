"""Workers on a Ray cluster of two nodes, in the environment that `make test-all` makes for Ray."""

from __future__ import annotations

import os
import secrets
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from msgspec import Struct
from tests.runs.test_shards import timeless_events

from groundling.core.events import Opened
from groundling.runs.event_log import read_events
from groundling.runs.run import open_run
from groundling.runs.run_folder import RunFolder
from groundling.runs.verify import find_runs, verify_run

ROOT = Path(__file__).parents[2]
PLACE = ROOT / "build" / "ray" / "bin"
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not (PLACE / "ray").exists(), reason="Ray is not in build/ray: make test-all installs it"
    ),
]
NETWORK = '''
import asyncio, json, os, threading
from pathlib import Path
from groundling.core.player import Ask, Reply

class Network:
    """One layer over the number of filled cells. Its lock cannot be pickled."""

    def __init__(self, weights: str, seconds: float = 0.0) -> None:
        self.weight = json.loads(Path(weights).read_text())
        self.seconds, self.lock = seconds, threading.Lock()
        with open(weights + ".built", "a") as built:
            built.write(f"{os.getpid()}\\n")

    async def act(self, ask: Ask) -> Reply:
        await asyncio.sleep(self.seconds)
        counts = [self.weight * grid.filled_count for grid in ask.view.grids]
        return Reply(text=f"Answer: {('first', 'second', 'third')[counts.index(max(counts))]}")
'''
TORCH_NETWORK = '''
import os
import torch
from groundling.core.player import Ask, Reply

class TorchNetwork:
    """Rates each grid by its cells with two layers, and picks the best."""

    def __init__(self, weights: str) -> None:
        torch.set_num_threads(1)
        self.layers = torch.nn.Sequential(torch.nn.Linear(25, 16), torch.nn.Tanh(), torch.nn.Linear(16, 1))
        self.layers.load_state_dict(torch.load(weights, weights_only=True))
        with open(weights + ".built", "a") as built:
            built.write(f"{os.getpid()}\\n")

    async def act(self, ask: Ask) -> Reply:
        grids = [[float(cell != ".") for row in grid.rows for cell in row] for grid in ask.view.grids]
        with torch.no_grad():
            rated = self.layers(torch.tensor(grids)).flatten().tolist()
        best = rated.index(max(rated))
        return Reply(text=f"Answer: {('first', 'second', 'third')[best]}", detail={"rating": rated[best]})

def save_weights(path: str) -> None:
    torch.manual_seed(0)
    layers = torch.nn.Sequential(torch.nn.Linear(25, 16), torch.nn.Tanh(), torch.nn.Linear(16, 1))
    torch.save(layers.state_dict(), path)
'''


class Cluster(Struct):
    """Nodes that `ray start` has started, each in a session of its own."""

    folder: Path
    ports: list[int]
    nodes: list[int] = []

    @property
    def address(self) -> str:
        return f"ray://127.0.0.1:{self.ports[1]}"

    @property
    def environment(self) -> dict[str, str]:
        token = {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN_PATH": str(self.folder / "token")}
        quick = {"RAY_health_check_period_ms": "500", "RAY_CLIENT_RECONNECT_GRACE_PERIOD": "2"}
        return {**os.environ, **token, **quick}

    def start_node(self, *options: str) -> None:
        here = ["--node-ip-address=127.0.0.1", "--num-cpus=1", "--object-store-memory=80000000"]
        first = self.ports[2] + 100 * len(self.nodes)
        workers = [f"--min-worker-port={first}", f"--max-worker-port={first + 99}"]
        started = subprocess.Popen(
            [PLACE / "ray", "start", *options, *here, *workers, "--disable-usage-stats"],
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        told = started.communicate(timeout=120)[0].decode()
        self.nodes.append(started.pid)
        assert started.returncode == 0, told

    def start_head(self) -> None:
        self.start_node(
            *("--head", f"--port={self.ports[0]}", f"--ray-client-server-port={self.ports[1]}"),
            *("--include-dashboard=false", f"--temp-dir={self.folder / 'ray'}"),
        )

    def kill_node(self, number: int) -> None:
        """Kill all processes of a node: its workers have process groups of their own, in its session."""
        for process in Path("/proc").glob("[1-9]*"):
            with suppress(ProcessLookupError):
                if os.getsid(int(process.name)) == self.nodes[number]:
                    os.kill(int(process.name), signal.SIGKILL)

    def play(self, out: Path, seats: list[str], *options: str, workers: str = "") -> list[str | Path]:
        given = [word for seat in seats for word in ("--seat", seat)]
        where = ["--workers", workers or self.address]
        play: list[str | Path] = [PLACE / "python", "-m", "groundling", "play", "reference"]
        return [*play, *given, "-o", out, *where, *options]


def free_ports(count: int) -> list[int]:
    with_sockets = [socket.socket() for _ in range(count)]
    try:
        for one in with_sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in with_sockets]
    finally:
        for one in with_sockets:
            one.close()


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    with TemporaryDirectory(prefix="gl") as place:  # paths of sockets must be short
        folder = Path(place)
        (folder / "token").touch(0o600)
        (folder / "token").write_text(secrets.token_hex(32))
        made = Cluster(folder, [*free_ports(2), 20_000 + os.getpid() % 50 * 200])
        try:
            made.start_head()
            made.start_node(f"--address=127.0.0.1:{made.ports[0]}")
            connect: list[str | Path] = [PLACE / "python", "-c", f"import ray; ray.init({made.address!r})"]
            for _ in range(3):  # on a busy machine, the head may answer its first client too late
                if not subprocess.run(connect, env=made.environment, capture_output=True).returncode:
                    break
            yield made
        finally:
            for number in range(len(made.nodes)):
                made.kill_node(number)


@pytest.fixture
def network(tmp_path: Path) -> Callable[..., list[str]]:
    def seats(seconds: float = 0.0) -> list[str]:
        return [
            "giver=gold",
            f"follower={tmp_path}/net.py:Network,weights={tmp_path}/w.json,seconds={seconds}",
        ]

    (tmp_path / "net.py").write_text(NETWORK)
    (tmp_path / "w.json").write_text("0.5")
    return seats


def count_closed(run: Path) -> int:
    log = run / "log.jsonl"
    return log.read_bytes().count(b'"type":"closed"') if log.exists() else 0


def wait_for_closed(run: Path, count: int, process: subprocess.Popen[bytes]) -> None:
    while count_closed(run) < count:
        assert process.poll() is None, "it ended too early"
        time.sleep(0.05)


def play_here(out: Path, seats: list[str], *options: str) -> None:
    words = [word for seat in seats for word in ("--seat", seat)]
    play: list[str | Path] = [PLACE / "python", "-m", "groundling", "play", "reference", *words, "-o", out]
    subprocess.run([*play, *options], check=True, capture_output=True)


def test_a_network_is_built_once_a_worker_and_plays_the_episodes_of_one_process(
    cluster: Cluster, network: Callable[..., list[str]], tmp_path: Path
) -> None:
    play_here(tmp_path / "one", network(), "--repeat", "2")
    built = tmp_path / "w.json.built"
    built.unlink()
    played = subprocess.run(
        cluster.play(tmp_path / "ray", network(), "--repeat", "2"),
        env=cluster.environment,
        capture_output=True,
        text=True,
    )
    assert played.returncode == 0, played.stdout + played.stderr
    assert timeless_events(tmp_path / "ray") == timeless_events(tmp_path / "one")
    pids = built.read_text().split()
    assert len(pids) == len(set(pids)) <= 3  # two workers, and the process that keeps the log


def replies_and_ratings(run: Path) -> tuple[dict[str, list[str]], list[float]]:
    """What players said by episode, and the ratings of the network in the order of episodes."""
    replies = {
        one.episode: list(one.reply_events())
        for one in sorted(open_run(run).read_transcripts(), key=lambda one: one.episode)
    }
    ratings = [reply.detail["rating"] for some in replies.values() for reply in some if reply.detail]
    return {name: [reply.text for reply in some] for name, some in replies.items()}, ratings


def test_a_torch_network_is_built_once_a_worker_and_plays_as_without_ray(
    cluster: Cluster, tmp_path: Path
) -> None:
    (tmp_path / "torch_net.py").write_text(TORCH_NETWORK)
    weights = tmp_path / "weights.pt"
    save = f"import torch_net; torch_net.save_weights({str(weights)!r})"
    subprocess.run([PLACE / "python", "-c", save], cwd=tmp_path, check=True, capture_output=True)
    seats = ["giver=gold", f"follower={tmp_path}/torch_net.py:TorchNetwork,weights={weights}"]
    play_here(tmp_path / "one", seats, "--repeat", "2")
    built = tmp_path / "weights.pt.built"
    built.unlink()
    played = subprocess.run(
        cluster.play(tmp_path / "ray", seats, "--repeat", "2"),
        env=cluster.environment,
        capture_output=True,
        text=True,
    )
    assert played.returncode == 0, played.stdout + played.stderr
    (texts, ratings), (expected, rated) = (replies_and_ratings(tmp_path / name) for name in ("ray", "one"))
    assert texts == expected
    assert len(ratings) == 72
    assert len(set(ratings)) > 10, "the network tells grids apart"
    assert ratings == pytest.approx(rated, rel=1e-5)
    pids = built.read_text().split()
    assert len(pids) == len(set(pids)) <= 3  # two workers, and the process that keeps the log


def test_a_file_that_is_missing_on_a_node_is_told_in_one_line(
    cluster: Cluster, network: Callable[..., list[str]], tmp_path: Path
) -> None:
    seats = network()
    play = tmp_path / "net.py"
    play.write_text(
        NETWORK.replace("json.loads(", "json.loads(Path('/nowhere').read_text() if is_worker() else ")
        + "\ndef is_worker() -> bool:\n    import sys\n    return 'default_worker' in sys.argv[0]\n"
    )
    played = subprocess.run(
        cluster.play(tmp_path / "run", seats), env=cluster.environment, capture_output=True, text=True
    )
    assert played.returncode == 2
    assert "/nowhere" in played.stderr
    assert played.stderr.count("\n") == 1


def test_a_killed_node_and_a_killed_driver_lose_nothing_and_play_nothing_twice(
    cluster: Cluster, network: Callable[..., list[str]], tmp_path: Path
) -> None:
    run, seats = tmp_path / "ray", network(0.3)
    command = cluster.play(run, seats, "--repeat", "3", "--jobs", "4")
    driver = subprocess.Popen(
        command, env=cluster.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    wait_for_closed(run, 15, driver)
    assert len(set((tmp_path / "w.json.built").read_text().split())) == 3, "one of the nodes plays nothing"
    cluster.kill_node(1)
    wait_for_closed(run, 45, driver)
    driver.kill()
    driver.wait()
    done = count_closed(run)
    assert 45 <= done < 108
    again = subprocess.run(command, env=cluster.environment, capture_output=True, text=True)
    assert again.returncode == 0, again.stdout + again.stderr
    assert "planned 108 = played 108" in again.stdout
    log, game = RunFolder(run).log_path, type(RunFolder(run).make_game())
    opened = [event.episode for event in read_events(log, game) if isinstance(event, Opened)]
    assert len(opened) == len(set(opened)) == 108
    play_here(tmp_path / "one", seats, "--repeat", "3", "--jobs", "108")
    assert timeless_events(run) == timeless_events(tmp_path / "one")
    assert not any(verify_run(found).findings for found in find_runs(run))


def test_a_cluster_of_one_machine_is_started_and_stopped(
    cluster: Cluster, network: Callable[..., list[str]], tmp_path: Path
) -> None:
    words = cluster.play(tmp_path / "run", ["giver=gold", "follower=random"], workers="ray?workers=2")
    played = subprocess.run(words, env=cluster.environment, capture_output=True, text=True)
    assert played.returncode == 0, played.stdout + played.stderr
    assert "planned 36 = played 36" in played.stdout


@pytest.mark.parametrize(
    ("where", "told"),
    [
        ("ray://127.0.0.1:9", "no Ray cluster could be reached at ray://127.0.0.1:9"),
        ("ray?workers=2&cpus=999", "has no 999 CPU"),
        ("ray?nodes=2", "write ray or ray://HOST:PORT"),
        ("ray?workers=some", "are numbers"),
    ],
)
def test_a_cluster_that_cannot_be_used_is_told_in_one_line(
    where: str, told: str, cluster: Cluster, tmp_path: Path
) -> None:
    words = cluster.play(tmp_path / "run", ["giver=gold", "follower=rule"], workers=where)
    played = subprocess.run(words, env=cluster.environment, capture_output=True, text=True)
    assert played.returncode == 2
    assert told in played.stderr
    assert played.stderr.count("\n") == 1
