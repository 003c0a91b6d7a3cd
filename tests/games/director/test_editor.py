"""The editor of items, without its page: what it judges, draws and writes, and what it leaves alone."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import sleep
from typing import Any

import msgspec
import pytest
from msgspec import structs

from groundling.core.values import Problem
from groundling.files import write_whole_file
from groundling.games.director.item_sheet import Sheet, our_item_sheet, read_item_sheet
from groundling.games.director.items import load_items
from groundling.games.director.make import make
from groundling.games.director.pages import editor as editors
from groundling.games.director.pages import pages
from groundling.games.director.pages.editor import ItemsEditor
from groundling.games.director.recipe import SampleRecipe
from groundling.games.director.request_stock import RequestStock
from groundling.games.director.sheet_edits import encode_edited_sheet

PNG = b"\x89PNG\r\n\x1a\n"


def small_sheet() -> Sheet:
    """A third of our items, so that what the generator could ask is soon worked out."""
    return structs.replace(our_item_sheet(), items=our_item_sheet().items[::3])


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "shelf" / "items.json"
    path.parent.mkdir()
    path.write_bytes(encode_edited_sheet(small_sheet()))
    return path


def opened(file: Path) -> tuple[ItemsEditor, dict[str, Any], str]:
    editor = ItemsEditor(file)
    told = msgspec.json.decode(msgspec.json.encode(editor.open_sheet({})))
    return editor, told["sheet"], told["version"]


def test_there_is_no_editor_without_a_file_to_edit(tmp_path: Path) -> None:
    assert pages({}) is None
    found = pages({"items": str(tmp_path / "items.json")})
    assert found is not None
    assert (found.folder / "index.html").is_file()


def test_what_was_opened_and_not_changed_is_saved_as_it_was(file: Path) -> None:
    before = file.read_bytes()
    editor, sheet, version = opened(file)
    assert editor.save_sheet({"sheet": sheet, "version": version})["version"] == version
    assert file.read_bytes() == before


def test_a_file_that_is_not_there_begins_as_ours_and_is_made_only_when_it_is_saved(tmp_path: Path) -> None:
    path = tmp_path / "new.json"
    editor, sheet, version = opened(path)
    assert version == ""
    assert not path.exists()
    editor.save_sheet({"sheet": sheet, "version": version})
    assert read_item_sheet(path) == our_item_sheet()


def test_as_many_questions_are_told_as_the_generator_knows(file: Path) -> None:
    judged = ItemsEditor(file).open_sheet({})["judgement"]
    asks = RequestStock(load_items(file)).asks
    assert (judged.questions, judged.physics) == (len(asks), sum(ask.physics for ask in asks))
    assert 0 < judged.superlatives < judged.questions
    assert judged.troubles == []
    assert judged.refusal == ""


def test_what_is_wrong_is_reported_and_never_saved(file: Path) -> None:
    before = file.read_bytes()
    editor, sheet, version = opened(file)
    sheet["items"].append({"name": sheet["items"][0]["name"], "drawing": "nothing"})
    judged = editor.check_asked_sheet({"sheet": sheet})
    assert any("names must be unique" in trouble for trouble in judged.troubles)
    assert any("'nothing'" in trouble for trouble in judged.troubles)
    for more in ({}, {"unfinished": True}):
        with pytest.raises(Problem):
            editor.save_sheet({"sheet": sheet, "version": version, **more})
    assert file.read_bytes() == before


def test_what_the_generator_would_refuse_is_refused_unless_it_is_said_to_be_unfinished(file: Path) -> None:
    editor, sheet, version = opened(file)
    sheet["items"] = sheet["items"][:2]
    refusal = editor.check_asked_sheet({"sheet": sheet}).refusal
    with pytest.raises(Problem, match="the generator would refuse"):
        editor.save_sheet({"sheet": sheet, "version": version})
    assert len(load_items(file).entries) > 2
    editor.save_sheet({"sheet": sheet, "version": version, "unfinished": True})
    with pytest.raises(Problem) as told:
        make(SampleRecipe(items=str(file)))
    assert str(told.value) == refusal


def test_what_somebody_else_wrote_is_not_overwritten(file: Path) -> None:
    editor, sheet, version = opened(file)
    file.write_bytes(encode_edited_sheet(small_sheet()) + b"\n")
    with pytest.raises(Problem, match="changed by somebody else"):
        editor.save_sheet({"sheet": sheet, "version": version})
    assert file.read_bytes().endswith(b"\n\n")


def test_a_disk_that_is_full_costs_nothing(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = file.read_bytes()
    editor, sheet, version = opened(file)
    sheet["items"] = sheet["items"][1:]

    def full(*given: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(editors, "write_whole_file", full)
    with pytest.raises(Problem, match="it is as it was"):
        editor.save_sheet({"sheet": sheet, "version": version})
    assert file.read_bytes() == before


@pytest.mark.parametrize(
    "body", [None, [], {}, {"sheet": 1}, {"sheet": {"items": []}}, {"sheet": {}, "version": 1}]
)
def test_what_is_no_sheet_is_a_problem_and_no_crash(body: Any, file: Path) -> None:
    editor = ItemsEditor(file)
    for call in (editor.check_asked_sheet, editor.save_sheet):
        with pytest.raises(Problem, match="not a sheet"):
            call(body)


@pytest.mark.parametrize("picture", ["../secret.png", "/etc/secret.png", "a/../../secret.png"])
def test_no_picture_is_read_from_elsewhere(picture: str, file: Path) -> None:
    (file.parent.parent / "secret.png").write_bytes(PNG)
    editor, sheet, version = opened(file)
    sheet["items"][0] = {**{k: v for k, v in sheet["items"][0].items() if k != "drawing"}, "picture": picture}
    assert editor.draw_looks({"items": sheet["items"][:1]}) == {}
    assert "not beside the file" in editor.check_asked_sheet({"sheet": sheet}).troubles[0]
    with pytest.raises(Problem, match="not beside the file"):
        editor.save_sheet({"sheet": sheet, "version": version})


def test_items_are_drawn_as_large_as_they_are_and_those_without_a_look_are_left_out(file: Path) -> None:
    (file.parent / "own.png").write_bytes(PNG)
    editor = ItemsEditor(file)
    assert editor.open_sheet({})["pictures"] == ["own.png"]
    small = {"name": "small", "drawing": "book", "size": 1, "colour": ["red"]}
    items = [
        small,
        {**small, "name": "large", "size": 5},
        {"name": "own", "picture": "own.png"},
        {"name": "none", "drawing": "x"},
    ]
    looks = editor.draw_looks({"items": items})
    assert set(looks) == {"small", "large", "own"}
    assert looks["small"] != looks["large"].replace("large", "small")
    assert "data:image/png" in looks["own"]


def test_a_name_is_text_in_a_drawing(file: Path) -> None:
    name = "<script>alert(1)</script>"
    drawn = ItemsEditor(file).draw_looks({"items": [{"name": name, "drawing": "book"}]})[name]
    assert "<script" not in drawn


def test_what_is_told_can_be_sent(file: Path) -> None:
    assert msgspec.json.decode(msgspec.json.encode(ItemsEditor(file).open_sheet({})))["file"] == "items.json"


def test_a_file_that_is_read_only_is_said_to_be_and_left_alone(file: Path) -> None:
    editor, sheet, version = opened(file)
    assert not editor.open_sheet({})["closed"]
    before = file.read_bytes()
    file.chmod(0o444)
    assert editor.open_sheet({})["closed"]
    sheet["items"].pop()
    with pytest.raises(Problem, match="is read-only: allow"):
        editor.save_sheet({"sheet": sheet, "version": version})
    assert file.read_bytes() == before
    assert file.stat().st_mode & 0o777 == 0o444
    file.chmod(0o600)
    editor.save_sheet({"sheet": sheet, "version": version})
    assert file.stat().st_mode & 0o777 == 0o600, "who may read it stays as it was"


def test_what_is_no_file_is_reported(tmp_path: Path) -> None:
    with pytest.raises(Problem, match="cannot be read"):
        ItemsEditor(tmp_path).open_sheet({})


def test_a_folder_that_has_gone_is_reported(file: Path) -> None:
    editor, sheet, _ = opened(file)
    file.unlink()
    file.parent.rmdir()
    with pytest.raises(Problem, match="no longer exists: create it again"):
        editor.save_sheet({"sheet": sheet, "version": ""})


def test_of_two_who_save_at_once_one_is_told_even_at_different_workers(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each worker has an editor of its own."""
    _, sheet, version = opened(file)
    inside = [0]

    def slowly(*arguments: Any) -> None:
        inside[0] += 1
        assert inside[0] == 1
        sleep(0.1)
        write_whole_file(*arguments)
        inside[0] -= 1

    monkeypatch.setattr(editors, "write_whole_file", slowly)

    def save(number: int) -> str:
        changed = {**sheet, "items": sheet["items"][number + 1 :]}
        try:
            ItemsEditor(file).save_sheet({"sheet": changed, "version": version})
        except Problem as trouble:
            return str(trouble)
        return ""

    with ThreadPoolExecutor(4) as pool:
        told = list(pool.map(save, range(4)))
    assert told.count("") == 1
    assert sum("changed by somebody else" in why for why in told) == 3
