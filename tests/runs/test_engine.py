from pathlib import Path

import msgspec
import pytest
from tests.helpers import Fails, Says, session

from groundling.core.events import Closed, Failed, Opened
from groundling.core.values import Problem
from groundling.runs.budget import SpendingBudget
from groundling.runs.run import read_run_recordings
from groundling.runs.run_folder import RunFolder
from groundling.runs.session import RunSession, control_sessions


def seated(at_table: RunSession, **players: object) -> RunSession:
    return msgspec.structs.replace(at_table, players={**at_table.players, **players})


def test_every_planned_episode_is_played(tmp_path: Path) -> None:
    at_table = session(tmp_path)
    at_table.play_missing(8)
    summary = at_table.read_summary()
    assert (summary.planned, summary.played, summary.score, summary.is_complete) == (36, 36, 1.0, True)


def test_the_same_command_again_plays_nothing_twice(tmp_path: Path) -> None:
    session(tmp_path).play_missing(8)
    before = (tmp_path / "log.jsonl").read_bytes()
    started: list[int] = []
    session(tmp_path).play_missing(8, started.append)
    assert (tmp_path / "log.jsonl").read_bytes() == before
    assert started == [36]


def test_the_number_of_jobs_changes_nothing(tmp_path: Path) -> None:
    found = []
    for jobs in (1, 7, 10**20):
        session(tmp_path / str(jobs), {"giver": "random", "follower": "random"}).play_missing(jobs)
        found.append({e: list(t.event_moves()) for e, t in read_run_recordings(tmp_path / str(jobs)).items()})
    assert found[0] == found[1]


def test_another_seed_lets_players_draw_other_lots(tmp_path: Path) -> None:
    found = []
    for seed in (1, 2):
        session(tmp_path / str(seed), {"giver": "random", "follower": "random"}, seed=seed).play_missing(1)
        found.append({e: list(t.event_moves()) for e, t in read_run_recordings(tmp_path / str(seed)).items()})
    assert found[0] != found[1]


def test_repeats_are_episodes_of_their_own(tmp_path: Path) -> None:
    at_table = session(tmp_path, {"giver": "random", "follower": "random"}, limit=2, repeat=3)
    at_table.play_missing(2)
    found = read_run_recordings(tmp_path)
    assert set(found) == {f"edits-{i}-01{suffix}" for i in (2, 4) for suffix in ("", "#2", "#3")}
    assert len({t.opened.seed for t in found.values()}) == 6


def test_an_aborted_episode_is_done_and_counts_as_nothing_won(tmp_path: Path) -> None:
    at_table = seated(session(tmp_path, limit=2), follower=Says("no idea"))
    at_table.play_missing(1)
    summary = at_table.read_summary()
    assert (summary.aborted, summary.score, summary.is_complete) == (2, 0.0, True)
    assert [t.status for t in read_run_recordings(tmp_path).values()] == ["aborted", "aborted"]


def test_retries_are_how_often_a_refused_reply_may_be_corrected(tmp_path: Path) -> None:
    for retries, status in ((1, "aborted"), (2, "played")):
        folder = tmp_path / str(retries)
        seated(session(folder, limit=1, retries=retries), follower=Says("hm", "hmm", "second")).play_missing(
            1
        )
        assert next(iter(read_run_recordings(folder).values())).status == status


def test_strict_ends_at_the_first_malformed_reply(tmp_path: Path) -> None:
    seated(session(tmp_path, limit=1, strict=True, retries=5), follower=Says("the second")).play_missing(1)
    (transcript,) = read_run_recordings(tmp_path).values()
    last = transcript.events[-1]
    assert isinstance(last, Closed)
    assert (last.reason, transcript.opened.retries) == ("refused", 0)


def test_a_player_that_fails_errors_its_episode_and_is_asked_again_by_the_next_run(tmp_path: Path) -> None:
    seats = {"follower": Fails(1, "second")}
    first = seated(session(tmp_path, limit=3), **seats)
    first.play_missing(1)
    summary = first.read_summary()
    assert (summary.played, summary.errored, summary.is_complete) == (2, 1, False)
    seated(session(tmp_path, limit=3), **seats).play_missing(1)
    assert first.read_summary().is_complete
    (failed,) = [
        t for t in read_run_recordings(tmp_path).values() if any(isinstance(e, Failed) for e in t.events)
    ]
    assert failed.status == "played"
    assert sum(isinstance(e, Opened) for e in failed.events) == 1, "it went on, it did not start anew"


