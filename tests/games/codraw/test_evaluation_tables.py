"""The table of trained players: it says what games would, keeps what was worked out, and never mixes up
halves."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec.json import encode
from msgspec.structs import replace

torch = pytest.importorskip("torch", reason="torch is not installed: pip install '.[train]' to run these")

from tests.games.codraw.tiny_weights import tiny_job, train  # noqa: E402

from groundling.boards.scene.batches import pack_scenes  # noqa: E402
from groundling.cli import main  # noqa: E402
from groundling.core.pack import find as find_pack  # noqa: E402
from groundling.core.values import Problem  # noqa: E402
from groundling.games.codraw.batch_similarity import similarities  # noqa: E402
from groundling.games.codraw.neural import player_factory, trained_players  # noqa: E402
from groundling.games.codraw.neural.dialog_pack import DialogPack  # noqa: E402
from groundling.games.codraw.neural.evaluation import play_cache as play_cache_module  # noqa: E402
from groundling.games.codraw.neural.evaluation.batch_players import (  # noqa: E402
    BatchDrawer,
    BatchTeller,
    GrammarBatchDrawer,
    NearestBatchDrawer,
    NearestBatchTeller,
    TemplateBatchTeller,
    WeightsBatchDrawer,
    WeightsBatchTeller,
)
from groundling.games.codraw.neural.evaluation.play_cache import DialogSplits, PlayCache, PlayTask  # noqa: E402
from groundling.games.codraw.neural.evaluation.result_rows import (  # noqa: E402
    CODEBOOK,
    MACHINES,
    PlayedScenes,
    PlayerRoster,
    list_result_rows,
    shuffle_without_fixed_points,
)
from groundling.games.codraw.neural.evaluation.text_tables import seed_spread  # noqa: E402
from groundling.games.codraw.neural.evaluation.weights_folders import (  # noqa: E402
    WeightsFolder,
    best_label,
    find_weights,
    label_weights,
    read_weights_folder,
)
from groundling.games.codraw.players.nearest.memory import encode_memory  # noqa: E402
from groundling.games.codraw.recorded.dialog_files import load_records  # noqa: E402
from groundling.games.codraw.recorded.dialogs import WHOLE, read_dialog  # noqa: E402
from groundling.games.codraw.recorded.transcripts import dialog_to_instance  # noqa: E402
from groundling.runs.session import new_plan, prepare_session  # noqa: E402
from groundling.train import weights as weights_module  # noqa: E402
from groundling.train.weights import CARD_FILE, WEIGHTS_FILE, code_checksum  # noqa: E402

pytestmark = pytest.mark.slow


class Home:
    """Dialogs, and weights of both halves that learned from them."""

    def __init__(self, data: Path, dialogs: DialogPack, place: Path) -> None:
        self.data, self.weights = data, place
        for half in "ab":
            for job in (
                tiny_job("bilstm", name=f"bilstm-{half}", half=half),
                tiny_job("transformer", name=f"transformer-{half}", half=half),
                tiny_job("bilstm", name=f"bilstm-{half}-blind", half=half, blind=True),
                tiny_job("scene2seq", name=f"plain-{half}", half=half),
                tiny_job("scene2seq", name=f"aux-{half}", half=half, lesson={"aux": 6.0}),
                tiny_job("decoder", name=f"own-{half}", half=half),
            ):
                train(dialogs, job, place / job.name)

    def stage(self, folder: Path) -> PlayCache:
        return PlayCache(DialogSplits(self.data), "paper", "val", folder)

    def read(self, name: str) -> WeightsFolder:
        return read_weights_folder(self.weights / name)


@pytest.fixture(scope="module")
def home(narrated_data: Path, dialogs: DialogPack, tmp_path_factory: pytest.TempPathFactory) -> Home:
    return Home(narrated_data, dialogs, tmp_path_factory.mktemp("home"))


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GROUNDLING_CACHE", str(tmp_path / "cache"))


def by_the_rules(home: Home, folder: Path, teller: str, drawer: str) -> list[float]:
    """What `groundling play --silent --peeks 0` gives, scene by scene."""
    codraw = find_pack("codraw")
    parks = [
        dialog_to_instance(replace(read_dialog(record, WHOLE), palette=None))
        for record in load_records(home.data, "val")
    ]
    settings = replace(codraw.new().settings, silent=True, peeks=0)
    seats = {"teller": teller, "drawer": drawer}
    plan = new_plan(codraw, parks, None, settings=settings, source="val", seats=seats)
    session = prepare_session(codraw, plan, folder)
    session.play_missing(jobs=4)
    done = {
        one.opened.instance.id: one.result.score for one in session.folder.read_transcripts() if one.result
    }
    return [done[park.id] for park in parks]


@pytest.mark.parametrize(
    ("teller", "drawer"),
    [
        ("replay", "bilstm-b"),
        ("replay,until=peek", "transformer-b"),
        ("aux-a", "bilstm-b-blind"),
        ("own-a", "grammar"),
        ("nearest", "nearest"),
    ],
)
def test_the_table_says_what_the_games_say(
    teller: str, drawer: str, home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    player_factory._load_model.cache_clear()
    player_factory._make_drawer.cache_clear()
    for less in ("has_fast_bfloat16", "has_fast_int8"):
        # games may be played in less precision, tables are not
        monkeypatch.setattr(trained_players, less, lambda where: False)
    stage = home.stage(tmp_path / "kept")
    remembered = {half: stage.data.nearest_memory("paper", half) for half in "ab"}
    for half, memory in remembered.items():
        (tmp_path / f"{half}.nearest").write_bytes(encode_memory(memory))
    hands: dict[str, tuple[BatchDrawer, str]] = {
        "grammar": (GrammarBatchDrawer(), "grammar"),
        "nearest": (NearestBatchDrawer(remembered["b"], "paper"), f"nearest:{tmp_path / 'b.nearest'}"),
    }
    hand, seat = (
        hands[drawer]
        if drawer in hands
        else (WeightsBatchDrawer(home.read(drawer)), f"weights:{home.weights / drawer}")
    )
    if teller.startswith("replay"):
        script, speaker = stage.people_scripts(unaided="," in teller), teller
    elif teller == "nearest":
        script, speaker = (
            stage.teller_script(NearestBatchTeller(remembered["a"], "paper")),
            f"nearest:{tmp_path / 'a.nearest'}",
        )
    else:
        script, speaker = (
            stage.teller_script(WeightsBatchTeller(home.read(teller))),
            f"weights:{home.weights / teller}",
        )
    found = similarities(stage.targets, stage.drawn_scenes(script, hand))
    assert found.tolist() == pytest.approx(by_the_rules(home, tmp_path / "run", speaker, seat), abs=1e-9)


def test_what_was_played_once_is_not_played_again(
    home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    voice, hand = WeightsBatchTeller(home.read("aux-a")), WeightsBatchDrawer(home.read("bilstm-b"))
    stage = home.stage(tmp_path)
    first = stage.drawn_scenes(stage.teller_script(voice), hand)
    monkeypatch.setattr(WeightsBatchTeller, "describe_scenes", None)
    monkeypatch.setattr(WeightsBatchDrawer, "draw_script", None)
    again = home.stage(tmp_path)
    assert np.array_equal(again.drawn_scenes(again.teller_script(voice), hand), first)
    with pytest.raises(TypeError):
        again.drawn_scenes([["another", "script"]], hand)


@pytest.mark.parametrize("player", [GrammarBatchDrawer(), TemplateBatchTeller()])
def test_what_other_code_played_is_played_again(
    player: BatchDrawer | BatchTeller, home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def task(stage: PlayCache) -> list[PlayTask]:
        return stage.missing_tasks(
            lambda: (
                stage.teller_script(player)
                if isinstance(player, BatchTeller)
                else stage.drawn_scenes(stage.people_scripts(), player)
            )
        )

    (before,) = task(home.stage(tmp_path))
    before.run_task()
    assert task(home.stage(tmp_path)) == []
    monkeypatch.setattr(play_cache_module, "code_checksum", lambda *parts: "other")
    assert len(task(home.stage(tmp_path))) == 1


def test_the_code_that_counts_for_a_table_is_the_games_and_not_the_webs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parts = play_cache_module.CODE
    assert all((Path(weights_module.__file__).parents[1] / part).is_dir() for part in parts)
    for part in (*parts, "web"):
        (tmp_path / part).mkdir(parents=True)
        (tmp_path / part / "one.py").write_text("one")
    monkeypatch.setattr(weights_module, "__file__", str(tmp_path / "train" / "weights.py"))
    before, whole = code_checksum(*parts), code_checksum()
    (tmp_path / "web" / "one.py").write_text("two")
    assert code_checksum(*parts) == before
    assert code_checksum() != whole
    (tmp_path / parts[0] / "one.py").write_text("two")
    assert code_checksum(*parts) != before


def test_several_processes_print_the_tables_that_one_prints(
    home: Home, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    printed: dict[str, list[str]] = {}
    for processes in ("1", "2"):
        for name in ("table", "language"):
            asked = ["codraw", name, str(home.weights), "--data", str(home.data), "--processes", processes]
            assert main([*asked, "--kept", str(tmp_path / processes)]) == 0
            found = capsys.readouterr()
            printed.setdefault(name, []).append(found.out)
            assert "BiLSTM b 0 draws 4 scenes" in found.err or name == "language"
    assert all(one == other for one, other in printed.values())
    kept = [{file.name: file.read_bytes() for file in (tmp_path / processes).iterdir()} for processes in "12"]
    assert kept[0].keys() == kept[1].keys(), "nothing is worked out that one process would not have"


HELPED = """
import os, time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from groundling.games.codraw.neural.evaluation.worker_processes import _start_worker
workers = ProcessPoolExecutor(1, get_context("spawn"), _start_worker, (1,))
print(workers.submit(os.getpid).result(), flush=True)
time.sleep(600)
"""


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="who is still there is read from /proc")
def test_helpers_end_when_the_command_is_killed() -> None:
    command = subprocess.Popen([sys.executable, "-c", HELPED], stdout=subprocess.PIPE, text=True)
    assert command.stdout is not None
    helper = Path("/proc") / command.stdout.readline().strip() / "stat"
    assert helper.exists()
    command.kill()
    command.wait()
    command.stdout.close()
    for _ in range(600):
        if not helper.exists() or helper.read_text().rpartition(")")[2].split()[0] == "Z":
            return
        time.sleep(0.1)
    pytest.fail("the helper still waits for the command that was killed")


def test_what_is_lacking_is_known_as_soon_as_its_words_are_there(home: Home, tmp_path: Path) -> None:
    stage = home.stage(tmp_path)
    voice, hand = WeightsBatchTeller(home.read("aux-a")), WeightsBatchDrawer(home.read("bilstm-b"))

    def look() -> None:
        stage.drawn_scenes(stage.teller_script(voice), hand)
        stage.drawn_scenes(stage.people_scripts(), hand)

    first = stage.missing_tasks(look)
    assert first[0].player is voice
    assert first[1].player is hand
    assert first[1].given == stage.people_scripts()
    for task in first:
        task.run_task()
    (then,) = stage.missing_tasks(look)
    assert (then.player, then.given) == (hand, stage.teller_script(voice))
    then.run_task()
    assert stage.missing_tasks(look) == []


def test_the_panel_is_who_is_asked_for_and_limits_are_told(
    home: Home, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = [str(home.weights), "--data", str(home.data), "--kept", str(tmp_path / "kept"), "--limit", "3"]
    assert main(["codraw", "language", *asked, "--panel", "grammar", "--panel", "BiLSTM"]) == 0
    printed = capsys.readouterr().out
    head = next(line for line in printed.splitlines() if line.endswith("index"))
    assert head.split() == ["teller", "BiLSTM", "grammar", "index"]
    assert "the first 3 of 4 scenes of val" in printed
    assert main(["codraw", "table", *asked]) == 0
    assert "the first 3 of 4 scenes of val" in capsys.readouterr().out
    assert main(["codraw", "language", *asked, "--panel", "BiLSTM blind"]) == 2
    found = capsys.readouterr()
    assert "there is no Drawer 'BiLSTM blind'" in found.err
    assert (found.out, found.err.count("\n")) == ("", 1)


def test_rows_are_named_after_what_was_learned(home: Home) -> None:
    def weights(**job: Any) -> WeightsFolder:
        found = home.read("aux-a")
        return replace(found, card=replace(found.card, job={**found.card.job, "settings": {}, **job}))

    assert weights().base_label == "scene2seq + aux"
    assert weights(lesson={}).base_label == "scene2seq"
    assert (
        weights(lesson={"learned": True}, start="aux-a", drawers=["one"]).base_label == "scene2seq + aux + RL"
    )
    bounded = {"learned": True, "strict": 5.0, "bound": 0.1}
    many = weights(lesson=bounded, start="x", drawers=["one", "two"])
    assert many.base_label == "scene2seq + aux + RL with 2 Drawers within 0.1 nats"
    assert home.read("bilstm-a-blind").base_label == "BiLSTM blind"
    smooth, usual = weights(lesson={"smooth": 0.1}), weights(lesson={})
    assert [one.label for one in label_weights([smooth, smooth])] == ["scene2seq", "scene2seq"]
    assert [one.label for one in label_weights([smooth, usual])] == [
        "scene2seq (smooth 0.1)",
        "scene2seq (as usual)",
    ]


def test_the_best_drawer_is_chosen_by_what_its_training_set_aside(home: Home) -> None:
    def scored(name: str, similarity: float) -> WeightsFolder:
        weights = home.read(name)
        return replace(weights, card=replace(weights.card, scores={"similarity": similarity}))

    names = {name: home.read(name).label for name in ("bilstm-a", "transformer-a")}
    assert best_label([scored("bilstm-a", 2.0), scored("transformer-a", 3.0)]) == names["transformer-a"]
    assert best_label([scored("bilstm-a", 4.0), scored("transformer-a", 3.0)]) == names["bilstm-a"]
    assert best_label([scored("bilstm-a-blind", 4.0)]) is None


def test_machines_meet_across_the_halves_and_within_one_only_as_a_control(home: Home, tmp_path: Path) -> None:
    weights, notes = find_weights([home.weights])
    assert not notes
    company = PlayerRoster(home.stage(tmp_path), weights)
    assert company.best is not None
    for crosstalk in (True, False):
        pairs = list(company.pair_players("decoder", "BiLSTM", crosstalk=crosstalk))
        assert len(pairs) == 2
        assert all(bool(voice.seen & hand.seen) != crosstalk for voice, hand in pairs)
    found = list(list_result_rows(company))
    tellers = {row.teller for row in found if row.part == MACHINES}
    assert (
        tellers
        == {"nearest", "scene2seq", "scene2seq + aux", "decoder"}
        == {r.teller for r in found if r.part == CODEBOOK}
    )
    blind = [row for row in found if row.drawer == "BiLSTM blind"]
    assert blind
    assert all(row.teller == "people" for row in blind)
    for row in found:
        assert all(len(game.drawn) == 4 for game in row.games)


def test_a_teller_without_seeds_plays_with_the_drawers_of_all_seeds(home: Home, tmp_path: Path) -> None:
    def seeds(name: str) -> list[WeightsFolder]:
        found = home.read(name)
        return [
            replace(found, card=replace(found.card, job={**found.card.job, "seed": seed}))
            for seed in range(3)
        ]

    company = PlayerRoster(home.stage(tmp_path), [*seeds("bilstm-a"), *seeds("bilstm-b"), *seeds("own-a")])
    assert [(hand.half, hand.seed) for _, hand in company.pair_players("nearest", "BiLSTM")] == [
        (half, seed) for half in "ba" for seed in range(3)
    ]
    assert [(voice.seed, hand.seed) for voice, hand in company.pair_players("decoder", "BiLSTM")] == [
        (0, 0),
        (1, 1),
        (2, 2),
    ]
    played = company.play_pairs(MACHINES, "nearest", "BiLSTM")
    assert played is not None
    assert [game.seed for game in played.games] == [0, 1, 2] * 2, "of the Drawer, where the Teller has none"


def test_who_has_learned_from_what_is_played_is_left_out(home: Home, tmp_path: Path) -> None:
    weights = home.read("bilstm-a")
    cheat = replace(weights, card=replace(weights.card, seen=(*weights.card.seen, "val_00041")))
    company = PlayerRoster(home.stage(tmp_path), [cheat])
    assert {hand.label for hand in company.hands} == {"nearest", "grammar"}
    assert "1 of the scenes" in company.notes[0]


def test_of_two_that_are_the_same_in_the_table_the_later_is_taken(home: Home, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    copy.mkdir()
    for file in (home.weights / "bilstm-a").iterdir():
        (copy / file.name).write_bytes(file.read_bytes())
    found, notes = find_weights([home.weights / "bilstm-a", copy])
    assert [one.folder for one in found] == [copy]
    assert "left out" in notes[0]
    with pytest.raises(Problem, match="no weights"):
        find_weights([home.data])


def test_weights_that_are_not_trained_to_their_end_are_named(home: Home, tmp_path: Path) -> None:
    weights = home.read("bilstm-a")
    for seed, (name, finished) in enumerate((("cut", False), ("whole", True), ("older", None))):
        (tmp_path / name).mkdir()
        (tmp_path / name / WEIGHTS_FILE).write_bytes((weights.folder / WEIGHTS_FILE).read_bytes())
        job = {**weights.card.job, "seed": seed}
        (tmp_path / name / CARD_FILE).write_bytes(
            encode(replace(weights.card, job=job, finished=finished, done=7))
        )
    _, notes = find_weights([tmp_path])
    assert notes == [f"{tmp_path / 'cut'} is not trained to its end: 7 of {weights.card.plan.steps:,} steps"]


def test_each_scene_moves_on_to_another() -> None:
    for many in (2, 5, 30):
        order = shuffle_without_fixed_points(many)
        assert sorted(order) == list(range(many))
        assert all(one != other for one, other in enumerate(order))


def test_the_spread_is_between_seeds_of_one_half() -> None:
    nothing = pack_scenes([])

    def games(*halves: str) -> Sequence[PlayedScenes]:
        return [PlayedScenes(half, seed, nothing) for seed, half in enumerate(halves)]

    assert seed_spread(games("a", "b"), [1.0, 3.0]) is None
    assert seed_spread(games("a", "a", "b", "b"), [1.0, 2.0, 5.0, 6.0]) == pytest.approx(0.5**0.5)


def test_the_commands_print_the_tables_and_draw_the_games(
    home: Home, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    common = ["--data", str(home.data), "--kept", str(tmp_path / "kept")]
    assert main(["codraw", "table", str(home.weights), *common, "--no-play"]) == 0
    printed = capsys.readouterr().out
    assert "people before the peek" in printed, "what needs no playing is there"
    assert "decoder" not in printed
    assert main(["codraw", "table", str(home.weights), *common, "-o", str(tmp_path / "table.txt")]) == 0
    printed = capsys.readouterr().out
    assert (tmp_path / "table.txt").read_text() == printed
    assert "4 scenes of val in" in printed
    assert main(["codraw", "language", str(home.weights), *common]) == 0
    printed = capsys.readouterr().out
    assert all(
        name in printed for name in ("people", "template", "scene2seq", "decoder", "perplexity", "index")
    )
    pair = ["--teller", str(home.weights / "aux-a"), "--drawer", str(home.weights / "bilstm-b")]
    assert main(["codraw", "games", *pair, *common, "-n", "2", "-o", str(tmp_path / "games")]) == 0
    assert len(list((tmp_path / "games").glob("*.png"))) == 2
    wrong = ["--teller", str(home.weights / "bilstm-b"), "--drawer", str(home.weights / "aux-a")]
    assert main(["codraw", "games", *wrong, *common, "-o", str(tmp_path / "games")]) == 2
