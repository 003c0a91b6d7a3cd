"""A Drawer that asks where it is in doubt, and learned Tellers that answer, peek and correct."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import pytest

torch = pytest.importorskip("torch", reason="torch is not installed: pip install '.[train]' to run these")

from tests.games.codraw.tiny_weights import TinyWeights  # noqa: E402

from groundling.boards.scene import INDEX, KINDS, Piece, Put, Scene, apply_changes  # noqa: E402
from groundling.core.events import Moved, Transcript  # noqa: E402
from groundling.core.pack import Seat, find, load  # noqa: E402
from groundling.core.player import Ask, Player, Reply  # noqa: E402
from groundling.core.table import play  # noqa: E402
from groundling.core.values import Problem, Say  # noqa: E402
from groundling.games.codraw.instance import CodrawInstance  # noqa: E402
from groundling.games.codraw.make import builtin  # noqa: E402
from groundling.games.codraw.moves import Agree, CodrawMove, Finish, Peek  # noqa: E402
from groundling.games.codraw.neural.asking_drawer import AskingDrawer, QuestionAnswer, collect_asked_answers  # noqa: E402
from groundling.games.codraw.neural.trained_players import WeightsDrawer, WeightsTeller  # noqa: E402
from groundling.games.codraw.neural.transformer import SceneGuess  # noqa: E402
from groundling.games.codraw.players.questions import PieceQuestion, parse_own_question, word_question  # noqa: E402
from groundling.games.codraw.rules import CodrawSettings, DrawerView, SpokenMessage  # noqa: E402

SUN = "a sun on the left"


@pytest.fixture
def trained(weights: TinyWeights) -> dict[str, Path]:
    models = {"drawer": weights("transformer"), "bilstm": weights("bilstm")}
    return {**models, "teller": weights("scene2seq", "b")}


def sit(role: str, folder: Path, **options: str) -> Player:
    codraw = find("codraw")
    seat = Seat(codraw, codraw.new(), role, "weights", str(folder), options)
    player = load(codraw.players["weights"])(seat)
    assert not seat.options
    return player


def sure(*pieces: Piece) -> SceneGuess:
    """Knows these pieces well, and that there are no others."""
    many = len(KINDS)
    parts = [
        torch.zeros(1, many),
        torch.ones(1, many),
        torch.full((1, many, 2), 0.5),
        *(torch.zeros(1, many, n) for n in (3, 2, 7, 5)),
    ]
    guess = SceneGuess(*parts)
    for part in guess[3:]:
        part[..., 0] = 1.0
    for piece in pieces:
        kind = INDEX[piece.kind]
        guess.target[0, kind] = 1.0
        guess.xy[0, kind] = torch.tensor([piece.x / 500, piece.y / 400])
        guess.size[0, kind] = torch.eye(3)[piece.size]
        guess.flip[0, kind] = torch.eye(2)[int(piece.flip)]
    return guess


PIECES = (Piece("sun", 60, 60, 0), Piece("dog", 200, 300, 1))
DOG = INDEX["dog"]


@pytest.fixture
def asking(trained: dict[str, Path]) -> AskingDrawer:
    """Hears what a test lets it hear."""
    drawer = sit("drawer", trained["drawer"], ask="all")
    assert isinstance(drawer, AskingDrawer)
    return drawer


def hears(
    drawer: AskingDrawer,
    monkeypatch: pytest.MonkeyPatch,
    guess: SceneGuess,
    mirrored: SceneGuess | None = None,
) -> None:
    for readings, heard in ((drawer._readings, guess), (drawer._in_mirror, mirrored or guess)):
        again = partial(lambda one, *_: SceneGuess(*(part.clone() for part in one)), heard)
        monkeypatch.setattr(readings, "guess_scenes", again)


def view(
    *talk: tuple[str, str], asked: bool = True, silent: bool = False, canvas: Scene | None = None
) -> DrawerView:
    said = tuple(SpokenMessage(seat, text) for seat, text in talk)
    return DrawerView(KINDS, canvas or Scene(), said, asked, 140, silent)


def reply(drawer: Player, seen: DrawerView) -> Sequence[CodrawMove]:
    moves = asyncio.run(drawer.act(Ask("one", "drawer", seen, (), None, 0))).moves
    assert moves is not None
    return moves


def doubtful(topic: str) -> tuple[SceneGuess, SceneGuess]:
    """Sure of the sun, and of the dog but for one thing."""
    plain, mirrored = sure(*PIECES), sure(*PIECES)
    for guess in (plain, mirrored):
        if topic == "there":
            guess.target[0, DOG] = 0.5
        elif topic == "size":
            guess.size[0, DOG] = torch.tensor([0.0, 0.6, 0.4])
        elif topic == "way":
            guess.flip[0, DOG] = torch.tensor([0.55, 0.45])
    if topic == "side":
        mirrored.xy[0, DOG, 0] = 0.9
    return plain, mirrored


@pytest.mark.parametrize("topic", ["there", "side", "size", "way"])
def test_it_asks_what_it_does_not_know(
    topic: str, asking: AskingDrawer, monkeypatch: pytest.MonkeyPatch
) -> None:
    hears(asking, monkeypatch, *doubtful(topic))
    last = reply(asking, view(("teller", SUN), ("drawer", "ok")))[-1]
    assert isinstance(last, Say)
    assert parse_own_question(last.text) == PieceQuestion(topic, "dog")  # type: ignore[arg-type]


def test_who_is_sure_agrees_and_who_may_not_speak_too(
    asking: AskingDrawer, monkeypatch: pytest.MonkeyPatch
) -> None:
    hears(asking, monkeypatch, sure(*PIECES))
    assert reply(asking, view(("teller", SUN), ("drawer", "ok")))[-1] == Agree()
    assert reply(asking, view(("teller", SUN), asked=False))[-1] == Say("ok")
    hears(asking, monkeypatch, *doubtful("size"))
    assert reply(asking, view(("teller", SUN), ("drawer", "ok"), silent=True))[-1] == Agree()
    assert reply(asking, view(("teller", SUN), asked=False, silent=True))[-1] == Say("ok")


def test_before_the_end_it_asks_only_if_it_is_to_and_only_of_what_was_told(
    asking: AskingDrawer, trained: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    doubts = doubtful("size")
    eager = sit("drawer", trained["drawer"], ask="all", when="any")
    assert isinstance(eager, AskingDrawer)
    hears(eager, monkeypatch, *doubts)
    now = view(("teller", SUN), asked=False)
    assert reply(eager, now)[-1] == Say(word_question(PieceQuestion("size", "dog")))
    assert reply(asking, now)[-1] == Say("ok")
    for guess in doubts:
        guess.drawn[0, DOG] = 0.1
    hears(eager, monkeypatch, *doubts)
    assert reply(eager, now)[-1] == Say("ok")
    assert reply(eager, view(("teller", SUN), ("drawer", "ok")))[-1] == Say(
        word_question(PieceQuestion("size", "dog"))
    )


def test_no_question_is_asked_twice_nor_too_many(
    asking: AskingDrawer, trained: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    doubts = doubtful("size")
    doubts[0].size[0, INDEX["sun"]] = doubts[1].size[0, INDEX["sun"]] = torch.tensor([0.7, 0.3, 0.0])
    hears(asking, monkeypatch, *doubts)
    first = word_question(PieceQuestion("size", "dog"))
    talk = [("teller", SUN), ("drawer", "ok")]
    assert reply(asking, view(*talk))[-1] == Say(first)
    talk += [("drawer", first), ("teller", "no idea")]
    assert reply(asking, view(*talk, asked=False))[-1] == Say(word_question(PieceQuestion("size", "sun")))
    once = sit("drawer", trained["drawer"], ask="size", questions="1")
    assert isinstance(once, AskingDrawer)
    hears(once, monkeypatch, *doubts)
    assert reply(once, view(*talk, asked=False))[-1] == Say("ok")
    other = sit("drawer", trained["drawer"], ask="way+there")
    assert isinstance(other, AskingDrawer)
    hears(other, monkeypatch, *doubts)
    assert reply(other, view(*talk))[-1] == Agree()


@pytest.mark.parametrize(
    ("topic", "answer", "holds"),
    [
        ("size", "the dog is small", lambda dog: dog.size == 2),
        ("way", "the dog is facing left", lambda dog: dog.flip),
        ("side", "the dog is on the far right", lambda dog: dog.x >= 272),
        ("there", "yes, a medium dog", lambda dog: dog is not None),
        ("there", "no, there is no dog", lambda dog: dog is None),
        ("size", "there is no dog", lambda dog: dog is None),
    ],
)
def test_an_answer_is_drawn(
    topic: str, answer: str, holds: object, asking: AskingDrawer, monkeypatch: pytest.MonkeyPatch
) -> None:
    hears(asking, monkeypatch, *doubtful(topic))
    question = word_question(PieceQuestion(topic, "dog"))  # type: ignore[arg-type]
    moves = reply(
        asking, view(("teller", SUN), ("drawer", "ok"), ("drawer", question), ("teller", answer), asked=False)
    )
    drawn = apply_changes(Scene(), [move for move in moves if not isinstance(move, Say)])  # type: ignore[misc]
    assert moves[-1] == Say("ok")
    assert callable(holds)
    assert holds(drawn.get("dog"))


def test_an_answer_counts_until_more_is_said_of_that_piece() -> None:
    question = PieceQuestion("size", "dog")
    talk = [
        SpokenMessage("drawer", word_question(question)),
        SpokenMessage("teller", "The dog is small."),
        SpokenMessage("drawer", "ok"),
    ]
    assert collect_asked_answers(talk) == [QuestionAnswer(question, "small")]
    assert collect_asked_answers([*talk, SpokenMessage("teller", "move the sun up")]) == [
        QuestionAnswer(question, "small")
    ]
    assert collect_asked_answers([*talk, SpokenMessage("teller", "make the dog bigger")]) == []
    assert collect_asked_answers([talk[0], SpokenMessage("teller", "a large sun")]) == []


def test_asking_is_an_option_that_is_off(trained: dict[str, Path]) -> None:
    usual = sit("drawer", trained["drawer"])
    assert type(usual) is WeightsDrawer
    assert usual is sit("drawer", trained["drawer"], ask="no")
    some = sit("drawer", trained["drawer"], ask="way+size")
    assert isinstance(some, AskingDrawer)
    assert some.asking.topics == ("size", "way")
    assert some.info.facts["asks"] == "size+way"
    assert some._model is usual._model


@pytest.mark.parametrize(
    ("role", "folder", "options", "told"),
    [
        ("drawer", "drawer", {"ask": "colour"}, "cannot ask=colour"),
        ("drawer", "drawer", {"ask": "size+size"}, "cannot ask=size"),
        ("drawer", "drawer", {"ask": "all", "questions": "0"}, "cannot have questions=0"),
        ("drawer", "drawer", {"ask": "all", "when": "never"}, "cannot have when=never"),
        ("drawer", "bilstm", {"ask": "all"}, "bilstm hears one message at a time"),
        ("teller", "teller", {"peek": "often"}, "cannot have peek=often"),
        ("teller", "teller", {"peek": "end", "mend": "magic"}, "cannot have mend=magic"),
    ],
)
def test_what_cannot_be_asked_for_is_reported(
    role: str, folder: str, options: dict[str, str], told: str, trained: dict[str, Path]
) -> None:
    with pytest.raises(Problem, match=told):
        sit(role, trained[folder], **options)


class Hand:
    """A Drawer with these replies, one after the other, and then ok."""

    name = "hand"

    def __init__(self, *replies: tuple[CodrawMove, ...]) -> None:
        self.replies = replies

    async def act(self, ask: Ask) -> Reply:
        if len(ask.past) < len(self.replies):
            return Reply(moves=self.replies[len(ask.past)])
        return Reply(moves=(Agree() if ask.view.asked else Say("ok"),))


def played(
    teller: Player, drawer: Player, park: CodrawInstance, peeks: int = 0
) -> list[tuple[CodrawMove, ...]]:
    """What the Teller did."""

    async def all_of_it() -> Transcript:
        game = find("codraw").new(CodrawSettings(peeks=peeks))
        return Transcript(
            tuple(
                [
                    event
                    async for event in play(
                        game, park, {"teller": teller, "drawer": drawer}, seed=0, clock=lambda: 0.0
                    )
                ]
            )
        )

    found = asyncio.run(all_of_it())
    assert found.status == "played"
    return [event.moves for event in found.events if isinstance(event, Moved) and event.role == "teller"]


def said(moves: Sequence[tuple[CodrawMove, ...]]) -> list[str]:
    return [move.text for made in moves for move in made if isinstance(move, Say)]


class Mute:
    """A Teller that has finished before it began."""

    name = "mute"

    async def act(self, ask: Ask) -> Reply:
        return Reply(moves=(Finish(),))


def test_it_can_be_asked_whether_all_is_done_when_nothing_was_said(asking: AskingDrawer) -> None:
    assert set(played(Mute(), asking, builtin()[0])) == {(Finish(),)}


def test_a_learned_teller_answers_and_continues_with_its_plan(trained: dict[str, Path]) -> None:
    teller, park = sit("teller", trained["teller"]), builtin()[0]
    assert isinstance(teller, WeightsTeller)
    plan = said(played(teller, Hand(), park))
    kind = park.target.kinds[0]
    missing = next(kind for kind in KINDS if kind not in park.target.kinds)
    questions = [(Say(word_question(PieceQuestion("there", one))),) for one in (kind, missing)]
    asked = said(played(teller, Hand(*questions), park))
    assert [text for text in asked if text in plan] == plan
    assert asked[1].startswith("Yes, ")
    assert "No, there " in " ".join(asked)
    late = said(played(teller, Hand(*[(Say("ok"),)] * len(plan), *questions), park))
    assert late[: len(plan)] == plan
    assert len(late) == len(plan) + 2


def test_a_learned_teller_peeks_where_it_should_and_corrects(trained: dict[str, Path]) -> None:
    park = builtin()[0]
    plan = said(played(sit("teller", trained["teller"]), Hand(), park, peeks=1))
    for option, place in (("end", len(plan)), ("1", 1)):
        moves = played(
            sit("teller", trained["teller"], peek=option),
            Hand((*map(Put, park.target.pieces), Say("ok"))),
            park,
            peeks=1,
        )
        assert moves.index((Peek(),)) == place
        assert said(moves) == plan
        assert moves[-1][-1] == Finish()
    nothing = played(sit("teller", trained["teller"], peek="end"), Hand(), park, peeks=1)
    assert len(said(nothing)) > len(plan)
    assert (Peek(),) not in played(sit("teller", trained["teller"], peek="end"), Hand(), park)
