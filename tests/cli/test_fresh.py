"""`groundling fresh` plays a published set and fresh ones, and compares them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.bridges import slow_task

from groundling.cli import main
from groundling.core.pack import find, load
from groundling.runs.fresh_sets import choose_rule_tables
from groundling.runs.run import open_run

ROOT = Path(__file__).parents[2]
LOG = "log.jsonl"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    return tmp_path


def fresh(*words: str) -> int:
    return main(["fresh", *words])


def test_the_sets_are_ordinary_runs_and_the_command_resumes(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["director", "--seat", "participant=frame-blind", "--limit", "8", "-o", "out"]
    assert fresh(*words) == 0
    out = capsys.readouterr().out
    assert "the published set and 5 fresh sets" in out
    assert "rules: participant=egocentric" in out
    assert "no difference was found beyond the rules" in out
    assert max(map(len, out.splitlines())) <= 80
    logs = {path: path.read_bytes() for path in Path("out").rglob(LOG)}
    assert len([path for path in logs if "rules" not in path.parts]) == 6
    assert fresh(*words) == 0
    assert {path: path.read_bytes() for path in Path("out").rglob(LOG)} == logs
    capsys.readouterr()
    assert main(["verify", "out"]) == 0
    assert main(["score", "out/published", "out/fresh-1"]) == 0
    assert main(["make", "director", "--reveal", "out/fresh-1.jsonl"]) == 0


def test_fresh_sets_have_the_size_of_the_published_one_and_items_in_both_are_left_out(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert fresh("image", "--seat", "giver=gold", "--seat", "follower=gold", "-o", "out") == 0
    published, *others = [
        [transcript.opened.instance.target.cells for transcript in open_run(f"out/{name}").read_transcripts()]
        for name in ("published", *(f"fresh-{n}" for n in range(1, 6)))
    ]
    assert {len(published), *map(len, others)} == {40}
    assert len({*map(tuple, others)}) == 5
    again = sum(cells in published for one in others for cells in one)
    assert ("left out: the published set has the same item" in capsys.readouterr().out) == (again > 0)


def test_aborted_episodes_and_quality_are_told_apart(capsys: pytest.CaptureFixture[str]) -> None:
    """The player answers only what is published, and right."""
    Path("lucky.py").write_text(
        "from groundling.core.player import Reply\n"
        "from groundling.core.pack import find, load\n"
        "KNOWN = {tuple(one.grids[i].cells for i in one.follower): one.answer\n"
        "         for one in load(find('reference').builtin)()}\n"
        "class Lucky:\n"
        "    name = 'lucky'\n"
        "    async def act(self, ask):\n"
        "        place = KNOWN.get(tuple(grid.cells for grid in ask.view.grids))\n"
        "        words = ('first', 'second', 'third')\n"
        "        return Reply(text=f'Answer: {words[place - 1]}' if place else '?')\n"
    )
    assert fresh("reference", "--seat", "giver=gold", "--seat", "follower=lucky.py:Lucky", "-o", "out") == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "success 1.000 0.000 +1.000 +0.000 +1.000 [+1.000, +1.000]" in out
    assert "played 1.000 0.000 +1.000" in out
    assert "consistent with exposure" in out
    assert "the rules score the same on all items" in out


def test_wordings_have_rows_of_their_own(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASKED", "asked")
    assert slow_task.slow
    words = ["--seat", "giver=gold", "--seat", "follower=slow/0", "--prompts", "all", "--limit", "2"]
    assert fresh("reference", *words, "-o", "out") == 0
    out = capsys.readouterr().out
    assert "success, en/follower.brief" in out
    assert "success, en/follower.plain" in out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (
            ["--published", "other.jsonl"],
            "other.jsonl was not made with this recipe: give its fields with --recipe",
        ),
        (
            ["--published", "named.jsonl"],
            "named.jsonl has the set 'mine', but this recipe makes edits-2, edits-4",
        ),
        (["--recipe", "sise=3"], "--recipe sise=3 is not FIELD=VALUE: choose from crossed"),
        (["--recipe", "seed=3"], "--recipe seed=3 is not FIELD=VALUE"),
        (["--sets", "3"], "--sets"),
    ],
)
def test_what_cannot_be_compared_is_told_in_one_line(
    words: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["make", "reference", "--size", "7", "-n", "4", "-o", "other.jsonl"]) == 0
    renamed = [
        {**json.loads(line), "set": "mine", "origin": ""}
        for line in Path("other.jsonl").read_text().splitlines()
    ]
    Path("named.jsonl").write_text("".join(json.dumps(line) + "\n" for line in renamed))
    capsys.readouterr()
    assert fresh("reference", "--seat", "giver=gold", "--seat", "follower=gold", "-o", "out", *words) == 2
    err = capsys.readouterr().err
    assert told in err
    assert err.count("\n") == 1
    assert not Path("out").exists()


def test_a_published_file_with_its_recipe_is_compared(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["make", "reference", "--size", "7", "-n", "6", "-o", "mine.jsonl"]) == 0
    words = [
        "--published",
        "mine.jsonl",
        "--recipe",
        "size=7",
        "--seat",
        "giver=gold",
        "--seat",
        "follower=rule",
    ]
    assert fresh("reference", *words, "-o", "out") == 0
    assert "note: that mine.jsonl" not in capsys.readouterr().out
    assert fresh("reference", *words, "--recipe", "fill=true", "-o", "out") == 2
    assert fresh("reference", *words, "-n", "8", "-o", "larger") == 0


@pytest.mark.parametrize("game", ["reference", "image", "hexagons", "codraw", "director"])
def test_every_game_has_rules_to_compare_with(game: str) -> None:
    pack = find(game)
    tables = choose_rule_tables(pack, pack.new(), {}, load(pack.builtin)())
    assert all("weights" not in table.values() for table in tables)
    assert all(set(table) <= set(pack.roles) for table in tables)


def test_a_game_of_one_file_can_be_compared_too(capsys: pytest.CaptureFixture[str]) -> None:
    game = str(ROOT / "examples" / "treasure.py")
    assert fresh(game, "--seat", "giver=random", "--seat", "seeker=random", "-o", "out") == 0
    assert "rules: giver=gold, seeker=gold" in capsys.readouterr().out
