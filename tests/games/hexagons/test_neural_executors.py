"""Executors that learn: trained by command, seated everywhere, and what is told of weights that cannot be."""

from __future__ import annotations

import asyncio
import json
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.games.hexagons.procedures import TINY_LLAMA, TINY_TILES, told_images, train, write_published
from tests.web.room_helpers import Person, new_room, open_manager, play_out

torch = pytest.importorskip("torch", reason="torch is not installed: pip install '.[train]' to run these")

from groundling.boards.hexes import Board  # noqa: E402
from groundling.cli import main  # noqa: E402
from groundling.core.pack import Seat, find, load  # noqa: E402
from groundling.core.player import Ask, Player, Turn  # noqa: E402
from groundling.games.hexagons.moves import ExecutorView  # noqa: E402
from groundling.games.hexagons.neural import llama  # noqa: E402
from groundling.games.hexagons.neural.llama import Llama, LlamaSettings  # noqa: E402
from groundling.games.hexagons.neural.model_factory import load_executor_model  # noqa: E402
from groundling.games.hexagons.neural.player import player_boards_before  # noqa: E402
from groundling.games.hexagons.neural.procedures import Procedure, set_aside_procedures  # noqa: E402
from groundling.web.server_settings import RoomRequest  # noqa: E402

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_published(tmp_path_factory.mktemp("data"))


