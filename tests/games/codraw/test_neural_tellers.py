"""Tellers that learn: from people's words, by playing, and that they play by the rules."""

from __future__ import annotations

import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from msgspec.structs import replace
from tests.boards.scenes import scenes

torch = pytest.importorskip("torch", reason="torch is not installed: pip install '.[train]' to run these")

from tests.games.codraw.tiny_weights import DRAWERS, TELLERS, TinyWeights, tiny_job, train  # noqa: E402

from groundling.boards.scene import Scene  # noqa: E402
from groundling.boards.scene.batches import LOOK, pack_scene_batch  # noqa: E402
from groundling.core.pack import Seat, find, load  # noqa: E402
from groundling.core.player import Ask  # noqa: E402
from groundling.core.values import Problem, Say  # noqa: E402
from groundling.games.codraw.moves import Finish  # noqa: E402
from groundling.games.codraw.neural import message_planner as planner_module  # noqa: E402
from groundling.games.codraw.neural.batch_games import (  # noqa: E402
    GameTrace,
    Partner,
    canvas_changed,
    last_words,
    load_partner,
    play_games,
)
from groundling.games.codraw.neural.decoder import _NextWords  # noqa: E402
from groundling.games.codraw.neural.dialog_pack import DialogPack  # noqa: E402
from groundling.games.codraw.neural.dialog_tensors import DialogTensors  # noqa: E402
from groundling.games.codraw.neural.message_planner import MessagePlanner, SceneRequest  # noqa: E402
from groundling.games.codraw.neural.model_factory import build_teller_model, model_vocabulary  # noqa: E402
from groundling.games.codraw.neural.teller_base import Teller  # noqa: E402
from groundling.games.codraw.neural.teller_generation import (  # noqa: E402
    DialogGenerator,
    GeneratedDialogs,
    WordConstraints,
    WordTranslation,
    decode_generated_dialogs,
    decode_generated_messages,
    generate_dialogs,
)
from groundling.games.codraw.neural.teller_imitation import TellerDialogs  # noqa: E402
from groundling.games.codraw.neural.teller_reinforce import reinforce_returns, reinforce_word_rewards  # noqa: E402
from groundling.games.codraw.neural.trained_players import WeightsTeller  # noqa: E402
from groundling.games.codraw.neural.vocabulary import END, MARKS, PAD, START, Vocabulary  # noqa: E402
from groundling.games.codraw.rules import SpokenMessage, TellerView  # noqa: E402
from groundling.runs.session import new_session_plan, prepare_session  # noqa: E402
from groundling.train.weights import read_weights_card  # noqa: E402

CPU = torch.device("cpu")


@pytest.fixture
def drawers(weights: TinyWeights) -> list[str]:
    """One that hears the last message and one that hears all, of half a."""
    return [str(weights(model)) for model in DRAWERS]


def new(model: str, words: Vocabulary) -> Teller:
    torch.manual_seed(1)
    return build_teller_model(model, {"words": len(words), **TELLERS[model]}).eval()


def half(dialogs: DialogPack) -> tuple[Vocabulary, DialogTensors]:
    words = model_vocabulary(dialogs, dialogs.training_ids("a"))
    return words, DialogTensors(dialogs.corpus, dialogs.training_ids("a"), words, CPU)


@pytest.mark.parametrize("model", TELLERS)
def test_word_by_word_a_teller_thinks_what_it_thinks_at_once(model: str, dialogs: DialogPack) -> None:
    words, found = half(dialogs)
    teller = new(model, words)
    targets, heard, _, _ = TellerDialogs(found, teller.longest).batch_at(torch.arange(4).numpy())
    with torch.no_grad():
        at_once = teller(targets, heard).next
        state = teller.start_state(targets)
        for place in range(heard.shape[1]):
            scores, state = teller.score_next_word(state, heard[:, place])
            assert torch.allclose(scores, at_once[:, place], atol=1e-4)


def test_weights_of_decoders_keep_the_names_that_they_were_saved_by() -> None:
    saved = [name for name in new("decoder", Vocabulary(MARKS)).state_dict() if name.startswith("layers.")]
    parts = (
        "norms.0",
        "norms.1",
        "norms.2",
        "own",
        "own_out",
        "ask",
        "seen",
        "seen_out",
        "think.0",
        "think.3",
    )
    names = {
        f"layers.{layer}.{part}.{end}" for layer in range(2) for part in parts for end in ("weight", "bias")
    }
    assert set(saved) == names


