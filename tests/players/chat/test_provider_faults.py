"""What each fault of a provider gives: runs against a scripted server that is like OpenAI's."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct
from tests.players.chat.provider_server import (
    USAGE,
    ProviderServer,
    Sender,
    drop_connection,
    never_answer,
    provider_server,
    send_completion,
    send_error,
    send_json,
    send_no_choices,
    send_text,
)

from groundling.cli.main import main
from groundling.core.events import Closed, Failed, Refused, Replied
from groundling.core.pack import find
from groundling.players.chat import hosted_model
from groundling.report.cost_table import COST_COLUMNS
from groundling.report.html import render_html_report
from groundling.runs.run import read_run_recordings
from groundling.runs.run_folder import RunFolder
from groundling.runs.verify import verify_run

pytest.importorskip("openai")


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The seconds that would have been waited before retries."""
    found: list[float] = []

    async def note_wait(seconds: float) -> None:
        found.append(seconds)

    monkeypatch.setattr(hosted_model, "wait_before_retry", note_wait)
    return found


@pytest.fixture
def server(waits: list[float], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ProviderServer]:
    monkeypatch.setenv("SCRIPTED_API_KEY", "secret")
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.delenv("INSPECT_EVAL_MODEL_COST_CONFIG", raising=False)
    monkeypatch.chdir(tmp_path)
    with provider_server() as found:
        yield found


def play(server: ProviderServer, *more: str, limit: int = 3, **options: object) -> int:
    """Play with the scripted model as follower, one episode after another."""
    seats = ["--seat", "giver=gold", "--seat", server.seat("follower", **{"max_tokens": 50, **options})]
    return main(["play", "reference", *seats, "--limit", str(limit), "--jobs", "1", "-o", "run", *more])


def events(kind: type[Any]) -> list[Any]:
    return [
        event
        for one in read_run_recordings(Path("run")).values()
        for event in one.events
        if type(event) is kind
    ]


def model_replies() -> list[Replied]:
    return [reply for reply in events(Replied) if reply.role == "follower"]


class Fault(Struct, frozen=True):
    sent: Sender
    requests: int
    """Requests for one call with provider_retries=2, if the provider sends nothing else."""
    told: str
    """The failure's message; none if the call does not fail."""
    waits: tuple[float, ...] | None = None


FAULTS = {
    "429": Fault(send_error(429, "slow down"), 3, "status 429: slow down"),
    "429 with Retry-After": Fault(
        send_error(429, "slow down", Retry_After="7"), 3, "status 429: slow down", (7, 7)
    ),
    "500": Fault(send_error(500, "oops"), 3, "status 500: oops"),
    "HTML with status 200": Fault(send_text("<html>busy</html>"), 3, "<html>busy</html>"),
    "HTML that claims to be JSON": Fault(send_text("<html>", "application/json"), 3, "JSONDecodeError"),
    "garbage": Fault(send_text("%%\0", "application/octet-stream"), 3, "non-ChatCompletion"),
    "dropped connection": Fault(drop_connection, 3, "APIConnectionError: Connection error."),
    "choices: []": Fault(send_no_choices, 1, "the response has no choices"),
    "choices: null": Fault(send_json({"id": "x", "choices": None}), 1, "TypeError"),
    "no message": Fault(send_json({"choices": [{"index": 0, "finish_reason": "stop"}]}), 1, "AttributeError"),
    "400": Fault(send_error(400, "bad " * 1000), 1, "status 400: bad bad"),
}


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_a_fault_fails_one_call_after_the_retries_that_were_asked_for(
    fault: Fault, server: ProviderServer, waits: list[float], capsys: pytest.CaptureFixture[str]
) -> None:
    server.script = [fault.sent] * fault.requests
    assert play(server, provider_retries=2) == 1
    (failed,) = events(Failed)
    assert fault.told in failed.message
    assert failed.retries == fault.requests - 1
    assert "\n" not in failed.message
    assert len(failed.message) < 400
    assert "messages" not in failed.message, "the request is not told"
    assert len(server.requests) == fault.requests + 2
    assert len(waits) == fault.requests - 1
    if fault.waits:
        assert waits == list(fault.waits)
    assert "planned 3 = played 2 + aborted 0 + errored 1 + missing 0" in capsys.readouterr().out
    assert play(server, provider_retries=2) == 0, "the same command asks again"


