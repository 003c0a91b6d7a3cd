"""Somebody else's broken package must not hide the other games."""

import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
from msgspec.structs import replace

from groundling.cli import main
from groundling.cli import tournament as tournament  # before the games are replaced: it is imported late
from groundling.core import pack as packs


@pytest.fixture(autouse=True)
def _broken_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "dividing.py").write_text("1 / 0\n")
    (tmp_path / "garbled.py").write_text("def (\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    known = dict(packs.installed_packs())
    names = {
        "dividing": "dividing:pack",
        "garbled": "garbled:pack",
        "gone": "not_there:pack",
        "alias": known["image"].value,
    }
    for name, value in names.items():
        known[name] = EntryPoint(name, value, packs.GROUP)
    for module in ("groundling.core.pack", "groundling.cli.main", "groundling.cli.verbs"):
        monkeypatch.setattr(sys.modules[module], "installed_packs", lambda: known)


def test_the_others_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["games"]) == 0
    out = capsys.readouterr().out
    assert "reference: say which" in out
    assert (
        "dividing: cannot be loaded, dividing:pack cannot be loaded (ZeroDivisionError: division by zero)"
        in out
    )
    assert "garbled: cannot be loaded" in out
    assert main(["play", "--help"]) == 0
    assert "Cannot be used: not_there:pack" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize("name", ["dividing", "garbled", "gone", "alias"])
def test_the_broken_one_is_reported_in_one_line(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", name, "--seat", "giver=gold"]) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert "correct that package" in err or "give both the same name" in err


def test_a_broken_package_that_brings_a_command_is_reported_in_one_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    brought = {"juggle": EntryPoint("juggle", "garbled:app", "groundling.commands")}
    monkeypatch.setattr(sys.modules["groundling.cli.main"], "installed_entry_points", lambda group: brought)
    assert main(["--help"]) == 0
    assert "juggle Cannot be used: garbled:app" in " ".join(capsys.readouterr().out.split())
    assert main(["juggle", "three", "--balls"]) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert "correct that package" in err


def test_laws_that_were_not_checked_are_not_called_kept(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = replace(packs.find("image"), score="nowhere:score")
    monkeypatch.setattr(sys.modules["groundling.cli.main"], "find", lambda name: broken)
    assert main(["check", "image"]) == 1
    out = capsys.readouterr().out
    assert "BROKEN   pack" in out
    assert "left out gold" in out
    assert "ok " not in out
