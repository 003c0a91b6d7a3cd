"""Trained players wherever a player can sit: at the table, crossed, in a room, in Inspect; and what is told
of weights that cannot be seated."""

from __future__ import annotations

import asyncio
import json
import shutil
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace
from tests.games.codraw import narrated
from tests.web.room_helpers import Person, new_room, open_manager, play_out

torch = pytest.importorskip("torch", reason="torch is not installed: pip install '.[train]' to run these")

from tests.games.codraw.tiny_weights import TinyWeights  # noqa: E402

from groundling.boards.scene import KINDS, Put, Scene  # noqa: E402
from groundling.cli import main  # noqa: E402
from groundling.core.pack import Seat, find, load  # noqa: E402
from groundling.core.player import Ask, Player, Reply  # noqa: E402
from groundling.games.codraw.neural.asking_drawer import AskingDrawer  # noqa: E402
from groundling.games.codraw.rules import DrawerView, SpokenMessage  # noqa: E402
from groundling.runs.session import new_session_plan, prepare_session  # noqa: E402
from groundling.web.server_settings import RoomRequest  # noqa: E402


@pytest.fixture
def trained(weights: TinyWeights) -> dict[str, Path]:
    """A Drawer of half a and a Teller of half b."""
    return {"drawer": weights("transformer"), "teller": weights("scene2seq", "b")}


def sit(role: str, folder: Path) -> Player:
    codraw = find("codraw")
    return load(codraw.players["weights"])(Seat(codraw, codraw.new(), role, "weights", str(folder)))


def view(*said: str) -> DrawerView:
    return DrawerView(KINDS, Scene(), tuple(SpokenMessage("teller", text) for text in said), False, 140, True)


