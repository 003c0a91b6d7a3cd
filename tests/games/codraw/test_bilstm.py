"""The paper's Drawer learns what people added, and only that, each part at its price."""

from __future__ import annotations

from math import ceil, log
from pathlib import Path

import pytest
from msgspec.structs import replace

torch = pytest.importorskip("torch", reason="torch is not installed: pip install '.[train]' to run these")

from tests.games.codraw.tiny_weights import tiny_job, train  # noqa: E402

from groundling.boards.scene.batches import LOOK  # noqa: E402
from groundling.games.codraw.neural.bilstm import (  # noqa: E402
    BilstmDrawer,
    BilstmLesson,
    BilstmSettings,
    BilstmTask,
    bilstm_learned_turns,
)
from groundling.games.codraw.neural.dialog_pack import DialogPack  # noqa: E402
from groundling.games.codraw.neural.dialog_tensors import DialogTensors  # noqa: E402
from groundling.games.codraw.neural.drawer_trainer import select_dialogs  # noqa: E402
from groundling.games.codraw.neural.scene_tensors import (  # noqa: E402
    FIGURE_COUNT,
    KIND_COUNT,
    person_tensor_mask,
    split_scene_tensors,
)
from groundling.games.codraw.neural.vocabulary import Vocabulary  # noqa: E402

CPU = torch.device("cpu")


@pytest.fixture(scope="module")
def learned(dialogs: DialogPack) -> DialogTensors:
    words = Vocabulary.from_messages(dialogs.corpus.teller)
    return DialogTensors(dialogs.corpus, dialogs.training_ids("all"), words, CPU)


def undecided(learned: DialogTensors) -> BilstmDrawer:
    """Who gives nought for everything."""
    drawer = BilstmDrawer(BilstmSettings(words=len(learned.words), word_size=8, hidden=8))
    torch.nn.init.zeros_(drawer.out.weight)
    torch.nn.init.zeros_(drawer.out.bias)
    return drawer


def test_what_it_costs_to_know_nothing(learned: DialogTensors) -> None:
    task = BilstmTask(undecided(learned), learned, learned, 16, 0, BilstmLesson())
    turns = task.turns[task.order.batch_at(0)]
    after, before = split_scene_tensors(learned.after[turns]), learned.before[turns]
    new = after.there & (before[:, LOOK] < 0)
    many, persons = int(new.sum()), int((new & person_tensor_mask(new)).sum())
    assert many > len(turns) > 0
    total, parts = task.loss(0)
    each = {
        "kinds": (KIND_COUNT * len(turns) + 2 * many) * log(2),  # a kind that was added counts three times
        "places": ((after.xy - 1) ** 2).sum(-1)[new].sum().item(),  # nought is the lower right corner
        "figures": persons * log(FIGURE_COUNT),
        "sizes": many * log(3),
        "flips": many * log(2),
    }
    assert {name: part.item() for name, part in parts.items()} == pytest.approx(
        {name: lost / len(turns) for name, lost in each.items()}, rel=1e-5
    )
    assert total.item() == pytest.approx(sum(each.values()) / len(turns), rel=1e-5)


def test_turns_in_which_nothing_is_added_teach_nothing(learned: DialogTensors) -> None:
    idle = len(learned.end) - 1
    kept = learned.after[idle].clone()
    learned.after[idle] = learned.before[idle]
    try:
        assert idle not in bilstm_learned_turns(learned)
    finally:
        learned.after[idle] = kept


def test_places_stay_within_reach_and_what_is_there_is_not_drawn_again(learned: DialogTensors) -> None:
    drawer = undecided(learned).eval()
    with torch.no_grad():
        drawer.out.bias.fill_(1000.0)
        turns = learned.last_turns()
        before = learned.before[turns]
        drawn = drawer.draw_canvas(learned.message_words(turns), before)
        _, xy, *_ = drawer(learned.message_words(turns), before)
    assert xy.max().item() <= 2.0
    there = before[:, LOOK] >= 0
    assert torch.equal(drawn.transpose(1, 2)[there], before.transpose(1, 2)[there])
    assert (drawn[:, LOOK] >= 0).all()


def test_an_epoch_is_as_many_steps_as_there_are_turns_to_learn_from(
    dialogs: DialogPack, tmp_path: Path
) -> None:
    job = replace(tiny_job("bilstm", batch=4, epochs=2), plan={})
    card = train(dialogs, job, tmp_path)
    words = Vocabulary.from_messages(dialogs.corpus.teller)
    mine = DialogTensors(dialogs.corpus, select_dialogs(dialogs, job)[1], words, CPU)
    many = len(bilstm_learned_turns(mine))
    assert (card.plan.steps, card.plan.every) == (ceil(2 * many / 4), ceil(many / 4))