@pytest.mark.parametrize("model", TELLERS)
@settings(max_examples=5)
@given(scenes(5))
def test_what_is_said_keeps_to_the_rules_however_it_is_chosen(model: str, scene: Scene) -> None:
    words = Vocabulary.from_messages(["a sun is left of the tree , and an extraordinarily large bear"] * 2)
    teller = new(model, words)
    batch = torch.from_numpy(pack_scene_batch([scene, Scene()]))
    for by_lot in (False, True):
        told = generate_dialogs(teller, batch, WordConstraints(words, CPU, cap=40, rounds=3), by_lot=by_lot)
        for said in decode_generated_dialogs(told, words):
            assert 1 <= len(said) <= 3
            assert all(1 <= len(message) <= 40 for message in said)
        assert told.words.shape[1] <= teller.longest


@pytest.mark.parametrize("model", TELLERS)
def test_who_joins_later_says_what_it_says_alone(model: str) -> None:
    words = Vocabulary.from_messages(["a sun is left of the tree , and an extraordinarily large bear"] * 2)
    teller, manners = new(model, words), WordConstraints(words, CPU, cap=40, rounds=5)
    targets = torch.from_numpy(
        pack_scene_batch([park.target for park in load(find("codraw").builtin)()[:6]] + [Scene()])
    )
    alone = [generate_dialogs(teller, target[None], manners).words[0].tolist() for target in targets]
    telling = DialogGenerator(teller, manners)
    said: dict[int, Any] = {}
    for target in targets:
        telling.add_scenes(target[None])
        for _ in range(11):
            if telling.names:
                telling.generate_words()
                said |= telling.pop_finished()
    while telling.names:
        telling.generate_words()
        said |= telling.pop_finished(0.3)
    assert [decode_generated_messages(said[name].tolist(), words) for name in range(len(targets))] == [
        decode_generated_messages(row, words) for row in alone
    ]
    assert len({tuple(row) for row in alone}) > 1


def test_a_gpu_which_hides_what_is_not_said_finds_what_is_found_by_looking_no_further() -> None:
    torch.manual_seed(0)
    place, longest = torch.tensor([5, 5, 3, 0, 7]), 9
    asked, keys, values = torch.randn(3, 5, 2, 1, 4)
    said = torch.randn(2, 5, 2, longest, 4)
    by_looking = _NextWords.group_by_length(place).attend_among(*said.clone())(asked, keys, values)
    by_hiding = _NextWords.pad_to_longest(place, longest).attend_among(*said.clone())(asked, keys, values)
    torch.testing.assert_close(by_looking, by_hiding)


@pytest.mark.parametrize("model", TELLERS)
def test_it_is_thought_no_further_than_is_asked(model: str) -> None:
    words = Vocabulary.from_messages(["a sun is left of the tree , and an extraordinarily large bear"] * 2)
    teller = new(model, words)
    topics = [SceneRequest(park.target, 40) for park in load(find("codraw").builtin)()[:3]]
    whole = decode_generated_dialogs(
        generate_dialogs(
            teller,
            torch.from_numpy(pack_scene_batch(topic.target for topic in topics)),
            WordConstraints(words, CPU, 40),
        ),
        words,
    )
    assert all(len(plan) > 3 for plan in whole)
    thinking = MessagePlanner(teller, words, CPU)
    (first,) = thinking.plan_messages([(topics[0], 1)])
    assert first == whole[0][:1]
    assert thinking.known_messages(topics[0], 1) == first
    assert thinking.known_messages(topics[0], 2) is None
    assert thinking.known_messages(topics[1], 1) is None
    found = thinking.plan_messages(
        [(topics[1], 2), (topics[0], 3), (topics[1], 1), (topics[0]._replace(cap=39), 1)]
    )
    assert found[0] == found[2] == whole[1][: len(found[0])]
    assert found[1] == whole[0][: len(found[1])]
    assert [len(plan) >= many for plan, many in zip(found, (2, 3, 1, 1), strict=True)] == [True] * 4
    assert thinking.plan_messages([(topic, 99) for topic in topics]) == whole
    assert [thinking.known_messages(topic, 99) for topic in topics] == whole


