"""The options system, seed, cache and batch of a language model's seat."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from tests.players.chat.test_chat_player import Parrot, chat, pack, scripted, session

from groundling.cli import main
from groundling.core.pack import Seat
from groundling.players.chat.chat_player import ChatPlayer
from groundling.runs.run import read_run_recordings
from groundling.runs.run_folder import RunFolder
from groundling.runs.scoring import score_run


def sent_configs(folder: Path, spec: str, *texts: str, limit: int = 1) -> tuple[list[Any], list[Any]]:
    """Play the giver of `spec` with a scripted model; return the configurations and messages that it got."""
    from groundling.players.chat.hosted_model import HostedModel

    configs, messages = [], []

    class Listening(HostedModel):
        async def ask(self, conversation: Any, sent: Any, config: Any) -> Any:
            configs.append(config)
            messages.append(sent)
            return await super().ask(conversation, sent, config)

    options = dict(pair.split("=", 1) for pair in spec.split(","))
    seat = Seat(pack, pack.new(), "giver", "mockllm/model", options=options)
    model = Listening(seat, scripted(*texts))
    session(folder, ChatPlayer(seat, model, model.settings, model.batch), limit, "giver").play_missing(1)
    assert not seat.options
    return configs, messages


def test_seed_cache_batch_and_system_reach_inspect_ai(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("inspect_ai")
    monkeypatch.setenv("INSPECT_CACHE_DIR", str(tmp_path / "cache"))
    spec = "seed=5,batch=7,cache=12h,system=You speak to a child."
    (config,), (messages,) = sent_configs(tmp_path / "run", spec, "Expression: x")
    assert (config.seed, config.batch, config.cache.expiry) == (5, 7, "12h")
    assert [message.role for message in messages] == ["system", "user"]
    assert messages[0].text == "You speak to a child."
    (plain,), (first,) = sent_configs(tmp_path / "plain", "temperature=0", "Expression: x")
    assert (plain.batch, plain.cache) == (None, None)
    assert [message.role for message in first] == ["user"]


def test_what_comes_from_inspects_cache_costs_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("inspect_ai")
    monkeypatch.setenv("INSPECT_CACHE_DIR", str(tmp_path / "cache"))
    found = []
    for name, text in (("first", "Expression: x"), ("again", "Expression: y")):
        sent_configs(tmp_path / name, "cache=true", text)
        (transcript,) = read_run_recordings(tmp_path / name).values()
        reply = next(transcript.reply_events("giver"))
        found.append((reply.text, dict(reply.usage).get("total_tokens", 0), reply.detail.get("reused_from")))
    assert found == [("Expression: x", 9, None), ("Expression: x", 0, "Inspect's cache")]


def test_a_model_that_sends_batches_is_made_anew_for_every_event_loop() -> None:
    """Inspect does not start a second worker for the batches of a model."""
    pytest.importorskip("inspect_ai")
    from groundling.players.chat.hosted_model import HostedModel

    async def model_here(hosted: HostedModel) -> Any:
        hosted._renew_batch_model()
        found = hosted.inspect_model
        hosted._renew_batch_model()
        assert hosted.inspect_model is found
        return found

    for options, count in (({"batch": "true"}, 2), ({}, 1)):
        hosted = HostedModel(Seat(pack, pack.new(), "giver", "mockllm/model", options=options))
        models = [asyncio.run(model_here(hosted)) for _ in range(2)]
        assert len({id(model) for model in models}) == count


def test_a_model_that_sends_batches_plays_as_many_episodes_at_once_and_waits_a_day(tmp_path: Path) -> None:
    pytest.importorskip("inspect_ai")
    from groundling.players.chat.chat_player import make_hosted_player

    def make(batch: str) -> Any:
        return make_hosted_player(Seat(pack, pack.new(), "giver", "mockllm/model", options={"batch": batch}))

    ready = session(tmp_path, make("50"), role="giver")
    assert ready.default_jobs == 50
    assert make("true").info.at_once == 100
    assert (make("50")._timeout, make("50")._connections) == (86_400, 50)


def test_a_system_message_comes_first_from_the_seat_or_from_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("inspect_ai")
    monkeypatch.chdir(tmp_path)
    Path("manner.txt").write_text("Be brief, kind, and exact.\n")
    play = ["play", "reference", "--limit", "1", "--seat", "follower=random", "--dry-run", "--seat"]
    assert main([*play, "giver=mockllm/model,system=@manner.txt"]) == 0
    assert "\n[system]\nBe brief, kind, and exact.\n[user]\n" in capsys.readouterr().out
    player = chat(Parrot("Expression: x"), role="giver", system="@manner.txt")
    session(tmp_path / "run", player, 1, role="giver").play_missing(1)
    Path("manner.txt").write_text("Be long.")
    assert main(["show", "run", next(iter(read_run_recordings(tmp_path / "run"))), "--prompts"]) == 0
    assert "[system]\nBe brief, kind, and exact.\n[user]\n" in capsys.readouterr().out, "as it was sent"
    assert "system_giver" not in score_run(RunFolder(tmp_path / "run")).columns
    assert chat(Parrot("x"), system="@manner.txt").info.facts["system"] != player.info.facts["system"]
