"""Every number is CPU time of this machine in this run, beside a limit that we set ourselves or beside the
bare work that nobody can do without. A ratio over 1 is better than the limit or the peer."""

from __future__ import annotations

import asyncio
import json
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from math import inf, nan
from pathlib import Path
from random import Random
from statistics import median
from time import process_time
from typing import Any, cast

import msgspec

from bench.networks import answers
from groundling.boards.picture import render_png
from groundling.boards.scene import KINDS, Scene
from groundling.boards.scene.batches import pack_scene_batch
from groundling.cli import main as main_command
from groundling.core.pack import Seat, find, load
from groundling.core.player import Ask, Turn
from groundling.core.values import Say
from groundling.games.codraw.make import builtin
from groundling.games.codraw.players.grammar.drawer import grammar_drawer_moves
from groundling.games.codraw.players.template.message_plan import message_plan_texts
from groundling.games.codraw.players.template.scene_describer import SceneDescriber
from groundling.games.codraw.recorded.corpus import pack_corpus_records
from groundling.games.codraw.recorded.dialog_files import load_dialog_files
from groundling.games.codraw.recorded.dialogs import WHOLE
from groundling.games.codraw.rules import DrawerView, SpokenMessage
from groundling.games.codraw.scene_generation.generator import generate_scene
from groundling.games.codraw.score import similarities, similarity, similarity_to_each
from groundling.games.director.recipe import SampleRecipe
from groundling.games.director.rules import DirectorSettings
from groundling.players.chat.chat_model import ModelAnswer
from groundling.players.chat.chat_player import ChatPlayer
from groundling.players.chat.messages import PromptMessage
from groundling.report.score_table import score_table
from groundling.runs.instances import choose_instances, make_instances
from groundling.runs.scoring import encode_run_scores, score_run
from groundling.runs.scoring_table import write_scoring_table
from groundling.runs.session import RunSession, new_session_plan, prepare_session

from .clemcore_peer import measure_clemcore_rows
from .environments import measure_environment_rows
from .load import LONG, SHORT, measured
from .number import Number, at_least, at_most, table
from .number import console as new_console
from .workers import measure_large_runs, measure_worker_rows

GRIDS = ["X X X X X\n" + "\n".join(["▢ ▢ ▢ ▢ ▢"] * (4 - k) + ["▢ X ▢ X ▢"] * k) for k in range(4)]
REPLIES = {
    "reference": {
        "giver": ["Expression: the grid whose top row is full and whose last column has three letters"],
        "follower": ["Answer: second"],
    },
    "image": {
        "giver": [
            *(f"Instruction: Fill row {k} with the letter X, all of it" for k in range(4)),
            "Instruction: DONE",
        ],
        "follower": GRIDS,
    },
    "director": {"participant": ["I take the one in B2, because the director can see it."]},
}


def seconds(work: Callable[[], object]) -> float:
    start = process_time()
    work()
    return process_time() - start


def spent(*command: str) -> float:
    """CPU seconds of a command, the median of five."""
    times = []
    for _ in range(5):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return median(times)


def start_up() -> list[Number]:
    return [
        at_most("import groundling", spent(sys.executable, "-c", "import groundling"), "s", 0.3),
        at_most("groundling games", spent(sys.executable, "-m", "groundling", "games"), "s", 0.3),
    ]


def install(folder: Path) -> list[Number]:
    """A base install into an empty environment, without pip itself."""
    subprocess.run([sys.executable, "-m", "venv", folder / "venv"], check=True)
    python = folder / "venv" / "bin" / "python"
    pip = [str(python), "-m", "pip"]
    subprocess.run([*pip, "install", "--quiet", "--upgrade", "pip"], check=True, stderr=subprocess.DEVNULL)
    subprocess.run(
        [*pip, "uninstall", "--quiet", "--yes", "setuptools"], check=False, stderr=subprocess.DEVNULL
    )
    site = next((folder / "venv").glob("lib/python*/site-packages"))
    before = _weight(site)
    subprocess.run([*pip, "install", "--quiet", "--quiet", "."], check=True)
    listed = json.loads(
        subprocess.run([*pip, "list", "--format=json"], check=True, capture_output=True).stdout
    )
    return [
        at_most("base install, packages", len([p for p in listed if p["name"] != "pip"]), "packages", 15),
        Number("base install, size", (_weight(site) - before) / 1e6, "MB", "", float("nan")),
    ]