@pytest.mark.parametrize(("options", "requests"), [({"provider_retries": 0}, 1), ({}, 6)])
def test_as_many_requests_are_sent_as_the_user_set(
    options: dict[str, object], requests: int, server: ProviderServer
) -> None:
    server.otherwise = send_error(500)
    assert play(server, limit=1, **options) == 1
    assert len(server.requests) == requests


def test_a_call_that_succeeds_after_retries_says_how_many(server: ProviderServer) -> None:
    server.script = [send_error(500), send_text("<html>", "application/json")]
    assert play(server, limit=1) == 0
    (reply,) = model_replies()
    assert reply.detail["retries"] == 2


def test_retries_of_calls_that_failed_in_the_end_are_in_the_table_by_seat(
    server: ProviderServer, capsys: pytest.CaptureFixture[str]
) -> None:
    def score_cells() -> list[str]:
        capsys.readouterr()
        assert main(["score", "run"]) == 0
        rows = re.findall(r"^follower.*?  +(\d.*)$", capsys.readouterr().out, re.MULTILINE)
        return " ".join(rows).split()

    calls, retries = (COST_COLUMNS.index(name) for name in ("calls", "retries"))
    server.script = [send_error(500)] * 3
    assert play(server, limit=1, provider_retries=2) == 1
    assert [score_cells()[column] for column in (calls, retries)] == ["0", "2"]
    server.script = [send_error(500)]
    assert play(server, limit=1, provider_retries=2) == 0
    assert [score_cells()[column] for column in (calls, retries)] == ["1", "3"]


def test_a_server_that_does_not_answer_in_time_fails_the_call(server: ProviderServer) -> None:
    server.script = [never_answer]
    assert play(server, limit=1, timeout=2) == 1
    (failed,) = events(Failed)
    assert (failed.boundary, failed.message) == ("timeout", "openai-api/scripted/model gave no answer in 2 s")
    assert len(server.requests) == 1


def test_a_truncated_answer_is_read_and_counted(
    server: ProviderServer, capsys: pytest.CaptureFixture[str]
) -> None:
    server.script = [send_completion(finish="length")]
    assert play(server) == 0
    assert "1 truncated" in capsys.readouterr().out
    assert len(server.requests) == 3


def test_reasoning_is_kept_apart_and_counted(server: ProviderServer) -> None:
    usage = {
        **USAGE,
        "prompt_tokens_details": {"cached_tokens": 60},
        "completion_tokens_details": {"reasoning_tokens": 4},
    }
    server.otherwise = send_completion(usage=usage, reasoning_content="the second is full")
    assert play(server, limit=1) == 0
    (reply,) = model_replies()
    assert (reply.text, reply.detail["reasoning"]) == ("Answer: second", "the second is full")
    assert reply.usage == {
        "input_tokens": 40,
        "input_tokens_cache_read": 60,
        "output_tokens": 10,
        "reasoning_tokens": 4,
        "total_tokens": 110,
    }


def test_usage_that_is_missing_is_estimated_and_said_to_be(
    server: ProviderServer, capsys: pytest.CaptureFixture[str]
) -> None:
    server.otherwise = send_completion(usage=None)
    assert play(server, limit=2) == 0
    assert "usage estimated for 2 calls" in " ".join(capsys.readouterr().out.split())
    for reply in model_replies():
        assert reply.detail["usage_source"] == "estimated"
        assert reply.usage["total_tokens"] > 300
    assert main(["score", "run"]) == 0
    assert "usage estimated for 2 calls" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    "sent",
    [
        send_completion("Answer: second", finish="content_filter"),
        send_completion("", finish="content_filter"),
        send_json({"error": {"message": "Answer: second", "code": "content_filter"}}, 400),
    ],
    ids=["some text", "no text", "status 400"],
)
def test_a_filtered_answer_is_a_refusal_that_no_game_reads(sent: Sender, server: ProviderServer) -> None:
    server.script = [sent]
    assert play(server, limit=1) == 0
    (refused,) = events(Refused)
    assert refused.complaint == "your answer was stopped by a content filter: answer in other words"
    assert "content filter" in server.requests[1]["messages"][-1]["content"]
    assert [reply.blocked for reply in model_replies()] == [True, False]
    assert verify_run(RunFolder(Path("run"))).findings == []


