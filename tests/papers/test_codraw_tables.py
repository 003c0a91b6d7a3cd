"""From weights to the printed tables of papers/codraw, by runs of `groundling cross`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from msgspec.json import encode
from msgspec.structs import replace

torch = pytest.importorskip(
    "torch", reason="torch is not installed: pip install 'groundling[train]' to run these"
)

from papers.codraw import play  # noqa: E402
from papers.codraw.__main__ import main  # noqa: E402
from papers.codraw.play import SeatedPlayer, codebook_partners, crosstalk_partners  # noqa: E402
from papers.codraw.played import RunCollection, find_runs, read_collection, seat_specs  # noqa: E402
from papers.codraw.tables import (  # noqa: E402
    CODEBOOK,
    MACHINES,
    DrawnScenes,
    list_rows,
    seed_spread,
    shuffle_without_fixed_points,
)
from papers.codraw.weights_folders import (  # noqa: E402
    WeightsFolder,
    best_label,
    find_weights,
    label_weights,
    read_weights_folder,
)
from tests.games.codraw.tiny_weights import tiny_job, train  # noqa: E402
from tests.papers.conftest import run_here  # noqa: E402

from groundling.boards.scene.batches import pack_scene_batch  # noqa: E402
from groundling.core.values import Problem  # noqa: E402
from groundling.games.codraw.batch_similarity import batch_similarities  # noqa: E402
from groundling.games.codraw.neural.dialog_pack import DialogPack  # noqa: E402
from groundling.runs.run_folder import RunFolder  # noqa: E402
from groundling.train.weights import CARD_FILE, WEIGHTS_FILE, load_weights, save_weights  # noqa: E402

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def weights_folder(dialogs: DialogPack, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Weights of both halves, a Drawer without words, and weights of another game."""
    place = tmp_path_factory.mktemp("weights")
    jobs = [
        *(tiny_job("bilstm", name=f"bilstm-{half}", half=half) for half in "ab"),
        tiny_job("transformer", name="transformer-b", half="b"),
        tiny_job("bilstm", name="blind-b", half="b", blind=True),
        *(tiny_job("scene2seq", name=f"aux-{half}", half=half, lesson={"aux": 6.0}) for half in "ab"),
        tiny_job("decoder", name="decoder-a", half="a"),
    ]
    for job in jobs:
        train(dialogs, job, place / job.name)
    card, state, _ = load_weights(place / "bilstm-a")
    (place / "other-game").mkdir()
    save_weights(place / "other-game", state, replace(card, model="hexagons-minilm"), bytes_each=2)
    return place


@pytest.fixture(scope="module")
def played(
    weights_folder: Path, narrated_data: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Path]:
    """What `play` writes for all of these weights."""
    out = tmp_path_factory.mktemp("played")
    with pytest.MonkeyPatch().context() as patch:
        patch.setattr(play, "run_commands", run_here)
        assert main(["play", str(weights_folder), "--data", str(narrated_data), "--out", str(out)]) == 0
        yield out


@pytest.fixture(scope="module")
def collection(played: Path) -> RunCollection:
    return read_collection(played / "paper" / "runs")


def test_tables_are_printed_from_the_runs_of_cross(
    played: Path, collection: RunCollection, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["tables", str(played)]) == 0
    printed = capsys.readouterr().out
    for title in ("# The paper's halves", "## What the similarities are made of", "## Without words"):
        assert title in printed
    assert "4 scenes of val in" in printed
    scores = [
        game.result.score
        for run in find_runs(played / "paper" / "runs")
        if seat_specs(run)["teller"].arg.endswith("decoder-a")
        and seat_specs(run)["drawer"].arg.endswith("bilstm-b")
        for game in run.read_transcripts()
        if game.result
    ]
    crosstalk = printed[printed.index(MACHINES) : printed.index(CODEBOOK)]
    (line,) = re.findall(r"^decoder +BiLSTM +(\d\.\d{3}) ", crosstalk, re.MULTILINE)
    assert len(scores) == 4
    assert float(line) == pytest.approx(sum(scores) / 4, abs=5e-4)


def test_canvases_score_as_the_games_did(collection: RunCollection) -> None:
    for run in collection.runs:
        games = sorted(RunFolder(run.path).read_transcripts(), key=lambda game: game.episode)
        scores = [game.result.score for game in games if game.result]
        assert batch_similarities(collection.scenes.targets, run.drawn).tolist() == pytest.approx(scores)


