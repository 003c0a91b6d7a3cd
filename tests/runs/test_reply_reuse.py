"""Language models that are never asked twice for the same: within a run, across runs, and after a crash."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any, ClassVar

import pytest

from groundling.cli.main import main
from groundling.core.events import Replied
from groundling.core.pack import Seat, find, load
from groundling.core.player import Player, Unable
from groundling.players.chat.chat_model import ModelAnswer
from groundling.players.chat.chat_player import ChatPlayer
from groundling.players.chat.messages import PromptMessage
from groundling.report.comparison import compare_report_sides
from groundling.runs.run_folder import RunFolder
from groundling.runs.scoring import score_run

TOKENS = 10


class CrashError(Exception):
    pass


class CountingModel:
    """Numbers its answers, and counts all calls of all models by what they are asked."""

    answered: ClassVar[Counter[tuple[str, str, int]]] = Counter()
    crash_at: ClassVar[int | None] = None
    stop: ClassVar[str] = "stop"
    failing: ClassVar[bool] = False

    def __init__(self, seat: Seat) -> None:
        self.name, self.role = seat.name, seat.role
        self.sampling: dict[str, Any] = {}

    async def answer(self, conversation: list[PromptMessage], seed: int) -> ModelAnswer:
        if sum(self.answered.values()) == self.crash_at:
            raise CrashError
        if self.failing:
            raise Unable("provider", "no answer")
        self.answered[self.name, "\n".join(message.text for message in conversation), seed] += 1
        texts = {
            "follower": "Answer: first",
            "giver": f"Expression: the one of call {sum(self.answered.values())}",
            "teller": "Say: a tree" if len(conversation) < 5 else "FINISH",
        }
        return ModelAnswer(texts[self.role], usage={"total_tokens": TOKENS}, detail={"stop": self.stop})


@pytest.fixture(autouse=True)
def counting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every model of the provider `test` counts its calls."""

    def make_counting_player(seat: Seat) -> Player:
        return ChatPlayer(seat, CountingModel(seat))

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("groundling.players.chat.chat_player.make_hosted_player", make_counting_player)
    monkeypatch.setattr(CountingModel, "answered", Counter())


def calls_of(name: str) -> int:
    return sum(count for (model, _, _), count in CountingModel.answered.items() if model == name)


def play(giver: str, follower: str, *more: str, game: str = "reference", limit: int = 4) -> int:
    seats = ["--seat", f"giver={giver}", "--seat", f"follower={follower}"]
    return main(["play", game, *seats, "--limit", str(limit), *more])


def logged_replies() -> list[tuple[str, Replied]]:
    """All replies of language models in the runs of the folder, with the names of their runs."""
    return [
        (path.parent.name, reply)
        for path in sorted(Path("runs").glob("*/log.jsonl"))
        for transcript in RunFolder(path.parent).read_transcripts()
        for reply in transcript.reply_events()
        if "call" in reply.detail
    ]


CROSS = [
    *("cross", "reference", "--limit", "4", "--jobs", "3"),
    *("--givers", "test/one", "--givers", "test/two"),
    *("--followers", "test/a", "--followers", "test/b", "--followers", "random"),
]


