"""Games of a study in the published format: what is written is read back as it was played."""

from __future__ import annotations

from pathlib import Path

from groundling.boards.scene import Piece, Put
from groundling.core.events import Closed, Transcript
from groundling.core.replay import recorded_transcript, replay_transcript
from groundling.core.source import CollectedGame
from groundling.core.values import Say
from groundling.games.codraw.collected import collect_codraw_data
from groundling.games.codraw.make import SceneRecipe, make
from groundling.games.codraw.moves import Agree, Close, Finish, Peek, Wait
from groundling.games.codraw.recorded.dialog_files import (
    INCOMPLETE,
    RELEASE,
    load_dialog_files,
    load_incomplete_dialogs,
)
from groundling.games.codraw.recorded.stats import participant_rows
from groundling.games.codraw.recorded.transcripts import read_recorded_transcripts
from groundling.games.codraw.rules import DRAWER, TELLER, CodrawGame, CodrawSettings
from groundling.games.codraw.score import score

GAME = CodrawGame(CodrawSettings(opens="either", ends="both", palette="twenty"))
PARKS = make(SceneRecipe(n=12, seed=1))
MIKE = Put(Piece("Mike", 100, 300, 1, False, 2, 3))


def play(number: int) -> Transcript:
    """The Drawer writes first, the Teller peeks, and the last piece is drawn with the last answer."""
    park = PARKS[number]
    moves = (
        (TELLER, (Wait(),)),
        (DRAWER, (Say("Hello, ready!"),)),
        (TELLER, (Say("Mike's on the left."),)),
        (DRAWER, (MIKE, Say("ok"))),
        (TELLER, (Peek(), Close(), Say("and a tree"))),
        (DRAWER, (Say("which?"),)),
        (TELLER, (Finish(),)),
        (DRAWER, (Put(Piece(park.palette[-1], 50, 60, 0)), Agree())),
    )
    return recorded_transcript(GAME, park, {TELLER: "person", DRAWER: "person"}, moves)


def left_early(number: int) -> Transcript:
    events = play(number).events[:7]
    last = events[-1]
    closed = Closed(
        episode=last.episode, at=last.at, reason="left", endings={TELLER: "stayed", DRAWER: "left"}
    )
    return Transcript((*events, closed))


def collect(path: Path) -> str:
    games = [
        CollectedGame(
            transcript=play(number), round=1, people={TELLER: f"t{number % 3}", DRAWER: f"d{number}"}
        )
        for number in range(11)
    ]
    early = CollectedGame(
        transcript=left_early(11), round=1, people={TELLER: "t0", DRAWER: "d99"}, complete=False
    )
    practice = CollectedGame(transcript=play(11), round=None, people={TELLER: "t0", DRAWER: "d1"})
    written = collect_codraw_data([*games, early, practice])
    for name, content in written.files.items():
        (path / name).write_bytes(content)
    assert set(written.files) == {RELEASE, INCOMPLETE}
    return written.about


def test_what_is_collected_is_read_back_with_canvases_words_and_peeks(tmp_path: Path) -> None:
    assert "11 dialogs of 12 scenes by 15 people; train 9, val 1, test 1; 1 ended early" in collect(tmp_path)
    found = [each for part in ("train", "val", "test") for each in read_recorded_transcripts(tmp_path, part)]
    games = [game for one in found for game in one.transcripts]
    assert len(games) == 11
    by_scene = {game.opened.instance.target.text(): game for game in games}
    for number in range(11):
        read, played = by_scene[PARKS[number].target.text()], play(number)
        state, meant = (replay_transcript(CodrawGame(game.opened.settings), game) for game in (read, played))
        assert state.canvas == meant.canvas
        assert set(read.opened.instance.palette) == set(PARKS[number].palette)
        assert score(GAME, read).episode["unaided"] == score(GAME, played).episode["unaided"]
    first = load_dialog_files(tmp_path)[0]
    assert [(each.msg_t, each.msg_d, each.peeked) for each in first.dialog] == [
        ("", "hello , ready !", False),
        ("mike ' s on the left .", "ok", False),
        ("and a tree", "which ?", True),
        ("", "", False),
    ]
    assert all(each.similarity is not None for each in first.dialog)


def test_participants_and_those_who_left_are_counted(tmp_path: Path) -> None:
    collect(tmp_path)
    rows = {
        name.strip(): here
        for name, here, _ in participant_rows(load_dialog_files(tmp_path), load_incomplete_dialogs(tmp_path))
    }
    assert rows["participants"] == "14"
    assert rows["sessions that ended early"] == "1 (8.33 %)"
    assert rows["people who left a session early"] == "1 (4.17 %)"
    assert rows["dialogs of the five busiest"] == "4, 4, 3, 1, 1"
    assert rows["dialogs of a person"] == "max 4, median 1, min 1"
