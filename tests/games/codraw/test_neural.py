"""Players that learn: what they learn from, that they learn, and that Drawers play by the rules."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from msgspec.structs import replace
from tests.boards.scenes import scenes

torch = pytest.importorskip("torch", reason="torch is not installed: pip install '.[train]' to run these")

from tests.games.codraw.tiny_weights import DRAWERS, TINY, TinyWeights, tiny_job, train  # noqa: E402

from groundling.boards.scene import KINDS, Scene  # noqa: E402
from groundling.boards.scene.batches import pack_scene_batch, unpack_scene_batch  # noqa: E402
from groundling.core.pack import Seat, find, load  # noqa: E402
from groundling.core.player import Ask  # noqa: E402
from groundling.core.values import Problem  # noqa: E402
from groundling.games.codraw import score  # noqa: E402
from groundling.games.codraw.neural.dialog_pack import (  # noqa: E402
    DialogPack,
    load_dialog_pack,
    save_dialog_pack,
    split_packed_dialogs,
)
from groundling.games.codraw.neural.dialog_tensors import BatchOrder, DialogTensors  # noqa: E402
from groundling.games.codraw.neural.scene_choice import choose_scenes  # noqa: E402
from groundling.games.codraw.neural.scene_tensors import (  # noqa: E402
    join_scene_tensors,
    mirror_scene_tensors,
    split_scene_tensors,
    tensor_similarities,
)
from groundling.games.codraw.neural.trained_players import WeightsDrawer  # noqa: E402
from groundling.games.codraw.neural.vocabulary import END, UNKNOWN, Vocabulary  # noqa: E402
from groundling.games.codraw.rules import DrawerView, SpokenMessage  # noqa: E402
from groundling.runs.session import new_session_plan, prepare_session  # noqa: E402
from groundling.train.weights import load_weights, read_weights_card, round_weights, save_weights  # noqa: E402

CPU = torch.device("cpu")
PLAIN: dict[str, dict[str, Any]] = {
    "bilstm": {},
    "transformer": {"unknown": 0.0, "mirror": 0.0},
    "scene2seq": {"aux": 6.0, "mirror": 0.0},
    "decoder": {"aux": 6.0, "mirror": 0.0},
}


def curve(folder: Path) -> list[dict[str, float]]:
    return msgspec.json.Decoder(dict[str, float]).decode_lines((folder / "curve.jsonl").read_bytes())


@given(scenes(8), scenes(8))
def test_similarity_in_torch_is_the_similarity(one: Scene, other: Scene) -> None:
    batch = [torch.from_numpy(pack_scene_batch([scene])) for scene in (one, other)]
    assert tensor_similarities(*batch).item() == pytest.approx(score.similarity(one, other), abs=1e-5)


@given(scenes(8))
def test_a_scene_seen_twice_in_the_mirror_is_itself(scene: Scene) -> None:
    batch = torch.from_numpy(pack_scene_batch([scene]))
    turned = mirror_scene_tensors(batch)
    assert torch.equal(mirror_scene_tensors(turned), batch)
    assert torch.equal(join_scene_tensors(split_scene_tensors(turned)), turned)
    assert [piece.flip for piece in unpack_scene_batch(turned.numpy())[0].pieces] == [
        not piece.flip for piece in scene.pieces
    ]


@settings(max_examples=10)
@given(scenes(8))
def test_who_is_sure_draws_what_it_is_sure_of(scene: Scene) -> None:
    seen = split_scene_tensors(torch.from_numpy(pack_scene_batch([scene])))
    one_hot = torch.nn.functional.one_hot
    sure = (one_hot(seen.size, 3), one_hot(seen.flip, 2), one_hot(seen.pose, 7), one_hot(seen.expression, 5))
    there = seen.there.float()
    assert unpack_scene_batch(
        choose_scenes(there, there, seen.xy, *(part.float() for part in sure)).numpy()
    ) == [scene]


def test_left_and_right_are_exchanged_in_the_mirror_and_nothing_else() -> None:
    words = Vocabulary.from_messages(["sun left sun", "tree right tree left right"])
    turned = words.mirror_index()
    assert words.words[turned[words.word_index["left"]]] == "right"
    assert words.words[turned[words.word_index["right"]]] == "left"
    assert sum(number != place for place, number in enumerate(turned)) == 2


def test_words_are_known_however_they_are_written_together() -> None:
    words = Vocabulary.from_messages(["there 's a sun , it is n't small ."] * 2)
    assert words.encode_message("There's a sun, it isn't small.") == words.encode_message(
        "there 's a sun , it is n't small ."
    )
    assert words.encode_message("moon") == [UNKNOWN, END]


def test_the_pack_is_read_as_it_was_written(dialogs: DialogPack, tmp_path: Path) -> None:
    save_dialog_pack(dialogs, tmp_path / "pack.npz")
    again = load_dialog_pack(tmp_path / "pack.npz")
    assert (again.splits, again.data, again.corpus.ids) == (dialogs.splits, dialogs.data, dialogs.corpus.ids)
    assert np.array_equal(again.corpus.canvases, dialogs.corpus.canvases)


def test_a_tenth_is_set_aside_and_the_halves_share_nothing(dialogs: DialogPack) -> None:
    halves = [dialogs.training_ids(half) for half in "ab"]
    assert not set(halves[0]) & set(halves[1])
    assert dialogs.training_ids("all") == sorted(halves[0] + halves[1])
    learned, held = split_packed_dialogs(halves[0], 3)
    assert (len(held), sorted(learned + held)) == (2, halves[0])
    assert split_packed_dialogs(halves[0], 4) != (learned, held)


def test_what_was_heard_is_a_slice_of_all_that_was_said(dialogs: DialogPack) -> None:
    corpus = dialogs.corpus
    words = Vocabulary.from_messages(corpus.teller)
    found = DialogTensors(corpus, dialogs.training_ids("a"), words, CPU)
    row = corpus.ids.index(found.ids[1])
    said = corpus.teller[corpus.starts[row] : corpus.starts[row + 1]]
    turn = found.last_turns()[1:2]
    whole = [2, *(number for message in said for number in words.encode_message(message))]
    assert found.words_so_far(turn, 1000)[0].tolist() == whole
    assert found.words_so_far(turn, 5)[0].tolist() == whole[-5:]
    assert found.message_words(turn)[0].tolist() == words.encode_message(said[-1])
    assert torch.equal(found.after[turn], found.targets[1:2]), "in the end all is drawn"


def test_everything_is_learned_from_once_before_anything_again() -> None:
    order = BatchOrder(10, 4, seed=1)
    first = np.concatenate([order.batch_at(step) for step in range(5)])
    assert sorted(first[:10]) == sorted(first[10:]) == list(range(10))


@pytest.mark.slow
@pytest.mark.parametrize("model", TINY)
def test_a_player_learns(model: str, dialogs: DialogPack, tmp_path: Path) -> None:
    plan = {"steps": 100, "every": 20, "rate": 1e-2}
    train(dialogs, tiny_job(model, plan=plan, lesson=PLAIN[model]), tmp_path)
    lost = [point["loss"] for point in curve(tmp_path)]
    assert lost[-1] < 0.9 * lost[0]


@pytest.mark.parametrize("model", TINY)
def test_a_training_that_was_stopped_continues_as_if_it_had_not_been(
    model: str, dialogs: DialogPack, tmp_path: Path
) -> None:
    through, stopped = tmp_path / "through", tmp_path / "stopped"
    asked = tiny_job(model, narrated=model == "decoder", plan={"steps": 6, "every": 2, "average": 0.9})
    train(dialogs, asked, through)
    times = iter([*([0.0] * 5), *([10.0] * 3)])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(time, "monotonic", lambda: next(times, 10.0))
        train(dialogs, asked, stopped, deadline=5.0)
    assert 0 < len(curve(stopped)) < len(curve(through))
    train(dialogs, asked, stopped)
    one, two = (load_weights(folder)[1] for folder in (through, stopped))
    assert all(torch.equal(one[name], two[name]) for name in one)
    assert [point["loss"] for point in curve(through)] == [point["loss"] for point in curve(stopped)]
    for other in ({"plan": {**asked.plan, "steps": 7}}, {"narrated": not asked.narrated}):
        with pytest.raises(Problem, match="another plan"):
            train(dialogs, replace(asked, **other), stopped)


@pytest.mark.parametrize("model", DRAWERS)
def test_trained_weights_play_by_the_rules_and_say_what_they_learned_from(
    model: str, dialogs: DialogPack, weights: TinyWeights, tmp_path: Path
) -> None:
    codraw, folder = find("codraw"), weights(model)
    for palette in ("full", "twenty"):
        rules = codraw.new().settings
        plan = new_session_plan(
            codraw,
            load(codraw.builtin)(),
            3,
            settings=replace(rules, palette=palette),
            source="built in",
            seats={"teller": "template", "drawer": f"weights:{folder}"},
        )
        session = prepare_session(codraw, plan, tmp_path / palette)
        session.play_missing(jobs=3)
        assert session.read_summary().played == 3
        learned = session.players["drawer"].info.learned_from  # type: ignore[attr-defined]
        assert learned == frozenset(read_weights_card(folder).seen) == frozenset(dialogs.training_ids("a"))
    with pytest.raises(Problem, match="Drawer"):
        prepare_session(
            codraw, replace(plan, seats={"teller": f"weights:{folder}", "drawer": "random"}), tmp_path / "no"
        )


def test_a_blind_drawer_draws_the_same_whatever_is_said(weights: TinyWeights) -> None:
    player = find("codraw").players["weights"]
    folder = str(weights("transformer", blind=True))
    drawer: WeightsDrawer = load(player)(
        Seat(find("codraw"), find("codraw").new(), "drawer", "weights", folder)
    )  # type: ignore[assignment]
    views = [
        DrawerView(KINDS, Scene(), (SpokenMessage("teller", text),), False, 140, True)
        for text in ("a sun", "two dogs , left")
    ]
    replies = [asyncio.run(drawer.act(Ask("one", "drawer", view, (), None, 0))) for view in views]
    assert replies[0] == replies[1]


def test_weights_in_bytes_are_nearly_the_weights(weights: TinyWeights, tmp_path: Path) -> None:
    card = read_weights_card(weights("transformer"))
    state = {"matrix": torch.randn(20, 30), "row": torch.randn(30), "count": torch.tensor(3)}
    for each in (1, 2):
        save_weights(tmp_path, state, card, bytes_each=each)
        again = load_weights(tmp_path)[1]
        assert all(torch.equal(again[name], round_weights(state, bytes_each=each)[name]) for name in state)
        assert (again["matrix"] - state["matrix"]).abs().max() < 0.02


def test_a_training_whose_loss_is_no_number_ends_there(dialogs: DialogPack, tmp_path: Path) -> None:
    with pytest.raises(Problem, match="no longer a number"):
        train(dialogs, tiny_job("bilstm", plan={"steps": 12, "rate": 1e30}), tmp_path)
