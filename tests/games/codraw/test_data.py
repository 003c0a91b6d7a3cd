"""Recorded dialogs: three packagings, four policies, arrays, splits and statistics."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace
from tests.boards.scenes import PARK, released

from groundling.boards.scene import Express, Pose, Put, Scene, Shift, apply_changes
from groundling.boards.scene.batches import pack_scene_batch, unpack_scene_batch
from groundling.cli.main import main
from groundling.core.pack import load
from groundling.core.source import find_source
from groundling.core.values import Problem
from groundling.games.codraw.data import list_codraw_splits
from groundling.games.codraw.recorded import stats
from groundling.games.codraw.recorded.corpus import DialogCorpus, pack_corpus_records
from groundling.games.codraw.recorded.dialog_files import (
    RELEASED,
    DialogRecord,
    dialog_files_checksum,
    dialog_files_verdict,
    load_dialog_files,
)
from groundling.games.codraw.recorded.dialogs import (
    UNAIDED,
    WHOLE,
    Dialog,
    dialog_turns,
    read_dialog,
    read_dialogs,
)
from groundling.games.codraw.recorded.splits import CodrawSplitRecipe, grouped_splits, split_dialogs
from groundling.games.codraw.recorded.stats import (
    codraw_stats_lines,
    message_length_stats,
    score_distribution_stats,
    similarity_stats_by_round,
)
from groundling.games.codraw.scene_generation.scene_statistics import make_statistics_scenes
from groundling.games.codraw.score import similarities, similarity

from .recorded import MORE, PALETTE, SUN, folder_of_files, lines, single


@pytest.fixture(autouse=True)
def few_made_scenes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Statistics compare people's scenes with 2,000 that are made; here 40 are enough."""
    monkeypatch.setattr(stats, "make_statistics_scenes", lambda: make_statistics_scenes(40))


@pytest.fixture
def long(tmp_path: Path) -> DialogRecord:
    return load_dialog_files(lines(tmp_path))[0]


def test_three_packagings_say_the_same(tmp_path: Path) -> None:
    by_line, whole, apart = lines(tmp_path), single(tmp_path), folder_of_files(tmp_path / "apart")
    assert load_dialog_files(by_line) == load_dialog_files(whole) == load_dialog_files(apart)
    assert [record.id for record in load_dialog_files(by_line)] == ["train_00007", "val_00018"]
    assert [record.id for record in load_dialog_files(whole, "val")] == ["val_00018"]
    assert len({dialog_files_checksum(load_dialog_files(place)) for place in (by_line, whole, apart)}) == 1
    assert load_dialog_files(tmp_path) == load_dialog_files(by_line), "a folder that holds the file will do"


def test_its_parts_are_the_splits_that_are_there(tmp_path: Path) -> None:
    assert list_codraw_splits(lines(tmp_path)) == ["train", "val"]
    (tmp_path / "empty").mkdir()
    assert list_codraw_splits(tmp_path / "empty") == []


def test_a_changed_word_changes_the_checksum(tmp_path: Path) -> None:
    before = dialog_files_checksum(load_dialog_files(lines(tmp_path)))
    other = gzip.decompress(lines(tmp_path).read_bytes()).replace(b"crown", b"Crown")
    (tmp_path / "codraw.jsonl.gz").write_bytes(gzip.compress(other))
    assert dialog_files_checksum(load_dialog_files(tmp_path)) != before
    assert dialog_files_verdict("train", load_dialog_files(tmp_path, "train")).startswith("NOT as released")
    assert "no checksum" in dialog_files_verdict("test", [])


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("CoDraw_1_0.json", '{"data": {"train_00001": {"image_id": 1}}}', "cannot be read"),
        (
            "CoDraw_1_0.json",
            '{"data": {"first": {"image_id": 1, "abs_t": "", "dialog": []}}}',
            "the id 'first'",
        ),
        ("codraw.jsonl", "{", "cannot be read"),
        ("codraw.jsonl.gz", "not packed", "cannot be read"),
        ("codraw.jsonl", "", "holds no CoDraw dialogs"),
        ("other.txt", "", "holds no CoDraw dialogs"),
    ],
)
def test_what_is_not_the_data_is_reported_in_one_line(
    tmp_path: Path, name: str, text: str, told: str
) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(Problem, match=told):
        load_dialog_files(tmp_path)


