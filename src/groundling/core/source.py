"""The plug-in interface of readers of published data, and their lookup by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from groundling.core.annotation_item import AnnotationItem
from groundling.core.events import Transcript
from groundling.core.pack import Lazy, choices_hint, installed_entry_points, load, load_entry_point
from groundling.core.result_tables import TextTable
from groundling.core.values import Instance, Problem, Role

GROUP = "groundling.data"


class DataTerms(Struct, frozen=True, kw_only=True):
    """The terms of published data: what follows from them for data that is made with it."""

    licence: str
    """Its SPDX id, or in words what is stated; "none" where nothing is."""
    shared: bool
    """Whether it may be given to others, also as a part of other data."""
    note: str = ""
    """Why not, or on which condition."""
    cite: str = ""


class Collection(Struct, frozen=True):
    """The instances of one part of the data, and transcripts of recorded games if there are any."""

    game: str
    name: str
    instances: Sequence[Instance]
    transcripts: Iterable[Transcript] = ()


class WrittenData(Struct, frozen=True):
    """Games in the format of published data."""

    content: bytes
    count: int
    about: str
    """What was written, and what was left out, in one line."""


class CollectedGame(Struct, frozen=True, kw_only=True):
    """A game of a study that counts, with what the study knows about it."""

    transcript: Transcript
    round: int | None
    """The round of the data collection; None where its answers are not published by themselves."""
    people: Mapping[Role, str]
    """The codes of the people in its seats."""
    continues: str = ""
    """The episode that made its instance, where an earlier stage played it."""
    complete: bool = True
    """False for a game that ended early, and that is no part of the data."""


class CollectedData(Struct, frozen=True):
    """What a study has collected, in the format of published data."""

    files: Mapping[str, bytes]
    """By name."""
    about: str
    """What was written, and what was left out, in one line."""


class AnnotatorLabels(Struct, frozen=True, kw_only=True):
    """What one annotator said about one item in a stage of a study, or what was settled about it."""

    stage: str
    item: AnnotationItem
    annotator: str
    """A code; of settled labels how they came about: all, adjudication, majority."""
    values: Mapping[str, Any]
    """By field, in the form in which labels are stored."""


class StudyResults(Struct, frozen=True, kw_only=True):
    """What a study has collected, for the tables of its game. Practice is no part of it."""

    labels: Sequence[AnnotatorLabels] = ()
    """Those of the annotators who worked independently."""
    settled: Sequence[AnnotatorLabels] = ()
    """One for each item of a stage on which something was settled."""


class ItemLabel(Struct, frozen=True):
    """What an annotator, a person or a rule, says about an item, such as a step of a recorded game."""

    item: str
    annotator: str
    label: str
    cluster: str
    """Items of the same cluster are not independent."""


class Source(Struct, frozen=True, kw_only=True):
    """The data of a game has the game's name; other sources may hold instances of several games."""

    name: str
    about: str
    terms: DataTerms | None = None
    """None where they are not known: nothing that is made with the data can then be published."""
    parts: Lazy[Callable[[Path], Sequence[str]]]
    """Returns the names of the parts that are present: splits, versions."""
    read: Lazy[Callable[[Path, str], Sequence[Collection]]]
    """Reads one of the parts."""
    write: Lazy[Callable[[Iterable[Transcript]], WrittenData]] | None = None
    """Writes games in the same format."""
    collect: Lazy[Callable[[Sequence[CollectedGame]], CollectedData]] | None = None
    """Writes the games of a study as files in the same format."""
    stats: Lazy[Callable[[Path], Iterable[str]]] | None = None
    """Returns the lines of tables that compare the data with the published figures."""
    plots: Lazy[Callable[[Path], Mapping[str, str]]] | None = None
    """Returns plots of the same as SVGs, by name."""
    labels: Lazy[Callable[[Sequence[Any]], Iterable[ItemLabel]]] | None = None
    """Returns the labels of instances."""
    items: Mapping[str, Lazy[Callable[[Path, str], Iterable[AnnotationItem]]]] = {}
    """Return items to annotate, by what they are annotated for: those of one part, or of all where it is
    ""."""
    tables: Lazy[Callable[[StudyResults], Sequence[TextTable]]] | None = None
    """Returns the tables of a study's results, beside the published figures."""
    annotated: Lazy[Callable[[Path, StudyResults], CollectedData]] | None = None
    """Returns the files of data to which a study's labels are added, such as corrected boards."""
    recipe: Lazy[type[Struct]] | None = None
    split: Lazy[Callable[[Path, Any], Mapping[str, Sequence[str]]]] | None = None
    """Makes new splits from such a recipe: ids by the name of the split."""

    def list_parts(self, path: Path, part: str = "") -> list[str]:
        """Return the part of that name, or all that are present. Raises Problem where there is none."""
        is_empty = path.is_file() and not path.stat().st_size
        there = [] if is_empty else list(load(self.parts)(path))
        if not there:
            raise Problem(
                f"{path} holds no data that the {self.name} reader knows: "
                "give the folder or file as published"
            )
        if part and part not in there:
            raise Problem(f"{path} has no part {part!r}: {choices_hint(there)}")
        return [part] if part else there

    def read_collections(self, path: Path, part: str = "") -> list[Collection]:
        """Read one part, or all that are present."""
        return [found for name in self.list_parts(path, part) for found in load(self.read)(path, name)]


def installed_sources() -> dict[str, EntryPoint]:
    """Return the installed readers by name without importing them."""
    return installed_entry_points(GROUP)


def find_source(name: str) -> Source:
    return load_entry_point(installed_sources(), name, Source, f"reader of {name!r} data")


class Splits(Struct, frozen=True):
    """The content of a splits file: ids of recorded games by split, and the recipe that made them."""

    splits: Mapping[str, Sequence[str]]
    recipe: Any = None


def read_splits(name: str, content: bytes) -> Mapping[str, Sequence[str]]:
    try:
        return msgspec.json.decode(content, type=Splits).splits
    except (msgspec.MsgspecError, UnicodeDecodeError) as trouble:
        raise Problem(f"{name} holds no splits ({trouble}): make it with groundling data split") from None
