"""Tables fit the terminal, whatever is in them."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundling.cli import main
from groundling.report.text_table import Column, TableRow, TextTable, count_noun, render_table

GAMES = {
    "reference": ["giver=gold", "follower=rule"],
    "image": ["giver=rule", "follower=rule"],
    "hexagons": ["instructor=narrator", "executor=parser"],
    "codraw": ["teller=template", "drawer=grammar"],
    "director": ["participant=egocentric"],
}


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A few episodes of every game, with controls where somebody speaks."""
    folder = tmp_path_factory.mktemp("runs")
    for game, seats in GAMES.items():
        controls = ["--controls"] if len(seats) > 1 else []
        seated = [word for seat in seats for word in ("--seat", seat)]
        limit = "14" if game == "hexagons" else "4"
        assert main(["play", game, *seated, "--limit", limit, *controls, "-o", str(folder / game)]) == 0
    return folder


def assert_fits(text: str, width: int) -> None:
    for line in text.splitlines():
        assert len(line) <= width, line
        assert line == line.rstrip(), repr(line)
        assert line.count("[") == line.count("]"), f"an interval is split: {line}"


@pytest.mark.parametrize("width", [80, 120])
@pytest.mark.parametrize("game", GAMES)
def test_the_tables_of_every_game_fit(
    game: str, width: int, runs: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(runs)
    monkeypatch.setenv("COLUMNS", str(width))
    for command in (["score", game], ["score", game, "--all"], ["compare", game, game]):
        assert main(command) == 0
        assert_fits(capsys.readouterr().out, width)
    assert (
        main(["play", game, *[word for seat in GAMES[game] for word in ("--seat", seat)], "--limit", "1"])
        == 0
    )
    out = capsys.readouterr().out
    assert_fits(out, width)
    assert "(1 cluster, chance" in out


@pytest.mark.parametrize("width", [80, 120])
def test_games_crosses_and_breakdowns_fit(
    width: int, runs: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(runs)
    monkeypatch.setenv("COLUMNS", str(width))
    listeners = ("gold", "rule", "random", "fullest")
    cross = ["cross", "reference", "--givers", "gold", "--limit", "4"]
    by = ["score", "director", "--by", "kind+rule"]
    for command in (["games"], [*cross, *(w for name in listeners for w in ("--followers", name))], by):
        assert main(command) == 0
        assert_fits(capsys.readouterr().out, width)


def test_a_file_gets_120_columns(
    runs: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    assert main(["score", str(runs / "hexagons")]) == 0
    widest = max(map(len, capsys.readouterr().out.splitlines()))
    assert 80 < widest <= 120


def test_the_main_columns_come_first_and_the_rest_with_all(
    runs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["score", str(runs / "image")]) == 0
    out = capsys.readouterr().out
    (head,) = [line for line in out.splitlines() if line.startswith("set ")]
    assert head.split() == ["set", "players", "n", "clusters", "f1", "95", "%", "strict", "aborted"]
    assert "--all adds precision, recall" in out
    assert main(["score", str(runs / "image"), "--all"]) == 0
    assert " recall " in capsys.readouterr().out


words = st.text("abc_/ :-", max_size=60)
cells = st.floats(-1e6, 1e6).map("{:.3f}".format)


@st.composite
def tables(draw: st.DrawFn) -> TextTable:
    keys = draw(st.lists(words, min_size=1, max_size=3))
    columns = draw(st.lists(st.builds(Column, words, st.booleans()), min_size=1, max_size=8))
    rows = [
        TableRow(
            tuple(draw(words) for _ in keys), tuple(draw(st.lists(cells, min_size=1, max_size=len(columns))))
        )
        for _ in range(draw(st.integers(1, 5)))
    ]
    return TextTable(draw(words), tuple(keys), tuple(columns), tuple(rows), (draw(words),))


@given(tables(), st.sampled_from([60, 80, 120]))
def test_every_cell_is_whole_and_no_line_is_too_wide(table: TextTable, width: int) -> None:
    lines = render_table(table, width)
    assert max(map(len, lines)) <= width
    assert all(line == line.rstrip() for line in lines)
    shown = " ".join(lines).split()
    for row in table.rows:
        assert set(row.cells) <= set(shown)


def test_a_name_that_is_too_long_stands_above_its_numbers() -> None:
    names = ("weights:weights/one-that-was-trained-for-a-long-time → weights:weights/another", "gold → rule")
    rows = tuple(TableRow(("all", name), ("100", "0.500", "[0.450, 0.550]")) for name in names)
    columns = (Column("n"), Column("success", joined=True), Column("95 %", joined=True))
    lines = render_table(TextTable("a game", ("set", "players"), columns, rows), 60)
    assert lines[2:] == [
        "players        n  success            95 %",
        "─────────────────────────────────────────",
        "set all",
        "weights:weights/one-that-was-trained-for-a-long-time →",
        "weights:weights/another",
        "             100    0.500  [0.450, 0.550]",
        "gold → rule  100    0.500  [0.450, 0.550]",
    ]


def test_one_is_singular() -> None:
    assert [count_noun(count, "cluster") for count in (0, 1, 1000)] == [
        "0 clusters",
        "1 cluster",
        "1,000 clusters",
    ]