def test_there_are_three_splits(tmp_path: Path) -> None:
    with pytest.raises(Problem, match="train, val, test"):
        load_dialog_files(lines(tmp_path), "dev")


def test_a_dialog_is_read_with_its_canvases(tmp_path: Path) -> None:
    found, other = read_dialogs(lines(tmp_path), "", WHOLE)
    assert (found.id, found.split, found.number) == ("train_00007", "train", 7)
    assert found.target == PARK
    assert [played.after for played in found.rounds] == [Scene(), SUN, MORE, PARK, PARK]
    assert [played.before for played in found.rounds] == [Scene(), Scene(), SUN, MORE, PARK]
    assert [played.peek for played in found.rounds] == [False, False, False, True, False]
    assert found.palette is not None
    assert set(found.palette.kinds) == set(PALETTE.kinds)
    assert found.final_canvas == PARK
    assert other.final_canvas == SUN


def test_who_opened_is_a_policy(long: DialogRecord) -> None:
    assert read_dialog(long, WHOLE).rounds[0].teller is None
    assert read_dialog(long, replace(WHOLE, opening="silence")).rounds[0].teller == ""
    assert [turn.seat for turn in dialog_turns(read_dialog(long, WHOLE))][:2] == ["drawer", "teller"]


def test_up_to_the_peek_is_a_policy(long: DialogRecord) -> None:
    assert read_dialog(long, UNAIDED).final_canvas == MORE
    assert len(read_dialog(long, UNAIDED).rounds) == 3


def test_which_canvas_a_round_starts_from_is_a_policy(long: DialogRecord) -> None:
    stored = read_dialog(long, replace(WHOLE, start="stored"))
    assert stored.rounds[2].before == Scene(), "as the data has it"
    assert read_dialog(long, WHOLE).rounds[2].before == SUN, "as the round before left it"


def test_what_an_empty_canvas_string_means_is_a_policy(long: DialogRecord) -> None:
    long.dialog[2].abs_d = ""
    assert read_dialog(long, WHOLE).rounds[2].after == Scene()
    assert read_dialog(long, replace(WHOLE, blank="carry")).rounds[2].after == SUN


@pytest.mark.parametrize("start", ["carry", "stored"])
def test_turns_lead_from_an_empty_canvas_to_what_was_drawn(long: DialogRecord, start: str) -> None:
    canvas = Scene()
    for turn in dialog_turns(read_dialog(long, replace(WHOLE, start=start))):
        canvas = apply_changes(canvas, turn.changes)
    assert canvas == PARK


def test_turns_say_who_did_what(long: DialogRecord) -> None:
    found = list(dialog_turns(read_dialog(long, WHOLE)))
    assert [(turn.seat, turn.text) for turn in found][-4:] == [
        ("teller", "a crown on his head"),
        ("drawer", "ok"),
        ("teller", "done"),
        ("drawer", ""),
    ]
    assert [turn.peek for turn in found] == [False] * 5 + [True] + [False] * 3
    assert [type(change) for change in found[6].changes] == [Shift, Put]
    assert not any(isinstance(change, Pose | Express) for turn in found for change in turn.changes)


def test_arrays_hold_what_the_dialogs_hold(tmp_path: Path) -> None:
    found = pack_corpus_records(load_dialog_files(lines(tmp_path)), WHOLE)
    read = list(read_dialogs(tmp_path, "", WHOLE))
    assert found.ids == [dialog.id for dialog in read]
    assert unpack_scene_batch(found.targets) == [dialog.target for dialog in read]
    rounds = [played for dialog in read for played in dialog.rounds]
    assert unpack_scene_batch(found.canvases) == [played.after for played in rounds]
    assert unpack_scene_batch(found.canvases_before) == [played.before for played in rounds]
    assert unpack_scene_batch(found.final_canvases) == [dialog.final_canvas for dialog in read]
    assert unpack_scene_batch(found.unaided_canvases) == [
        dialog.final_canvas for dialog in read_dialogs(tmp_path, "", UNAIDED)
    ]
    assert found.peeks.tolist() == [played.peek for played in rounds]
    assert found.drawer == [played.drawer for played in rounds]
    assert found.round_counts.tolist() == [5, 2]
    assert found.split_names.tolist() == ["train", "val"]


