"""`reader`: what the rules and a network propose, and the choice among it."""

from __future__ import annotations

import json
import shutil
from math import log
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.games.hexagons.procedures import TINY_LLAMA, told_images, train, write_published

pytest.importorskip("torch", reason="torch is not installed: pip install '.[train]' to run these")

from tests.games.hexagons.test_answer_grammar import make_executor

from groundling.boards.hexes import TILES
from groundling.cli import main
from groundling.core.values import Problem
from groundling.games.hexagons.neural.candidates import GrammarExecutor
from groundling.games.hexagons.neural.generator import Generator
from groundling.games.hexagons.neural.hints import (
    RuleReading,
    add_hint,
    hint_procedure,
    invent_hints,
    read_by_rules,
)
from groundling.games.hexagons.neural.model_factory import load_executor_model
from groundling.games.hexagons.neural.procedures import BLANK, Procedure
from groundling.games.hexagons.neural.reader import (
    CHOICE_FILE,
    Reader,
    ReaderChoice,
    SituationReading,
    StagedChoice,
    load_reader,
    read_choice,
)
from groundling.games.hexagons.neural.reader_choice import (
    HINT,
    PLAIN,
    PROGRAM,
    AnswerCandidate,
    Painted,
    ReadingEvidence,
    can_be_chosen,
    choose_answer,
    describe_candidates,
    fit_choice,
    list_features,
    painted_f1,
)
from groundling.games.hexagons.neural.situations import Situation, make_situation

FEATURES = list_features((HINT,))
TOLD = [Procedure.from_image(image) for image in told_images()]
RED = {(3, 5): "red", (4, 5): "red"}


def draw_painted(lot: Random) -> Painted:
    return dict.fromkeys(lot.sample(TILES, 4), "red")


def make_evidence(lot: Random, right: Painted, *, rules: bool) -> ReadingEvidence:
    """Either the rules or the network always know the right answer, and the network knows who does."""
    other = draw_painted(lot)
    likely, unlikely = (log(0.9),), (log(0.01),)
    known = [AnswerCandidate(right, likely, 9), AnswerCandidate(other, unlikely, 9)]
    first, second = known if rules else known[::-1]
    return ReadingEvidence(RuleReading(dict(first.painted), 0, 0.0), (first, second))


@pytest.mark.parametrize("rules", [True, False])
def test_the_choice_learns_who_is_right(rules: bool) -> None:
    lot = Random(4)
    known = [
        (make_evidence(lot, right, rules=rules), right) for right in (draw_painted(lot) for _ in range(60))
    ]
    weights = fit_choice(known[:40])
    assert all(choose_answer(evidence, weights)[0] == right for evidence, right in known[40:])


def test_an_answer_that_both_propose_agrees_with_all_others() -> None:
    evidence = ReadingEvidence(RuleReading(RED, 0, 0.0), (AnswerCandidate(RED, (0.0,), 9, votes=2),))
    (row,) = describe_candidates(evidence)
    found = dict(zip(FEATURES, row, strict=True))
    names = ("F1 with the other proposals", "likelihood, hint", "rules, likelihood of a token, hint")
    assert [found[name] for name in names] == [1, 1, 1]


def test_nothing_can_be_fitted_where_the_rules_are_always_sure() -> None:
    with pytest.raises(Problem, match="the rules are sure of all these instructions"):
        fit_choice([(ReadingEvidence(RuleReading(RED, 0, 1.0)), RED)])


def test_where_the_rules_are_sure_the_network_is_not_asked() -> None:
    assert choose_answer(ReadingEvidence(RuleReading(RED, 0, 1.0)), [0.0] * len(FEATURES)) == (RED, 1.0)


