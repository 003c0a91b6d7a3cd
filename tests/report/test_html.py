"""The report as a file: what stands in it, what must not, and which episodes are chosen."""

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import msgspec
import polars as pl
import pytest
from tests.boards.svg_patches import apply_svg_patch
from tests.helpers import Fails, Says, session

from groundling.cli import main
from groundling.core.pack import find, load
from groundling.core.replay import replay_events
from groundling.report.episode_sample import REPLAYED, sample_episodes
from groundling.report.html import render_html_report
from groundling.report.replay_data import Replayer
from groundling.report.report_data import shorten_report_paths
from groundling.runs.run import read_run_recordings
from groundling.runs.run_folder import RunFolder
from groundling.runs.session import control_sessions

HOSTILE = "Expression: </script><script>alert(1)</script><img src=x onerror=alert(2)> {{data}} <!-- \x00\x1b"


def play(folder: Path, limit: int = 4, **players: Any) -> Path:
    at_table = session(folder, limit=limit)
    msgspec.structs.replace(at_table, players={**at_table.players, **players}).play_missing(1)
    return folder


def blocks(page: str) -> dict[str, Any]:
    return {name: json.loads(data) for name, data in re.findall(r'json" id="([\w-]+)">(.*?)</script>', page)}


class Tags(HTMLParser):
    """Every element that a browser would make, and whether all were closed."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.links: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.links += [
            value or "" for name, value in attrs if name in ("src", "href", "action", "data", "srcset")
        ]


def test_what_was_run_stands_in_it(tmp_path: Path) -> None:
    page = render_html_report([str(play(tmp_path / "run"))])
    for words in (
        "planned",
        "gold → gold",
        "built in",
        "chance",
        "clusters",
        "refused, follower",
        "Played without controls",
    ):
        assert words in page
    about = RunFolder(tmp_path / "run").read_about()
    assert about["plan"]["instances"] in page
    assert about["platform"] in page


def test_controls_are_in_the_tables(tmp_path: Path) -> None:
    at_table = session(tmp_path / "run", limit=4)
    at_table.play_missing(1)
    for control in control_sessions(at_table):
        control.play_missing(1)
    page = render_html_report([str(tmp_path / "run")])
    assert "silent → gold" in page
    assert "run, shuffled" in page
    assert "Played without controls" not in page


def test_runs_are_compared_with_the_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names = [str(play(Path("a"))), str(play(Path("b"), follower=Says("Answer: first")))]
    page = render_html_report(names)
    assert "A: a; B: b" in page
    assert "p (Holm)" in page
    assert 'id="comparison"' not in render_html_report(names[:1])


def test_nothing_of_the_machine_leaks(tmp_path: Path) -> None:
    folder = play(tmp_path / "run")
    assert str(tmp_path) not in render_html_report([str(folder)])
    twin = play(tmp_path / "other" / "run")
    page = render_html_report([str(folder), str(twin)])
    assert "other/run" in page, "two of one name are told apart"
    assert str(tmp_path) not in page


def test_paths_in_settings_are_cut_to_their_last_part() -> None:
    assert shorten_report_paths("script:/home/me/words.txt,see=text") == "script:…/words.txt,see=text"
    assert (
        shorten_report_paths("openai/gpt-4o, nearest:data/a.jsonl") == "openai/gpt-4o, nearest:data/a.jsonl"
    )


def test_what_others_wrote_makes_no_element(tmp_path: Path) -> None:
    calm, wild = (
        render_html_report([str(play(tmp_path / "a", giver=Says("the full one")))]),
        render_html_report([str(play(tmp_path / "b", giver=Says(HOSTILE)))]),
    )
    assert Tags(wild).tags == Tags(calm).tags
    said = blocks(wild)["replay-0"]["steps"][1]["text"]
    assert "</script><script>alert(1)</script><img" in said
    assert "\x00" not in said


def test_it_works_offline(tmp_path: Path) -> None:
    page = render_html_report([str(play(tmp_path / "run"))])
    assert [link for link in Tags(page).links if not link.startswith(("#", "data:"))] == []
    assert "default-src 'none'" in page
    assert "@import" not in page


def test_every_step_of_a_replay_gives_the_picture_that_was_drawn(tmp_path: Path) -> None:
    folder = RunFolder(play(tmp_path / "run", follower=Says("hm", "Answer: first")))
    pack, game = folder.find_pack(), folder.make_game()
    draw = load(pack.draw)
    for transcript in folder.read_transcripts():
        replay = Replayer(pack, game).replay_episode(transcript)
        now: dict[str, str] = {}
        for step in replay["steps"]:
            for role in replay["seats"]:
                before = now.get(role) or next(iter(now.values()), "")
                now[role] = apply_svg_patch(before, step.get("boards", {}).get(role, []))
        *_, (_, last) = replay_events(game, transcript)
        assert now == {role: draw(last.view(role)).svg for role in replay["seats"]}
        assert [step["verdict"] for step in replay["steps"] if step["kind"] == "reply"] == [
            "played",
            "refused",
            "played",
        ]


def test_episodes_and_their_turns_have_the_labels_to_filter_by(tmp_path: Path) -> None:
    seats = ["--seat", "instructor=gold", "--seat", "executor=random"]
    assert main(["play", "hexagons", *seats, "--limit", "2", "-o", str(tmp_path / "r")]) == 0
    page = blocks(render_html_report([str(tmp_path / "r")]))
    labels = {number: (name, value) for name, value, number in page["index"]["labels"]}
    row = page["index"]["rows"][0]
    assert dict(labels[at] for at in row[6]) == page["replay-0"]["labels"]
    score, step, *own = row[7][0]
    at_step = page["replay-0"]["steps"][step]
    assert score == at_step["turn"]["f1"]
    assert dict(labels[at] for at in own) == at_step["labels"]
    assert at_step["labels"]["step"] == "1"


def test_turns_are_scored_where_they_end(tmp_path: Path) -> None:
    assert (
        main(
            [
                "play",
                "image",
                "--seat",
                "giver=gold",
                "--seat",
                "follower=gold",
                "--limit",
                "2",
                "-o",
                str(tmp_path / "r"),
            ]
        )
        == 0
    )
    page = blocks(render_html_report([str(tmp_path / "r")]))
    steps = page["replay-0"]["steps"]
    scored = [step for step in steps if "turn" in step]
    assert {step["role"] for step in scored} == {"follower"}
    assert scored[-1]["turn"]["f1"] == 1
    assert len(scored) == dict(page["replay-0"]["scores"])["turns"]


def test_errored_and_aborted_episodes_can_be_found(tmp_path: Path) -> None:
    page = blocks(render_html_report([str(play(tmp_path / "a", follower=Fails(2, "hm")))], 2))
    index = page["index"]
    assert [index["statuses"][row[3]] for row in index["rows"]].count("errored") == 2
    assert len(index["rows"]) == 4, "all are listed"
    assert sorted(row[5] for row in index["rows"]) == [-1, -1, 0, 1]
    every = blocks(render_html_report([str(tmp_path / "a")], None))
    assert any(step["kind"] == "failed" for n in range(4) for step in every[f"replay-{n}"]["steps"])


def test_a_large_run_is_listed_in_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = str(play(tmp_path / "a"))
    order = [row[1] for row in blocks(render_html_report([name], 2))["index"]["rows"]]
    monkeypatch.setattr("groundling.report.episode_sample.MOST_LISTED", 3)
    text = render_html_report([name], 2)
    rows = blocks(text)["index"]["rows"]
    assert sorted(row[5] for row in rows) == [-1, 0, 1], "what is replayed is listed"
    assert [row[1] for row in rows] == sorted((row[1] for row in rows), key=order.index), "in order"
    assert "2 of 4 episodes can be replayed" in text
    assert "These and others at random, 3 in all, are listed" in text


def table(scores: list[float | None], statuses: list[str]) -> pl.DataFrame:
    return pl.DataFrame(
        {"episode": [f"e{n}" for n in range(len(scores))], "success": scores, "status": statuses}
    )


def replayed(episodes: pl.DataFrame, count: int, seed: int) -> list[str]:
    found: list[str] = sample_episodes(episodes, "success", count, seed).filter(REPLAYED)["episode"].to_list()
    return found


def test_a_third_are_the_worst_a_third_the_best() -> None:
    scores: list[float | None] = [n / 300 for n in range(300)]
    chosen = replayed(table(scores, ["played"] * 300), 30, 0)
    numbers = [int(name[1:]) for name in chosen]
    assert numbers == sorted(set(numbers))
    assert numbers[:10] == list(range(10))
    assert numbers[-10:] == list(range(290, 300))
    assert chosen == replayed(table(scores, ["played"] * 300), 30, 0)
    assert chosen != replayed(table(scores, ["played"] * 300), 30, 1)


def test_places_are_kept_for_the_unfinished() -> None:
    frame = table(
        [0.0] * 100 + [1.0] * 100 + [None] * 50,
        ["played"] * 95 + ["aborted"] * 5 + ["played"] * 100 + ["errored"] * 50,
    )
    status = dict(zip(frame["episode"], frame["status"], strict=True))
    kinds = [status[name] for name in replayed(frame, 20, 3)]
    assert len(kinds) == 20
    assert kinds.count("aborted") >= 2
    assert kinds.count("errored") >= 2


def test_none_and_all_can_be_asked_for(tmp_path: Path) -> None:
    folder = play(tmp_path / "run")
    assert set(blocks(render_html_report([str(folder)], 0))) == {"index"}
    assert len(blocks(render_html_report([str(folder)], None))) == 5


def test_only_the_chosen_are_read_in_full(tmp_path: Path) -> None:
    folder = RunFolder(play(tmp_path / "run"))
    with folder.log_path.open("ab") as log:
        log.write(b'{"type":"moved","episode":"torn')
    known = read_run_recordings(folder.path)
    wanted = list(known)[1:3]
    assert list(folder.read_episodes(wanted)) == [known[name] for name in wanted]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nowhere"], "is not a run"),
        (["ref", "image"], "make a report for each game"),
        (["empty"], "nothing has been played yet"),
        (["ref", "--episodes", "some"], "give a number, or all"),
        (["ref", "-o", "no/such/folder.html"], "check the path"),
    ],
)
def test_what_cannot_be_done_is_reported_in_one_line(
    arguments: list[str],
    words: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    play(Path("ref"), limit=2)
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty" / "run.toml").write_bytes((tmp_path / "ref" / "run.toml").read_bytes())
    main(["play", "image", "--seat", "giver=gold", "--seat", "follower=gold", "--limit", "1", "-o", "image"])
    capsys.readouterr()
    assert main(["report", *arguments]) == 2
    told = capsys.readouterr().err
    assert words in told
    assert told.count("\n") == 1
    assert list(tmp_path.glob("*.html*")) == []


def test_the_command_writes_the_file_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    play(Path("run"))
    assert main(["report", "run"]) == 0
    assert re.fullmatch(r"report.html: \d+ kB\n", capsys.readouterr().out)
    first = Path("report.html").read_bytes()
    assert main(["report", "run"]) == 0
    assert Path("report.html").read_bytes() == first, "the same runs give the same bytes"
    assert find("reference").about in first.decode().lower()
