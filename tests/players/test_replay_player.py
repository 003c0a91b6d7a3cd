from pathlib import Path
from typing import Any

import pytest
from tests.helpers import session

from groundling.cli import main
from groundling.core.events import Moved, Transcript
from groundling.core.pack import Seat, find, load
from groundling.core.values import Problem, Say
from groundling.games.reference.make import LineupRecipe, make
from groundling.players.replay_player import SILENCE, choose_replay_donors
from groundling.runs.run import read_run_recordings
from groundling.runs.run_folder import RunFolder
from groundling.runs.scoring import score_run
from groundling.runs.scoring_table import borrowed_words_lines
from groundling.runs.verify import verify_run

pack = find("reference")
builtin = load(pack.builtin)()


def played(folder: Path, giver: str, follower: str = "gold", **fields: Any) -> dict[str, Transcript]:
    session(folder, {"giver": giver, "follower": follower}, **fields).play_missing(4)
    return dict(read_run_recordings(folder))


def words(transcript: Transcript) -> str:
    return next(move.text for _, move in transcript.event_moves() if isinstance(move, Say))


def test_replay_says_again_what_was_said(tmp_path: Path) -> None:
    first = played(tmp_path / "a", "random", "random", seed=5)
    again = played(tmp_path / "b", f"replay:{tmp_path / 'a'}", f"replay:{tmp_path / 'a'}")
    assert {e: list(t.event_moves()) for e, t in first.items()} == {
        e: list(t.event_moves()) for e, t in again.items()
    }


def test_replay_repeats_refused_replies_too(tmp_path: Path) -> None:
    script = tmp_path / "s.txt"
    script.write_text("which one?\nAnswer: second\n")
    first = played(tmp_path / "a", "gold", f"script:{script}", limit=2)
    again = played(tmp_path / "b", f"replay:{tmp_path / 'a'}", f"replay:{tmp_path / 'a'}", limit=2)
    assert [[type(e) for e in t.events] for t in first.values()] == [
        [type(e) for e in t.events] for t in again.values()
    ]


def test_replay_of_another_repeat_falls_back_on_the_instance(tmp_path: Path) -> None:
    played(tmp_path / "a", "gold", limit=2)
    again = played(tmp_path / "b", f"replay:{tmp_path / 'a'}", limit=2, repeat=2)
    assert {t.status for t in again.values()} == {"played"}
    assert len(again) == 4


def test_an_instance_that_was_not_recorded_fails_that_episode_only(tmp_path: Path) -> None:
    played(tmp_path / "a", "gold", limit=2)
    again = played(tmp_path / "b", f"replay:{tmp_path / 'a'}", limit=3)
    assert sorted(t.status for t in again.values()) == ["errored", "played", "played"]


def test_a_recording_of_another_instance_with_the_same_id_is_not_replayed(tmp_path: Path) -> None:
    one, other = (make(LineupRecipe(n=4, seed=seed)) for seed in (1, 2))
    played(tmp_path / "a", "gold", instances=one)
    found = played(tmp_path / "b", f"replay:{tmp_path / 'a'}", instances=other)
    assert {t.status for t in found.values()} == {"errored"}


@pytest.mark.parametrize("player", ["replay", "shuffled", "silent"])
def test_a_run_is_not_resumed_with_another_recording(tmp_path: Path, player: str) -> None:
    for seed in (1, 2):
        played(tmp_path / str(seed), "random", "random", limit=6, seed=seed)
    recording = tmp_path / "recording"
    recording.symlink_to(tmp_path / "1")
    played(tmp_path / "again", f"{player}:{recording}", limit=4)
    recording.unlink()
    recording.symlink_to(tmp_path / "2")
    if player == "silent":  # both are silent about the same
        assert len(played(tmp_path / "again", f"silent:{recording}", limit=6)) == 6
    else:
        with pytest.raises(Problem, match="restore that recording"):
            session(tmp_path / "again", {"giver": f"{player}:{recording}", "follower": "gold"}, limit=6)