def test_recorded_people_draw_what_the_data_holds(collection: RunCollection) -> None:
    scenes = collection.scenes
    assert batch_similarities(scenes.targets, scenes.finals).min() > 4.5, "these people drew everything"
    assert (scenes.finals == scenes.unaided).all(), "and nobody peeked"


def test_machines_meet_across_the_halves_and_within_one_only_as_a_control(collection: RunCollection) -> None:
    rows = list(list_rows(collection))
    tellers = {part: {row.teller for row in rows if row.part == part} for part in (MACHINES, CODEBOOK)}
    assert tellers[MACHINES] == {"nearest", "scene2seq + aux", "decoder"} == tellers[CODEBOOK]
    for run in collection.runs:
        if run.teller.weights and run.drawer.weights:
            same = set(run.teller.weights.card.seen) & set(run.drawer.weights.card.seen)
            assert bool(same) == (run.teller.half == run.drawer.half)
    blind = [row for row in rows if row.drawer == "BiLSTM blind"]
    assert blind
    assert all(row.teller == "people" for row in blind)


def test_language_is_compared_with_people_and_paraphrased(
    played: Path, narrated_data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["language", str(played), "--data", str(narrated_data)]) == 0
    printed = capsys.readouterr().out
    names = ["people before the peek", "template", "nearest", "scene2seq + aux", "decoder"]
    words, panel = printed.split("## Who understands it")
    for table in (words, panel):
        assert [name for name in names if re.search(rf"^{re.escape(name)} ", table, re.MULTILINE)] == names
    assert re.search(r"^teller +nearest +BiLSTM +transformer +grammar +index$", panel, re.MULTILINE)
    assert re.search(r"^template .* \d\.\d\d \([+-]\d\.\d\d\) ", panel, re.MULTILINE)


def test_what_is_there_is_not_played_again(
    played: Path, weights_folder: Path, narrated_data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = {file: file.read_bytes() for file in played.rglob("log.jsonl")}
    assert (
        main(["play", str(weights_folder / "bilstm-b"), "--data", str(narrated_data), "--out", str(played)])
        == 0
    )
    assert before == {file: file.read_bytes() for file in played.rglob("log.jsonl")}


def test_grouped_halves_have_scenes_of_their_own(
    dialogs: DialogPack, narrated_data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    train(dialogs, tiny_job("bilstm", half="b", grouped=True), tmp_path / "grouped")
    asked: list[Sequence[str]] = []
    monkeypatch.setattr(play, "run_commands", lambda commands, at_once: asked.extend(commands))
    order = play.PlayOptions(folders=[tmp_path], data=narrated_data, out=tmp_path / "out")
    with pytest.raises(Problem, match="holds no runs"):
        list(play.play_everything(order))
    assert list(asked[0][:3]) == ["data", "split", "codraw"]
    crosses = [words for words in asked if words[0] == "cross"]
    assert crosses
    assert all("--splits" in words for words in crosses)


def test_runs_of_other_scenes_are_refused(played: Path, tmp_path: Path) -> None:
    one, *_ = find_runs(played / "paper" / "runs")
    lines = (one.path / "log.jsonl").read_text().splitlines(keepends=True)
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "run.toml").write_bytes((one.path / "run.toml").read_bytes())
    (tmp_path / "one" / "log.jsonl").write_text("".join(line for line in lines if "val_00041" not in line))
    with pytest.raises(Problem, match="3 of 4 games"):
        read_collection(tmp_path)


def test_a_run_of_weights_that_were_exchanged_is_refused(
    played: Path, weights_folder: Path, tmp_path: Path
) -> None:
    name = f"weights:{weights_folder / 'bilstm-a'},"
    run = next(
        run for run in find_runs(played / "paper" / "runs") if name in (run.path / "run.toml").read_text()
    )
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "log.jsonl").write_bytes((run.path / "log.jsonl").read_bytes())
    other = (run.path / "run.toml").read_text().replace(name, f"weights:{weights_folder / 'bilstm-b'},")
    (tmp_path / "one" / "run.toml").write_text(other)
    with pytest.raises(Problem, match="was played with other weights"):
        read_collection(tmp_path)


