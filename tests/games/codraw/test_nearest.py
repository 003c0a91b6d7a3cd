"""The players that remember: what they take from recorded dialogs, what they say and draw, and what they tell
of themselves."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterable
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from rapidfuzz.distance import Levenshtein
from tests.boards.scenes import pieces, released, scenes
from tests.games.codraw import remembered
from tests.games.codraw.remembered import BALL, CROWN, DOG, FAR_OAK, JENNY, LOW_SUN, MIKE, OAK, SUN

from groundling.boards.scene import KINDS, Piece, Put, Scene, Shift
from groundling.core.pack import Seat, find
from groundling.core.player import Ask, Reply
from groundling.core.trainer import Training, find_trainer
from groundling.core.values import Problem, Say
from groundling.games.codraw.moves import Agree, Finish
from groundling.games.codraw.players.nearest import make_nearest_player, make_nearest_scene_teller
from groundling.games.codraw.players.nearest.drawer import NearestDrawer
from groundling.games.codraw.players.nearest.learn import NearestOptions, learn_nearest_memory
from groundling.games.codraw.players.nearest.memory import (
    FORMAT,
    NearestMemory,
    encode_nearest_memory,
    read_nearest_memory,
)
from groundling.games.codraw.players.nearest.teller import NearestPieceTeller, NearestSceneTeller
from groundling.games.codraw.rules import DrawerView, SpokenMessage, TellerView
from groundling.games.codraw.similarity import similarity


@pytest.fixture
def memory(tmp_path: Path) -> NearestMemory:
    return remembered.memory(tmp_path)


def made_of(rounds: Iterable[tuple[str, Piece]]) -> NearestMemory:
    told = list(rounds)
    return NearestMemory(
        version="0",
        half="a",
        data="",
        ids=("train_1",),
        scenes=(),
        scripts=(),
        pieces=tuple(piece.placed_piece for _, piece in told),
        messages=tuple(message for message, _ in told),
    )


def ask(view: TellerView | DrawerView, complaint: str | None = None) -> Ask:
    return Ask("one", "teller" if isinstance(view, TellerView) else "drawer", view, (), complaint, 0)


def tells(target: Scene, *said: str, cap: int = 140) -> TellerView:
    talk = tuple(
        spoken
        for text in said
        for spoken in (SpokenMessage("teller", text), SpokenMessage("drawer", "where ?"))
    )
    return TellerView(target, talk, None, 1, False, False, 50, cap, False)


def hears(
    message: str,
    canvas: Scene = Scene(),  # noqa: B008
    palette: tuple[str, ...] = KINDS,
    asked: bool = False,
) -> DrawerView:
    return DrawerView(
        palette, canvas, (SpokenMessage("teller", message),) if message else (), asked, 140, False
    )


def moves(
    player: NearestPieceTeller | NearestSceneTeller | NearestDrawer,
    view: TellerView | DrawerView,
    complaint: str | None = None,
) -> object:
    reply: Reply = asyncio.run(player.act(ask(view, complaint)))
    return reply.moves


def test_only_rounds_that_add_one_piece_and_do_nothing_else_are_remembered(memory: NearestMemory) -> None:
    assert {
        message: Piece.from_placed(piece)
        for message, piece in zip(memory.messages, memory.pieces, strict=True)
    } == {
        "big sun in the left corner": SUN,
        "an oak on the right": OAK,
        "mike waves , he is happy": MIKE,
        "tiny sun , low on the right": LOW_SUN,
        "sun : top left , large": SUN,
        "tree far left": FAR_OAK,
        "a girl sits on the grass": JENNY,
        "boy with one arm up": MIKE,
        "ball at his feet": BALL,
        "huge oak , right": OAK,
    }


def test_scripts_are_all_that_the_teller_said(memory: NearestMemory) -> None:
    assert memory.ids == ("train_00011", "train_00023", "train_00035", "train_00047")
    assert memory.scripts[1] == (
        *(
            "no dog",
            "tiny sun , low on the right",
            "a ball and a crown",
            "a sad mike , and the sun is too high",
            "thanks",
        ),
    )


def test_the_teller_tells_piece_by_piece_the_sky_first_and_small_things_last(memory: NearestMemory) -> None:
    teller = NearestPieceTeller(memory, "")
    target = Scene.of(
        [replace(BALL, x=250), replace(MIKE, expression=2), replace(OAK, x=400), replace(SUN, size=1), DOG]
    )
    said: list[str] = []
    while isinstance(move := moves(teller, tells(target, *said))[0], Say):  # type: ignore[index]
        said.append(move.text)
    assert said == [
        "big sun in the left corner",
        "an oak on the right",
        "mike waves , he is happy",
        "ball at his feet",
    ]
    assert move == Finish(), "of a dog, which nobody ever added alone, nothing is said"


@given(
    st.lists(st.tuples(st.text("abc", min_size=1, max_size=3), pieces((*KINDS[:3], "Mike"))), max_size=8),
    scenes(6),
)
def test_the_teller_says_what_was_said_of_the_most_similar_piece(
    rounds: list[tuple[str, Piece]], target: Scene
) -> None:
    expected = []
    for piece in target.pieces:
        alike = [
            (similarity(Scene((piece,)), Scene((other,))), m)
            for m, other in rounds
            if other.kind == piece.kind
        ]
        if alike:
            best = max(score for score, _ in alike)
            expected.append({m for score, m in alike if score >= best - 1e-9})
    said = NearestPieceTeller(made_of(rounds), "").recall_messages(target, 140)
    assert len(said) == len(expected)
    assert all(message in among for message, among in zip(said, expected, strict=True))


def test_what_is_too_long_to_be_said_is_passed_over() -> None:
    rounds = [("sun " * 20, SUN), ("a sun", LOW_SUN)]
    teller = NearestPieceTeller(made_of(rounds), "")
    assert teller.recall_messages(Scene.of([SUN]), 40) == ("a sun",)
    assert teller.recall_messages(Scene.of([SUN]), 0) == ("sun " * 20,)
    assert teller.recall_messages(Scene.of([SUN]), 3) == ()


def test_the_scene_teller_replays_what_was_said_of_the_most_similar_scene(memory: NearestMemory) -> None:
    teller = NearestSceneTeller(memory, "")
    target = Scene.of([SUN, replace(OAK, x=420), MIKE])
    said = memory.scripts[0]
    assert [moves(teller, tells(target, *said[:n])) for n in range(4)] == [
        *((Say(text),) for text in said),
        (Finish(),),
    ]


def test_the_scene_teller_leaves_out_scenes_of_which_something_too_long_was_said(
    memory: NearestMemory,
) -> None:
    teller = NearestSceneTeller(memory, "")
    target = Scene.of([LOW_SUN, BALL, CROWN])
    assert teller.recall_messages(target, 140) == memory.scripts[1]
    assert teller.recall_messages(target, 30) != memory.scripts[1]
    assert teller.recall_messages(target, 5) == ()


def test_the_drawer_adds_what_was_added_at_the_nearest_words(memory: NearestMemory) -> None:
    drawer = NearestDrawer(memory, "")
    assert moves(drawer, hears("big sun in the left corner")) == (Put(SUN), Say("ok"))
    assert moves(drawer, hears("big sun , left corner", Scene.of([OAK]))) == (Put(SUN), Say("ok"))
    assert moves(drawer, hears("an oak on the left")) == (Put(OAK), Say("ok"))


def test_a_piece_that_is_there_already_becomes_the_one_that_was_remembered(memory: NearestMemory) -> None:
    assert moves(
        NearestDrawer(memory, ""), hears("big sun in the left corner", Scene.of([replace(SUN, x=200)]))
    ) == (Shift("sun", SUN.x, SUN.y), Say("ok"))


def test_the_drawer_takes_nothing_but_what_is_in_its_palette(memory: NearestMemory) -> None:
    drawer = NearestDrawer(memory, "")
    assert moves(drawer, hears("big sun in the left corner", palette=("Jenny", "dog"))) == (
        Put(JENNY),
        Say("ok"),
    )
    assert moves(drawer, hears("big sun in the left corner", palette=("dog",))) == (Say("ok"),)


def test_the_drawer_agrees_and_does_not_insist(memory: NearestMemory) -> None:
    drawer = NearestDrawer(memory, "")
    assert moves(drawer, hears("sun", asked=True)) == (Agree(),)
    assert moves(drawer, hears("sun"), complaint="too far off") == (Say("ok"),)
    assert moves(drawer, hears("")) == (Say("ok"),), "it opens, and nothing was said yet"


@given(
    st.lists(st.tuples(st.text("abc ", min_size=1, max_size=9), pieces()), min_size=1, max_size=8),
    st.text("abcd ", max_size=9),
)
def test_no_message_is_nearer_than_the_one_that_the_drawer_goes_by(
    rounds: list[tuple[str, Piece]], heard: str
) -> None:
    nearest_one = min(Levenshtein.distance(heard, message) for message, _ in rounds)
    first = dict(reversed(rounds))
    among = [piece for message, piece in first.items() if Levenshtein.distance(heard, message) == nearest_one]
    assert NearestDrawer(made_of(rounds), "").nearest_piece(heard, KINDS) in among


def trained(place: Path, half: str, splits: dict[str, list[str]] | None = None) -> Path:
    file = place / f"{half}.nearest"
    options = NearestOptions(half=half)  # type: ignore[arg-type]
    learn_nearest_memory(
        Training(
            data=remembered.folder(place / "data"),
            options=options,
            out=file,
            save=file.write_bytes,  # type: ignore[arg-type]
            splits=splits,
        )
    )
    return file


def test_the_halves_are_the_papers_or_those_of_other_splits(tmp_path: Path) -> None:
    ids = {half: read_nearest_memory(trained(tmp_path, half))[0].ids for half in ("a", "b", "both")}
    assert ids["a"] == ("train_00011", "train_00023")
    assert ids["b"] == ("train_00035", "train_00047")
    assert ids["both"] == ids["a"] + ids["b"]
    other = {"train_a": ["val_00052", "train_00047"], "train_b": ["train_00011"]}
    assert read_nearest_memory(trained(tmp_path, "a", other))[0].ids == ("train_00047", "val_00052")


def test_a_half_that_is_not_there_is_reported(tmp_path: Path) -> None:
    with pytest.raises(Problem, match="no dialogs train_b to learn from: choose from train_a"):
        trained(tmp_path, "b", {"train_a": ["train_00011"]})
    with pytest.raises(Problem, match="none of the dialogs of train_a"):
        trained(tmp_path, "a", {"train_a": ["train_09999"]})


def test_the_same_dialogs_make_the_same_bytes(tmp_path: Path) -> None:
    first = trained(tmp_path, "a").read_bytes()
    assert trained(tmp_path, "a").read_bytes() == first
    assert encode_nearest_memory(read_nearest_memory(tmp_path / "a.nearest")[0]) == first


def seat(role: str, arg: str, name: str = "nearest") -> Seat:
    pack = find("codraw")
    return Seat(pack, pack.new(), role, name, arg)


def test_players_say_what_they_have_learned_from(tmp_path: Path) -> None:
    a, b = (str(trained(tmp_path, half)) for half in "ab")
    teller, drawer, other = (
        make_nearest_player(seat("teller", a)),
        make_nearest_player(seat("drawer", a)),
        make_nearest_player(seat("drawer", b)),
    )
    scene_teller = make_nearest_scene_teller(seat("teller", a, "nearest-scene"))
    assert [teller.name, drawer.name, other.name, scene_teller.name] == [
        "nearest a",
        "nearest a",
        "nearest b",
        "nearest-scene a",
    ]
    assert teller.info.learned_from == drawer.info.learned_from == {"train_00011", "train_00023"}  # type: ignore[attr-defined]
    assert teller.info.facts == drawer.info.facts == scene_teller.info.facts  # type: ignore[attr-defined]
    assert teller.info.facts["learned_from"] != other.info.facts["learned_from"]  # type: ignore[attr-defined]


def test_a_player_without_its_memory_says_what_it_needs(tmp_path: Path) -> None:
    with pytest.raises(Problem, match="teller=nearest:FILE, made by groundling train codraw-nearest"):
        make_nearest_player(seat("teller", ""))
    with pytest.raises(Problem, match="only tells"):
        make_nearest_scene_teller(seat("drawer", "x", "nearest-scene"))


def test_without_the_extra_it_is_told_how_to_have_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = str(trained(tmp_path, "a"))
    for module in ("drawer", "teller"):
        monkeypatch.setitem(sys.modules, f"groundling.games.codraw.players.nearest.{module}", None)
    with pytest.raises(Problem, match=r"pip install \"groundling\[score\]\""):
        make_nearest_player(seat("drawer", file))
    with pytest.raises(Problem, match=r"pip install \"groundling\[score\]\""):
        make_nearest_scene_teller(seat("teller", file, "nearest-scene"))


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "no memory of codraw-nearest"),
        (b"\x93\x01\x02\x03", "no memory of codraw-nearest"),
        (
            msgspec.msgpack.encode({"kind": "something", "format": 1, "version": "1"}),
            "no memory of codraw-nearest",
        ),
        (
            msgspec.msgpack.encode({"kind": "codraw-nearest", "format": FORMAT + 1, "version": "9.1"}),
            "groundling 9.1",
        ),
    ],
)
def test_other_files_are_refused(tmp_path: Path, content: bytes, why: str) -> None:
    (tmp_path / "file").write_bytes(content)
    with pytest.raises(Problem, match=why):
        read_nearest_memory(tmp_path / "file")


def test_a_memory_cut_short_is_refused(tmp_path: Path) -> None:
    file = trained(tmp_path, "a")
    file.write_bytes(file.read_bytes()[:-10])
    with pytest.raises(Problem, match="no memory"):
        read_nearest_memory(file)


def test_a_broken_scene_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = {**remembered.BY_PIECE, "abs_t": "1,s_3s.png,0,3,0,60"}
    monkeypatch.setitem(remembered.DIALOGS, "train_00011", broken)
    with pytest.raises(Problem, match="scene that cannot be read"):
        trained(tmp_path, "a")


def test_the_trainer_is_installed() -> None:
    assert find_trainer("codraw-nearest").name == "codraw-nearest"


@pytest.mark.no_cover
@pytest.mark.slow
def test_released_dialogs_become_memories_of_the_papers_halves() -> None:
    kept: list[bytes] = []
    for half in ("a", "b"):
        learn_nearest_memory(
            Training(data=released(), options=NearestOptions(half=half), out=Path(half), save=kept.append)
        )
    a, b = (msgspec.msgpack.decode(content, type=NearestMemory) for content in kept)
    assert (len(a.ids), len(b.ids), len(a.pieces), len(b.pieces)) == (3994, 3995, 7625, 8384)
    assert not set(a.ids) & set(b.ids)
