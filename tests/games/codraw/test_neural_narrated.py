"""Players that also learn from their own scenes as the `template` Teller tells them."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace
from tests.games.codraw import narrated as made

torch = pytest.importorskip(
    "torch", reason="torch is not installed: pip install 'groundling[train]' to run these"
)

from groundling.boards.scene import KINDS  # noqa: E402
from groundling.boards.scene.batches import LOOK, unpack_scenes  # noqa: E402
from groundling.cli import main  # noqa: E402
from groundling.core.values import Problem  # noqa: E402
from groundling.games.codraw.neural.dialog_pack import DialogPack, split_held_out  # noqa: E402
from groundling.games.codraw.neural.dialog_tensors import DialogTensors  # noqa: E402
from groundling.games.codraw.neural.drawer_trainer import select_dialogs, train_drawer  # noqa: E402
from groundling.games.codraw.neural.evaluation.weights_folders import read_weights_folder  # noqa: E402
from groundling.games.codraw.neural.jobs import Job  # noqa: E402
from groundling.games.codraw.neural.teller_generation import CAP  # noqa: E402
from groundling.games.codraw.neural.teller_trainer import train_teller  # noqa: E402
from groundling.games.codraw.neural.template_narration import narrate_dialogs  # noqa: E402
from groundling.games.codraw.neural.vocabulary import Vocabulary  # noqa: E402
from groundling.games.codraw.players.grammar.mention_finder import find_mentions  # noqa: E402
from groundling.games.codraw.players.grammar.tokenizer import tokenize_message as tokenize_message  # noqa: E402
from groundling.train.weights import load_weights  # noqa: E402

CPU = torch.device("cpu")
SMALL: dict[str, dict[str, Any]] = {
    "bilstm": {"word_size": 16, "hidden": 16},
    "transformer": {"width": 32, "heads": 2, "layers": 1, "deep": 2, "dropout": 0.0},
    "scene2seq": {"word_size": 16, "tag_size": 8, "hidden": 32, "heads": 2, "attention": 8, "longest": 260},
    "decoder": {"width": 16, "heads": 2, "layers": 2, "sees": 1, "dropout": 0.1, "longest": 260},
}


@pytest.fixture(scope="module")
def dialogs(tmp_path_factory: pytest.TempPathFactory) -> DialogPack:
    return made.packed(tmp_path_factory.mktemp("narrated"))


def job(model: str, steps: int = 6, **fields: Any) -> Job:
    plan = {"steps": steps, "every": 3, "warmup": 0, **fields.pop("plan", {})}
    chosen = {"half": "a", "narrated": True, "batch": 8, "settings": SMALL[model], **fields}
    return Job(name=model, model=model, plan=plan, **chosen)  # type: ignore[arg-type]


def train(dialogs: DialogPack, asked: Job, folder: Path, deadline: float | None = None) -> dict[str, Any]:
    folder.mkdir(exist_ok=True)
    learn = train_drawer if asked.model in ("bilstm", "transformer") else train_teller
    learn(dialogs, asked, folder, where=CPU, deadline=deadline)
    return load_weights(folder)[1]


def test_only_own_scenes_are_narrated_and_none_that_was_set_aside(dialogs: DialogPack) -> None:
    pack, mine, held = select_dialogs(dialogs, job("bilstm", seed=3))
    own, aside = split_held_out(dialogs.training_ids("a"), 3)
    assert held == aside
    assert mine[: len(own)] == own
    assert mine[len(own) :] == [f"{name} narrated" for name in own]
    row = {name: number for number, name in enumerate(pack.corpus.ids)}
    for name in own:
        assert np.array_equal(pack.corpus.targets[row[name]], pack.corpus.targets[row[f"{name} narrated"]])
    assert select_dialogs(dialogs, job("bilstm", seed=3, narrated=False))[1:] == (own, aside)


def test_after_each_message_what_it_tells_of_is_on_the_canvas_as_in_the_scene(dialogs: DialogPack) -> None:
    found = narrate_dialogs(dialogs.corpus, dialogs.training_ids("a"), 0)
    assert np.array_equal(found.final_canvases, found.targets)
    told, before = found.targets[found.dialog_numbers], found.canvases_before
    there, was = found.canvases[:, LOOK] >= 0, before[:, LOOK] >= 0
    assert (there >= was).all(), "nothing is taken away"
    assert np.array_equal(np.where(there[:, None], told, 0), np.where(there[:, None], found.canvases, 0))
    new = there & ~was
    assert new.any(1).mean() > 0.7
    for text, kinds in zip(found.teller, new, strict=True):
        _, named = find_mentions(tokenize_message(text))
        assert {KINDS[kind] for kind in np.flatnonzero(kinds)} <= {
            kind for one in named for kind in one.kinds
        }


def test_messages_are_parted_into_words_and_may_be_said(dialogs: DialogPack) -> None:
    found = narrate_dialogs(dialogs.corpus, dialogs.training_ids("all"), 0)
    assert max(map(len, found.teller)) <= CAP
    words = Vocabulary.from_messages(found.teller, least=1)
    assert all(word.isalnum() or len(word) == 1 for word in words.words[4:])
    again = [
        " ".join(words.words[number] for number in words.encode_message(text)[:-1]) for text in found.teller
    ]
    assert again == found.teller


def test_the_wording_is_the_seeds_alone(dialogs: DialogPack) -> None:
    ids = dialogs.training_ids("a")
    one, two, other = (narrate_dialogs(dialogs.corpus, ids, seed) for seed in (0, 0, 1))
    assert one.teller == two.teller != other.teller
    assert unpack_scenes(one.targets) == unpack_scenes(other.targets)
    few = narrate_dialogs(dialogs.corpus, ids[3:5], 0)
    assert few.teller == one.teller[one.starts[3] : one.starts[5]], (
        "and the scene's: it does not matter which others there are"
    )


def test_people_and_narrated_dialogs_are_turns_alike(dialogs: DialogPack) -> None:
    pack, mine, _ = select_dialogs(dialogs, job("bilstm"))
    found = DialogTensors(pack.corpus, mine, Vocabulary.from_messages(pack.corpus.teller), CPU)
    assert len(found) == len(mine)
    last = torch.from_numpy(found.last_turns(unaided=True))
    assert torch.equal(found.after[last[len(mine) // 2 :]], found.targets[len(mine) // 2 :])


@pytest.mark.parametrize("model", SMALL)
def test_the_same_seed_learns_the_same_stopped_or_not(
    model: str, dialogs: DialogPack, tmp_path: Path
) -> None:
    asked = job(model)
    through = train(dialogs, asked, tmp_path / "through")
    times = iter([*([0.0] * 5), *([10.0] * 3)])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(time, "monotonic", lambda: next(times, 10.0))
        train(dialogs, asked, tmp_path / "stopped", deadline=5.0)
    stopped = train(dialogs, asked, tmp_path / "stopped")
    assert all(torch.equal(value, stopped[name]) for name, value in through.items())
    without = train(dialogs, replace(asked, narrated=False), tmp_path / "without")
    assert any(
        value.shape != without[name].shape or not torch.equal(value, without[name])
        for name, value in through.items()
    )
    with pytest.raises(Problem, match="another plan"):
        train(dialogs, replace(asked, narrated=False), tmp_path / "stopped")


def test_the_card_and_the_label_say_so_and_what_was_seen_is_the_dialogs(
    dialogs: DialogPack, tmp_path: Path
) -> None:
    train(dialogs, job("bilstm"), tmp_path / "drawer")
    found = read_weights_folder(tmp_path / "drawer")
    assert (found.label, found.card.job["narrated"]) == ("BiLSTM narrated", True)
    assert found.card.seen == tuple(dialogs.training_ids("a"))


def test_who_starts_from_a_narrated_teller_is_called_so_and_hears_no_dialogs_itself(
    dialogs: DialogPack, tmp_path: Path
) -> None:
    drawers = []
    for name in ("one", "two"):
        train(dialogs, job("bilstm"), tmp_path / name)
        drawers.append(str(tmp_path / name))
    train(dialogs, job("decoder"), tmp_path / "teller")
    asked = job(
        "decoder",
        start=str(tmp_path / "teller"),
        drawers=tuple(drawers),
        narrated=False,
        lesson={"strict": 3.0, "bound": 0.3},
    )
    train(dialogs, asked, tmp_path / "played")
    assert (
        read_weights_folder(tmp_path / "played").label
        == "decoder narrated + RL with 2 Drawers within 0.3 nats"
    )
    with pytest.raises(Problem, match="--narrated"):
        train(dialogs, replace(asked, narrated=True), tmp_path / "other")


def test_it_is_an_option_of_both_trainings(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = made.folder(tmp_path / "data")
    for what, model in (("drawer", "bilstm"), ("teller", "scene2seq")):
        asked = [
            "train",
            f"codraw-{what}",
            "--model",
            model,
            "--narrated",
            "--data",
            str(data),
            "--half",
            "a",
            "--steps",
            "1",
        ]
        assert main([*asked, "-o", str(tmp_path / what)]) == 0, capsys.readouterr().err
        assert load_weights(tmp_path / what)[0].job["narrated"] is True
