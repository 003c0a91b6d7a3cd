"""`verify` finds every kind of damage, names it, and finds none where there is none."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeAlias

import msgspec
import pytest
from tests.helpers import Fails, session

from groundling.cli import main
from groundling.core.player import Ask, Reply
from groundling.core.values import Problem
from groundling.runs.run_folder import RunFolder
from groundling.runs.scoring import score_run
from groundling.runs.verification import Verification
from groundling.runs.verify import find_runs, verify_run

DATA = Path(__file__).parent.parent / "data"
FIRST, ABORTED, LAST = "edits-2-01", "edits-4-01", "edits-2-02"
Lines: TypeAlias = list[dict[str, Any]]


class Hesitant:
    """Gives a reply that is refused first, and in one episode nothing else."""

    name = "hesitant"

    async def act(self, ask: Ask) -> Reply:
        good = len(ask.past) and ask.episode.partition("#")[0] != ABORTED
        return Reply(text="second" if good else "hm", usage={"output": 3}, seconds=0.5)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("verify") / "run"
    at_table = session(folder, limit=3, repeat=2)
    msgspec.structs.replace(at_table, players={**at_table.players, "follower": Hesitant()}).play_missing(1)
    return folder


@pytest.fixture
def run(whole: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(whole, tmp_path / "run"))


def read_lines(run: Path) -> Lines:
    return [json.loads(line) for line in (run / "log.jsonl").read_text().splitlines()]


def write_lines(run: Path, lines: Lines) -> None:
    text = "".join(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n" for line in lines)
    (run / "log.jsonl").write_text(text)


def place(lines: Lines, episode: str, kind: str, number: int = 0) -> int:
    found = [at for at, line in enumerate(lines) if (line["episode"], line["type"]) == (episode, kind)]
    return found[number]


def set_to(
    path: str, value: Any, kind: str, number: int = 0, episode: str = FIRST
) -> Callable[[Lines], None]:
    """Change a field, such as result.score, of one event."""

    def damage(lines: Lines) -> None:
        target: Any = lines[place(lines, episode, kind, number)]
        *parents, last = path.split(".")
        for name in parents:
            target = target[int(name) if name.isdecimal() else name]
        if value is None:
            del target[last]
        else:
            target[last] = value

    return damage


def drop(kind: str, number: int = 0, episode: str = FIRST) -> Callable[[Lines], None]:
    return lambda lines: lines.__delitem__(place(lines, episode, kind, number))


def repeat(kind: str, number: int = 0, later: int = 1) -> Callable[[Lines], None]:
    def damage(lines: Lines) -> None:
        at = place(lines, FIRST, kind, number)
        lines.insert(at + later, dict(lines[at]))

    return damage


def swap(lines: Lines) -> None:
    at = place(lines, FIRST, "replied")
    lines[at], lines[at + 1] = lines[at + 1], lines[at]


def refuse_once_more(lines: Lines) -> None:
    at = place(lines, ABORTED, "closed")
    lines[at:at] = [dict(line) for line in lines[at - 2 : at]]


def refuse_once_less(lines: Lines) -> None:
    at = place(lines, ABORTED, "closed")
    del lines[at - 2 : at]


def rename_episode(lines: Lines) -> None:
    for line in lines:
        line["episode"] = "edits-2-01#7" if line["episode"] == FIRST else line["episode"]


def exchange_grids(lines: Lines) -> None:
    grids = lines[place(lines, FIRST, "opened")]["instance"]["grids"]
    grids[0], grids[1] = grids[1], grids[0]


def stop_early(lines: Lines) -> None:
    del lines[place(lines, FIRST, "closed")]["result"]
    set_to("reason", "stopped", "closed")(lines)


BY_REPLAY: dict[str, tuple[Callable[[Lines], None], str]] = {
    "score changed": (set_to("result.score", 0.25, "closed"), "with score 0.25, but the moves give"),
    "result removed": (set_to("result", None, "closed"), "without a result, but the moves give"),
    "reason changed": (set_to("reason", "stopped", "closed"), '"stopped" with score'),
    "stopped without a result": (stop_early, "it is closed as 'stopped'"),
    "move changed": (set_to("moves.0.place", 1, "moved", 1), "the moves of follower are not those"),
    "move illegal": (set_to("moves.0.place", 9, "moved", 1), "the moves of follower are not those"),
    "words of a move changed": (set_to("moves.0.text", "row 1", "moved"), "the moves of giver are not those"),
    "role of a move changed": (set_to("role", "follower", "moved"), "follower after a reply of giver"),
    "text changed": (set_to("text", "first", "replied", 2), "the moves of follower are not those"),
    "text emptied": (set_to("text", "", "replied", 2), "tolerantly it cannot be read"),
    "strict reading changed": (set_to("strict", None, "replied", 2), "strictly it cannot be read"),
    "tolerant reading changed": (set_to("tolerant", "no", "replied", 2), "tolerantly it can be read"),
    "complaint changed": (set_to("complaint", "no", "refused"), "refused with another complaint"),
    "replying seat changed": (set_to("role", "giver", "replied", 1), "giver where it is follower's turn"),
    "reply dropped": (drop("replied"), "a move of giver without a reply before it"),
    "move dropped": (drop("moved"), "a reply of follower where giver's reply was neither played nor refused"),
    "refusal dropped": (drop("refused"), "a reply of follower where follower's reply was neither"),
    "last move dropped": (drop("moved", 1), "where follower's reply was neither"),
    "opening dropped": (drop("opened"), "it was not opened"),
    "lines swapped": (swap, "a move of giver without a reply before it"),
    "reply twice": (repeat("replied"), "a reply of giver where giver's reply was neither"),
    "move twice": (repeat("moved"), "a move of giver without a reply before it"),
    "opened twice": (repeat("opened"), "opened again"),
    "closed twice": (repeat("closed"), "comes after the episode was closed"),
    "event after the close": (repeat("moved", 1, later=2), "comes after the episode was closed"),
    "seed changed": (set_to("seed", 5, "opened"), "the seed is 5, but the plan gives"),
    "retries changed": (set_to("retries", 0, "opened"), "retries is 0, but the plan gives 1"),
    "strict changed": (set_to("strict", True, "opened"), "strict is True, but the plan gives False"),
    "seat removed": (set_to("seats.giver", None, "opened"), "its seats are follower"),
    "another game": (set_to("game", "image", "opened"), "an episode of image, in a run of reference"),
    "instance changed": (exchange_grids, "differs from that of another repeat"),
    "id of the instance changed": (set_to("instance.id", "x", "opened"), "the id of the instance is x"),
    "episode renamed": (rename_episode, "the plan has no such repeat"),
    "event of another episode": (set_to("episode", ABORTED, "moved"), "neither played nor refused"),
    "event of no episode": (set_to("episode", "nobody", "moved"), "neither played nor refused"),
    "asked after too many refusals": (refuse_once_more, "a reply of follower where the limit of refusals"),
    "given up too early": (refuse_once_less, '"refused" without a result where it is follower\'s turn'),
    "unknown event": (set_to("type", "guessed", "moved"), "not an event of reference"),
    "field of another type": (set_to("role", 3, "moved"), "not an event of reference"),
    "newer schema": (set_to("schema", 99, "opened"), "upgrade groundling"),
}  # fmt: skip
BY_CHECKSUM: dict[str, tuple[Callable[[Lines], None], str]] = {
    "usage changed": (set_to("usage.output", 1, "replied", 1), "SHA-256 differs"),
    "seconds changed": (set_to("seconds", 0.1, "replied", 1), "SHA-256 differs"),
    "time changed": (set_to("at", 1.0, "moved"), "SHA-256 differs"),
    "detail changed": (set_to("detail", {"model": "another"}, "replied", 1), "SHA-256 differs"),
    "player renamed": (set_to("seats.giver", "another", "opened"), "SHA-256 differs"),
    "version changed": (set_to("version", "0.0.1", "opened"), "SHA-256 differs"),
    "close dropped": (drop("closed"), "has a checksum, but is not closed in the log"),
    "truncated": (lambda lines: lines.__delitem__(slice(-4, None)), "is not closed in the log"),
    "episode removed": (
        lambda lines: lines.__setitem__(slice(None), [line for line in lines if line["episode"] != FIRST]),
        "has a checksum, but is not in the log",
    ),
}


NAMED = {
    "asked after too many refusals": ABORTED,
    "given up too early": ABORTED,
    "episode renamed": f"{FIRST}#7",
    "instance changed": f"{FIRST}#2",
    "truncated": f"{LAST}#2",
}
"""The episode that is named, where it is not the first."""


def damaged(run: Path, damage: Callable[[Lines], None]) -> list[str]:
    lines = read_lines(run)
    damage(lines)
    write_lines(run, lines)
    return found_in(run)


def found_in(run: Path) -> list[str]:
    return [str(finding) for finding in verify_run(RunFolder(run)).findings]


def test_an_untouched_run_is_clean_and_all_of_its_checksums_match(run: Path) -> None:
    checked = verify_run(RunFolder(run))
    assert (checked.findings, checked.notes, checked.matching) == ([], [], 6)
    assert checked.counts == {
        "played": 4,
        "aborted": 2,
        "limited": 0,
        "errored": 0,
        "missing": 0,
        "damaged": 0,
    }
    log = (run / "log.jsonl").read_bytes().splitlines(keepends=True)
    for line in (run / "log.sha256").read_text().splitlines():
        digest, _, name = line.partition("  ")
        own = [line for line in log if f'"episode":"{name}"'.encode() in line]
        assert sha256(b"".join(own)).hexdigest() == digest
    write_lines(run, read_lines(run))
    assert found_in(run) == [], "the test itself damages nothing"


@pytest.mark.parametrize("kind", [*BY_REPLAY, *BY_CHECKSUM])
def test_damage_is_found_and_named(run: Path, kind: str) -> None:
    damage, told = {**BY_REPLAY, **BY_CHECKSUM}[kind]
    found = damaged(run, damage)
    (mine,) = [line for line in found if re.search(told, line)] or [""]
    assert re.match(rf"{run}/log\.(jsonl|sha256):\d+: ", mine), found
    assert f"episode {NAMED.get(kind, FIRST)}: " in mine


@pytest.mark.parametrize("kind", BY_REPLAY)
def test_contradictions_are_found_without_checksums(run: Path, kind: str) -> None:
    (run / "log.sha256").unlink()
    damage, told = BY_REPLAY[kind]
    assert re.search(told, "\n".join(damaged(run, damage)))


BYTES: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "torn line": (lambda log: log.replace(b"\n", b"\0\n", 1), "log.jsonl:1: this line is torn"),
    "not JSON": (lambda log: b"hello\n" + log, "log.jsonl:1: this is not an event"),
    "not text": (lambda log: log.replace(b"second", b"sec\xff\xfe", 1), "this is not an event"),
    "empty line": (lambda log: b"\n" + log, "log.jsonl:1: this is not an event"),
    "empty log": (lambda log: b"", "has a checksum, but is not in the log"),
}


@pytest.mark.parametrize("kind", BYTES)
def test_broken_lines_are_found_and_numbered(run: Path, kind: str) -> None:
    damage, told = BYTES[kind]
    log = run / "log.jsonl"
    log.write_bytes(damage(log.read_bytes()))
    assert re.search(told, "\n".join(found_in(run)))


FILES: dict[str, tuple[str, str, str, str]] = {
    "hash of instances": (
        "run.toml",
        r'instances = "..',
        'instances = "zz',
        "plan.instances is not the SHA-256",
    ),
    "fewer episodes": ("run.toml", "episodes = 6", "episodes = 4", "episodes is 4, but the log has 6"),
    "odd episodes": ("run.toml", "episodes = 6", "episodes = 7", "episodes is 7"),
    "repeats": ("run.toml", "repeat = 2", "repeat = 1", "the plan has no such repeat"),
    "seed": ("run.toml", "seed = 0", "seed = 1", "but the plan gives"),
    "retries": ("run.toml", "retries = 1", "retries = 2", "retries is 1, but the plan gives 2"),
    "game": ("run.toml", 'game = "reference"', 'game = "image"', "not an event of image"),
    "no such game": ("run.toml", 'game = "reference"', 'game = "chess"', "there is no game 'chess'"),
    "no plan": ("run.toml", r"(?s)\[plan\].*", "", "has no plan"),
    "not TOML": ("run.toml", "episodes = 6", "episodes = ", "cannot be read"),
    "a word for a number": ("run.toml", "episodes = 6", 'episodes = "six"', "Expected `int`"),
    "checksum": ("log.sha256", "^..", "zz", "SHA-256 differs"),
    "no checksum": ("log.sha256", "^.{9}", "", "log.sha256:1: this is not a checksum"),
    "two checksums": ("log.sha256", r"^(.*\n)", r"\1\1", "it has a second checksum"),
}


@pytest.mark.parametrize("kind", FILES)
def test_changes_beside_the_log_are_found(run: Path, kind: str) -> None:
    name, old, new, told = FILES[kind]
    text = (run / name).read_text()
    changed = re.sub(old, new, text, count=1)
    assert changed != text
    (run / name).write_text(changed)
    assert re.search(told, "\n".join(found_in(run)))


def test_a_run_without_its_plan_is_found(run: Path) -> None:
    (run / "run.toml").unlink()
    (other,) = find_runs(run.parent)
    assert "is not a run" in str(*verify_run(other).findings)


def test_a_damaged_episode_is_left_out_of_the_means_and_named(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mean = score_run(RunFolder(run)).filter(score_run(RunFolder(run))["episode"] != FIRST)["success"].mean()
    lines = read_lines(run)
    set_to("result.score", 5.0, "closed")(lines)
    write_lines(run, lines)
    table = score_run(RunFolder(run))
    row = table.filter(table["episode"] == FIRST).to_dicts()[0]
    assert (row["status"], row["success"], row["strict"]) == ("damaged", None, None)
    assert "score 5, but the moves give" in row["damage"]
    assert table["success"].mean() == mean
    assert main(["score", str(run)]) == 0
    said = " ".join(capsys.readouterr().out.split())  # lines are wrapped at the width of the terminal
    assert "planned 6 = played 3 + aborted 2 + errored 0 + missing 0 + damaged 1" in said
    assert f"contradict themselves: {FIRST};" in said
    assert main(["report", str(run), "--episodes", "all", "-o", str(run / "report.html")]) == 0
    capsys.readouterr()
    assert main(["show", str(run)]) == 0
    said = capsys.readouterr().out
    assert f"{FIRST}  damaged: " in said
    assert main(["show", str(run), FIRST]) == 0
    assert "\n[damaged: " in capsys.readouterr().out
    assert "planned 6 = played 3 + aborted 2 + errored 0 + missing 0 + damaged 1" in said


@pytest.mark.parametrize("kind", ["opening dropped", "opened twice", "closed twice"])
def test_a_log_that_cannot_be_put_in_order_is_not_scored(run: Path, kind: str) -> None:
    damaged(run, BY_REPLAY[kind][0])
    with pytest.raises(Problem, match=r"log\.jsonl:\d+ is not an event of this log"):
        score_run(RunFolder(run))


def test_the_command_prints_problems_and_a_summary(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(run)]) == 0
    assert " ".join(capsys.readouterr().out.split()) == (
        f"{run}: planned 6 = played 4 + aborted 2 + errored 0 + missing 0; 6 checksums match; 0 problems"
    )
    shutil.copytree(run, run.parent / "other")
    damaged(run, BY_REPLAY["score changed"][0])
    assert main(["verify", str(run.parent)]) == 1
    *lines, total = capsys.readouterr().out.splitlines()
    assert [line.rpartition("; ")[2] for line in lines if line.endswith("problems")] == [
        "0 problems",
        "2 problems",
    ]
    assert [line.partition(": ")[0].rpartition(":")[0] for line in lines if "SHA-256" in line] == [
        f"{run}/log.jsonl"
    ]
    assert total == "2 runs: 2 problems in 1 of them"
    (run.parent / "empty").mkdir()
    for name, told in (("empty", "holds no run"), ("nothing", "is not there")):
        assert main(["verify", str(run.parent / name)]) == 2
        assert told in capsys.readouterr().err


@pytest.mark.parametrize("name", ["run.toml", "log.jsonl"])
def test_a_run_that_may_not_be_read_is_a_problem_and_the_others_are_checked(
    run: Path, name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(run, run.parent / "other")
    opened = Path.open

    def open_unless_closed(path: Path, *arguments: Any, **options: Any) -> Any:
        if path == run / name:
            raise PermissionError(13, "Permission denied", str(path))
        return opened(path, *arguments, **options)

    monkeypatch.setattr(Path, "open", open_unless_closed)
    assert main(["verify", str(run.parent)]) == 1
    out = capsys.readouterr().out
    assert f"{run / name}: it cannot be read (no permission)\n" in out
    assert "0 problems" in out
    assert out.endswith("2 runs: 1 problem in 1 of them\n")


def test_a_folder_that_may_not_be_read_is_a_problem(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The tests may run as root, who may read anything."""
    walk = os.walk

    def walk_with_error(path: Path, onerror: Any) -> Any:
        onerror(PermissionError(13, "Permission denied", str(run / "closed")))
        return walk(path)

    monkeypatch.setattr(os, "walk", walk_with_error)
    assert [found.path for found in find_runs(run)] == [run, run / "closed"]


