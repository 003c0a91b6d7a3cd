"""An episode that a limit of Inspect ended counts with the state that it reached; a failed one does not."""

from __future__ import annotations

from math import isnan
from pathlib import Path
from typing import Any

import pytest

from groundling.cli import main
from groundling.core.consistency import find_contradiction
from groundling.core.events import Closed, Transcript
from groundling.runs.run import open_run
from groundling.runs.scoring import score_run

from . import slow_task
from .helpers import evaluate, means, mock, ours

TASK = f"{slow_task.__file__}@reference"
GRID = "X X X X X\n" + "▢ ▢ ▢ ▢ ▢\n" * 4


@pytest.fixture(autouse=True)
def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASKED", str(tmp_path / "asked"))
    monkeypatch.chdir(tmp_path)


def test_limited_episodes_stay_in_the_mean_and_their_share_is_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    roles = ours("image", giver="gold", follower="rule")
    log = evaluate("groundling/image", tmp_path, task_args={"n": 10}, model_roles=roles, message_limit=16)
    assert log.samples
    assert log.results
    stopped = [sample for sample in log.samples if sample.limit]
    assert 0 < len(stopped) < 10
    assert {score.name: score.scored_samples for score in log.results.scores}["f1"] == 10
    table = score_run(open_run(log.location))
    assert means(log)["limited"] == len(stopped) / 10 == (table["status"] == "limited").mean()
    assert means(log)["f1"] == pytest.approx(table["f1"].mean())
    reached = table.filter(table["status"] == "limited")["f1"]
    assert reached.min() > 0.5  # type: ignore[operator]

    assert main(["score", log.location]) == 0
    out = capsys.readouterr().out
    assert f"played {10 - len(stopped)} + aborted 0 + limited {len(stopped)} + errored 0" in out
    assert "aborted  limited" in out
    assert main(["verify", log.location]) == 0
    assert main(["show", log.location]) == 0
    assert "limited: message" in capsys.readouterr().out
    assert main(["report", log.location, "-o", "report.html"]) == 0
    assert main(["show", log.location, str(stopped[0].id)]) == 0
    assert "[limited: message]" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("limit", "model", "kind"),
    [({"token_limit": 15}, "slow/0", "token"), ({"time_limit": 1}, "slow/60", "time")],
)
def test_every_kind_of_limit_scores_what_was_reached(
    limit: dict[str, Any], model: str, kind: str, tmp_path: Path
) -> None:
    log = evaluate(TASK, tmp_path, task_args={"n": 2}, model=model, **limit)
    assert log.status == "success"
    assert log.samples
    assert {sample.limit.type for sample in log.samples if sample.limit} == {kind}
    assert means(log)["success"] == 0
    assert means(log)["limited"] == 1
    run = open_run(log.location)
    assert score_run(run)["success"].to_list() == [0, 0]
    for transcript in run.read_transcripts():
        last = transcript.events[-1]
        assert isinstance(last, Closed)
        assert last.reason == f"limit: {kind}"
        assert find_contradiction(run.make_game(), transcript) is None


def test_a_log_without_the_closing_event_is_read_as_limited_too(tmp_path: Path) -> None:
    """As logs of older versions are, and those of samples that ran out of time."""
    from groundling.bridges.inspect.sample_store import stopped_transcript

    log = evaluate(TASK, tmp_path, task_args={"n": 1}, model="slow/0", token_limit=5)
    run = open_run(log.location)
    (whole,) = run.read_transcripts()
    cut = Transcript(whole.events[:-1])
    assert stopped_transcript(cut, run.make_game(), limit="token").events[:-1] == cut.events
    assert stopped_transcript(cut, run.make_game(), limit="token").status == "limited"
    assert stopped_transcript(cut, run.make_game()).status == "missing"
    assert stopped_transcript(whole, run.make_game(), limit="time") == whole


def test_an_error_is_no_limit_though_inspect_scores_the_sample(tmp_path: Path) -> None:
    options = {"task_args": {"n": 1, "seats": "giver=gold"}, "model": "moody/1"}
    log = evaluate(TASK, tmp_path, fail_on_error=False, score_on_error=True, **options)
    assert log.results
    assert {score.name for score in log.results.scores} >= {"success", "limited"}
    assert "*" not in means(log)
    assert isnan(means(log)["success"])
    assert score_run(open_run(log.location))["status"].to_list() == ["errored"]


def test_an_exported_run_keeps_what_was_limited(tmp_path: Path) -> None:
    log = evaluate(
        "groundling/image",
        tmp_path,
        task_args={"n": 2},
        model=mock(*["Instruction: a row of X", GRID] * 9),
        message_limit=5,
        max_samples=1,
    )
    assert main(["data", "export", log.location, "-o", "again.eval"]) == 0
    first, again = (score_run(open_run(path)) for path in (log.location, "again.eval"))
    assert again["status"].to_list() == ["limited"] * 2
    assert again["f1"].to_list() == first["f1"].to_list()
