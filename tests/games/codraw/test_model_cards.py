"""What a card says is what was done: it names the dialogs that were learned from and the code that was
trained with, and whatever would make it untrue is refused in one line."""

from __future__ import annotations

import json
import shutil
from itertools import product
from pathlib import Path
from types import SimpleNamespace

import pytest
from msgspec.structs import replace
from tests.games.codraw import narrated

torch = pytest.importorskip("torch", reason="torch is not installed: pip install '.[train]' to run these")

from papers.codraw.weights_folders import read_weights_folder  # noqa: E402
from tests.games.codraw.tiny_weights import TinyWeights, tiny_job, train  # noqa: E402

from groundling.cli import main  # noqa: E402
from groundling.core.values import Problem  # noqa: E402
from groundling.games.codraw.neural.dialog_pack import DialogPack  # noqa: E402
from groundling.games.codraw.neural.drawer_trainer import drawer_summary_line, select_dialogs  # noqa: E402
from groundling.games.codraw.neural.jobs import Job, JobOptions  # noqa: E402
from groundling.games.codraw.neural.model_factory import load_player_model, model_vocabulary  # noqa: E402
from groundling.train import training_loop  # noqa: E402
from groundling.train import weights as weights_module  # noqa: E402
from groundling.train.training_plan import CHECKPOINT_FILE  # noqa: E402
from groundling.train.weights import load_weights, read_weights_card, save_weights  # noqa: E402


@pytest.fixture
def trained(weights: TinyWeights) -> dict[str, Path]:
    """A Drawer of each half, and a Teller of half a."""
    return {"a": weights("bilstm"), "b": weights("bilstm", "b"), "teller": weights("scene2seq")}


def files(folder: Path) -> dict[str, tuple[int, bytes]]:
    return {file.name: (file.stat().st_mtime_ns, file.read_bytes()) for file in folder.iterdir()}


def test_a_folder_does_not_go_on_with_other_dialogs_of_the_same_data(
    dialogs: DialogPack, tmp_path: Path
) -> None:
    """Not even where the model is the same, since they have as many words."""

    def swapped(mine: str, other: str) -> DialogPack:
        paper = {
            name: [{mine: other, other: mine}.get(one, one) for one in ids]
            for name, ids in dialogs.splits["paper"].items()
        }
        return replace(dialogs, splits={**dialogs.splits, "paper": paper})

    def many(pack: DialogPack) -> int:
        return len(model_vocabulary(pack, select_dialogs(pack, tiny_job("bilstm"))[1]))

    pairs = product(dialogs.training_ids("a"), dialogs.training_ids("b"))
    others = next(pack for pack in (swapped(*pair) for pair in pairs) if many(pack) == many(dialogs))
    train(dialogs, tiny_job("bilstm"), tmp_path)
    with pytest.raises(Problem, match="another plan or other data: choose a new folder"):
        train(others, tiny_job("bilstm"), tmp_path)
    assert (
        set(read_weights_card(tmp_path).seen)
        == set(dialogs.training_ids("a"))
        != set(others.training_ids("a"))
    )


