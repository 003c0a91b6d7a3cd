"""Games are loaded from files and modules, with the hash of their code."""

from __future__ import annotations

import sys
from hashlib import sha256
from pathlib import Path

import pytest
from tests.code_sources import GAME

from groundling.core.code_files import CodeOrigin, load_code
from groundling.core.pack import command_name, find
from groundling.core.values import Problem


@pytest.fixture(autouse=True)
def _in_an_empty_folder(code_folder: Path) -> None:
    """Every test has a folder of its own."""


def anything(value: object) -> bool:
    return isinstance(value, int)


@pytest.mark.parametrize("spec", ["mine.py", "mine.py:pack", "./mine.py", "mine:pack"])
def test_a_game_is_found_in_a_file_or_module_with_its_origin(spec: str, tmp_path: Path) -> None:
    Path("mine.py").write_text(GAME)
    pack = find(spec)
    place = spec.removesuffix(":pack")
    assert pack.name == "mine"
    assert pack.code == CodeOrigin(f"{place}:pack", sha256(GAME.encode()).hexdigest())
    assert command_name(pack) == f"{place}:pack"
    assert find(str(tmp_path / "mine.py")).name == "mine"


def test_an_installed_game_has_no_origin() -> None:
    assert find("groundling.games.reference:pack").code is None
    assert command_name(find("reference")) == "reference"


def test_a_package_is_hashed_with_all_its_files() -> None:
    Path("packaged").mkdir()
    Path("packaged/__init__.py").write_text("from packaged.numbers import number\n")
    Path("packaged/numbers.py").write_text("number = 1\n")
    value, origin = load_code("packaged:number", anything, "a number")
    Path("packaged/numbers.py").write_text("number = 2  # changed\n")
    assert value == 1
    assert load_code("packaged:number", anything, "a number")[1].sha256 != origin.sha256


def test_a_changed_file_is_run_again_and_an_unchanged_one_is_not() -> None:
    Path("numbers_here.py").write_text("number = [].__len__()\nitems = [1]\n")
    first, _ = load_code("numbers_here.py:items", anything, "a number")
    assert load_code("numbers_here.py:items", anything, "a number")[0] is first
    Path("numbers_here.py").write_text("number = [].__len__()\nitems = [2]\n")
    assert load_code("numbers_here.py:items", anything, "a number")[0] == [2]


def test_files_of_one_folder_import_each_other_and_share_their_classes() -> None:
    Path("shared_game.py").write_text("class Cell: ...\none = 1\n")
    Path("shared_player.py").write_text("from shared_game import Cell\ntwo = 2\n")
    game, _ = load_code("shared_game.py:Cell", anything, "")
    player, _ = load_code("shared_player.py:Cell", anything, "")
    assert game is player


def test_a_file_may_have_the_name_of_a_module() -> None:
    import random

    Path("random.py").write_text("number = 5\n")
    assert load_code("random.py", anything, "a number")[0] == 5
    assert sys.modules["random"] is random


@pytest.mark.parametrize(
    ("content", "spec", "why"),
    [
        ("", "gone.py", r"^there is no file gone.py: give the path"),
        ("", "here.py", r"^here.py has nothing that is a Pack: add it"),
        ("pack = 1", "here.py:pack", r"^here.py:pack is not a Pack but a int"),
        (GAME, "here.py:sack", r"^here.py has no sack: choose from pack$"),
        (GAME + "other = pack", "here.py", r"^here.py has several: other, pack: name one"),
        ("x = 1\ndef (", "here.py", r"^here.py:2 is not Python \(invalid syntax\): correct that line$"),
        ("x = 1\n\n1 / 0", "here.py", r"^here.py:3 cannot be run \(ZeroDivisionError: division by zero\)"),
        ("import not_there", "here.py", r"^here.py:1 cannot be run \(ModuleNotFoundError: .*install"),
        ("raise SystemExit(3)", "here.py", r"^here.py:1 cannot be run \(SystemExit: 3\)"),
        ("", "nowhere:pack", r"^nowhere cannot be imported \(ModuleNotFoundError"),
        ("", "here", r"^there is no game 'here': choose from .*, or give a file as here.py"),
    ],
)
def test_what_cannot_be_loaded_is_reported_in_one_line(content: str, spec: str, why: str) -> None:
    Path("here.py").write_text(content)
    with pytest.raises(Problem, match=why) as caught:
        find(spec)
    assert "\n" not in str(caught.value)