def test_both_play_and_are_crossed(
    trained: dict[str, Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    seats = [f"{role}=weights:{folder}" for role, folder in trained.items()]
    assert main(["play", "codraw", "--limit", "3", "--seat", seats[0], "--seat", seats[1], "-o", "run"]) == 0
    crossed = [word for role, folder in trained.items() for word in (f"--{role}s", f"weights:{folder}")]
    assert main(["cross", "codraw", "--limit", "3", *crossed, "-o", "crossed"]) == 0
    told = capsys.readouterr().out
    assert told.count("planned 3 = played 3") == 2
    assert "scene2seq b" in told
    assert "transformer a" in told


def test_they_play_many_games_at_once_but_not_with_a_language_model(
    trained: dict[str, Path], tmp_path: Path
) -> None:
    codraw = find("codraw")
    fields: dict[str, Any] = {"settings": codraw.new().settings, "source": "built in"}
    seats = {"teller": "template", "drawer": f"weights:{trained['drawer']}"}
    session = prepare_session(
        codraw, new_session_plan(codraw, load(codraw.builtin)(), 1, seats=seats, **fields), tmp_path
    )
    assert session.default_jobs == 128
    model: Any = SimpleNamespace(name="model", prompts=["plain"])
    assert replace(session, players={**session.players, "teller": model}).default_jobs == 16
    usual = new_session_plan(
        codraw, load(codraw.builtin)(), 1, seats={**seats, "drawer": "grammar"}, **fields
    )
    assert prepare_session(codraw, usual, tmp_path).default_jobs == 16


def test_people_play_with_them_in_a_room(trained: dict[str, Path], tmp_path: Path) -> None:
    offered = tuple(f"weights:{folder}" for folder in trained.values())

    async def go(role: str, other: str, player: str) -> None:
        async with open_manager(tmp_path / f"{role}.db", partners=offered) as there:
            room = await new_room(
                there, RoomRequest("codraw", {role: "person", other: f"weights:{trained[other]}"})
            )
            person = Person(room, role, player)
            await person.come()
            await play_out(room, {role: person})
            assert room.make_transcript().status == "played"

    asyncio.run(go("teller", "drawer", "template"))
    asyncio.run(go("drawer", "teller", "grammar"))


@pytest.mark.slow
def test_they_play_in_inspect(trained: dict[str, Path], tmp_path: Path) -> None:
    pytest.importorskip("inspect_ai")
    from tests.bridges.helpers import evaluate, ours

    seats = ",".join(f"{role}=weights:{folder}" for role, folder in trained.items())
    models = ours("codraw", **{role: f"weights:{folder}" for role, folder in trained.items()})
    options: list[dict[str, Any]] = [
        {"task_args": {"n": 2, "seats": seats}},
        {"task_args": {"n": 2}, "model_roles": models},
    ]
    for given in options:
        log = evaluate("groundling/codraw", tmp_path, **given)
        assert log.status == "success"
        assert log.samples is not None
        assert [sample.output.completion.split(",")[0] for sample in log.samples] == ["finished"] * 2


def test_an_answer_does_not_depend_on_who_else_asks(trained: dict[str, Path]) -> None:
    drawer = sit("drawer", trained["drawer"])
    views = [view(*["a large sun on the left side , and the tree"] * many) for many in range(1, 40)]

    async def go(*asked: DrawerView) -> list[Any]:
        return await asyncio.gather(*(drawer.act(Ask("one", "drawer", one, (), None, 0)) for one in asked))

    together = asyncio.run(go(*views))
    for one, found in zip(views[::6], together[::6], strict=True):
        drawer._readings._known.clear()  # type: ignore[attr-defined]
        (alone,) = asyncio.run(go(one))
        assert drawn(alone) == drawn(found)


def drawn(reply: Reply) -> list[tuple[str, int, bool]]:
    """All but the places, which may differ by a rounding."""
    pieces = [move.piece for move in reply.moves or () if isinstance(move, Put)]
    return [(piece.kind, piece.size, piece.flip) for piece in pieces]


@pytest.mark.parametrize("asks", ["", ",ask=all"])
def test_nothing_is_remembered_of_games_that_a_drawer_has_ended(
    asks: str, trained: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # with a question it is the Teller who ends the game
    monkeypatch.setattr(AskingDrawer, "_best_question", lambda *about: "")
    codraw = find("codraw")
    seats = {"teller": "template", "drawer": f"weights:{trained['drawer']}{asks}"}
    plan = new_session_plan(
        codraw, load(codraw.builtin)(), 3, seats=seats, settings=codraw.new().settings, source="built in"
    )
    session = prepare_session(codraw, plan, tmp_path)
    drawer: Any = session.players["drawer"]
    heard = (drawer._readings, drawer._in_mirror) if asks else (drawer._readings,)
    for readings in heard:
        readings._known.clear()  # this Drawer may have played before
    session.play_missing(3)
    assert session.read_summary().is_complete
    for readings in heard:
        assert readings._over
        assert set(readings._known) <= set(readings._over)


def test_the_same_weights_are_read_once(trained: dict[str, Path]) -> None:
    assert sit("drawer", trained["drawer"]) is sit("drawer", trained["drawer"])


@pytest.mark.parametrize("less", ["to_half_precision", "to_byte_weights"])
def test_in_less_precision_it_draws_nearly_the_same(less: str, trained: dict[str, Path]) -> None:
    from groundling.games.codraw.neural.model_factory import build_drawer_model
    from groundling.games.codraw.neural.reading_cache import ReadingCache
    from groundling.games.codraw.neural.transformer import TransformerDrawer
    from groundling.games.codraw.neural.vocabulary import END, START
    from groundling.train.devices import has_fast_int8
    from groundling.train.weights import load_weights

    if less == "to_byte_weights" and not has_fast_int8(torch.device("cpu")):
        pytest.skip("this CPU is no quicker in bytes")
    card, state, _ = load_weights(trained["drawer"])
    full, light = (build_drawer_model(card.model, card.settings).eval() for _ in range(2))
    heard = (START, *range(4, 14), END, *range(14, 24), END)
    for drawer in (full, light):
        drawer.load_state_dict(state)
    assert isinstance(full, TransformerDrawer)
    assert isinstance(light, TransformerDrawer)
    getattr(light, less)()
    assert light.usual.dtype == torch.float32
    with torch.no_grad():
        one, other = (ReadingCache(drawer).guess_scenes([heard]) for drawer in (full, light))
    assert all(torch.allclose(mine, theirs, atol=0.03) for mine, theirs in zip(one, other, strict=True))
    assert not all(torch.equal(mine, theirs) for mine, theirs in zip(one, other, strict=True))


def broken(folder: Path, how: str) -> None:
    weights, card = folder / "weights.safetensors", folder / "card.json"
    if how == "cut":
        weights.write_bytes(weights.read_bytes()[:-100])
    elif how == "gone":
        card.unlink()
    elif how == "other":
        told = json.loads(card.read_text())
        told["settings"]["width"] = 64
        card.write_text(json.dumps(told))
    elif how == "unknown":
        for file in (weights, card):
            file.write_bytes(file.read_bytes().replace(b"transformer", b"telepathist"))
    else:
        card.write_text("{")


@pytest.mark.parametrize(
    ("how", "told"),
    [
        ("cut", "weights.safetensors cannot be read"),
        ("gone", "has no card.json: give a folder made by groundling train"),
        ("other", "do not match its card"),
        ("unknown", "weights of 'telepathist', which this version of groundling does not know"),
        ("garbled", "card.json cannot be read"),
    ],
)
def test_weights_that_cannot_be_seated_are_reported_in_one_line(
    how: str, told: str, trained: dict[str, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(trained["drawer"], tmp_path / "copy")
    broken(tmp_path / "copy", how)
    assert (
        main(["play", "codraw", "--seat", "teller=template", "--seat", f"drawer=weights:{tmp_path / 'copy'}"])
        == 2
    )
    err = capsys.readouterr().err
    assert told in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (
            ["play", "codraw", "--seat", "teller=template", "--seat", "drawer=weights"],
            "weights needs a folder",
        ),
        (
            ["play", "codraw", "--seat", "teller=weights:{drawer}", "--seat", "drawer=random"],
            "a Drawer (transformer)",
        ),
        (["train", "codraw-drawer", "--data", "gone", "-o", "out"], "gone does not exist"),
        (["train", "codraw-drawer", "--data", ".", "-o", "out"], "holds no CoDraw dialogs"),
        (
            ["train", "codraw-drawer", "--data", "data", "--model", "minilm", "-o", "out"],
            "name its file with --pretrained",
        ),
        (
            ["train", "codraw-drawer", "--data", "data", "--model", "bilstm", "-o", "{drawer}"],
            "choose a new folder",
        ),
        (
            ["train", "codraw-teller", "--data", "data", "--start", "gone", "-o", "out"],
            "gone has no weights.safetensors",
        ),
        (
            ["train", "codraw-drawer", "--data", "data", "--pretrained", "x", "-o", "out"],
            "transformer has no pretrained reader: leave out --pretrained",
        ),
        (
            ["train", "codraw-teller", "--data", "data", "--start", "gone", "--aux", "-o", "out"],
            "--aux is not for training by playing",
        ),
        (
            ["train", "codraw-teller", "--data", "data", "--learned", "--bound", "1", "-o", "out"],
            "--learned, --bound is for a Teller that learns by playing",
        ),
    ],
)
def test_what_cannot_be_done_is_reported_in_one_line(
    words: list[str],
    told: str,
    trained: dict[str, Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    narrated.folder(Path("data"), 8, 1)
    assert main([word.format(**trained) for word in words]) == 2
    err = capsys.readouterr().err
    assert told in err
    assert err.count("\n") == 1


def test_without_torch_the_extra_is_named(
    trained: dict[str, Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    neural, here = "groundling.games.codraw.neural", str(tmp_path)
    for name in [known for known in sys.modules if known.startswith((f"{neural}.", "groundling.train"))]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "torch", None)
    for words in (
        ["train", "codraw-drawer", "--data", here, "-o", str(tmp_path / "out")],
        ["play", "codraw", "--seat", "teller=template", "--seat", f"drawer=weights:{trained['drawer']}"],
    ):
        assert main(words) == 2
        assert 'this needs an extra: run pip install "groundling[train]"' in capsys.readouterr().err