GAMES = {
    "reference": ["--seat", "giver=gold", "--seat", "follower=rule", "--repeat", "2"],
    "image": ["--seat", "giver=gold", "--seat", "follower=rule"],
    "hexagons": ["--seat", "instructor=narrator", "--seat", "executor=parser"],
    "codraw": ["--seat", "teller=template", "--seat", "drawer=grammar"],
    "director": ["--mode", "two-player", "--seat", "director=template", "--seat", "participant=rule"],
}


@pytest.mark.parametrize("game", GAMES)
def test_runs_of_every_game_and_their_controls_are_clean(
    game: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "run"
    assert main(["play", game, *GAMES[game], "--limit", "14", "--controls", "-o", str(folder)]) == 0
    capsys.readouterr()
    assert main(["verify", str(folder)]) == 0
    assert "3 runs: no problems" in capsys.readouterr().out


@pytest.mark.parametrize("game", GAMES)
def test_malformed_replies_are_clean_in_every_game(
    game: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "junk.txt").write_text('hm\n[{"move":"pick"}]\n0\n' * 40)
    words = [
        word if "=" not in word else f"{word.partition('=')[0]}=script:{tmp_path}/junk.txt"
        for word in GAMES[game]
    ]
    folder = tmp_path / "run"
    assert main(["play", game, *words, "--limit", "4", "--retries", "2", "-o", str(folder)]) in (0, 1)
    assert main(["verify", str(folder)]) == 0


def test_moves_that_cannot_be_played_are_clean(tmp_path: Path) -> None:
    from groundling.games.reference.rules import Pick

    class Illegal:
        name = "illegal"

        async def act(self, ask: Ask) -> Reply:
            return Reply(moves=(Pick(9),))

    at_table = session(tmp_path / "run", limit=2)
    msgspec.structs.replace(at_table, players={**at_table.players, "follower": Illegal()}).play_missing(1)
    assert clean(tmp_path / "run").counts["aborted"] == 2


def clean(run: Path) -> Verification:
    checked = verify_run(RunFolder(run))
    assert checked.findings == []
    return checked


def test_a_resumed_run_is_clean_and_its_checksums_cover_both_parts(tmp_path: Path) -> None:
    at_table = session(tmp_path, limit=4)
    msgspec.structs.replace(
        at_table, players={**at_table.players, "follower": Fails(3, "second")}
    ).play_missing(2)
    checked = clean(tmp_path)
    assert (checked.counts["errored"], checked.matching) == (3, 1)
    msgspec.structs.replace(
        at_table, players={**at_table.players, "follower": Fails(0, "second")}
    ).play_missing(2)
    assert clean(tmp_path).matching == 4


def test_a_run_cut_off_at_any_byte_after_its_last_checksum_is_clean(run: Path) -> None:
    """Checksums are written after the log, so a killed process leaves at most too few of them."""
    log, sums = (run / "log.jsonl").read_bytes(), (run / "log.sha256").read_bytes()
    ends = [found.end() for found in re.finditer(rb'{"type":"closed".*\n', log)]
    for done, end in enumerate(ends[:-1]):
        (run / "log.sha256").write_bytes(b"".join(sums.splitlines(keepends=True)[: done + 1]))
        for cut in range(end, ends[done + 1], 97):
            (run / "log.jsonl").write_bytes(log[:cut])
            clean(run)
    (run / "log.jsonl").write_bytes(log)
    assert clean(run).notes == [
        "1 of 6 closed episodes have no checksum: they are older than checksums, or the process was killed"
    ]
    (run / "log.sha256").write_bytes(sums[:-10])
    assert clean(run).matching == 5


@pytest.mark.parametrize("path", sorted(DATA.glob("log-schema-*.jsonl")), ids=lambda path: path.stem)
def test_logs_of_older_schemas_are_clean_and_said_to_have_no_checksums(path: Path, tmp_path: Path) -> None:
    shutil.copy(path, tmp_path / "log.jsonl")
    episodes = len({line["episode"] for line in read_lines(tmp_path)})
    about = f'episodes = {episodes}\n[plan]\ngame = "reference"\n[plan.settings]\n'
    (tmp_path / "run.toml").write_text(about)
    assert "have no checksum" in clean(tmp_path).notes[0]


def test_texts_of_another_version_are_not_read_again_but_its_moves_are_replayed(run: Path) -> None:
    (run / "log.sha256").unlink()
    lines = [{**line, "version": "0.0.9"} if line["type"] == "opened" else line for line in read_lines(run)]
    lines[place(lines, FIRST, "replied", 2)]["text"] = "number two"
    write_lines(run, lines)
    assert any("recorded by groundling 0.0.9" in note for note in clean(run).notes)
    assert "with score 0.25, but" in damaged(run, BY_REPLAY["score changed"][0])[0]
