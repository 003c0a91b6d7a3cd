from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace
from tests.helpers import session

from groundling.core.consistency import Contradiction, find_contradiction
from groundling.core.events import AnyEvent, Moved, Replied, Transcript
from groundling.core.game import AnyGame


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[AnyGame, Transcript]:
    """A game of the reference set: opened, two replies with their moves, closed."""
    run = session(tmp_path_factory.mktemp("runs") / "run", limit=1)
    run.play_missing(1)
    return run.game, next(run.folder.read_transcripts())


def check(played: tuple[AnyGame, Transcript], *events: AnyEvent) -> Contradiction | None:
    return find_contradiction(played[0], Transcript(events))


def changed(event: AnyEvent, **fields: Any) -> AnyEvent:
    return replace(event, **fields)


def test_replies_are_checked_however_they_are_written(played: tuple[AnyGame, Transcript]) -> None:
    opened, said, say, answered, pick, closed = played[1].events
    assert isinstance(answered, Replied)
    assert check(played, opened, said, say, answered, pick, closed) is None
    otherwise = changed(answered, text=f"  {answered.text.upper()} ")
    assert check(played, opened, said, say, otherwise, pick, closed) is None


def test_a_reply_that_says_another_move_is_found_at_the_move(played: tuple[AnyGame, Transcript]) -> None:
    opened, said, say, answered, pick, closed = played[1].events
    assert isinstance(pick, Moved)
    other = next(word for word in ("first", "second") if word not in played[0].write(pick.moves))
    found = check(played, opened, said, say, changed(answered, text=f"Answer: {other}"), pick, closed)
    assert found == Contradiction(4, "the moves of follower are not those of the reply before them")


@pytest.mark.parametrize("length", [4, 6], ids=["cut off after it", "whole"])
def test_a_reply_that_cannot_be_read_is_found_at_its_own_place(
    played: tuple[AnyGame, Transcript], length: int
) -> None:
    events = list(played[1].events)
    events[3] = changed(events[3], text="no answer")
    found = check(played, *events[:length])
    assert found is not None
    assert found.number == 3
    assert "strictly it cannot be read" in found.message