@given(
    st.lists(st.floats(-1, 1), min_size=len(FEATURES), max_size=len(FEATURES)),
    st.tuples(st.floats(-9, 0), st.floats(-9, 0), st.floats(-9, 0)),
    st.integers(1, 40),
)
def test_an_answer_that_is_given_up_would_not_have_been_chosen(
    weights: list[float], likely: tuple[float, float, float], length: int
) -> None:
    rules, begun, rest = likely
    painted = {(1, 1): "blue"}
    reading, first = RuleReading(RED, 2, 0.0), AnswerCandidate(RED, (rules,), 9)
    longest = AnswerCandidate(painted, (begun,), 40)
    whole = AnswerCandidate(painted, (begun + rest,), length)
    if not can_be_chosen(ReadingEvidence(reading, (first, longest)), weights):
        assert choose_answer(ReadingEvidence(reading, (first, whole)), weights)[0] == RED


def test_f1_of_actions_counts_tiles_with_their_colours() -> None:
    assert painted_f1({}, {}) == 1
    assert painted_f1({}, RED) == painted_f1(RED, {(3, 5): "blue"}) == 0
    assert painted_f1(RED, {(3, 5): "red"}) == pytest.approx(2 / 3)


def test_rules_say_what_they_read_in_full_and_what_they_did_not_read() -> None:
    sure = read_by_rules(("Paint all six tiles around the fifth tile in the fifth column red.",), BLANK)
    doubtful = read_by_rules(("Paint a red thing that resembles an enormous giraffe on holiday.",), BLANK)
    assert sure.unread < doubtful.unread
    assert len(sure.painted) == 6
    assert "Rules (" in add_hint("Paint it.", doubtful)


def test_hints_leave_the_words_and_boards_as_they_are() -> None:
    for hinted in (hint_procedure(TOLD[0]), invent_hints(TOLD[0], Random(1))):
        assert [text.split("\nRules (")[0] for text in hinted.texts] == list(TOLD[0].texts)
        assert (hinted.boards, hinted.image) == (TOLD[0].boards, TOLD[0].image)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_published(tmp_path_factory.mktemp("data"))