@pytest.fixture(scope="module")
def trained(data: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    place = tmp_path_factory.mktemp("trained")
    scratch = ("--model", "scratch")
    return {
        "generator": train("hexagons-generator", data, place / "generator", *scratch, settings=TINY_LLAMA),
        "classifier": train("hexagons-classifier", data, place / "classifier", *scratch, settings=TINY_TILES),
    }


def sit(folder: Path, role: str = "executor") -> Player:
    hexagons = find("hexagons")
    return load(hexagons.players["weights"])(Seat(hexagons, hexagons.new(), role, "weights", str(folder)))


@pytest.mark.parametrize("name", ["generator", "classifier"])
@pytest.mark.parametrize("context", ["predicted+full", "oracle+full"])
def test_they_carry_out_recorded_procedures(
    name: str,
    context: str,
    data: Path,
    trained: dict[str, Path],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    seat = f"executor=weights:{trained[name]}"
    words = ["play", "hexagons", "--data", str(data), "--split", "dev", "--context", context, "--seat", seat]
    assert main([*words, "-o", str(tmp_path / "run")]) == 0
    assert "planned 2 = played 2" in capsys.readouterr().out


def test_people_play_with_them_in_a_room(trained: dict[str, Path], tmp_path: Path) -> None:
    async def go() -> None:
        weights = f"weights:{trained['classifier']}"
        async with open_manager(tmp_path / "rooms.db", partners=(weights,)) as there:
            room = await new_room(
                there, RoomRequest("hexagons", {"instructor": "person", "executor": weights})
            )
            person = Person(room, "instructor", "narrator")
            await person.come()
            await play_out(room, {"instructor": person})
            assert room.make_transcript().status == "played"

    asyncio.run(go())


@pytest.mark.parametrize("context", ["no-history", "1-previous", "full-history", "predicted"])
def test_every_context_can_be_learned(context: str, data: Path, tmp_path: Path) -> None:
    more = ("--model", "scratch", "--context", context)
    train("hexagons-generator", data, tmp_path / "generator", *more, settings=TINY_LLAMA)
    train("hexagons-classifier", data, tmp_path / "classifier", *more, settings=TINY_TILES)
    for name in ("generator", "classifier"):
        assert json.loads((tmp_path / name / "card.json").read_text())["settings"]["context"] == context


def test_a_training_can_be_measured_in_epochs(data: Path, tmp_path: Path) -> None:
    scratch = ("--model", "scratch", "--context", "no-history", "--epochs", "2")
    folder = train("hexagons-generator", data, tmp_path / "out", *scratch, settings=TINY_LLAMA)
    card = json.loads((folder / "card.json").read_bytes())
    mine, _ = set_aside_procedures([Procedure.from_image(image) for image in told_images()[:-2]], 0)
    assert card["plan"]["steps"] == -(-2 * sum(len(one.texts) for one in mine) // 4)


@pytest.mark.parametrize("name", ["generator", "classifier"])
def test_a_training_starts_from_given_weights(
    name: str, data: Path, trained: dict[str, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scratch = ("--model", "scratch", "--start", str(trained[name]), "--rate", "1e-9")
    folder = train(f"hexagons-{name}", data, tmp_path / "out", *scratch)
    found, before = (load_executor_model(one)[0].state_dict() for one in (folder, trained[name]))
    assert all(torch.allclose(found[part], before[part], atol=2e-2) for part in before)
    words = ["train", f"hexagons-{name}", "--data", str(data), "-o", str(tmp_path / "no"), *scratch]
    assert main([*words, "--context", "no-history"]) == 2
    assert "was trained with context predicted+full, not no-history" in capsys.readouterr().err
    assert main([*words, "--settings", "{}"]) == 2
    assert "leave out --settings" in capsys.readouterr().err


def test_a_training_can_be_measured_in_seconds(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["train", "hexagons-generator", "--data", str(data), "--model", "scratch", "--seconds", "1"]
    shape = ["--settings", json.dumps(TINY_LLAMA), "--every", "100000"]
    assert main([*words, "-o", str(tmp_path / "out"), *shape]) == 0
    card = json.loads((tmp_path / "out" / "card.json").read_bytes())
    assert card["finished"]
    assert card["done"] == card["step"] > 0
    assert main([*words, "-o", str(tmp_path / "no"), "--steps", "3"]) == 2
    assert "--seconds takes the place of --steps" in capsys.readouterr().err


def test_a_large_batch_has_the_gradients_that_it_has_without_sparing(monkeypatch: pytest.MonkeyPatch) -> None:
    torch.manual_seed(0)
    model = Llama(LlamaSettings(words=20, width=32, layers=2, heads=2, kv_heads=1, inner=64)).train()
    found = []
    for most in (12_000, 0):
        monkeypatch.setattr(llama, "KEPT_TOKENS", most)
        model.zero_grad()
        model(torch.arange(20).view(2, 10)).square().sum().backward()
        found.append([one.grad.clone() for one in model.parameters() if one.grad is not None])
    assert found[0]
    assert all(torch.allclose(one, other, atol=1e-5) for one, other in zip(*found, strict=True))


def test_narrated_images_are_learned_from_as_well(data: Path, tmp_path: Path) -> None:
    told = tmp_path / "told.jsonl"
    assert main(["make", "hexagons", "-n", "7", "--told", "1", "-o", str(told)]) == 0
    folder = train(
        "hexagons-generator",
        data,
        tmp_path / "g",
        "--model",
        "scratch",
        "--narrated",
        str(told),
        settings=TINY_LLAMA,
    )
    assert json.loads((folder / "card.json").read_text())["job"]["narrated"] == 7


def test_the_same_command_continues_and_then_has_nothing_to_do(
    data: Path, trained: dict[str, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    before = (trained["generator"] / "weights.safetensors").read_bytes()
    train("hexagons-generator", data, trained["generator"], "--model", "scratch", settings=TINY_LLAMA)
    assert "best after 4 steps" in capsys.readouterr().out
    assert (trained["generator"] / "weights.safetensors").read_bytes() == before


def test_boards_before_each_instruction_are_those_that_were_seen() -> None:
    first, second = Board.from_tiles({(1, 1): "red"}), Board.from_tiles({(1, 1): "red", (2, 2): "blue"})
    taken_back = ExecutorView(("one", "wrong"), 1, second)
    past = tuple(Turn(view, "") for view in (ExecutorView(("one",), 1, Board.empty()), taken_back))
    view = ExecutorView(("one", "two", "three"), 1, second)
    found = player_boards_before(Ask("e", "executor", view, past, None, 0), view)
    assert found == [Board.empty().cells, second.cells, second.cells]
    seen = (*past, Turn(ExecutorView(("one", "two"), 1, first), ""))
    found = player_boards_before(Ask("e", "executor", view, seen, None, 0), view)
    assert found == [Board.empty().cells, first.cells, second.cells]


def test_all_instructions_at_once_are_carried_out_one_after_the_other(trained: dict[str, Path]) -> None:
    view = ExecutorView(
        tuple(step.spoken_text for step in told_images()[0].steps), len(told_images()[0].steps), Board.empty()
    )
    reply = asyncio.run(sit(trained["classifier"]).act(Ask("e", "executor", view, (), None, 0)))
    assert reply.moves


def broken(folder: Path, how: str) -> None:
    weights, card = folder / "weights.safetensors", folder / "card.json"
    if how == "picture":
        weights.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(500))
    elif how == "gone":
        card.unlink()
    elif how == "other game":
        for file in (weights, card):
            file.write_bytes(file.read_bytes().replace(b"hexagons-classifier", b"transformer        "))
    elif how == "other shape":
        for file in (weights, card):
            # the weights hold the card once more, as a string
            content = file.read_bytes().replace(b'\\"layers\\":1', b'\\"layers\\":2')
            file.write_bytes(content.replace(b'"layers": 1', b'"layers": 2'))
    else:
        card.write_text("{")


@pytest.mark.parametrize(
    ("how", "told"),
    [
        ("picture", "weights.safetensors cannot be read"),
        ("gone", "has no card.json: give a folder made by groundling train"),
        ("other game", "holds weights of transformer        , which does not play hexagons"),
        ("other shape", "do not fit"),
        ("garbled", "card.json cannot be read"),
    ],
)
def test_weights_that_cannot_be_seated_are_reported_in_one_line(
    how: str,
    told: str,
    data: Path,
    trained: dict[str, Path],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    shutil.copytree(trained["classifier"], tmp_path / "copy")
    broken(tmp_path / "copy", how)
    assert (
        main(["play", "hexagons", "--data", str(data), "--seat", f"executor=weights:{tmp_path / 'copy'}"])
        == 2
    )
    err = capsys.readouterr().err
    assert told in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("seat", "more", "told"),
    [
        ("executor=weights", (), "weights needs a folder"),
        ("instructor=weights:{}", (), "seat it as executor"),
        ("executor=weights:{}", ("--context", "no-history"), "add --context predicted+full"),
        ("executor=weights:{},draws=2", (), "only generators over SmolLM2 write under a grammar"),
        ("executor=weights:{},draws=many", (), "draws=many is no number of answers: give 0 to 32"),
    ],
)
def test_seats_that_do_not_fit_are_reported_in_one_line(
    seat: str,
    more: tuple[str, ...],
    told: str,
    data: Path,
    trained: dict[str, Path],
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ["play", "hexagons", "--data", str(data), "--seat", seat.format(trained["classifier"]), *more]
    other = ["--seat", "executor=parser", "--mode", "live"] if seat.startswith("instructor") else []
    assert main([*words, *other]) == 2
    err = capsys.readouterr().err
    assert told in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (("--model", "scratch", "--narrated", "nowhere.jsonl"), "nowhere.jsonl does not exist: make it"),
        (("--model", "seq2seq"), "--base goes with --model encoder or seq2seq"),
        (("--model", "scratch", "--settings", "{"), "--settings is not a JSON object"),
        (("--model", "scratch", "--settings", '{"tall": 3}'), "--settings are not valid"),
        (("--model", "scratch", "--lesson", '{"tall": 3}'), "--lesson is not valid"),
    ],
)
def test_trainings_that_cannot_be_are_reported_in_one_line(
    more: tuple[str, ...], told: str, data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["train", "hexagons-generator", "--data", str(data), "-o", str(tmp_path / "out"), *more]) == 2
    err = capsys.readouterr().err
    assert told in err
    assert err.count("\n") == 1


def test_without_torch_the_extra_is_named(
    data: Path,
    tmp_path: Path,
    trained: dict[str, Path],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    neural = "groundling.games.hexagons.neural"
    for name in [known for known in sys.modules if known.startswith((f"{neural}.", "groundling.train"))]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "torch", None)
    for words in (
        ["train", "hexagons-generator", "--data", str(data), "-o", str(tmp_path / "out")],
        ["train", "hexagons-classifier", "--data", str(data), "-o", str(tmp_path / "out")],
        ["play", "hexagons", "--data", str(data), "--seat", f"executor=weights:{trained['generator']}"],
    ):
        assert main(words) == 2
        assert 'this needs an extra: run pip install "groundling[train]"' in capsys.readouterr().err


def answers(model: Any, situations: list[Any]) -> list[Any]:
    found: list[Any] = model.paint_tiles(situations)
    return found


@pytest.mark.parametrize("name", ["generator", "classifier"])
def test_an_answer_does_not_depend_on_who_else_asks(name: str, trained: dict[str, Path]) -> None:
    from groundling.games.hexagons.neural.model_factory import load_executor_model
    from groundling.games.hexagons.neural.procedures import Procedure
    from groundling.games.hexagons.neural.situations import make_situation

    model, _, _ = load_executor_model(trained[name])
    told = [Procedure.from_image(image) for image in told_images()]
    asked = [make_situation("oracle+full", one.texts, one.boards, len(one.texts) - 1) for one in told]
    together = answers(model.eval(), asked)
    assert together == [answers(model, [one])[0] for one in asked]


def test_a_generator_that_remembers_answers_as_one_that_does_not(trained: dict[str, Path]) -> None:
    from groundling.games.hexagons.neural.executor import run_executor
    from groundling.games.hexagons.neural.generator import Generator
    from groundling.games.hexagons.neural.model_factory import load_executor_model
    from groundling.games.hexagons.neural.procedures import Procedure

    told = [Procedure.from_image(image) for image in told_images()[:3]]
    model, _, _ = load_executor_model(trained["generator"])
    assert isinstance(model, Generator)
    fresh = run_executor(model.eval(), told, "predicted+full")
    model.remembers = True
    assert run_executor(model, told, "predicted+full") == fresh
    assert model._remembered
    model.merge_differences()
    model._remembered.clear()
    assert run_executor(model, told, "predicted+full") == fresh