@pytest.mark.parametrize("game", ["reference", "image", "hexagons", "codraw", "director"])
def test_filtered_answers_abort_an_episode_of_any_game(game: str, server: ProviderServer) -> None:
    server.otherwise = send_completion("Expression: x", finish="content_filter")
    pack = find(game)
    role = pack.speaker if game != "director" else "participant"
    others = [
        word
        for other in pack.roles
        if other not in (role, "director")
        for word in ("--seat", f"{other}=gold")
    ]
    seats = ["--seat", server.seat(role), *others]
    assert main(["play", game, *seats, "--limit", "1", "-o", "run"]) == 0
    (closed,) = events(Closed)
    assert (closed.reason, closed.result) == ("refused", None)
    assert len(server.requests) == 2
    again = ["--seat", f"{role}=replay:run", *others]
    assert main(["play", game, *again, "--limit", "1", "-o", "again"]) == 0
    assert [one.status for one in read_run_recordings(Path("again")).values()] == ["aborted"]


def test_the_table_of_scores_and_the_report_show_what_each_seat_used(
    server: ProviderServer, capsys: pytest.CaptureFixture[str]
) -> None:
    server.script = [
        send_error(500),
        send_completion(finish="length"),
        send_completion(finish="content_filter"),
        send_completion("no idea"),
    ]
    assert play(server, limit=2) == 0
    capsys.readouterr()
    assert main(["score", "run"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 80
    start = next(n for n, line in enumerate(lines) if "what the calls of each seat used" in line)
    cells = [
        line.split() for line in lines[start:] if line.startswith("follower, openai-api/scripted/model ")
    ]
    numbers = [cell for row in cells for cell in row[2:]]
    assert [number for number in numbers if "." not in number] == [
        *("3", "300", "0", "30", "0"),
        *("1", "1", "1", "2"),
    ]
    page = render_html_report(["run"])
    assert "<caption>Calls by seat</caption>" in page
    assert '<th scope="col" class="n">truncated</th>' in page


PRICES = '["openai-api/scripted/model"]\ninput = 1000\ninput_cache_read = 100\noutput = 2000\n'


def test_no_call_starts_that_could_exceed_the_cap(
    server: ProviderServer, capsys: pytest.CaptureFixture[str]
) -> None:
    """A call takes 110 tokens, and may take 50 and those of its prompt, which are over 300."""
    assert play(server, "--max-tokens-total", "900", "--jobs", "16", limit=20) == 1
    captured = capsys.readouterr()
    spent = sum(reply.usage["total_tokens"] for reply in model_replies())
    assert 110 <= spent == 110 * len(server.requests) <= 900
    assert f"stopped: {spent} of 900 tokens are spent" in captured.err
    assert captured.err.count("\n") == 1
    assert "errored 0" in captured.out
    before = len(server.requests)
    assert play(server, "--max-tokens-total", "900", limit=20) == 1
    assert len(server.requests) == before, "what the log says is spent is counted"
    assert play(server, "--max-tokens-total", "90000", limit=20) == 0
    assert len(server.requests) == 20


def test_a_cap_below_one_call_plays_nothing_even_without_usage(server: ProviderServer) -> None:
    server.otherwise = send_completion(usage=None)
    assert play(server, "--max-tokens-total", "1") == 1
    assert server.requests == []


def test_a_cap_without_usage_counts_the_text(server: ProviderServer) -> None:
    server.otherwise = send_completion(usage=None)
    assert play(server, "--max-tokens-total", "2000", limit=20) == 1
    assert 0 < sum(reply.usage["total_tokens"] for reply in model_replies()) <= 2000


def test_the_reply_that_reaches_the_cap_ends_its_episode(server: ProviderServer) -> None:
    """The answer takes all that is left, and no other call is needed."""
    server.otherwise = send_completion(
        usage={"prompt_tokens": 950, "completion_tokens": 50, "total_tokens": 1000}
    )
    assert play(server, "--max-tokens-total", "1000", limit=1) == 0


def test_the_controls_share_the_cap(server: ProviderServer, capsys: pytest.CaptureFixture[str]) -> None:
    assert play(server, "--max-tokens-total", "1000", "--controls", limit=4) == 1
    out = capsys.readouterr().out
    assert len(server.requests) * 110 <= 1000
    assert "planned 4 = played 4" in out
    assert len(server.requests) > 4
    assert play(server, "--max-tokens-total", "100000", "--controls", limit=4) == 0
    assert len(server.requests) == 12


def test_all_pairs_of_cross_share_the_cap(server: ProviderServer) -> None:
    models = [server.seat(max_tokens=most).partition("=")[2] for most in (40, 50)]
    command = ["cross", "reference", "--givers", "gold", "--followers", models[0], "--followers", models[1]]
    assert main([*command, "--limit", "3", "--max-tokens-total", "1000"]) == 1
    assert 3 < len(server.requests) <= 1000 // 110
    assert main([*command, "--limit", "3", "--max-tokens-total", "90000", "--repeat", "2"]) == 0
    assert len(server.requests) == 12


def test_a_cap_in_money_prices_cached_input(
    server: ProviderServer, capsys: pytest.CaptureFixture[str]
) -> None:
    """A call costs 0.04 + 0.006 + 0.02 dollars."""
    Path("prices.toml").write_text(PRICES)
    server.otherwise = send_completion(usage={**USAGE, "prompt_tokens_details": {"cached_tokens": 60}})
    assert play(server, "--max-cost", "1", "--prices", "prices.toml", limit=20) == 1
    captured = capsys.readouterr()
    calls = len(server.requests)
    assert 0 < calls * 0.066 <= 1
    told = f"{calls} calls, {calls * 100:,} tokens in ({calls * 60} cached), {calls * 10} out"
    assert told in " ".join(captured.out.split())
    assert f"${calls * 0.066:.4f}" in captured.out
    assert f"stopped: ${calls * 0.066:.4f} of $1 are spent" in captured.err


@pytest.mark.parametrize("source", ["variable", "set_model_info"])
def test_prices_come_from_the_cost_configuration_of_inspect(
    source: str, server: ProviderServer, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from inspect_ai.model import ModelCost, ModelInfo, set_model_info
    from inspect_ai.model._model_info import clear_model_info_cache

    cost = {"input": 1000, "output": 2000, "input_cache_read": 100, "input_cache_write": 1250}
    if source == "variable":
        Path("costs.yaml").write_text(f"openai-api/scripted/model: {cost}")
        monkeypatch.setenv("INSPECT_EVAL_MODEL_COST_CONFIG", "costs.yaml")
    else:
        set_model_info("openai-api/scripted/model", ModelInfo(cost=ModelCost(**cost)))
    assert play(server, "--max-cost", "10", limit=1) == 0
    clear_model_info_cache()
    assert "$0.1200" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("prices", "why"),
    [
        (None, "the price of openai-api/scripted/model is not known"),
        ("[other]\ninput = 1\noutput = 1", "the price of openai-api/scripted/model is not known"),
        ("[other]\ninput = 1", "prices.toml has no valid prices (Object missing required field `output`)"),
        ("][", "prices.toml cannot be read"),
    ],
)
def test_a_model_without_a_price_plays_nothing_under_a_cap_in_money(
    prices: str | None, why: str, server: ProviderServer, capsys: pytest.CaptureFixture[str]
) -> None:
    given = ["--max-cost", "5"]
    if prices is not None:
        Path("prices.toml").write_text(prices)
        given += ["--prices", "prices.toml"]
    assert play(server, *given) == 2
    err = capsys.readouterr().err
    assert why in err
    assert err.count("\n") == 1
    assert server.requests == []
    assert not Path("run").exists()


def test_a_dry_run_tells_what_a_run_may_cost(
    server: ProviderServer, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("prices.json").write_text('{"openai-api/scripted/model": {"input": 1, "output": 2}}')
    assert play(server, "--dry-run", "--prices", "prices.json", "--controls", "--repeat", "2", limit=5) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "would play 10 of 10 episodes (0 done)" in out
    assert "follower, openai-api/scripted/model: 30 calls, at most " in out
    assert "at most 1,500 out, at most $0.0" in out
    assert "[first prompt of follower, openai-api/scripted/model" in out
    assert server.requests == []
    assert play(server, limit=5) == 0
    capsys.readouterr()
    assert play(server, "--dry-run", "--repeat", "2", limit=5) == 0
    assert "model: 5 calls" in " ".join(capsys.readouterr().out.split()), "only what is missing is counted"


def test_a_dry_run_of_cross_adds_up_the_calls_of_a_model(
    server: ProviderServer, capsys: pytest.CaptureFixture[str]
) -> None:
    model = server.seat(max_tokens=50).partition("=")[2]
    followers = ["--followers", model, "--followers", "random", "--prompts", "brief"]
    command = ["cross", "reference", "--givers", model, "--limit", "4", "--dry-run", *followers]
    assert main(command) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "giver, openai-api/scripted/model: 4 calls" in out, "it is asked once for both followers"
    assert "follower, openai-api/scripted/model: 4 calls" in out
    assert out.count("[first prompt of giver") == 1
    assert "prompt=brief" in out
    assert not Path("runs").exists()
    assert main([*command, "--no-reuse"]) == 0
    assert "giver, openai-api/scripted/model: 8 calls" in " ".join(capsys.readouterr().out.split())