@pytest.fixture(scope="module")
def folder(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("trained") / "reader"
    train("hexagons-generator", data, place, "--model", "scratch", "--hints", settings=TINY_LLAMA)
    choice = {"features": FEATURES, "weights": [0.1] * len(FEATURES)}
    (place / CHOICE_FILE).write_text(json.dumps(choice), "utf-8")
    return place


@pytest.mark.slow
def test_it_carries_out_recorded_procedures_the_same_way_each_time(
    data: Path, folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["play", "hexagons", "--data", str(data), "--split", "dev", "--context", "predicted+full"]
    for name in ("one", "two"):
        assert main([*words, "--seat", f"executor=reader:{folder}", "-o", str(tmp_path / name)]) == 0
    assert "planned 2 = played 2" in capsys.readouterr().out
    model, _, _ = load_executor_model(folder)
    assert isinstance(model, Generator)
    reader = Reader([model.eval()], StagedChoice(FEATURES, (0.1,) * len(FEATURES)))
    situation = make_situation("predicted+full", TOLD[0].texts, TOLD[0].boards, 1)
    assert reader.answer_situation(situation) == reader.answer_situation(situation)


@pytest.mark.parametrize("views", [(HINT,), (HINT, PLAIN), (HINT, PLAIN, PROGRAM + HINT)])
def test_the_features_of_the_choice_say_which_prompts_are_read(
    views: tuple[str, ...], tmp_path: Path
) -> None:
    features = list_features(views)
    choice = {"features": features, "weights": [0.1] * len(features)}
    (tmp_path / CHOICE_FILE).write_text(json.dumps(choice), "utf-8")
    assert read_choice(tmp_path).views == views
    (tmp_path / CHOICE_FILE).write_text(json.dumps(choice | {"weights": [0.1]}), "utf-8")
    with pytest.raises(Problem, match="another version"):
        read_choice(tmp_path)


GIRAFFE = Situation(("Paint a red thing that resembles an enormous giraffe on holiday.",), (BLANK,))


def choose_alike(views: tuple[str, ...], expected: float = 0.1) -> ReaderChoice:
    """Expects the same of all answers."""
    features = list_features(views)
    return ReaderChoice(features, (expected, *[0.0] * (len(features) - 1)))


@pytest.mark.slow
def test_a_network_is_asked_after_both_prompts(folder: Path) -> None:
    model, _, _ = load_executor_model(folder)
    assert isinstance(model, Generator)
    evidence = SituationReading(GIRAFFE, {}).gather_evidence([model.eval()], choose_alike((HINT, PLAIN)))
    assert sum(one.votes for one in evidence.candidates) == 3
    assert all(len(one.likely) == 2 for one in evidence.candidates)


def test_a_network_of_programs_proposes_and_judges_beside_one_of_tiles() -> None:
    tiles, programs = (make_executor(notation, 0).model for notation in ("runs", "program"))
    views = (HINT, PLAIN, PROGRAM + HINT)
    reading = SituationReading(GIRAFFE, {})
    evidence = reading.gather_evidence([tiles, tiles, programs], choose_alike(views))
    assert sum(one.votes for one in evidence.candidates) == 6
    assert all(len(one.likely) == 2 and len(one.program) == 3 for one in evidence.candidates)
    (written,) = GrammarExecutor(programs).write_candidates([reading._shown[HINT]])[0]
    assert written.painted in [one.painted for one in evidence.candidates]


@pytest.mark.parametrize(("sure", "asked"), [(0.9, 1), (0.5, 2)])
def test_further_networks_are_asked_in_doubt(sure: float, asked: int) -> None:
    models = [make_executor(notation, 0).model for notation in ("runs", "program")]
    together = choose_alike((HINT, PLAIN, PROGRAM + HINT), 0.7)
    first = choose_alike((HINT,), sure)
    reader = Reader(models, StagedChoice(first.features, first.weights, ("programs",), together))
    assert reader.answer_situation(GIRAFFE)[1] == (sure if asked == 1 else 0.7)
    assert len(reader.read) == asked


@pytest.mark.slow
def test_networks_beside_a_reader_are_part_of_it(folder: Path, tmp_path: Path) -> None:
    for name in ("one", "two"):
        shutil.copytree(folder, tmp_path / name)
    (tmp_path / "two" / CHOICE_FILE).unlink()
    choice = json.loads((folder / CHOICE_FILE).read_bytes())
    plain = {"features": list_features((HINT, PLAIN)), "weights": [0.1] * len(list_features((HINT, PLAIN)))}
    file = tmp_path / "one" / CHOICE_FILE
    file.write_text(json.dumps(choice | {"beside": ["two"], "together": plain}), "utf-8")
    facts = load_reader(tmp_path / "one").info.facts
    assert facts["weights"] == facts["weights 2"]
    features = list_features((HINT, PLAIN, PROGRAM + HINT))
    programs = {"features": features, "weights": [0.1] * len(features)}
    for wrong in ({"beside": ["two"]}, {"together": plain}, {"beside": ["two"], "together": programs}):
        file.write_text(json.dumps(choice | wrong), "utf-8")
        with pytest.raises(Problem, match="another version"):
            load_reader(tmp_path / "one")
    file.write_text(json.dumps(choice | {"beside": ["three"], "together": plain}), "utf-8")
    with pytest.raises(Problem, match="three"):
        load_reader(tmp_path / "one")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("how", "told"),
    [
        ("gone", "has no choice.json: give the folder of a reader"),
        ("garbled", "choice.json cannot be read"),
        ("sees less", "needs to see more than the context no-history shows"),
        ("other", "belongs to another version of the reader"),
    ],
)
def test_a_folder_that_is_no_reader_is_reported_in_one_line(
    how: str, told: str, data: Path, folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(folder, copy)
    if how == "gone":
        (copy / CHOICE_FILE).unlink()
    elif how != "sees less":
        text = "{" if how == "garbled" else '{"features": ["tall"], "weights": [1]}'
        (copy / CHOICE_FILE).write_text(text, "utf-8")
    words = ["play", "hexagons", "--data", str(data), "--seat", f"executor=reader:{copy}"]
    assert main([*words, "--context", "no-history" if how == "sees less" else "predicted+full"]) == 2
    err = capsys.readouterr().err
    assert told in err
    assert err.count("\n") == 1
