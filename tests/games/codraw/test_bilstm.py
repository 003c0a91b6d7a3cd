"""The paper's Drawer learns what people added, and only that, each part at its price."""

from __future__ import annotations

from math import ceil, log
from pathlib import Path

import numpy as np
import pytest
from tests.games.codraw import narrated

torch = pytest.importorskip(
    "torch", reason="torch is not installed: pip install 'groundling[train]' to run these"
)

from groundling.boards.scene.packed import LOOK  # noqa: E402
from groundling.games.codraw.neural.bilstm import (  # noqa: E402
    AddLesson,
    BilstmDrawer,
    BilstmSettings,
    BilstmTask,
    turns_to_learn,
)
from groundling.games.codraw.neural.dialogs import Dialogs  # noqa: E402
from groundling.games.codraw.neural.jobs import Job  # noqa: E402
from groundling.games.codraw.neural.learn import to_learn, train_drawer  # noqa: E402
from groundling.games.codraw.neural.scenes import FIGURES, MANY, people, shown  # noqa: E402
from groundling.games.codraw.neural.words import Vocabulary  # noqa: E402

CPU = torch.device("cpu")


@pytest.fixture(scope="module")
def learned(tmp_path_factory: pytest.TempPathFactory) -> Dialogs:
    pack = narrated.packed(tmp_path_factory.mktemp("narrated"))
    return Dialogs(pack.corpus, pack.half("all"), Vocabulary.of(pack.corpus.teller), CPU)


def undecided(learned: Dialogs) -> BilstmDrawer:
    """Who gives nought for everything."""
    drawer = BilstmDrawer(BilstmSettings(words=len(learned.words), word_size=8, hidden=8))
    torch.nn.init.zeros_(drawer.out.weight)
    torch.nn.init.zeros_(drawer.out.bias)
    return drawer


def test_what_it_costs_to_know_nothing(learned: Dialogs) -> None:
    task = BilstmTask(undecided(learned), learned, learned, 16, 0, AddLesson())
    turns = task.turns[task.order.at(0)]
    after, before = shown(learned.after[turns]), learned.before[turns]
    new = after.there & (before[:, LOOK] < 0)
    many, persons = int(new.sum()), int((new & people(new)).sum())
    assert many > len(turns) > 0
    total, parts = task.loss(0)
    each = {
        "kinds": (MANY * len(turns) + 2 * many) * log(2),  # a kind that was added counts three times
        "places": ((after.xy - 1) ** 2).sum(-1)[new].sum().item(),  # nought is the lower right corner
        "figures": persons * log(FIGURES),
        "sizes": many * log(3),
        "flips": many * log(2),
    }
    assert {name: part.item() for name, part in parts.items()} == pytest.approx(
        {name: lost / len(turns) for name, lost in each.items()}, rel=1e-5
    )
    assert total.item() == pytest.approx(sum(each.values()) / len(turns), rel=1e-5)


def test_turns_in_which_nothing_is_added_teach_only_where_that_is_wanted(learned: Dialogs) -> None:
    idle = learned.turns - 1
    kept = learned.after[idle].clone()
    learned.after[idle] = learned.before[idle]
    try:
        assert idle not in turns_to_learn(learned, AddLesson())
        assert np.array_equal(turns_to_learn(learned, AddLesson(idle=True)), np.arange(learned.turns))
    finally:
        learned.after[idle] = kept


def test_places_stay_within_reach_and_what_is_there_is_not_drawn_again(learned: Dialogs) -> None:
    drawer = undecided(learned).eval()
    with torch.no_grad():
        drawer.out.bias.fill_(1000.0)
        turns = learned.last()
        before = learned.before[turns]
        drawn = drawer.draw(learned.message(turns), before)
        _, xy, *_ = drawer(learned.message(turns), before)
    assert xy.max().item() <= 2.0
    there = before[:, LOOK] >= 0
    assert torch.equal(drawn.transpose(1, 2)[there], before.transpose(1, 2)[there])
    assert (drawn[:, LOOK] >= 0).all()


def test_an_epoch_is_as_many_steps_as_there_are_turns_to_learn_from(tmp_path: Path) -> None:
    pack = narrated.packed(tmp_path)
    job = Job(
        name="epoch", model="bilstm", half="a", batch=4, epochs=2, settings={"word_size": 8, "hidden": 8}
    )
    (tmp_path / "epoch").mkdir()
    card = train_drawer(pack, job, tmp_path / "epoch", where=CPU)
    mine = Dialogs(pack.corpus, to_learn(pack, job)[1], Vocabulary.of(pack.corpus.teller), CPU)
    many = len(turns_to_learn(mine, AddLesson()))
    assert (card.plan.steps, card.plan.every) == (ceil(2 * many / 4), ceil(many / 4))
