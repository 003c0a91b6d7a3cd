"""Players that also learn from their own scenes as the `template` Teller tells them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

torch = pytest.importorskip("torch", reason="torch is not installed: pip install '.[train]' to run these")

from papers.codraw.weights_folders import read_weights_folder  # noqa: E402
from tests.games.codraw.tiny_weights import TinyWeights, tiny_job, train  # noqa: E402

from groundling.boards.scene import KINDS  # noqa: E402
from groundling.boards.scene.batches import LOOK, unpack_scene_batch  # noqa: E402
from groundling.cli import main  # noqa: E402
from groundling.core.values import Problem  # noqa: E402
from groundling.games.codraw.neural.dialog_pack import DialogPack, split_packed_dialogs  # noqa: E402
from groundling.games.codraw.neural.dialog_tensors import DialogTensors  # noqa: E402
from groundling.games.codraw.neural.drawer_trainer import select_dialogs  # noqa: E402
from groundling.games.codraw.neural.teller_generation import CAP  # noqa: E402
from groundling.games.codraw.neural.template_narration import narrate_dialogs  # noqa: E402
from groundling.games.codraw.neural.vocabulary import Vocabulary  # noqa: E402
from groundling.games.codraw.players.grammar.mention_finder import find_mentions  # noqa: E402
from groundling.games.codraw.players.grammar.tokenizer import tokenize_message  # noqa: E402
from groundling.train.weights import read_weights_card  # noqa: E402

CPU = torch.device("cpu")


def test_only_own_scenes_are_narrated_and_none_that_was_set_aside(dialogs: DialogPack) -> None:
    pack, mine, held = select_dialogs(dialogs, tiny_job("bilstm", seed=3, narrated=True))
    own, aside = split_packed_dialogs(dialogs.training_ids("a"), 3)
    assert held == aside
    assert mine[: len(own)] == own
    assert mine[len(own) :] == [f"{name} narrated" for name in own]
    row = {name: number for number, name in enumerate(pack.corpus.ids)}
    for name in own:
        assert np.array_equal(pack.corpus.targets[row[name]], pack.corpus.targets[row[f"{name} narrated"]])
    assert select_dialogs(dialogs, tiny_job("bilstm", seed=3))[1:] == (own, aside)


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


def test_messages_are_separated_into_words_and_may_be_said(dialogs: DialogPack) -> None:
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
    assert unpack_scene_batch(one.targets) == unpack_scene_batch(other.targets)
    few = narrate_dialogs(dialogs.corpus, ids[3:5], 0)
    assert few.teller == one.teller[one.starts[3] : one.starts[5]], (
        "and the scene's: it does not matter which others there are"
    )


def test_people_and_narrated_dialogs_are_turns_alike(dialogs: DialogPack) -> None:
    pack, mine, _ = select_dialogs(dialogs, tiny_job("bilstm", narrated=True))
    found = DialogTensors(pack.corpus, mine, Vocabulary.from_messages(pack.corpus.teller), CPU)
    assert len(found) == len(mine)
    last = torch.from_numpy(found.last_turns(unaided=True))
    assert torch.equal(found.after[last[len(mine) // 2 :]], found.targets[len(mine) // 2 :])


def test_the_card_and_the_label_say_so_and_what_was_seen_is_the_dialogs(
    dialogs: DialogPack, weights: TinyWeights
) -> None:
    found = read_weights_folder(weights("bilstm", narrated=True))
    assert (found.label, found.card.job["narrated"]) == ("BiLSTM narrated", True)
    assert found.card.seen == tuple(dialogs.training_ids("a"))


def test_a_teller_that_starts_from_a_narrated_one_is_called_so_and_hears_no_dialogs_itself(
    dialogs: DialogPack, weights: TinyWeights, tmp_path: Path
) -> None:
    drawers = tuple(str(weights("bilstm", seed=seed)) for seed in (0, 1))
    start = str(weights("decoder", narrated=True))
    asked = tiny_job("decoder", start=start, drawers=drawers, lesson={"strict": 3.0, "bound": 0.3})
    train(dialogs, asked, tmp_path / "played")
    assert (
        read_weights_folder(tmp_path / "played").label
        == "decoder narrated + RL with 2 Drawers within 0.3 nats"
    )
    with pytest.raises(Problem, match="--narrated"):
        train(dialogs, replace(asked, narrated=True), tmp_path / "other")


@pytest.mark.slow
@pytest.mark.parametrize(("player", "model"), [("drawer", "bilstm"), ("teller", "scene2seq")])
def test_it_is_an_option_of_both_trainings(
    player: str, model: str, narrated_data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--model", model, "--narrated", "--data", str(narrated_data), "--half", "a", "--steps", "1"]
    assert main(["train", f"codraw-{player}", *words, "-o", str(tmp_path)]) == 0, capsys.readouterr().err
    assert read_weights_card(tmp_path).job["narrated"] is True