def test_what_was_forgotten_is_thought_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(planner_module, "REMEMBERED", 2)
    words = Vocabulary.from_messages(["a sun is left of the tree"] * 2)
    thinking = MessagePlanner(new("scene2seq", words), words, CPU)
    topics = [SceneRequest(park.target, 40) for park in load(find("codraw").builtin)()[:4]]
    whole = [thinking.plan_messages([(topic, 99)])[0] for topic in topics]
    assert thinking.known_messages(topics[0], 1) is None
    assert thinking.plan_messages([(topic, 99) for topic in topics]) == whole


def test_what_is_undrawn_is_what_people_had_not_drawn_by_then(dialogs: DialogPack) -> None:
    _, found = half(dialogs)
    targets, heard, following, undrawn = TellerDialogs(found, 1000).batch_at(torch.tensor([2]).numpy())
    assert heard[0, 0] == START
    assert following[0, :-1].tolist() == heard[0, 1:].tolist()
    assert following[0, -1] == START, "who has said all finishes"
    ends = (heard[0] == END).nonzero()[:, 0]
    assert len(ends) == found.unaided[2]
    there = targets[0, LOOK] >= 0
    assert (undrawn[0, 0][there] == 1).all(), "at first nothing is drawn"
    for number, end in enumerate(ends.tolist()):
        drawn = found.after[found.starts[2] + number, LOOK] >= 0
        assert torch.equal(undrawn[0, end][there] == 0, drawn[there])
    assert (undrawn[0][:, ~there] == -1).all()
    within = (heard[0] != END) & (heard[0] != START)
    assert (undrawn[0][within] == -1).all()


def test_a_drawer_hears_the_same_words_by_its_own_numbers() -> None:
    teller = Vocabulary.from_messages(["sun , isn't"] * 2)
    drawer = Vocabulary.from_messages(["is n't , a sun"] * 2)
    said = torch.tensor(
        [[START, *teller.encode_message("sun , isn't")], [START, *teller.encode_message("sun"), PAD, PAD]]
    )
    heard = WordTranslation(teller, drawer, CPU)(said)
    assert heard[0].tolist() == [START, *drawer.encode_message("sun , isn't")]
    assert heard[1].tolist() == [START, *drawer.encode_message("sun"), PAD, PAD, PAD]


@pytest.mark.parametrize("most", [1, 3, 5])
def test_of_a_dialog_that_is_too_long_the_end_is_heard(most: int) -> None:
    rows = [[START, 5, 6, 7, 8, END], [START, 5, 6, END, PAD, PAD], [START, END, PAD, PAD, PAD, PAD]]
    for row, found in zip(rows, last_words(torch.tensor(rows), most).tolist(), strict=True):
        assert [word for word in found if word != PAD] == [word for word in row if word != PAD][-most:]
        assert len(found) == most


def test_drawers_hear_the_end_of_it_while_tellers_learn() -> None:
    words = Vocabulary.from_messages(["a sun is left of the tree"] * 2)
    heard: list[list[int]] = []

    def draw(said: Any, canvas: Any) -> Any:
        heard.extend(said.tolist())
        return canvas

    short: Any = SimpleNamespace(whole=True, longest=4, draw_canvas=draw)
    said = [START, *words.encode_message("a sun is left"), *words.encode_message("of the tree")]
    told = GeneratedDialogs(torch.tensor([said]), None)
    play_games(
        Partner("short", short, WordTranslation(words, words, CPU), (), ""),
        torch.from_numpy(pack_scene_batch([Scene()])),
        told,
    )
    assert heard == [words.encode_message("sun is left"), words.encode_message("of the tree")]


def test_rewards_come_at_the_ends_of_messages_and_fade_backwards() -> None:
    course = GameTrace(torch.tensor([[2, 4]]), torch.tensor([[0.0, 2.0, 2.0]]), torch.tensor([[True, False]]))
    gained = reinforce_word_rewards(course, 6, idle=0.3)
    assert gained.tolist() == [[0, 2.0, 0, pytest.approx(-0.3), 0]]
    assert reinforce_returns(gained, 0.5)[0].tolist() == pytest.approx(
        [1 - 0.3 / 8, 2 - 0.3 / 4, -0.15, -0.3, 0]
    )


def test_a_canvas_has_changed_when_more_than_a_few_pixels_did() -> None:
    canvas = torch.from_numpy(pack_scene_batch([Scene()])).clone()
    canvas[0, :, 3] = torch.tensor([100, 100, 0])
    near, far, other = canvas.clone(), canvas.clone(), canvas.clone()
    near[0, 0, 3], far[0, 1, 3], other[0, LOOK, 3] = 104, 106, 1
    assert [bool(canvas_changed(canvas, new)) for new in (canvas, near, far, other)] == [
        False,
        False,
        True,
        True,
    ]


