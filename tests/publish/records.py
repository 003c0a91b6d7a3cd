"""Records and runs for the tests of published data."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from groundling.cli.main import main
from groundling.core.events import Transcript
from groundling.core.pack import find
from groundling.runs.run_folder import RunFolder

PEOPLE = "".join(
    f'{name} = "Stated {name}."\n' for name in ("who", "recruited", "consent", "pay", "ethics", "private")
)
SHEET = "".join(
    f'{name} = "Stated {name}."\n'
    for name in (
        *("motivation", "composition", "collection", "processing", "uses", "limits", "distribution"),
        "maintenance",
    )
)


def write_record(path: Path, more: str = "", **values: str) -> Path:
    """Write a record in which everything is stated, with other values where they are given."""
    facts = {
        "title": '"Small: \\"grids\\""',
        "version": '"1.2.0"',
        "published": "2026-11-18",
        "description": '"Grids, ünd more."',
        "licence": '"CC-BY-4.0"',
        "url": '"https://example.org/grids"',
        "contact": '"me@example.org"',
        "canary": '"canary-0123"',
        "languages": '["en"]',
        "agreement": '"They agree."',
        **values,
    }
    top = "".join(f"{name} = {value}\n" for name, value in facts.items())
    authors = '[[authors]]\nfamily = "Doe"\ngiven = "Ada"\norcid = "0000-0002-1825-0097"\n'
    splits = '[splits]\ndev = ["edits-2"]\ntest = ["*"]\n'
    path.write_text(f"{top}{authors}{splits}[people]\n{PEOPLE}[datasheet]\n{SHEET}{more}")
    return path


def play_run(path: Path, *more: str, follower: str = "rule") -> Path:
    """Play a few built-in reference games."""
    seats = ("--seat", "giver=gold", "--seat", f"follower={follower}")
    assert main(["play", "reference", "--limit", "4", *seats, "-o", str(path), *more]) == 0
    return path


def as_people(run: Path, out: Path, erased: tuple[str, ...] = ()) -> Path:
    """Write the games of a run as an export of games that people played."""
    games = [with_seats(game, "person") for game in RunFolder(run).read_transcripts()]
    RunFolder(out).write_transcripts(find("reference"), games, "people, games.db", erased)
    return out


def with_seats(game: Transcript, player: str) -> Transcript:
    opened = game.opened
    return Transcript((replace(opened, seats=dict.fromkeys(opened.seats, player)), *game.events[1:]))


def read_folder(path: Path) -> dict[str, bytes]:
    return {str(file.relative_to(path)): file.read_bytes() for file in path.rglob("*") if file.is_file()}
