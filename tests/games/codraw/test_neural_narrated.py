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
from groundling.boards.scene.packed import LOOK, unpack  # noqa: E402
from groundling.cli import main  # noqa: E402
from groundling.core.values import Problem  # noqa: E402
from groundling.games.codraw.neural.dialogs import Dialogs  # noqa: E402
from groundling.games.codraw.neural.jobs import Job  # noqa: E402
from groundling.games.codraw.neural.learn import to_learn, train_drawer  # noqa: E402
from groundling.games.codraw.neural.learn_teller import train_teller  # noqa: E402
from groundling.games.codraw.neural.narrating import narrated  # noqa: E402
from groundling.games.codraw.neural.packing import Pack, set_aside  # noqa: E402
from groundling.games.codraw.neural.saying import CAP  # noqa: E402
from groundling.games.codraw.neural.table.cast import read  # noqa: E402
from groundling.games.codraw.neural.words import Vocabulary  # noqa: E402
from groundling.games.codraw.players.grammar.names import mentions  # noqa: E402
from groundling.games.codraw.players.grammar.text import words as tokens  # noqa: E402
from groundling.train.weights import load_weights  # noqa: E402

CPU = torch.device("cpu")
SMALL: dict[str, dict[str, Any]] = {
    "bilstm": {"word_size": 16, "hidden": 16},
    "transformer": {"width": 32, "heads": 2, "layers": 1, "deep": 2, "dropout": 0.0},
    "scene2seq": {"word_size": 16, "tag_size": 8, "hidden": 32, "heads": 2, "attention": 8, "longest": 260},
    "decoder": {"width": 16, "heads": 2, "layers": 2, "sees": 1, "dropout": 0.1, "longest": 260},
}


@pytest.fixture(scope="module")
def dialogs(tmp_path_factory: pytest.TempPathFactory) -> Pack:
    return made.packed(tmp_path_factory.mktemp("narrated"))


def job(model: str, steps: int = 6, **fields: Any) -> Job:
    plan = {"steps": steps, "every": 3, "warmup": 0, **fields.pop("plan", {})}
    chosen = {"half": "a", "narrated": True, "batch": 8, "settings": SMALL[model], **fields}
    return Job(name=model, model=model, plan=plan, **chosen)  # type: ignore[arg-type]


def train(dialogs: Pack, asked: Job, folder: Path, deadline: float | None = None) -> dict[str, Any]:
    folder.mkdir(exist_ok=True)
    learn = train_drawer if asked.model in ("bilstm", "transformer") else train_teller
    learn(dialogs, asked, folder, where=CPU, deadline=deadline)
    return load_weights(folder)[1]


def test_only_own_scenes_are_narrated_and_none_that_was_set_aside(dialogs: Pack) -> None:
    pack, mine, held = to_learn(dialogs, job("bilstm", seed=3))
    own, aside = set_aside(dialogs.half("a"), 3)
    assert held == aside
    assert mine[: len(own)] == own
    assert mine[len(own) :] == [f"{name} narrated" for name in own]
    row = {name: number for number, name in enumerate(pack.corpus.ids)}
    for name in own:
        assert np.array_equal(pack.corpus.targets[row[name]], pack.corpus.targets[row[f"{name} narrated"]])
    assert to_learn(dialogs, job("bilstm", seed=3, narrated=False))[1:] == (own, aside)


def test_after_each_message_what_it_tells_of_is_on_the_canvas_as_in_the_scene(dialogs: Pack) -> None:
    found = narrated(dialogs.corpus, dialogs.half("a"), 0)
    assert np.array_equal(found.finals, found.targets)
    told, before = found.targets[found.dialog], found.befores
    there, was = found.canvases[:, LOOK] >= 0, before[:, LOOK] >= 0
    assert (there >= was).all(), "nothing is taken away"
    assert np.array_equal(np.where(there[:, None], told, 0), np.where(there[:, None], found.canvases, 0))
    new = there & ~was
    assert new.any(1).mean() > 0.7
    for text, kinds in zip(found.teller, new, strict=True):
        _, named = mentions(tokens(text))
        assert {KINDS[kind] for kind in np.flatnonzero(kinds)} <= {
            kind for one in named for kind in one.kinds
        }


def test_messages_are_parted_into_words_and_may_be_said(dialogs: Pack) -> None:
    found = narrated(dialogs.corpus, dialogs.half("all"), 0)
    assert max(map(len, found.teller)) <= CAP
    words = Vocabulary.of(found.teller, least=1)
    assert all(word.isalnum() or len(word) == 1 for word in words.words[4:])
    again = [" ".join(words.words[number] for number in words.message(text)[:-1]) for text in found.teller]
    assert again == found.teller


def test_the_wording_is_the_seeds_alone(dialogs: Pack) -> None:
    ids = dialogs.half("a")
    one, two, other = (narrated(dialogs.corpus, ids, seed) for seed in (0, 0, 1))
    assert one.teller == two.teller != other.teller
    assert unpack(one.targets) == unpack(other.targets)
    few = narrated(dialogs.corpus, ids[3:5], 0)
    assert few.teller == one.teller[one.starts[3] : one.starts[5]], (
        "and the scene's: it does not matter which others there are"
    )


def test_people_and_narrated_dialogs_are_turns_alike(dialogs: Pack) -> None:
    pack, mine, _ = to_learn(dialogs, job("bilstm"))
    found = Dialogs(pack.corpus, mine, Vocabulary.of(pack.corpus.teller), CPU)
    assert len(found) == len(mine)
    last = torch.from_numpy(found.last(unaided=True))
    assert torch.equal(found.after[last[len(mine) // 2 :]], found.targets[len(mine) // 2 :])


@pytest.mark.parametrize("model", SMALL)
def test_the_same_seed_learns_the_same_stopped_or_not(model: str, dialogs: Pack, tmp_path: Path) -> None:
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
    dialogs: Pack, tmp_path: Path
) -> None:
    train(dialogs, job("bilstm"), tmp_path / "drawer")
    found = read(tmp_path / "drawer")
    assert (found.label, found.card.job["narrated"]) == ("BiLSTM narrated", True)
    assert found.card.seen == tuple(dialogs.half("a"))


def test_who_starts_from_a_narrated_teller_is_called_so_and_hears_no_dialogs_itself(
    dialogs: Pack, tmp_path: Path
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
    assert read(tmp_path / "played").label == "decoder narrated + RL with 2 Drawers within 0.3 nats"
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