def test_what_is_finished_is_left_as_it_is_whatever_the_code_is_by_then(
    dialogs: DialogPack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    train(dialogs, tiny_job("bilstm"), tmp_path)
    before, card = files(tmp_path), read_weights_card(tmp_path)
    monkeypatch.setattr(weights_module, "weights_code_checksum", lambda: "other")
    assert train(dialogs, tiny_job("bilstm"), tmp_path) == card
    assert files(tmp_path) == before


def test_weights_that_are_lost_come_back_with_the_code_that_made_them(
    dialogs: DialogPack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    train(dialogs, tiny_job("bilstm"), tmp_path)
    before = {name: content for name, (_, content) in files(tmp_path).items()}
    (tmp_path / "weights.safetensors").unlink()
    monkeypatch.setattr(weights_module, "weights_code_checksum", lambda: "other")
    train(dialogs, tiny_job("bilstm"), tmp_path)
    assert {name: content for name, (_, content) in files(tmp_path).items()} == before


def test_another_drawer_at_the_same_place_is_another_training(
    dialogs: DialogPack, trained: dict[str, Path], tmp_path: Path
) -> None:
    out = tmp_path / "teller"
    shutil.copytree(trained["a"], tmp_path / "drawer")
    asked = tiny_job("scene2seq", drawers=(str(tmp_path / "drawer"),))
    train(dialogs, asked, out)
    before = files(out)
    shutil.rmtree(tmp_path / "drawer")
    train(dialogs, tiny_job("bilstm", seed=1), tmp_path / "drawer")
    with pytest.raises(Problem, match="another plan or other data"):
        train(dialogs, asked, out)
    assert files(out) == before


@pytest.mark.parametrize("start", [False, True])
def test_a_teller_takes_no_drawers_of_another_half(
    start: bool, dialogs: DialogPack, trained: dict[str, Path], tmp_path: Path
) -> None:
    asked = tiny_job("scene2seq", drawers=(str(trained["b"]),), start=str(trained["teller"]) if start else "")
    with pytest.raises(
        Problem, match="20 dialogs that are not of half a: give weights of the Teller's own half"
    ):
        train(dialogs, asked, tmp_path)
    assert not list(tmp_path.iterdir())


def test_who_learns_on_keeps_its_seed(dialogs: DialogPack, trained: dict[str, Path], tmp_path: Path) -> None:
    """By it a tenth is set aside, which with another would have been learned from."""
    asked = tiny_job("scene2seq", drawers=(str(trained["a"]),), start=str(trained["teller"]), seed=1)
    with pytest.raises(Problem, match="trained with seed 0, which sets the held-out tenth: use that seed"):
        train(dialogs, asked, tmp_path)


def test_what_was_cut_short_is_not_told_as_done(
    narrated_data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Not even where nothing was measured yet, and there are no weights."""
    monkeypatch.setattr(JobOptions, "deadline", property(lambda asked: 0.0))
    out = tmp_path / "out"
    words = ["--data", str(narrated_data), "--steps", "4", "--minutes", "1", "-o", str(out)]
    for trainer in ("codraw-drawer", "codraw-teller"):
        assert main(["train", trainer, *words]) == 0
        told = capsys.readouterr().out
        assert told.startswith(f"{out}: stopped after 0 of 4 steps: run the same command again to resume\n")
        assert "best" not in told
        assert not (out / "card.json").exists()
        shutil.rmtree(out)


def test_its_card_says_whether_it_was_finished(
    dialogs: DialogPack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 0.0
    monkeypatch.setattr(training_loop, "time", SimpleNamespace(monotonic=lambda: now))

    def told(what: str, done: int, of: int) -> None:
        nonlocal now
        now += 1

    asked = tiny_job("bilstm", plan={"steps": 6, "every": 2})
    card = train(dialogs, asked, tmp_path, deadline=3.0, told=told)
    assert drawer_summary_line(card) == "stopped after 3 of 6 steps: run the same command again to resume"
    assert (
        read_weights_card(tmp_path).finished,
        read_weights_card(tmp_path).done,
        read_weights_card(tmp_path).step,
    ) == (False, 3, 2)
    train(dialogs, asked, tmp_path, told=told)
    assert (read_weights_card(tmp_path).finished, read_weights_card(tmp_path).done) == (True, 6)
    seconds = [json.loads(line)["seconds"] for line in (tmp_path / "curve.jsonl").read_text().splitlines()]
    assert seconds == [1.0, 3.0, 5.0], "on going on, its time goes on"


def test_a_card_of_before_that_was_noted_is_read(trained: dict[str, Path], tmp_path: Path) -> None:
    shutil.copytree(trained["a"], tmp_path / "old")
    told = json.loads((trained["a"] / "card.json").read_text())
    del told["finished"], told["done"], told["code"]
    (tmp_path / "old" / "card.json").write_text(json.dumps(told))
    assert read_weights_card(tmp_path / "old").finished is None


@pytest.mark.parametrize("which", ["start", "drawers"])
def test_weights_to_learn_with_that_are_not_their_cards_are_reported_in_one_line(
    which: str, dialogs: DialogPack, trained: dict[str, Path], tmp_path: Path
) -> None:
    out = tmp_path / "out"
    named = {"start": trained["teller"], "drawers": trained["a"]}
    shutil.copytree(named[which], tmp_path / "copy")
    card, state, _ = load_weights(tmp_path / "copy")
    save_weights(tmp_path / "copy", state, replace(card, settings={**card.settings, "hidden": 64}))
    named[which] = tmp_path / "copy"
    asked = tiny_job("scene2seq", start=str(named["start"]), drawers=(str(named["drawers"]),))
    with pytest.raises(
        Problem, match="do not match its card, or were made by an older groundling: copy"
    ) as trouble:
        train(dialogs, asked, out)
    assert "\n" not in str(trouble.value)


def test_a_drawer_is_no_start_and_a_teller_no_drawer(
    dialogs: DialogPack, trained: dict[str, Path], tmp_path: Path
) -> None:
    teller, drawer = str(trained["teller"]), str(trained["a"])
    for start, partner, told in (
        (drawer, drawer, "a Teller is needed"),
        (teller, teller, "a Drawer is needed"),
    ):
        with pytest.raises(Problem, match=told):
            train(dialogs, tiny_job("scene2seq", start=start, drawers=(partner,)), tmp_path)


def test_weights_under_the_card_of_others_are_refused(trained: dict[str, Path], tmp_path: Path) -> None:
    """Even where they would fit: who learned from half b is not who the card says."""
    shutil.copytree(trained["a"], tmp_path / "mixed")
    told = json.loads((trained["a"] / "card.json").read_text()) | {
        "half": "b",
        "seen": read_weights_card(trained["b"]).seen,
    }
    (tmp_path / "mixed" / "card.json").write_text(json.dumps(told))
    for look in (load_weights, read_weights_folder):
        with pytest.raises(Problem, match="do not match its card"):
            look(tmp_path / "mixed")


FOLDERS = sorted((Path(__file__).parents[3] / "weights").glob("*/"))


@pytest.mark.parametrize(
    "folder",
    [folder for folder in FOLDERS if not folder.name.startswith("hexagons-")],
    ids=lambda folder: folder.name,
)
def test_the_players_that_come_with_the_code_are_those_of_their_cards(folder: Path) -> None:
    model, card, _ = load_player_model(folder)
    assert card.words
    assert model.settings.words == len(card.words)


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        (tiny_job("scene2seq", plan={"step": 2}), "the plan of scene2seq is not valid: .*`step`"),
        (tiny_job("scene2seq", settings={"hiden": 2}), "the settings of scene2seq .*`hiden`"),
        (tiny_job("scene2seq", lesson={"auks": 2}), "the lesson of scene2seq .*`auks`"),
        (tiny_job("scene2seq", lesson={"aux": "much"}), "the lesson of scene2seq .*float"),
        (tiny_job("transformer", plan={"step": 2}), "the plan of transformer .*`step`"),
        (tiny_job("transformer", settings={"wide": 2}), "the settings of transformer .*`wide`"),
        (tiny_job("transformer", lesson={"mirrors": 2}), "the lesson of transformer .*`mirrors`"),
    ],
)
def test_names_that_are_misspelt_are_reported(
    asked: Job, told: str, dialogs: DialogPack, tmp_path: Path
) -> None:
    with pytest.raises(Problem, match=told):
        train(dialogs, asked, tmp_path)
    assert not list(tmp_path.iterdir())


def test_what_is_told_is_the_model_that_learned_on(
    trained: dict[str, Path], narrated_data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["train", "codraw-teller", "--data", str(narrated_data), "--half", "a"]
    words += ["--model", "decoder", "--steps", "1", "--every", "1"]
    words += ["--start", str(trained["teller"]), "--drawers", str(trained["a"])]
    assert main([*words, "-o", str(tmp_path / "out")]) == 0
    assert f"{tmp_path / 'out'}: scene2seq, half a" in capsys.readouterr().out
    assert main([*words, "--grouped", "-o", str(tmp_path / "other")]) == 2
    assert "was trained on half a: use that half, not grouped a" in capsys.readouterr().err


def test_ctrl_c_promises_no_checkpoint_that_is_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    data, out = narrated.folder(tmp_path / "data", 8, 1), tmp_path / "out"

    def stop(*given: object, **others: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("groundling.games.codraw.neural.drawer_trainer.train_task", stop)
    words = ["train", "codraw-drawer", "--data", str(data), "-o", str(out)]
    assert main(words) == 130
    assert capsys.readouterr().err == "stopped; the same command starts over: no checkpoint yet\n"
    (out / CHECKPOINT_FILE).touch()
    assert main(words) == 130
    assert capsys.readouterr().err == "stopped; the same command resumes from its last checkpoint\n"


def test_older_drawers_with_an_unused_canvas_input_still_load(weights: TinyWeights, tmp_path: Path) -> None:
    card, state, _ = load_weights(weights("transformer"))
    older = {**state, "seen.weight": torch.zeros(16, 20), "seen.bias": torch.zeros(16)}
    save_weights(tmp_path, older, replace(card, settings={**card.settings, "looks": False}))
    model, _, _ = load_player_model(tmp_path)
    loaded = model.state_dict()
    assert loaded.keys() == state.keys()
    assert all(torch.allclose(value, state[name], rtol=1e-2) for name, value in loaded.items())
    save_weights(tmp_path, older, replace(card, settings={**card.settings, "looks": True}))
    with pytest.raises(Problem, match="by an older groundling"):
        load_player_model(tmp_path)