def test_arrays_need_one_canvas_a_round(long: DialogRecord) -> None:
    with pytest.raises(ValueError, match="carry"):
        pack_corpus_records([long], replace(WHOLE, start="stored"))


def test_a_dialog_without_rounds_has_an_empty_canvas(long: DialogRecord) -> None:
    long.dialog[0].peeked = True
    found = pack_corpus_records([long], UNAIDED)
    assert unpack_scene_batch(found.final_canvases) == unpack_scene_batch(found.unaided_canvases) == [Scene()]
    assert read_dialog(long, UNAIDED).final_canvas == Scene()
    assert len(found.canvases_before) == 0


def many(count: int = 400) -> list[DialogRecord]:
    return [
        DialogRecord(number, "", [], f"train_{number:05d}", "train") for number in range(0, 10 * count, 3)
    ]


def test_the_papers_halves_are_the_sorted_ids(tmp_path: Path) -> None:
    for number in range(5):
        (tmp_path / f"train_{number:05d}.json").write_text(
            json.dumps({"image_id": number, "abs_t": "", "dialog": []})
        )
    found = split_dialogs(tmp_path, CodrawSplitRecipe())
    assert found == {
        "train_a": ["train_00000", "train_00001"],
        "train_b": ["train_00002", "train_00003", "train_00004"],
    }
    lot = split_dialogs(tmp_path, CodrawSplitRecipe(halves="random", seed=3))
    assert sorted([*lot["train_a"], *lot["train_b"]]) == [f"train_{number:05d}" for number in range(5)]
    assert lot == split_dialogs(tmp_path, CodrawSplitRecipe(halves="random", seed=3))


