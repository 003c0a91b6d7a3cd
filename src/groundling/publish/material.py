"""What is published: games of runs and of studies, instances, and labels by annotator."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct, structs

from groundling.core.events import SCORED, Transcript
from groundling.core.pack import Pack, find
from groundling.core.values import CANARY, Instance, Problem
from groundling.csv_cells import unescape_csv_formula
from groundling.runs.instances import DATA_ORIGIN, read_instances
from groundling.runs.run import open_run
from groundling.runs.stored_run import Run
from groundling.runs.verify import find_runs, verify_run
from groundling.studies.game_texts import list_game_texts, replace_game_texts, round_game_times
from groundling.studies.study_texts import Replacements, StudyText

PERSONS, REPLAY = {"person", "terminal"}, "replay"
"""Players whose words are those of people who took part here, or may be."""
STUDY_FILES = ("codebook.md", "participants.csv")
"""The files by which a folder is known as an export of a study."""
LABELS_FOLDER, SETTLED = "labels", ".settled"
WRITTEN = ("label", "skipped", "majority", "estimate")
"""The columns of labels with what people wrote."""


class PublishedRun(Struct):
    """The games of one run that were played to their end."""

    name: str
    run: Run
    pack: Pack
    about: Mapping[str, Any]
    games: list[Transcript]
    left_out: int
    control: str = ""
    has_people: bool = False
    """Whether the words of people who took part here are in it."""


class PublishedLabels(Struct):
    """The labels of one field of a study's stage, by annotator, or as they were settled."""

    study: str
    field: str
    settled: bool
    rows: list[dict[str, str]]


class Material(Struct):
    runs: list[PublishedRun] = []
    files: list[tuple[str, Pack, list[Instance]]] = []
    """Instances that were not played, with the name of their file."""
    labels: list[PublishedLabels] = []
    erased: int = 0
    """Games that are not there because somebody in them was erased."""

    @property
    def has_people(self) -> bool:
        return bool(self.labels) or any(run.has_people for run in self.runs)

    @property
    def has_instances(self) -> bool:
        return bool(self.files) or any(run.games for run in self.runs)

    def list_texts(self) -> Iterator[StudyText]:
        """List what people wrote: messages, texts inside instances, labels and remarks on skipped items."""
        for run in self.runs:
            for game in run.games if run.has_people else ():
                yield from list_game_texts(run.name, game)
                instance = game.opened.instance
                if instance.canary != CANARY:
                    yield from _list_inside(run.name, msgspec.to_builtins(instance))
        for table in self.labels:
            for row in table.rows:
                said = (row["label"], row.get("skipped", ""))
                yield from (StudyText(table.field, text) for text in said if text and not _is_number(text))

    def replace_texts(self, by: Replacements) -> None:
        for run in self.runs:
            if run.has_people:
                run.games = [round_game_times(replace_game_texts(run.pack, game, by)) for game in run.games]
        for table in self.labels:
            table.rows = [
                {name: by.get(cell, cell) if name in WRITTEN else cell for name, cell in row.items()}
                for row in table.rows
            ]


def gather_material(names: Sequence[str], game: str = "") -> Material:
    """Read runs, exports of studies and files of instances, sorted by name, so that the order in which they
    are given does not matter."""
    found = Material()
    for path in sorted(map(Path, dict.fromkeys(names)), key=lambda path: (path.resolve().name, path)):
        if path.suffix == ".jsonl" and path.is_file():
            if not game:
                raise Problem(f"{path} holds instances of an unknown game: name it with --game")
            pack = find(game)
            found.files.append((path.name, pack, read_instances(pack, path)))
        elif all((path / name).is_file() for name in STUDY_FILES):
            _add_study(found, path, game)
        else:
            _add_run(found, path.resolve().name, path, game)
    taken = [run.name for run in found.runs]
    if twice := next((name for name in taken if taken.count(name) > 1), ""):
        raise Problem(f"two runs are called {twice!r}: rename the folder of one of them")
    if not found.labels and not found.has_instances:
        raise Problem(f"no game was played to its end in {', '.join(names)}: play some first")
    return found


