from pathlib import Path

import msgspec
from tests.helpers import Fails, Says, session

from groundling.core.pack import find
from groundling.report.episode import episode_pictures, episode_text
from groundling.runs.run import read_run_recordings

pack = find("reference")


def printed(folder: Path, **players: object) -> str:
    at_table = session(folder, limit=1)
    msgspec.structs.replace(at_table, players={**at_table.players, **players}).play_missing(1)
    (transcript,) = read_run_recordings(folder).values()
    return episode_text(pack, pack.new(), transcript)


def test_what_was_refused_and_why_is_printed(tmp_path: Path) -> None:
    text = printed(tmp_path, follower=Says("hm", "it is the second"))
    assert "[follower replies] hm\n[refused] name one grid" in text
    assert '(taken, though strictly: answer with the tag "Answer:"' in text
    assert text.count("[follower sees]") == 1, "a view that has not changed is not printed again"


def test_a_refused_reply_is_not_said_to_be_taken(tmp_path: Path) -> None:
    at_table = session(tmp_path, limit=1, strict=True)
    msgspec.structs.replace(at_table, players={**at_table.players, "follower": Says("second")}).play_missing(
        1
    )
    (transcript,) = read_run_recordings(tmp_path).values()
    text = episode_text(pack, pack.new(), transcript)
    assert "[follower replies] second\n[refused] answer with the tag" in text
    assert "taken" not in text
    assert "[aborted: refused]" in text


def test_a_failure_is_printed_with_its_boundary(tmp_path: Path) -> None:
    assert "[follower failed: timeout] no answer in time" in printed(tmp_path, follower=Fails(9, ""))


def test_control_characters_do_not_reach_the_terminal(tmp_path: Path) -> None:
    assert "\x1b" not in printed(tmp_path, giver=Says("Expression: \x1b[2Jgone\x00"))


def test_moves_without_a_text_are_printed(tmp_path: Path) -> None:
    session(tmp_path, limit=1).play_missing(1)
    (transcript,) = read_run_recordings(tmp_path).values()
    bare = msgspec.structs.replace(
        transcript, events=tuple(e for e in transcript.events if type(e).__name__ != "Replied")
    )
    assert "[follower moves] Answer: second" in episode_text(pack, pack.new(), bare)


def test_there_is_a_picture_for_every_reply_and_for_the_end(tmp_path: Path) -> None:
    session(tmp_path, limit=1).play_missing(1)
    (transcript,) = read_run_recordings(tmp_path).values()
    assert list(episode_pictures(pack, pack.new(), transcript)) == [
        "001-giver.svg",
        "003-follower.svg",
        "005-giver.svg",
        "005-follower.svg",
    ]