def test_usage_is_added_up_over_all_runs_of_a_plan(tmp_path: Path) -> None:
    seated(session(tmp_path, limit=2), follower=Says("second")).play_missing(1)
    used = session(tmp_path, limit=2).read_summary().seats["follower"]
    assert (used.calls, used.total_tokens, used.seconds) == (2, 6, 1.0)


@pytest.mark.parametrize(("tokens", "spent"), [(3, 3), (5, 3), (6, 6), (8, 6), (9, 9)])
def test_a_run_stops_before_a_call_that_does_not_fit_its_budget(
    tmp_path: Path, tokens: int, spent: int
) -> None:
    """Every reply of the follower costs three tokens, which is known from the first one on."""
    at_table = seated(session(tmp_path, limit=4), follower=Says("second"))
    budget = SpendingBudget(tokens)
    for _ in range(2):  # the second time nothing fits any more
        at_table.play_missing(1, budget=budget)
        summary = at_table.read_summary()
        assert (budget.spent_tokens, summary.played, summary.missing) == (spent, spent // 3, 4 - spent // 3)
    assert "raise --max-tokens-total" in budget.stopped
    at_table.play_missing(1, budget=SpendingBudget(12))
    assert at_table.read_summary().is_complete


def test_a_folder_belongs_to_one_plan(tmp_path: Path) -> None:
    session(tmp_path, limit=2).play_missing(1)
    with pytest.raises(
        Problem, match=r"another run \(other seed, strict, retries\)|other .*seed.*retries.*strict"
    ):
        session(tmp_path, limit=2, seed=1, strict=True).play_missing(1)


def test_a_log_without_its_run_toml_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "log.jsonl").write_text("")
    with pytest.raises(Problem, match=r"no run\.toml"):
        session(tmp_path).play_missing(1)


@pytest.mark.parametrize(("text", "why"), [("x", "cannot be read"), ("a = 1", "has no plan")])
def test_a_broken_run_toml_is_reported(tmp_path: Path, text: str, why: str) -> None:
    (tmp_path / "run.toml").write_text(text)
    with pytest.raises(Problem, match=why):
        RunFolder(tmp_path).read_about()


def test_a_broken_line_stops_going_on(tmp_path: Path) -> None:
    session(tmp_path, limit=2).play_missing(1)
    with (tmp_path / "log.jsonl").open("ab") as file:
        file.write(b"{}\n")
    with pytest.raises(Problem, match=r"log.jsonl:13 is not an event"):
        session(tmp_path, limit=2).play_missing(1)


def test_what_a_script_says_is_part_of_the_plan(tmp_path: Path) -> None:
    script = tmp_path / "s.txt"
    keys = []
    for reply in ("first", "second"):
        script.write_text(reply)
        keys.append(
            session(tmp_path / "run", {"giver": "gold", "follower": f"script:{script}"}).plan.identity_hash()
        )
    assert keys[0] != keys[1]


def test_the_controls_replay_the_runs_own_words(tmp_path: Path) -> None:
    at_table = session(tmp_path, {"giver": "gold", "follower": "rule"})
    with pytest.raises(Problem, match="some are missing"):
        control_sessions(at_table)
    at_table.play_missing(4)
    for control in control_sessions(at_table):
        control.play_missing(4)
        assert control.read_summary().is_complete
    assert set(at_table.folder.control_runs()) == {"silent", "shuffled"}


def test_a_control_can_be_moved_with_its_run_and_resumed(tmp_path: Path) -> None:
    at_table = session(tmp_path / "a")
    at_table.play_missing(4)
    control_sessions(at_table)[0].play_missing(4)
    (tmp_path / "a").rename(tmp_path / "b")
    for control in control_sessions(session(tmp_path / "b")):
        control.play_missing(4)
        assert control.read_summary().is_complete


def test_a_limit_of_nothing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Problem, match="at least 1"):
        session(tmp_path, limit=0)
