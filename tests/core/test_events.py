"""Events survive being written down, today's logs and tomorrow's."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.core.broken import GUESSER, TELLER, Guess, GuessGame, Secret

from groundling.core.events import (
    SCHEMA,
    AnyEvent,
    Closed,
    Failed,
    Moved,
    Opened,
    Refused,
    Replied,
    Transcript,
    check_event_schema,
    encode_event_json,
    event_decoder,
)
from groundling.core.values import Problem, Result, Say, Settings


def opened(schema: int = SCHEMA) -> Opened[Any, Any]:
    return Opened(
        episode="one",
        at=0.5,
        game="guess",
        instance=Secret(id="one", number=3),
        settings=Settings(),
        seats={TELLER: "gold", GUESSER: "random"},
        seed=4,
        retries=1,
        strict=False,
        version="9.9",
        schema=schema,
    )


read = event_decoder(GuessGame).decode
names, numbers, roles = st.text(), st.integers(-(2**53), 2**53), st.sampled_from([TELLER, GUESSER])
head: dict[str, Any] = {"episode": names, "at": st.floats(allow_nan=False, allow_infinity=False)}
moves = st.lists(st.builds(Say, names) | st.builds(Guess, numbers)).map(tuple)
plain = st.none() | st.booleans() | numbers | names
jsons = plain | st.lists(plain, max_size=3) | st.dictionaries(names, plain, max_size=3)
events: st.SearchStrategy[AnyEvent] = st.one_of(
    st.builds(
        Replied,
        **head,
        role=roles,
        text=names,
        strict=st.none() | names,
        tolerant=st.none() | names,
        dropped=st.lists(names).map(tuple),
        seconds=st.none() | st.floats(0, 1e9),
        usage=st.dictionaries(names, numbers),
        detail=st.dictionaries(names, jsons, max_size=3),
    ),
    st.builds(Moved, **head, role=roles, moves=moves),
    st.builds(Refused, **head, role=roles, complaint=names),
    st.builds(Failed, **head, role=roles, boundary=names, message=names),
    st.builds(Closed, **head, reason=names, result=st.none() | st.builds(Result, st.floats(-1e9, 1e9))),
)


@settings(deadline=None)
@given(events)
def test_an_event_comes_back_from_json_as_it_was(event: AnyEvent) -> None:
    line = encode_event_json(event)
    assert b"\n" not in line
    assert read(line) == event


def test_an_opening_comes_back_with_the_games_own_instance() -> None:
    back = read(encode_event_json(opened()))
    assert back == opened()
    assert isinstance(back, Opened)
    assert type(back.instance) is Secret


@settings(deadline=None)
@given(events, st.dictionaries(names.map("new-".__add__), jsons, min_size=1, max_size=3))
def test_fields_that_are_not_known_yet_are_ignored(event: AnyEvent, news: dict[str, Any]) -> None:
    assert read(encode_event_json({**news, **msgspec.to_builtins(event)})) == event


def test_fields_that_were_not_there_yet_are_filled_in() -> None:
    old = b'{"type":"replied","episode":"one","at":1,"role":"teller","text":"hm"}'
    assert read(old) == Replied(episode="one", at=1.0, role=TELLER, text="hm")


@pytest.mark.parametrize(
    "line",
    [
        b'{"type":"moved","episode":"one","at":1,"role":"teller","moves":[{"move":"jump"}]}',
        b'{"type":"moved","episode":"one","at":1,"role":"teller"}',
        b'{"type":"slept","episode":"one","at":1}',
        b'{"type":"closed","episode":"one","at":1,"reason":"fini',
    ],
)
def test_a_broken_line_is_an_error(line: bytes) -> None:
    with pytest.raises(msgspec.DecodeError):
        read(line)


@pytest.mark.parametrize("schema", range(SCHEMA + 1))
def test_older_logs_stay_readable(schema: int) -> None:
    check_event_schema(opened(schema))


def test_a_newer_log_is_distinguished_from_a_broken_one() -> None:
    with pytest.raises(Problem) as caught:
        check_event_schema(opened(SCHEMA + 1))
    assert str(caught.value).count("\n") == 0
    assert "groundling 9.9" in str(caught.value)
    assert str(caught.value).endswith("upgrade groundling")


@pytest.mark.parametrize(
    ("last", "status", "score"),
    [
        ((), "missing", None),
        ((Replied(episode="one", at=1, role=TELLER, text="hm"),), "missing", None),
        ((Failed(episode="one", at=1, role=TELLER, boundary="left", message="went"),), "errored", None),
        ((Closed(episode="one", at=1, reason="refused"),), "aborted", None),
        ((Closed(episode="one", at=1, reason="finished", result=Result(0.5)),), "played", 0.5),
    ],
)
def test_a_transcripts_last_event_says_how_it_stands(
    last: tuple[AnyEvent, ...], status: str, score: float | None
) -> None:
    transcript = Transcript((opened(), *last))
    assert transcript.status == status
    assert (transcript.result.score if transcript.result else None) == score
    assert (transcript.episode, transcript.opened) == ("one", opened())


def test_moves_and_replies_are_listed_by_seat() -> None:
    said = Replied(episode="one", at=1, role=TELLER, text="Say: 3")
    guessed = Replied(episode="one", at=3, role=GUESSER, text="3")
    transcript = Transcript(
        (
            opened(),
            said,
            Moved(episode="one", at=2, role=TELLER, moves=(Say("3"),)),
            guessed,
            Moved(episode="one", at=4, role=GUESSER, moves=(Guess(3),)),
        )
    )
    assert list(transcript.event_moves()) == [(TELLER, Say("3")), (GUESSER, Guess(3))]
    assert list(transcript.reply_events()) == [said, guessed]
    assert list(transcript.reply_events(GUESSER)) == [guessed]