def test_no_group_crosses_a_grouped_split() -> None:
    found = grouped_splits(many(), CodrawSplitRecipe(grouped=True, seed=1))
    where: dict[int, set[str]] = {}
    for name, ids in found.items():
        for one in ids:
            where.setdefault(int(one[-5:]) // 10, set()).add(name)
    assert all(len(names) == 1 for names in where.values())
    assert sorted(one for ids in found.values() for one in ids) == [record.id for record in many()]
    assert all(found.values())
    assert found != grouped_splits(many(), CodrawSplitRecipe(grouped=True, seed=2))


def test_a_dialog_goes_to_the_same_grouped_split_in_every_copy() -> None:
    recipe = CodrawSplitRecipe(grouped=True)
    whole, part = grouped_splits(many(), recipe), grouped_splits(many()[::2], recipe)
    assert all(set(part[name]) <= set(whole[name]) for name in whole)


def test_too_much_cannot_be_held_back() -> None:
    with pytest.raises(Problem, match="lower -n"):
        grouped_splits(many(), CodrawSplitRecipe(grouped=True, n=6_000))


def test_tokens_stand_between_blanks_and_silence_is_no_message() -> None:
    found = message_length_stats(["a b c", "", "ok", "ok ."])
    assert found.counts.tolist() == [3, 1, 2]
    assert (found.median_length, found.single_token_count, found.max_length) == (2, 1, 3)
    assert found.length_histogram(2).tolist() == [1, 2]


def test_similarity_by_round_of_those_that_reached_it_and_of_all(tmp_path: Path) -> None:
    curve = similarity_stats_by_round(pack_corpus_records(load_dialog_files(lines(tmp_path)), WHOLE))
    sun, more = similarity(PARK, SUN), similarity(PARK, MORE)
    assert curve.reached[:6] == [2, 2, 1, 1, 1, 0]
    assert curve.only[:5] == pytest.approx([sun / 2, sun, more, 5, 5])
    assert np.isnan(curve.only[5:]).all()
    assert curve.padded == pytest.approx([sun / 2, sun, (more + sun) / 2] + [(5 + sun) / 2] * 32)


def test_the_best_scores_are_in_the_last_bin() -> None:
    edges, counts = score_distribution_stats(np.array([0.0, 0.19, 0.2, 0.6, 4.8, 5.0]))
    assert (edges[0], edges[3], edges[-1]) == (0.0, 0.6, 4.8)
    assert [counts[0], counts[1], counts[3], counts[-1]] == [2, 1, 1, 2]


def test_statistics_stand_beside_the_papers(tmp_path: Path) -> None:
    text = "\n".join(codraw_stats_lines(lines(tmp_path)))
    assert "vocabulary" in text
    assert "4,555" in text
    assert "not in this data" in text, "durations and participants"
    assert "NOT as released" in text


def test_durations_and_participants_are_counted_of_a_collection_of_its_own(tmp_path: Path) -> None:
    file = tmp_path / "codraw.jsonl"
    rows = [json.loads(line) for line in gzip.decompress(lines(tmp_path).read_bytes()).splitlines()]
    file.write_text("\n".join(json.dumps({**row, "seconds": 90, "players": ["ann", "bob"]}) for row in rows))
    text = "\n".join(codraw_stats_lines(file))
    assert "a collection of its own" in text
    assert "as released" not in text
    assert "median 1.5" in text
    assert "not in this data" not in text
    assert "minutes" in load(find_source("codraw").plots)(file)  # type: ignore[misc]


def test_stats_and_splits_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines(tmp_path)
    assert main(["data", "stats", "codraw", str(tmp_path), "-o", str(tmp_path / "plots")]) == 0
    assert {file.name for file in (tmp_path / "plots").iterdir()} == {
        *("tokens.svg", "rounds.svg", "similarity.svg", "by-round-reached.svg", "by-round-padded.svg")
    }
    options = ["--grouped", "--seed", "2", "-o", str(tmp_path / "s.json")]
    assert main(["data", "split", "codraw", str(tmp_path), *options]) == 0
    found = json.loads((tmp_path / "s.json").read_text())
    assert found["recipe"]["grouped"] is True
    assert sorted(one for ids in found["splits"].values() for one in ids) == ["train_00007", "val_00018"]
    assert "train_a" in capsys.readouterr().out


@pytest.fixture(scope="module")
def whole() -> DialogCorpus:
    return pack_corpus_records(load_dialog_files(released()), WHOLE)


@pytest.mark.slow
def test_the_release_is_whole() -> None:
    for name in RELEASED:
        assert dialog_files_verdict(name, load_dialog_files(released(), name)) == "as released"


@pytest.mark.slow
def test_people_score_as_published(whole: DialogCorpus) -> None:
    end, unaided = (
        similarities(whole.targets, whole.final_canvases),
        similarities(whole.targets, whole.unaided_canvases),
    )
    val, train = whole.split_names == "val", whole.split_names == "train"
    assert [round(float(end[mine].mean()), 4) for mine in (val, train)] == [4.1969, 4.2050]
    assert [round(float(unaided[mine].mean()), 3) for mine in (val, train)] == [3.953, 3.971]


@pytest.mark.slow
def test_the_release_has_the_papers_halves() -> None:
    found = split_dialogs(released(), CodrawSplitRecipe())
    assert {name: len(ids) for name, ids in found.items() if name != "test"} == {
        "train_a": 3994,
        "train_b": 3995,
        "val": 1002,
    }


def test_released_dialogs_are_read_and_played_to_the_canvas_they_ended_with() -> None:
    for number, found in enumerate(read_dialogs(released(), "val", WHOLE)):
        if number == 150:
            break
        check_turns(found)


def check_turns(found: Dialog) -> None:
    canvas = Scene()
    for turn in dialog_turns(found):
        canvas = apply_changes(canvas, turn.changes)
    assert canvas == found.final_canvas
    assert found.palette is not None
    assert len(found.palette.kinds) == 20
    assert all(map(found.palette.can_take, found.target.pieces))
    assert pack_scene_batch([found.target]).shape == (1, 3, 58)