def _weight(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


def scripted(folder: Path, n: int, game: str = "reference") -> RunSession:
    """n episodes between scripts: two replies in the reference game, nine in the image game, one in the
    director task."""
    pack = find(game)
    instances = make_instances(pack, load(pack.recipe)(n=n, seed=1))
    folder.mkdir(parents=True)
    for role, replies in REPLIES[game].items():
        lines = (json.dumps({"episode": instance.id, "replies": replies}) for instance in instances)
        (folder / f"{role}.jsonl").write_text("\n".join(lines) + "\n")
    seats = {role: f"script:{folder / role}.jsonl" for role in REPLIES[game]}
    plan = new_session_plan(pack, instances, None, settings=pack.new().settings, source="bench", seats=seats)
    return prepare_session(pack, plan, folder / "run")


def warm_up(folder: Path, game: str) -> None:
    """Importing polars and scipy is not scoring."""
    session = scripted(folder, 4, game)
    session.play_missing(1)
    score_table(session.pack, score_run(session.folder))


def episodes(folder: Path, game: str, played_limit: float, scored_limit: float, n: int) -> list[Number]:
    session = scripted(folder / game, n, game)
    played = n / seconds(lambda: session.play_missing(16))
    data = session.folder.log_path.read_bytes()
    lines = data.splitlines()
    events = [json.loads(line) for line in lines]

    def bare_write() -> None:
        with (folder / "bare").open("w") as file:
            for event in events:
                file.write(json.dumps(event) + "\n")
            file.flush()
            os.fsync(file.fileno())

    warm_up(folder / f"{game} first", game)
    scored = n / seconds(lambda: write_scoring_table(session.folder, encode_run_scores(session.folder)))
    written, read = n / seconds(bare_write), n / seconds(lambda: [json.loads(line) for line in lines])
    return [
        at_least(f"{game}: played and logged", played, "1/s", played_limit),
        Number(
            f"{game}: played and logged",
            played,
            "1/s",
            f"json.dumps of its events: {written:,.0f}",
            played / written,
        ),
        at_least(f"{game}: scored", scored, "1/s", scored_limit),
        Number(f"{game}: scored", scored, "1/s", f"json.loads of its log: {read:,.0f}", scored / read),
        at_most(
            f"{game}: disk an episode",
            len(data) / n,
            "bytes",
            {"reference": 2_000, "image": 4_000}.get(game, 3_000),
        ),
    ]


def making(n: int = 4_000) -> list[Number]:
    """Samples of the director task without pictures, as a user's first command has them: the items are read
    as well."""
    pack = find("director")
    make, recipe = load(pack.make), cast("type[SampleRecipe]", load(pack.recipe))
    twins = n / seconds(lambda: make(recipe(n=n, seed=1)))
    apart = n / seconds(lambda: make(recipe(n=n, seed=1, like_reference=True)))
    return [
        at_least("director: samples made, twins", twins, "1/s", 1_000),
        at_least("director: samples made, like the reference", apart, "1/s", 1_000),
    ]


def picturing(n: int = 40) -> list[Number]:
    """Pictures of the director task's shelves, from view to PNG: each the fastest of five, all in turn.
    Things that stand on several shelves are painted the first time only."""
    pack = find("director")
    make, draw, recipe = load(pack.make), load(pack.draw), cast("type[SampleRecipe]", load(pack.recipe))
    games = {"participant": pack.new(), "director": pack.new(DirectorSettings(mode="two-player"))}
    views = {}
    for side, fill, role in (
        (4, 0.5, "participant"),
        (8, 0.5, "participant"),
        (8, 0.9, "participant"),
        (8, 0.9, "director"),
    ):
        samples = make(recipe(n=n, seed=1, columns=side, rows=side, fill=fill))
        name = f"director: PNG of a shelf of {side} by {side}, {fill:.0%} full, {role}'s"
        views[name] = [games[role].view(games[role].start(one), role) for one in samples]
    fastest = {name: [inf] * n for name in views}
    for _ in range(5):
        for name, best in fastest.items():
            best[:] = [
                min(one, seconds(lambda: render_png(draw(view).svg)))  # noqa: B023
                for one, view in zip(best, views[name], strict=True)
            ]
    return [at_most(name, 1000 * sum(best) / n, "ms", 15) for name, best in fastest.items()]


def talking(n: int = 300) -> list[Number]:
    """What `chat` adds to a model's own time, on the last turn of a long game."""
    pack = find("image")
    game, picture = pack.new(), load(pack.builtin)()[0]
    state, past = game.start(picture), []
    for instruction, grid in zip(REPLIES["image"]["giver"], GRIDS, strict=False):
        state = game.play(state, "giver", game.read(state, "giver", instruction).moves[0])
        past.append(Turn(game.view(state, "follower"), grid))
        state = game.play(state, "follower", game.read(state, "follower", grid).moves[0])
    state = game.play(state, "giver", Say("Fill the last column with X"))
    ask = Ask("compact-01", "follower", game.view(state, "follower"), tuple(past), None, 1)
    player = ChatPlayer(Seat(pack, game, "follower", "at once"), AtOnce())

    async def ask_on() -> None:
        for _ in range(n):
            await player.act(ask)

    return [at_most("chat: overhead a call", 1000 * seconds(lambda: asyncio.run(ask_on())) / n, "ms", 2)]


def inspecting(folder: Path) -> list[Number]:
    """What our task adds to what Inspect itself needs for two questions to a model."""
    from .inspect_overhead import both

    ours, bare = both(folder)
    peer = f"a bare two-call task: {bare:.1f}"
    return [Number("inspect: added a sample", ours - bare, "ms", peer, bare / (ours - bare))]


def reporting(folder: Path, n: int = 10_000) -> list[Number]:
    """The report of so many reference episodes, with 200 to step through."""
    session = scripted(folder / "report", n)
    session.play_missing(16)
    out = folder / "report.html"
    took = seconds(lambda: main_command(["report", str(session.folder.path), "-o", str(out)]))
    return [
        at_most(f"report of {n:,} episodes", took, "s", 10),
        at_most(f"report of {n:,} episodes, size", out.stat().st_size / 1e6, "MB", 20),
    ]


def hexagons(n: int = 200_000, singly: int = 5_000) -> list[Number]:
    """Pairs of hexagon boards, half of whose tiles are painted: many at once, beside one after the other."""
    import numpy as np

    from groundling.games.hexagons.batch import (
        UNPAINTED,
        action_scores_batch,
        board_scores_batch,
        emitted_scores_batch,
    )
    from groundling.games.hexagons.score import action_scores, board_scores, emitted_scores

    rng = np.random.default_rng(1)
    a, b, c, d = (
        rng.integers(0, 8, (n, 180), dtype=np.uint8) * rng.integers(0, 2, (n, 180), dtype=np.uint8)
        for _ in range(4)
    )
    painted = np.where(c == 0, np.uint8(UNPAINTED), d)
    rows = [["".join(map(str, board[i])) for board in (a, b, c, d)] for i in range(singly)]
    actions = [
        [(t // 18 + 1, t % 18 + 1, int(k)) for t, k in enumerate(row) if k != UNPAINTED]
        for row in painted[:singly]
    ]
    works: dict[str, tuple[Callable[[], object], Callable[[], object]]] = {
        "board": (lambda: board_scores_batch(a, b), lambda: [board_scores(x, y) for x, y, _, _ in rows]),
        "action": (lambda: action_scores_batch(a, b, c, d), lambda: [action_scores(*row) for row in rows]),
        "emitted": (
            lambda: emitted_scores_batch(a, b, painted),
            lambda: [emitted_scores(row[0], row[1], own) for row, own in zip(rows, actions, strict=True)],
        ),
    }
    found = []
    for name, (together, one_by_one) in works.items():
        rate, single = n / seconds(together), singly / seconds(one_by_one)
        found.append(at_least(f"hexagons: {name} scores", rate, "1/s", 200_000))
        found.append(
            Number(f"hexagons: {name} scores", rate, "1/s", f"one by one: {single:,.0f}", rate / single)
        )
    return found


def scenes(folder: Path, n: int = 20_000) -> list[Number]:
    """CoDraw's similarity: made scenes, each with one that has two other pieces in it; and the published data
    if it is here."""
    rng = Random(1)
    made = [generate_scene(rng) for _ in range(n // 10)]
    others = [*made[1:], made[0]]
    near = [
        Scene.of({p.kind: p for p in (*a.pieces[:-2], *b.pieces[:2])}.values())
        for a, b in zip(made, others, strict=True)
    ]
    targets, drawn = (pack_scene_batch(many * 10) for many in (made, near))
    similarities(targets[:100], drawn[:100])
    aligned = n / seconds(lambda: similarities(targets, drawn))
    listed = n / seconds(lambda: similarities(made * 10, near * 10))
    one_by_one = 500 / seconds(
        lambda: [similarity(a, b) for a, b in zip(made[:500], near[:500], strict=True)]
    )
    many = 50 * n / seconds(lambda: [similarity_to_each(scene, targets) for scene in made[:50]])
    found = [
        at_least("codraw: similarities of packed pairs", aligned, "1/s", 300_000),
        at_least("codraw: similarities of lists of scenes", listed, "1/s", 150_000),
        Number(
            "codraw: similarities of packed pairs",
            aligned,
            "1/s",
            f"one by one: {one_by_one:,.0f}",
            aligned / one_by_one,
        ),
        at_least("codraw: one scene against many", many, "1/s", 1_000_000),
    ]
    data = Path(os.environ.get("GROUNDLING_DATA", "../shared/data")) / "codraw"
    if data.is_dir():
        took = seconds(lambda: pack_corpus_records(load_dialog_files(data), WHOLE))
        found.append(at_most("codraw: all dialogs to arrays", took, "s", 15))
    return found


def drawing() -> list[Number]:
    """The grammar Drawer's turns in the built-in scenes, all that was said before heard again in each, as
    told by the template Teller. The canvas stays empty: what changes is the least of it."""
    views = []
    for park in builtin():
        talk: tuple[SpokenMessage, ...] = ()
        for message in message_plan_texts(SceneDescriber(park.target, Random(park.id)), 140):
            talk = (*talk, SpokenMessage("teller", message))
            views.append(DrawerView(KINDS, Scene(), talk, asked=False, cap=140, silent=False))
            talk = (*talk, SpokenMessage("drawer", "ok"))
    each = seconds(lambda: [grammar_drawer_moves(view) for view in views]) / len(views)
    return [at_most("codraw: grammar, a turn", 1000 * each, "ms", 10)]


def crosstalk(folder: Path) -> list[Number]:
    """CoDraw's nearest-neighbour players of different halves on all of val, and a recorded Teller with the
    Drawer, where the published data is; beside what the published code takes for an episode of the former."""
    data = Path(os.environ.get("GROUNDLING_DATA", "../shared/data")) / "codraw"
    if not data.is_dir():
        return []
    found = []
    for half in ("a", "b"):
        command = ["train", "codraw-nearest", "--data", str(data), "--half", half, "-o", str(folder / half)]
        found.append(
            at_most(f"codraw: remembering half {half}", seconds(lambda: main_command(command)), "s", 15)  # noqa: B023
        )
    game = find("codraw")
    settings = load(game.game).Settings(silent=True, peeks=0)
    parks = choose_instances(game, None, data, "val", None).instances
    for teller in (f"nearest:{folder / 'a'}", "replay"):
        seats = {"teller": teller, "drawer": f"nearest:{folder / 'b'}"}
        plan = new_session_plan(game, parks, None, settings=settings, source="val", seats=seats)
        session = prepare_session(game, plan, folder / f"cross {teller[:7]}")
        each = seconds(lambda: session.play_missing(16)) / len(parks)  # noqa: B023 - called at once
        name = f"codraw: {teller.partition(':')[0]} → nearest, an episode"
        alike = teller != "replay"
        found.append(
            Number(
                name,
                1000 * each,
                "ms",
                "published code: about 500" if alike else "",
                0.5 / each if alike else nan,
            )
        )
    return found


class AtOnce:
    name = "at once"
    sampling: Mapping[str, Any] = {}

    async def answer(self, conversation: list[PromptMessage], seed: int) -> ModelAnswer:
        return ModelAnswer(GRIDS[0])


def growth(folder: Path, small: int = 10_000, large: int = 100_000) -> list[Number]:
    """What ten times the episodes cost: 10 times as much is linear."""
    times: dict[str, list[float]] = {"resume": [], "score": []}
    for n in (small, large):
        session = scripted(folder / str(n), n)
        session.play_missing(16)
        times["resume"].append(seconds(lambda: session.play_missing(16)))  # noqa: B023 - called at once
        times["score"].append(seconds(lambda: score_table(session.pack, score_run(session.folder))))  # noqa: B023
    return [
        Number(
            f"{name} {large:,} episodes",
            after,
            "s",
            f"{large // small} x {small:,} episodes: {before * 10:.2f}",
            before * 10 / after,
        )
        for name, (before, after) in times.items()
    ]


def peers_alone() -> None:
    """`python -m bench peers`: the rows beside other frameworks only."""
    with tempfile.TemporaryDirectory() as place:
        new_console().print(table("environments (CPU time)", measure_environment_rows(Path(place))))
        new_console().print(table("beside clembench (CPU time)", measure_clemcore_rows(Path(place))))


def scale_alone(counts: Sequence[str]) -> None:
    """`python -m bench scale`: the speed of workers; `python -m bench scale 10000 100000`: what runs of these
    numbers of episodes in shards take."""
    if wrong := [count for count in counts if not count.isdecimal()]:
        sys.exit(f"{wrong[0]} is no number of episodes: give for example 10000 100000")
    with tempfile.TemporaryDirectory() as place:
        if counts:
            print(measure_large_runs(Path(place), map(int, counts)))
        else:
            new_console().print(table("scale", measure_worker_rows(Path(place))))


def load_alone(words: Sequence[str]) -> None:
    """`python -m bench load`, with `long` for the whole, or the names of parts."""
    form = LONG if "long" in words else SHORT
    names = [word for word in words if word != "long"]
    Path("build").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir="build") as place:
        found = measured(Path(place).absolute(), form, names)
    new_console().print(table("load", found))
    Path("build/load.json").write_bytes(msgspec.json.format(msgspec.json.encode(found), indent=2))


def main() -> None:
    found: list[Number] = []
    console = new_console()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        parts: list[Callable[[], list[Number]]] = [
            start_up,
            lambda: install(folder),
            lambda: episodes(folder, "reference", 5_000, 20_000, 20_000),
            lambda: episodes(folder, "image", 2_000, 10_000, 5_000),
            hexagons,
            lambda: scenes(folder),
            drawing,
            lambda: [at_most(name, value, "ms", limit) for name, value, limit in answers()],
            lambda: crosstalk(folder),
            making,
            picturing,
            lambda: episodes(folder, "director", 4_000, 1_000, 4_000),
            talking,
            lambda: inspecting(folder),
            lambda: reporting(folder),
            lambda: growth(folder),
            lambda: measure_clemcore_rows(folder),
            lambda: measure_environment_rows(folder),
            lambda: measure_worker_rows(folder),
            lambda: measured(folder, SHORT),
        ]
        for part in parts:
            found += (new := part())
            console.print(f"{new[-1].name} done" if new else "left out, its data is not here", style="dim")
    console.print(table("bench (CPU time)", found))
    Path("build").mkdir(exist_ok=True)
    Path("build/bench.json").write_bytes(msgspec.json.format(msgspec.json.encode(found), indent=2))


if __name__ == "__main__":
    if sys.argv[1:2] == ["load"]:
        load_alone(sys.argv[2:])
    elif sys.argv[1:2] == ["peers"]:
        peers_alone()
    elif sys.argv[1:2] == ["scale"]:
        scale_alone(sys.argv[2:])
    else:
        main()
