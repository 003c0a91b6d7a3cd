"""`show --prompts` prints what models were sent, and `play --dry-run` what they would be sent first."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest

from groundling.cli import main
from groundling.core.pack import Seat, find, load
from groundling.core.values import Problem
from groundling.players.chat.chat_model import ModelAnswer
from groundling.players.chat.chat_player import ChatPlayer
from groundling.players.chat.messages import PromptMessage
from groundling.players.chat.preview import preview_first_prompts, preview_message_lines
from groundling.report.conversation import conversation_text, rebuild_requests
from groundling.runs.run import read_run_recordings
from groundling.runs.session import RunSession, new_session_plan, prepare_session

GAMES = ["reference", "image", "hexagons", "codraw", "director"]


class ListeningModel:
    """Gives these answers in turn and keeps what it was sent."""

    name = "listening"
    sampling: Mapping[str, Any] = {}

    def __init__(self, *answers: str) -> None:
        self.answers = answers
        self.sent: list[list[PromptMessage]] = []

    async def answer(self, conversation: list[PromptMessage], seed: int) -> ModelAnswer:
        self.sent.append(conversation)
        return ModelAnswer(self.answers[min(len(self.sent), len(self.answers)) - 1], reasoning="Let me see.")


def seated(folder: Path, game: str, role: str, model: ListeningModel, **options: str) -> RunSession:
    """One episode with the model in this seat and gold in the other."""
    pack = find(game)
    instances = load(pack.builtin)()
    seats = dict.fromkeys(pack.new().seats(instances[0]), "gold")
    plan = new_session_plan(
        pack, instances, 1, settings=pack.new().settings, source="built in", seats=seats, retries=3
    )
    ready = prepare_session(pack, plan, folder)
    player = ChatPlayer(Seat(pack, ready.game, role, model.name, options=options), model)
    return msgspec.structs.replace(ready, players={**ready.players, role: player})


def seats_with_prompts() -> list[tuple[str, str]]:
    found = []
    for game in GAMES:
        pack = find(game)
        found += [(game, role) for role in pack.new().seats(load(pack.builtin)()[0])]
    return found


@pytest.mark.parametrize(("game", "role"), seats_with_prompts())
def test_requests_are_rebuilt_exactly_from_the_log(game: str, role: str, tmp_path: Path) -> None:
    model = ListeningModel("?!", "hm", "0")
    session = seated(tmp_path, game, role, model)
    session.play_missing(1)
    (transcript,) = read_run_recordings(tmp_path).values()
    found = list(rebuild_requests(session.pack, session.game, transcript))
    assert model.sent
    assert [messages for _, messages in found] == model.sent
    instance = transcript.opened.instance
    first = list(preview_first_prompts(session.pack, session.game, instance, session.players))
    assert first[1:] == list(preview_message_lines(model.sent[0]))


@pytest.mark.parametrize("see", ["text", "both"])
def test_every_message_is_printed_once_and_every_answer(see: str, tmp_path: Path) -> None:
    model = ListeningModel("Instruction: X in the corner", "nonsense", "Instruction: DONE")
    session = seated(tmp_path, "image", "giver", model, see=see)
    session.play_missing(1)
    (transcript,) = read_run_recordings(tmp_path).values()
    text = conversation_text(session.pack, session.game, transcript)
    assert text.count("[request to giver: listening, prompt en/giver.plain]") == len(model.sent)
    for message in model.sent[-1]:
        assert message.text in text
    assert text.count(model.sent[0][0].text) == 1
    assert text.count("[answer]\nInstruction: X in the corner\n") == 1
    assert text.count("[reasoning]\nLet me see.\n") == len(model.sent)
    assert text.count("[picture, PNG of ") == (0 if see == "text" else len(model.sent))
    assert ("[messages 1 to 2 as before, without pictures]" in text) == (see == "both")


def test_a_prompt_that_was_changed_since_is_not_shown_as_what_was_sent(tmp_path: Path) -> None:
    prompt = tmp_path / "mine.md"
    prompt.write_text("# open\nSee: {view}")
    session = seated(tmp_path / "run", "reference", "follower", ListeningModel("second"), prompt=str(prompt))
    session.play_missing(1)
    (transcript,) = read_run_recordings(tmp_path / "run").values()
    assert "[user]\nSee: " in conversation_text(session.pack, session.game, transcript)
    prompt.write_text("# open\nLook: {view}")
    with pytest.raises(Problem, match="was changed since it was used"):
        conversation_text(session.pack, session.game, transcript)


def test_the_commands_print_prompts_or_say_that_there_are_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("inspect_ai")
    monkeypatch.chdir(tmp_path)
    play = ["play", "reference", "--limit", "1", "--seat", "giver=gold", "--seat", "follower=mockllm/model"]
    assert main([*play, "--dry-run"]) == 0
    said = capsys.readouterr().out
    assert "would play 1 of 1 episodes" in said
    first = said.partition("[first prompt of follower, mockllm/model, in edits-2-01]\n")[2]
    assert first.startswith("[user]\n")
    assert "Row 1 has P in column 1" in first, "what gold says stands for the giver's words"
    assert not Path("runs").exists()
    seated(Path("run"), "reference", "follower", ListeningModel("second")).play_missing(1)
    assert main(["show", "run", "edits-2-01", "--prompts"]) == 0
    assert first.strip() in capsys.readouterr().out
    assert main(["show", "run", "--prompts"]) == 2
    assert "groundling show run EPISODE --prompts" in capsys.readouterr().err
    assert main([*play[:-1], "follower=gold", "-o", "gold"]) == 0
    assert main(["show", "gold", "edits-2-01", "--prompts"]) == 2
    assert "no language model replied" in capsys.readouterr().err