def test_crossed_models_speak_once_about_an_instance_and_only_that_is_counted(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(CROSS) == 0
    out = capsys.readouterr().out
    calls = {name: calls_of(f"test/{name}") for name in ("one", "two", "a", "b")}
    assert calls == {"one": 4, "two": 4, "a": 8, "b": 8}
    assert set(CountingModel.answered.values()) == {1}
    replies = logged_replies()
    assert len(replies) == 2 * 3 * 4 + 2 * 2 * 4
    assert sum(reply.usage.get("total_tokens", 0) for _, reply in replies) == TOKENS * sum(calls.values())
    assert out.count("replies reused, not sent again: 4 from reference-test_one-test_a-") == 2
    assert "so cells of a row share words" in " ".join(out.split())
    assert main(["verify", "runs"]) == 0


def test_a_reused_reply_names_its_source_and_says_the_same_for_nothing() -> None:
    assert main(CROSS) == 0
    first = {reply.detail["call"]: (run, reply) for run, reply in logged_replies() if reply.usage}
    reused = [(run, reply) for run, reply in logged_replies() if "reused_from" in reply.detail]
    assert len(reused) == 2 * 2 * 4
    for run, reply in reused:
        source, original = first[reply.detail["call"]]
        assert reply.detail["reused_from"] == f"{source}/{original.episode}"
        assert run != source
        assert (reply.text, reply.episode) == (original.text, original.episode)
        assert (dict(reply.usage), reply.seconds) == ({}, 0.0)
        assert reply.detail["prompt_hash"] == original.detail["prompt_hash"]


def test_a_dry_run_counts_only_what_would_be_sent(capsys: pytest.CaptureFixture[str]) -> None:
    def calls_told(*command: str) -> dict[str, int]:
        assert main([*command, "--dry-run"]) == 0
        return {
            name: int(count)
            for name, count in re.findall(r"test/(\w+): (\d+) calls?,", capsys.readouterr().out)
        }

    assert calls_told(*CROSS) == {"one": 4, "two": 4, "a": 8, "b": 8}
    assert calls_told(*CROSS, "--no-reuse") == {"one": 12, "two": 12, "a": 8, "b": 8}
    pair = ["play", "reference", "--limit", "4", "--seat", "giver=test/one", "--seat", "follower=test/a"]
    assert main([*pair, "-o", "runs/first"]) == 0
    capsys.readouterr()
    assert calls_told(*CROSS) == {"one": 0, "two": 4, "a": 4, "b": 8}
    assert calls_told(*pair, "-o", "runs/second") == {"one": 0, "a": 0}
    assert calls_told(*pair, "-o", "runs/second", "--controls") == {"one": 0, "a": 8}
    assert calls_told(*pair, "-o", "elsewhere/second") == {"one": 4, "a": 4}


def test_without_reuse_every_pair_asks_anew() -> None:
    assert main([*CROSS, "--no-reuse"]) == 0
    calls = {name: calls_of(f"test/{name}") for name in ("one", "two", "a", "b")}
    assert calls == {"one": 12, "two": 12, "a": 8, "b": 8}
    assert not any("reused_from" in reply.detail for _, reply in logged_replies())


@pytest.mark.parametrize("crash", range(0, 24, 3))
def test_no_call_is_made_twice_after_a_crash(crash: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CountingModel, "crash_at", crash)
    with pytest.raises(CrashError):
        main([*CROSS, "--jobs", "1"])
    monkeypatch.setattr(CountingModel, "crash_at", None)
    assert main(CROSS) == 0
    assert sum(CountingModel.answered.values()) == 24
    assert set(CountingModel.answered.values()) == {1}
    assert sum(reply.usage.get("total_tokens", 0) for _, reply in logged_replies()) == 24 * TOKENS


def test_a_later_run_with_another_follower_asks_the_giver_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert play("test/one", "random") == 0
    assert "reused" not in capsys.readouterr().out
    assert play("test/one", "test/a") == 0
    assert (calls_of("test/one"), calls_of("test/a")) == (4, 4)
    out = capsys.readouterr().out
    assert "follower, test/a: 4 calls, 40 tokens\n" in out
    assert "replies reused, not sent again: 4 from reference-" in out
    assert play("test/one", "test/a") == 0
    assert "not sent again: 4 from reference-" in capsys.readouterr().out, "the log remembers it"


@pytest.mark.parametrize(
    "again",
    [["--no-reuse", "-o", "runs/again"], ["--seed", "1"], ["-o", "elsewhere/again"], ["--prompts", "brief"]],
)
def test_who_wants_new_words_gets_them(again: list[str]) -> None:
    assert play("test/one", "random") == 0
    assert play("test/one", "random", *again) == 0
    assert calls_of("test/one") == 8


def test_the_messages_of_a_reused_reply_are_shown_as_they_would_have_been_sent(
    capsys: pytest.CaptureFixture[str],
) -> None:
    shown = []
    for follower in ("random", "test/a"):
        run = f"runs/{follower[-1]}"
        assert play("test/one", follower, "-o", run, limit=1) == 0
        (episode,) = {reply.episode for _, reply in logged_replies()}
        capsys.readouterr()
        assert main(["show", run, episode, "--prompts"]) == 0
        shown.append(capsys.readouterr().out)
    sent, _, _ = shown[0].partition("[answer]")
    assert shown[1].startswith(f"{sent}[answer, reused from m/{episode}]\nExpression: the one of call 1\n")


def test_a_run_is_reused_from_the_first_source_however_long_the_chain() -> None:
    for number, follower in enumerate(("random", "test/a", "test/b")):
        assert play("test/one", follower, "-o", f"runs/{number}", limit=1) == 0
    sources = [reply.detail.get("reused_from") for _, reply in logged_replies() if reply.role == "giver"]
    (instance,) = {reply.episode for _, reply in logged_replies()}
    assert sources == [None, f"0/{instance}", f"0/{instance}"]


def test_every_repeat_is_a_new_sample_that_all_followers_share() -> None:
    for follower in ("test/a", "test/b"):
        assert play("test/one", follower, "--repeat", "3", "-o", f"runs/{follower[-1]}") == 0
    assert calls_of("test/one") == 3 * 4
    said: dict[str, set[str]] = {}
    for _, reply in logged_replies():
        if reply.role == "giver":
            said.setdefault(reply.episode, set()).add(reply.text)
    assert {len(texts) for texts in said.values()} == {1}, "both followers hear the same"
    assert len(set.union(*said.values())) == 12, "no two samples are the same call"


def test_a_comparison_pairs_episodes_with_the_same_words_and_resamples_whole_instances() -> None:
    sides = []
    for follower in ("test/a", "random"):
        assert play("test/one", follower, "--repeat", "3", "-o", f"runs/{follower[-1]}") == 0
        sides.append(score_run(RunFolder(Path("runs") / follower[-1])))
    pack = find("reference")
    main_measure = load(pack.measures)[0]
    found, unpaired = compare_report_sides([main_measure], *sides)
    whole = found[-1]
    assert (whole.n, whole.clusters, whole.paired, unpaired) == (12, 4, True, 0)
    assert sides[0]["cluster"].n_unique() == 4, "an interval of one run resamples instances too"


def test_a_longer_game_reuses_the_turns_until_the_partners_answer_differently() -> None:
    answers = {"ok": ["ok", "ok"], "also-ok": ["ok", "ok"], "asks": ["ok", "where?"]}
    calls = []
    for name, (first, second) in answers.items():
        said = "".join(f'{{"actions": [], "say": "{text}"}}\n' for text in (first, second))
        Path(f"{name}.txt").write_text(said + '{"actions": [], "agree": true}\n')
        seats = ["--seat", "teller=test/one", "--seat", f"drawer=script:{name}.txt"]
        assert main(["play", "codraw", *seats, "--limit", "1", "-o", f"runs/{name}"]) == 0
        calls.append(calls_of("test/one"))
    assert calls == [3, 3, 4], "only what follows the question is new"


@pytest.mark.parametrize("what", ["stop", "failing"])
def test_filtered_and_failed_calls_are_made_again(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(CountingModel, what, {"stop": "content_filter", "failing": True}[what])
        play("test/one", "random")
    before = calls_of("test/one")
    assert play("test/one", "test/a") == 0
    assert calls_of("test/one") - before == 4


def test_a_broken_run_beside_it_does_no_harm() -> None:
    assert play("test/one", "random", "-o", "runs/first", limit=2) == 0
    log = Path("runs/first/log.jsonl")
    lines = log.read_bytes().splitlines(keepends=True)
    spoken = [number for number, line in enumerate(lines) if b'"call":"' in line]
    lines[spoken[0]] = lines[spoken[0]][:-20] + b"\xff\n"
    log.write_bytes(b"".join(lines))
    for name, text in (("not-toml", "["), ("no-plan", "plan = 1")):
        (Path("runs") / name).mkdir()
        (Path("runs") / name / "run.toml").write_text(text)
    assert play("test/one", "test/a", "-o", "runs/second", limit=2) == 0
    assert calls_of("test/one") == 3, "the broken line is not used"


def test_a_run_of_another_game_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    from groundling.runs import reply_reuse

    read: list[str] = []
    monkeypatch.setattr(
        reply_reuse, "_read_replies", lambda book, run, roles: read.append(f"{run.path.name} {sorted(roles)}")
    )
    play("test/one", "random", "-o", "runs/image", game="image", limit=1)
    play("test/one", "test/a", "-o", "runs/reference", limit=1)
    play("test/two", "test/a", "-o", "runs/other-giver", limit=1)
    assert read == [
        "image ['giver']",
        "reference ['follower', 'giver']",
        "other-giver ['follower', 'giver']",
        "reference ['follower']",
    ]