def test_games_are_drawn(played: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run, *_ = find_runs(played / "paper" / "runs")
    assert main(["games", str(run.path), "-n", "2", "--out", str(tmp_path / "games")]) == 0
    assert len(list((tmp_path / "games").glob("*.png"))) == 2
    assert main(["games", str(tmp_path / "games"), "--out", str(tmp_path)]) == 2
    assert "is not a run" in capsys.readouterr().err


def test_a_trained_teller_plays_with_drawers_of_its_seed_and_another_with_all() -> None:
    drawers = [
        SeatedPlayer(f"{label} {half} {seed}", label, half, seed)
        for label in ("BiLSTM", "MiniLM")
        for half in "ab"
        for seed in range(3)
    ]
    for seed in range(3):
        mates = crosstalk_partners(SeatedPlayer("teller", "decoder", "a", seed), drawers)
        assert [one.seat for one in mates] == [f"BiLSTM b {seed}", f"MiniLM b {seed}"]
        mates = codebook_partners(SeatedPlayer("teller", "decoder", "a", seed), drawers)
        assert [one.seat for one in mates] == [f"BiLSTM a {seed}"]
    mates = crosstalk_partners(SeatedPlayer("nearest", "nearest", "b"), drawers)
    assert len(mates) == 6
    late = crosstalk_partners(SeatedPlayer("teller", "decoder", "a", 7), drawers)
    assert [one.seed for one in late] == [1, 1]


def test_rows_are_named_after_what_was_learned(weights_folder: Path) -> None:
    def weights(**job: Any) -> WeightsFolder:
        found = read_weights_folder(weights_folder / "aux-a")
        return replace(found, card=replace(found.card, job={**found.card.job, "settings": {}, **job}))

    assert weights().base_label == "scene2seq + aux"
    assert weights(lesson={}).base_label == "scene2seq"
    assert (
        weights(lesson={"learned": True}, start="aux-a", drawers=["one"]).base_label == "scene2seq + aux + RL"
    )
    bounded = {"learned": True, "strict": 5.0, "bound": 0.1}
    many = weights(lesson=bounded, start="x", drawers=["one", "two"])
    assert many.base_label == "scene2seq + aux + RL with 2 Drawers within 0.1 nats"
    assert read_weights_folder(weights_folder / "blind-b").base_label == "BiLSTM blind"
    smooth, usual = weights(lesson={"smooth": 0.1}), weights(lesson={})
    assert [one.label for one in label_weights([smooth, smooth])] == ["scene2seq", "scene2seq"]
    assert [one.label for one in label_weights([smooth, usual])] == [
        "scene2seq (smooth 0.1)",
        "scene2seq (as usual)",
    ]


def test_the_best_drawer_is_chosen_by_what_its_training_set_aside(weights_folder: Path) -> None:
    def scored(name: str, similarity: float) -> WeightsFolder:
        weights = read_weights_folder(weights_folder / name)
        return replace(weights, card=replace(weights.card, scores={"similarity": similarity}))

    assert best_label([scored("bilstm-b", 2.0), scored("transformer-b", 3.0)]) == "transformer"
    assert best_label([scored("bilstm-b", 4.0), scored("transformer-b", 3.0)]) == "BiLSTM"
    assert best_label([scored("blind-b", 4.0)]) is None


def test_of_two_that_are_the_same_in_the_table_the_later_is_taken(
    weights_folder: Path, narrated_data: Path, tmp_path: Path
) -> None:
    copy = tmp_path / "copy"
    copy.mkdir()
    for file in (weights_folder / "bilstm-a").iterdir():
        (copy / file.name).write_bytes(file.read_bytes())
    found, notes = find_weights([weights_folder / "bilstm-a", copy])
    assert [one.folder for one in found] == [copy]
    assert "left out" in notes[0]
    with pytest.raises(Problem, match="no weights"):
        find_weights([narrated_data])


def test_weights_that_are_not_trained_to_their_end_are_named(weights_folder: Path, tmp_path: Path) -> None:
    weights = read_weights_folder(weights_folder / "bilstm-a")
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
    def games(*halves: str) -> Sequence[DrawnScenes]:
        return [DrawnScenes(half, pack_scene_batch([])) for half in halves]

    assert seed_spread(games("a", "b"), [1.0, 3.0]) is None
    assert seed_spread(games("a", "a", "b", "b"), [1.0, 2.0, 5.0, 6.0]) == pytest.approx(0.5**0.5)