def _add_run(found: Material, name: str, path: Path, game: str) -> None:
    for each in find_runs(path, game):
        for finding in verify_run(each).findings:
            raise Problem(f"{finding}; only undamaged runs are published")
    run = open_run(path, game)
    has_people = False
    for control, each in {"": run, **run.control_runs()}.items():
        about, games = each.read_about(), list(each.read_transcripts())
        erased = set(about.get("erased", ()))
        if leaked := next((one.episode for one in games if one.episode in erased), ""):
            raise Problem(f"{path} still has {leaked}, of which somebody was erased: export it again")
        found.erased += len(erased)
        closed = [_without_paths(one) for one in games if one.status in SCORED]
        has_people = has_people or _find_people(about, closed)
        found.runs.append(
            PublishedRun(
                name=f"{name}/{control}" if control else name,
                run=each,
                pack=each.find_pack(),
                about=about,
                games=closed,
                left_out=len(games) - len(closed),
                control=control,
                has_people=has_people,
            )
        )


def _find_people(about: Mapping[str, Any], games: Sequence[Transcript]) -> bool:
    """Whether people took part, or a recording that may be theirs was replayed. What comes from data that is
    published already has been read."""
    plan = about["plan"]
    if "data" in plan and "seats" not in plan:  # imported, not played
        return False
    seats = {name.partition(":")[0] for game in games for name in game.opened.seats.values()}
    if seats & PERSONS or about["source"].startswith(("study ", "people, ")):
        return True
    origins = {game.opened.instance.origin for game in games}
    is_data = "data" in plan or all(origin.startswith(DATA_ORIGIN) for origin in origins)
    return REPLAY in seats and not is_data


def _without_paths(transcript: Transcript) -> Transcript:
    """Return the game with the file names of players in place of paths, which say who played it where."""
    opened = transcript.opened
    seats = {role: _shorten_player(name) for role, name in opened.seats.items()}
    return Transcript((structs.replace(opened, seats=seats), *transcript.events[1:]))


def _shorten_player(name: str) -> str:
    kind, colon, argument = name.partition(":")
    if not colon or "/" in kind:
        return name
    file, comma, options = argument.partition(",")
    return f"{kind}:{Path(file).name}{comma}{options}"


def _add_study(found: Material, path: Path, game: str) -> None:
    """Add the games and labels of a study's export, without those of people who were erased since."""
    erased = {row["person"] for row in _read_csv(path / STUDY_FILES[1]) if row["erased"] == "True"}
    title = path.resolve().name
    for about in sorted(path.rglob("run.toml")):
        place = about.parent.relative_to(path)
        _add_run(found, f"{title}-{'-'.join(place.parts[1:])}", about.parent, game)
    for file_path in sorted((path / LABELS_FOLDER).glob("*.csv")):
        rows = _read_csv(file_path)
        if any(row.get("annotator") in erased for row in rows):
            raise Problem(f"{file_path} has labels of somebody who was erased: export the study again")
        stem = file_path.name.removesuffix(".csv")
        field = stem.removesuffix(SETTLED)
        found.labels.append(PublishedLabels(title, field, stem.endswith(SETTLED), rows))


def _read_csv(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8-sig") as file:
        rows = csv.DictReader(file)
        return [{name: unescape_csv_formula(cell) for name, cell in row.items()} for row in rows]


def each_instance(material: Material) -> Iterator[tuple[Pack, Instance, str]]:
    """Yield instances as often as they were played or listed, with the run or file that they are from."""
    for run in material.runs:
        yield from ((run.pack, game.opened.instance, run.name) for game in run.games)
    for name, pack, instances in material.files:
        yield from ((pack, instance, name) for instance in instances)


def _list_inside(place: str, value: Any) -> Iterator[StudyText]:
    if isinstance(value, str):
        if " " in value.strip():
            yield StudyText(place, value)
    elif isinstance(value, dict | list | tuple):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _list_inside(place, each)


def _is_number(text: str) -> bool:
    return text.replace(".", "", 1).lstrip("-").isdecimal()
