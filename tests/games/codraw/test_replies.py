"""What players write, and how it is read."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.boards.scenes import pieces

from groundling.boards.scene import Express, Flip, Piece, Pose, Put, Remove, Resize, Shift
from groundling.core.values import Illegal, Say
from groundling.games.codraw.moves import Agree, Close, CodrawMove, Finish, Peek, Wait, one_line
from groundling.games.codraw.replies import read_drawer_reply, read_teller_reply, write_codraw_reply

TREE = Say("a tree, left")


def tell(
    text: str, *, strict: bool = False, peeking: bool = False, empty: bool = False
) -> tuple[CodrawMove, ...]:
    return read_teller_reply(text, peeking=peeking, empty=empty, strict=strict).moves


def drawn(
    text: str, *, strict: bool = False, asked: bool = False, silent: bool = False
) -> tuple[CodrawMove, ...]:
    return read_drawer_reply(text, asked=asked, silent=silent, empty=False, strict=strict).moves


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("Say: a tree, left", (TREE,)),
        ("PEEK", (Peek(),)),
        ("CLOSE", (Close(),)),
        ("FINISH", (Finish(),)),
        ("WAIT", (Wait(),)),
        ("CLOSE\nSay: a tree, left", (Close(), TREE)),
        ("PEEK\nCLOSE\nFINISH", (Peek(), Close(), Finish())),
        ("Say: peek", (Say("peek"),)),
        ("Say: Say: it", (Say("Say: it"),)),
        ("Say: two  blanks", (Say("two  blanks"),)),
    ],
)
def test_the_teller_is_read_strictly_and_tolerantly_alike(text: str, moves: tuple[CodrawMove, ...]) -> None:
    assert tell(text, strict=True) == tell(text) == moves


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("a tree, left", (TREE,)),
        ("say: a tree, left", (TREE,)),
        ("**Say:** a tree, left", (TREE,)),
        ("a tree,\nleft", (TREE,)),
        ("Sure, here it is:\n\nSay: a tree, left\n\nI hope that helps.", (TREE,)),
        ("```\nSay: a tree, left\n```", (TREE,)),
        ("peek", (Peek(),)),
        ("*Finish!*", (Finish(),)),
        ("PEEK\n\nClose.\nSay: a tree, left", (Peek(), Close(), TREE)),
        ("finish the tree first", (Say("finish the tree first"),)),
    ],
)
def test_a_tolerant_reader_finds_what_the_teller_means(text: str, moves: tuple[CodrawMove, ...]) -> None:
    assert tell(text) == moves
    with pytest.raises(Illegal):
        tell(text, strict=True)


def test_what_stands_around_a_message_is_told() -> None:
    reading = read_teller_reply("Well.\nSay: a tree\n\nDone.", peeking=False, empty=False, strict=False)
    assert reading.dropped == ("Well.", "Done.")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "says nothing"),
        ("Say:", "says nothing"),
        ("a tree, left\nPEEK", "one action at a time"),
        ("Say: a tree\nFINISH", "one action at a time"),
        ("Say: a tree\nSay: a cat", "2 messages"),
    ],
)
def test_nothing_or_too_much_is_refused(text: str, why: str) -> None:
    with pytest.raises(Illegal, match=why):
        tell(text)


def test_while_peeking_the_next_words_close_the_canvas() -> None:
    assert tell("a tree, left", peeking=True) == (Close(), TREE)
    assert tell("Say: a tree, left", peeking=True, strict=True) == (Close(), TREE)
    assert tell("FINISH", peeking=True) == (Close(), Finish())
    assert tell("CLOSE\nSay: a tree, left", peeking=True) == (Close(), TREE)
    assert tell("CLOSE", peeking=True) == (Close(),)


def test_an_empty_message_is_read_where_it_is_allowed() -> None:
    assert tell("Say:", strict=True, empty=True) == tell("Say: ", empty=True) == (Say(""),)


SUN = {"do": "put", "kind": "sun", "x": 60, "y": 50, "size": "large"}
MIKE = {
    "do": "put",
    "kind": "Mike",
    "x": 9,
    "y": 8,
    "size": "small",
    "facing": "left",
    "pose": "waving",
    "expression": "sad",
}
PUT_SUN, PUT_MIKE = Put(Piece("sun", 60, 50, 0)), Put(Piece("Mike", 9, 8, 2, True, 6, 3))


def reply(*actions: dict[str, Any], **end: Any) -> str:
    return json.dumps({"actions": actions, **(end or {"say": "ok"})})


@pytest.mark.parametrize(
    ("action", "move"),
    [
        (SUN, PUT_SUN),
        (MIKE, PUT_MIKE),
        ({**SUN, "kind": "cloud", "flip": True}, Put(Piece("cloud", 60, 50, 0, True))),
        ({**SUN, "kind": "oak tree", "facing": "right"}, Put(Piece("oak tree", 60, 50, 0, True))),
        (
            {**SUN, "kind": "oak tree", "facing": "right", "flip": True},
            Put(Piece("oak tree", 60, 50, 0, True)),
        ),
        ({"do": "move", "kind": "sun", "x": -3, "y": 4}, Shift("sun", -3, 4)),
        ({"do": "flip", "kind": "Jenny", "facing": "right"}, Flip("Jenny", False)),
        ({"do": "flip", "kind": "cloud", "flip": True}, Flip("cloud", True)),
        ({"do": "resize", "kind": "sun", "size": "medium"}, Resize("sun", 1)),
        ({"do": "pose", "kind": "Mike", "pose": "arms up"}, Pose("Mike", 1)),
        ({"do": "expression", "kind": "Mike", "expression": "wide smile"}, Express("Mike", 1)),
        ({"do": "remove", "kind": "hot dog"}, Remove("hot dog")),
    ],
)
def test_actions_are_moves(action: dict[str, Any], move: CodrawMove) -> None:
    assert drawn(reply(action), strict=True) == drawn(reply(action)) == (move, Say("ok"))


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        (reply(SUN, MIKE, say="where is she?"), (PUT_SUN, PUT_MIKE, Say("where is she?"))),
        (reply(agree=True), (Agree(),)),
        (reply(SUN, agree=True), (PUT_SUN, Agree())),
        (reply(SUN, say=None), (PUT_SUN,)),
        ("Say: where is {she}?", (Say("where is {she}?"),)),
    ],
)
def test_the_drawer_is_read_strictly_and_tolerantly_alike(text: str, moves: tuple[CodrawMove, ...]) -> None:
    assert drawn(text, strict=True, asked=True) == drawn(text, asked=True) == moves


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        (f"Here you are:\n```json\n{reply(SUN)}\n```\nBye", (PUT_SUN, Say("ok"))),
        (f"{reply(SUN)}\n{reply(SUN)}", (PUT_SUN, Say("ok"))),
        (json.dumps({"actions": [SUN]}), (PUT_SUN, Say("ok"))),
        (json.dumps([SUN]), (PUT_SUN, Say("ok"))),
        (json.dumps({"say": "hm"}), (Say("hm"),)),
        (reply({**SUN, "x": 59.6}), (PUT_SUN, Say("ok"))),
        (reply({**SUN, "kind": "Sun", "size": "Large"}), (PUT_SUN, Say("ok"))),
        (reply({**SUN, "kind": "Hot-air balloon"}), (Put(Piece("hot air balloon", 60, 50, 0)), Say("ok"))),
        (reply(say="two\nlines"), (Say("two lines"),)),
        ("Where is the sun?", (Say("Where is the sun?"),)),
        ("ok", (Say("ok"),)),
        ("peek", (Peek(),)),
        ("AGREE", (Agree(),)),
    ],
)
def test_a_tolerant_reader_finds_what_the_drawer_means(text: str, moves: tuple[CodrawMove, ...]) -> None:
    assert drawn(text) == moves
    with pytest.raises(Illegal):
        drawn(text, strict=True)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "says nothing"),
        (reply(SUN)[:-5], "not JSON"),
        ("[sun at the left]", "not JSON"),
        (f"{reply(SUN)} or {reply(MIKE)}", "2 different objects"),
        (reply(SUN, say=3), '"say" is a text'),
        (reply(say=""), "empty"),
        (reply(say=None), "does nothing"),
        (reply(SUN, agree=True, say="ok"), "agree, or say"),
        (reply(agree=1), '"agree" is true'),
        (json.dumps({"actions": SUN, "say": "ok"}), "is a list"),
        (json.dumps({"act": [SUN], "say": "ok"}), "no key 'act'"),
        (reply({**SUN, "do": "draw"}), "no action 'draw'"),
        (reply({"do": "put", "kind": "sun", "x": 1, "y": 2}), 'add "size"'),
        (reply({**SUN, "kind": "unicorn"}), "no clip art called 'unicorn'"),
        (reply({**SUN, "size": 0}), "no size 0"),
        (reply({**SUN, "x": "60"}), "whole number"),
        (reply({**SUN, "x": True}), "whole number"),
        (reply({**SUN, "x": 1e300}), "out of reach"),
        (reply({**SUN, "pose": "waving"}), "only Mike and Jenny"),
        (reply({**SUN, "facing": "left"}), "no front"),
        (reply({**SUN, "flip": 1}), '"flip" is true or false'),
        (reply({**MIKE, "facing": "up"}), "left or right"),
        (reply({**MIKE, "flip": False}), "different things"),
        (
            reply({"do": "put", "kind": "Mike", "x": 1, "y": 2, "size": "small", "pose": "waving"}),
            'add "expression"',
        ),
        (reply({"do": "flip", "kind": "sun"}), "true or false"),
        (reply({"do": "remove", "kind": "sun", "x": 3}), "leave 'x' out"),
        ('{"actions": [], "say": "a", "say": "b"}', "not JSON"),
        ('{"actions": [{"do": "move", "kind": "sun", "x": NaN, "y": 1}], "say": "b"}', "not JSON"),
        ("[" * 5_000, "not JSON"),
        (json.dumps({"actions": [3], "say": "ok"}), "an action is an object"),
    ],
)
def test_what_cannot_be_read_is_refused_with_what_would_be(text: str, why: str) -> None:
    with pytest.raises(Illegal, match=why):
        drawn(text)
    with pytest.raises(Illegal):
        drawn(text, strict=True)


def test_once_the_teller_has_finished_silence_is_not_taken_for_an_answer() -> None:
    with pytest.raises(Illegal, match='"agree": true'):
        drawn(json.dumps({"actions": [SUN]}), asked=True)
    assert drawn(reply(SUN), asked=True) == (PUT_SUN, Say("ok")), (
        "a message goes on with the game, whatever it says"
    )


words = st.text(max_size=60).map(one_line).filter(bool)
changes = st.one_of(
    pieces().map(Put),
    pieces().map(lambda p: Shift(p.kind, p.x, p.y)),
    pieces().map(lambda p: Flip(p.kind, p.flip)),
    pieces().map(lambda p: Resize(p.kind, p.size)),
    pieces().map(lambda p: Pose("Mike", p.x % 7)),
    pieces().map(lambda p: Express("Jenny", p.x % 5)),
    pieces().map(lambda p: Remove(p.kind)),
)


@given(st.lists(changes, max_size=5), words, st.sampled_from(["say", "agree", "on"]))
def test_whatever_a_drawer_does_can_be_written_and_read_again(made: list[Any], said: str, end: str) -> None:
    ends: dict[str, tuple[CodrawMove, ...]] = {"say": (Say(said),), "agree": (Agree(),), "on": ()}
    moves = (*made, *ends[end])
    if moves:
        for strict in (True, False):
            assert drawn(write_codraw_reply(moves), strict=strict, asked=True) == moves


@given(st.lists(st.sampled_from([Peek(), Close()]), max_size=3), words)
def test_whatever_a_teller_does_can_be_written_and_read_again(before: list[CodrawMove], said: str) -> None:
    for moves in ((*before, Say(said)), (*before, Finish()), (Wait(),)):
        for strict in (True, False):
            assert tell(write_codraw_reply(moves), strict=strict) == moves


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("FINISH", (Finish(),)),
        (reply(finish=True), (Finish(),)),
        (reply(SUN, finish=True), (PUT_SUN, Finish())),
        (reply(SUN, agree=True), (PUT_SUN, Agree())),
    ],
)
@pytest.mark.parametrize("strict", [True, False])
def test_a_drawer_finishes_where_it_can(text: str, moves: tuple[CodrawMove, ...], strict: bool) -> None:
    def read(text: str) -> tuple[CodrawMove, ...]:
        return read_drawer_reply(
            text, asked=True, silent=False, empty=False, strict=strict, finishes=True
        ).moves

    assert read(text) == moves
    assert read(write_codraw_reply(moves)) == moves


def test_a_drawer_that_finishes_says_nothing() -> None:
    for text in (reply(finish=True, say="ok"), reply(finish=True, agree=True), reply(finish=1)):
        with pytest.raises(Illegal, match=r"or say something|is true"):
            read_drawer_reply(text, asked=True, silent=False, empty=False, strict=False, finishes=True)
    with pytest.raises(Illegal, match="no key 'finish'"):
        drawn(reply(finish=True))