def test_games_played_at_once_are_the_games(weights: TinyWeights, drawers: list[str], tmp_path: Path) -> None:
    """Many at once on tensors, and one by one by the rules of the game, come to the same similarity."""
    folder = weights("scene2seq")
    words = Vocabulary(read_weights_card(folder).words)
    codraw = find("codraw")
    parks = load(codraw.builtin)()[:4]
    teller: WeightsTeller = load(codraw.players["weights"])(
        Seat(codraw, codraw.new(), "teller", "weights", str(folder))
    )  # type: ignore[assignment]
    targets = torch.from_numpy(pack_scene_batch(park.target for park in parks))
    for name in drawers:
        told = generate_dialogs(teller._model, targets, WordConstraints(words, CPU))
        found = play_games(load_partner(Path(name), words, CPU), targets, told).similarity[:, -1]
        seats = {"teller": f"weights:{folder}", "drawer": f"weights:{name}"}
        plan = new_session_plan(
            codraw, parks, None, settings=codraw.new().settings, source="built in", seats=seats
        )
        session = prepare_session(codraw, plan, tmp_path / Path(name).name)
        session.play_missing(jobs=4)
        scored = [
            transcript.result.score for transcript in session.folder.read_transcripts() if transcript.result
        ]
        assert sorted(scored) == pytest.approx(sorted(found.tolist()), abs=1e-4)


@pytest.mark.parametrize("model", ["scene2seq", pytest.param("decoder", marks=pytest.mark.slow)])
def test_a_teller_learns_by_playing_with_several_drawers(
    model: str, dialogs: DialogPack, weights: TinyWeights, drawers: list[str], tmp_path: Path
) -> None:
    told = train(dialogs, tiny_job(model, drawers=tuple(drawers)), tmp_path / "with")
    assert "similarity" in told.scores
    lesson = {"learned": True, "bound": 0.01, "strict": 1.0, "spread": 0.01}
    first, then = str(weights(model)), tmp_path / "then"
    asked = tiny_job(model, start=first, drawers=tuple(drawers), lesson=lesson, plan={"rate": 1e-3})
    card = train(dialogs, asked, then)
    assert set(card.seen) == set(dialogs.training_ids("a"))
    assert card.scores["divergence"] > 0
    with pytest.raises(Problem, match="half"):
        train(dialogs, replace(asked, half="b"), then)
    with pytest.raises(Problem, match="Drawers"):
        train(dialogs, replace(asked, drawers=()), then)


def test_without_learning_there_is_no_divergence(
    dialogs: DialogPack, weights: TinyWeights, drawers: list[str], tmp_path: Path
) -> None:
    start = str(weights("scene2seq"))
    asked = tiny_job("scene2seq", start=start, drawers=(drawers[0],), plan={"rate": 0.0})
    assert train(dialogs, asked, tmp_path).scores["divergence"] == pytest.approx(0, abs=1e-3)


def test_a_trained_teller_says_its_messages_in_turn_and_finishes(weights: TinyWeights) -> None:
    codraw, folder = find("codraw"), weights("scene2seq")
    teller: WeightsTeller = load(codraw.players["weights"])(
        Seat(codraw, codraw.new(), "teller", "weights", str(folder))
    )  # type: ignore[assignment]
    assert teller.info.learned_from == frozenset(read_weights_card(folder).seen)
    target = load(codraw.builtin)()[0].target
    told = generate_dialogs(
        teller._model, torch.from_numpy(pack_scene_batch([target])), WordConstraints(teller.words, CPU)
    )
    plan = decode_generated_dialogs(told, teller.words)[0]
    talk: tuple[SpokenMessage, ...] = ()
    for number in range(len(plan) + 1):
        view = TellerView(target, talk, None, 0, False, False, None, 140, False)
        reply = asyncio.run(teller.act(Ask("one", "teller", view, (), None, 0)))
        assert reply.moves == ((Say(plan[number]),) if number < len(plan) else (Finish(),))
        talk = (
            *talk,
            *(SpokenMessage("teller", text) for text in plan[number : number + 1]),
            SpokenMessage("drawer", "ok"),
        )
    with pytest.raises(Problem, match="Teller"):
        load(codraw.players["weights"])(Seat(codraw, codraw.new(), "drawer", "weights", str(folder)))