@pytest.mark.parametrize("player", ["replay", "shuffled", "silent"])
def test_a_run_grows_with_the_run_that_it_replays(tmp_path: Path, player: str) -> None:
    seat = f"{player}:{tmp_path / 'a'}"
    for limit, repeat in ((4, 1), (6, 1), (6, 2)):
        played(tmp_path / "a", "random", "random", limit=limit, repeat=repeat)
        found = played(tmp_path / "b", seat, limit=limit, repeat=repeat)
        assert len(found) == limit * repeat
        assert {transcript.status for transcript in found.values()} == {"played"}
    assert verify_run(RunFolder(tmp_path / "b")).findings == []


def test_what_was_not_recorded_is_played_once_it_is(tmp_path: Path) -> None:
    played(tmp_path / "a", "gold", limit=2)
    played(tmp_path / "b", f"replay:{tmp_path / 'a'}", limit=4)
    played(tmp_path / "a", "gold", limit=4)
    found = played(tmp_path / "b", f"replay:{tmp_path / 'a'}", limit=4)
    assert [transcript.status for transcript in found.values()] == ["played"] * 4


def test_a_growing_replay_has_one_default_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for limit in (2, 4):
        played(tmp_path / "a", "gold", limit=limit)
        seats = ["--seat", "giver=replay:a", "--seat", "follower=rule", "--limit", str(limit)]
        assert main(["play", "reference", *seats]) == 0
    assert len(list(Path("runs").iterdir())) == 1


def test_silent_says_nothing_and_leaves_chance(tmp_path: Path) -> None:
    found = played(tmp_path / "a", "silent")
    assert {words(t) for t in found.values()} == {SILENCE}
    assert 0 < sum(t.result.score for t in found.values() if t.result) < 36


def test_shuffled_says_what_is_true_of_another_instance(tmp_path: Path) -> None:
    gold = {e: words(t) for e, t in played(tmp_path / "a", "gold").items()}
    found = {e: words(t) for e, t in played(tmp_path / "b", "shuffled").items()}
    recited = {e: words(t) for e, t in played(tmp_path / "c", f"shuffled:{tmp_path / 'a'}").items()}
    assert found == recited
    assert all(found[e] != gold[e] for e in gold)
    assert sorted(found.values()) == sorted(gold.values()), "each once"


def test_a_donor_is_never_made_from_the_same_target() -> None:
    crossed = make(LineupRecipe(n=10, crossed=True))
    by_id = {lineup.id: lineup for lineup in crossed}
    found = choose_replay_donors(Seat(pack, pack.new(), "giver", "shuffled", instances=crossed))
    assert all(
        by_id[one].group != other.group and by_id[one].set == other.set for one, other in found.items()
    )


def test_an_instance_that_is_alone_in_its_set_has_words_of_the_next_set(tmp_path: Path) -> None:
    alone, *others = builtin[:1] + [one for one in builtin if one.set != builtin[0].set][:3]
    words_of = played(tmp_path / "a", "gold", instances=[alone, *others])
    found = played(tmp_path / "b", f"shuffled:{tmp_path / 'a'}", instances=[alone, *others])
    borrowed = next(found[alone.id].reply_events("giver"))
    donor = borrowed.detail["donor"]
    assert borrowed.detail["donor_set"] == words_of[donor].opened.instance.set != alone.set
    assert words(found[alone.id]) == words(words_of[donor])
    assert not any("donor_set" in next(found[one.id].reply_events("giver")).detail for one in others)
    (line,) = borrowed_words_lines(score_run(RunFolder(tmp_path / "b")))
    assert line.startswith("in 1 of 4 episodes the words are about an instance of another set")


def test_shuffled_needs_two_instances(tmp_path: Path) -> None:
    with pytest.raises(Problem, match="another instance"):
        session(tmp_path, {"giver": "shuffled", "follower": "gold"}, limit=1)


def test_moves_without_a_text_are_replayed_as_moves(tmp_path: Path) -> None:
    from groundling.players.replay_player import replay_seat_replies

    transcript = next(iter(played(tmp_path, "gold", limit=1).values()))
    bare = Transcript(tuple(e for e in transcript.events if type(e).__name__ != "Replied"))
    moved = next(e for e in transcript.events if isinstance(e, Moved))
    assert replay_seat_replies(bare, "giver", silent=False)[0].moves == moved.moves
