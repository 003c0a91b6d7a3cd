"""Rows that were kept while a run was played are those that its log gives, or are not taken."""

from __future__ import annotations

import tempfile
from pathlib import Path

import msgspec
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Raw
from polars.testing import assert_frame_equal
from tests.helpers import Fails, session

from groundling.core.pack import find, installed_packs, load
from groundling.core.player import Ask, Player, Reply, Unable
from groundling.runs import kept_rows
from groundling.runs.kept_rows import KeptRows, decode_kept_row, encode_kept_row, write_kept_rows
from groundling.runs.run_folder import RunFolder
from groundling.runs.scoring import score_run
from groundling.runs.session import RunSession, new_session_plan, prepare_session

TEXTS = ("", "DONE", "Answer: first", "Instruction: DONE", "Expression: x", "FINISH", "B2", "nonsense")


class Wavers:
    """Answers as another player, gives a text instead, or fails, in turn."""

    name = "wavers"

    def __init__(self, player: Player, turns: list[str | None]) -> None:
        self.player, self.turns, self.may_fail = player, turns, True

    async def act(self, ask: Ask) -> Reply:
        text = self.turns[ask.seed % len(self.turns)]
        if text == "fail" and self.may_fail:
            raise Unable("timeout", "no answer in time")
        if text is None or text == "fail":
            return await self.player.act(ask)
        return Reply(text=text, usage={"output": 3}, seconds=0.25, detail={"truncated": 1})


def read_rows(folder: RunFolder) -> KeptRows:
    return msgspec.msgpack.decode(folder.rows_path.read_bytes(), type=KeptRows)


def score_from_log(folder: RunFolder) -> pl.DataFrame:
    """Score with a note: then no kept rows are taken."""
    return score_run(folder, note=lambda transcript, scores: None)


@pytest.mark.parametrize("name", installed_packs())
@settings(max_examples=8)
@given(st.lists(st.one_of(st.none(), st.just("fail"), st.sampled_from(TEXTS)), min_size=1), st.booleans())
def test_kept_rows_are_those_of_the_log(name: str, turns: list[str | None], strict: bool) -> None:
    pack = find(name)
    instances = load(pack.builtin)()[:3]
    seats = dict.fromkeys(pack.new().seats(instances[0]), "gold")
    with tempfile.TemporaryDirectory() as place:
        plan = new_session_plan(
            pack, instances, None, settings=pack.new().settings, source="", seats=seats, strict=strict
        )
        at_table = prepare_session(pack, plan, Path(place) / "run")
        wavering = {role: Wavers(player, turns) for role, player in at_table.players.items()}
        at_table = msgspec.structs.replace(at_table, players=dict[str, Player](wavering))
        for may_fail in (True, False):
            for player in wavering.values():
                player.may_fail = may_fail
            at_table.play_missing(2)
            kept = read_rows(at_table.folder)
            assert len(kept.rows) + len(kept.unclosed) == 3
            mine, theirs = score_run(at_table.folder), score_from_log(at_table.folder)
            assert_frame_equal(mine.sort("episode"), theirs.sort("episode"))
        assert kept.unclosed == []


def play_two(folder: Path, **players: Player) -> RunSession:
    at_table = session(folder, limit=2)
    at_table = msgspec.structs.replace(at_table, players={**at_table.players, **players})
    at_table.play_missing(1)
    return at_table


def forge_rows(folder: RunFolder) -> None:
    """Give the kept rows another set, by which they are known where they are taken."""
    kept = read_rows(folder)
    rows: list[Raw] = []
    for row in map(decode_kept_row, kept.rows):
        rows.append(encode_kept_row((row[0], "kept", *row[2:])))
    write_kept_rows(folder, msgspec.structs.replace(kept, rows=rows))


def test_kept_rows_are_taken_for_the_same_log_and_code(tmp_path: Path) -> None:
    folder = play_two(tmp_path).folder
    forge_rows(folder)
    assert score_run(folder)["set"].to_list() == ["kept", "kept"]
    assert "kept" not in score_from_log(folder)["set"].to_list()


def test_kept_rows_are_not_taken_after_the_log_was_changed(tmp_path: Path) -> None:
    folder = play_two(tmp_path).folder
    forge_rows(folder)
    log = folder.log_path.read_text()
    folder.log_path.write_text(log.replace('"score":1.0', '"score":0.5', 1))
    assert sorted(score_run(folder)["status"]) == ["damaged", "played"]


def test_kept_rows_are_not_taken_by_another_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = play_two(tmp_path).folder
    forge_rows(folder)
    monkeypatch.setattr(kept_rows, "__version__", "99")
    assert "kept" not in score_run(folder)["set"].to_list()


def test_kept_rows_are_not_taken_after_the_settings_were_changed(tmp_path: Path) -> None:
    pack = find("image")
    plan = new_session_plan(
        pack, load(pack.builtin)()[:2], None, settings=pack.new().settings, source="",
        seats={"giver": "gold", "follower": "gold"},
    )  # fmt: skip
    at_table = prepare_session(pack, plan, tmp_path)
    at_table.play_missing(1)
    about = at_table.folder.about_path
    about.write_text(about.read_text().replace("hide_canvas = false", "hide_canvas = true"))
    assert score_run(at_table.folder)["status"].to_list() == ["damaged", "damaged"]


def test_a_broken_file_of_rows_is_ignored(tmp_path: Path) -> None:
    folder = play_two(tmp_path).folder
    folder.rows_path.write_bytes(folder.rows_path.read_bytes()[:-9])
    assert score_run(folder)["status"].to_list() == ["played", "played"]


def test_no_rows_are_kept_where_those_of_earlier_episodes_are_missing(tmp_path: Path) -> None:
    first = play_two(tmp_path, follower=Fails(1, "second"))
    first.folder.rows_path.unlink()
    first.play_missing(1)
    assert not first.folder.rows_path.exists()
    assert sorted(score_run(first.folder)["status"]) == ["played", "played"]


def test_a_run_is_played_to_the_end_where_scoring_fails(tmp_path: Path) -> None:
    at_table = session(tmp_path, limit=2)

    def fail(game: object, transcript: object) -> None:
        raise ZeroDivisionError

    pack = msgspec.structs.replace(at_table.pack, score=fail)
    msgspec.structs.replace(at_table, pack=pack).play_missing(1)
    assert not at_table.folder.rows_path.exists()
    assert len(score_run(at_table.folder)) == 2
