"""Sample files of the reference implementation: reading them, and writing our samples in the same form."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import Struct

from groundling.boards.shelf import Item, Shelf, parse_shelf_cell, shelf_cell_name
from groundling.core.source import Collection, DataTerms, Source
from groundling.core.values import Problem
from groundling.games.director.request import (
    Request,
    Select,
    answers,
    mirror_request_select,
    request_in_front,
)
from groundling.games.director.rules import Kind, Sample, SelectionRule

FILES = ("samples.json", "samples.jsonl")
_VIEW = re.compile(r",? from (?:my|your) point of view$")


class PositionRecord(Struct, frozen=True):
    x: int
    y: int

    @property
    def shelf_cell(self) -> str:
        return shelf_cell_name(self.x, self.y)


class ItemRecord(Struct, frozen=True):
    name: str
    image_path: str | None = None
    boolean_properties: dict[str, bool] = {}
    scalar_properties: dict[str, int] = {}


class CellRecord(Struct, frozen=True):
    position: PositionRecord
    is_blocked: bool
    item: ItemRecord | None


class GridRecord(Struct, frozen=True):
    width: int
    height: int
    items: tuple[CellRecord, ...]


class QuestionRecord(Struct, frozen=True):
    filter_criteria: dict[str, bool]
    natural_language: str
    full_question: str = ""
    question_type: str = "standard"
    target_type: str | None = None
    selection_rule: Select | None = None
    """Always in the participant's frame."""
    selection_property: str | None = None
    selection_rule_type: SelectionRule = "none"
    is_reversed: bool = False


class AnswersRecord(Struct, frozen=True):
    participant_coordinates: tuple[tuple[int, int], ...]
    director_coordinates: tuple[tuple[int, int], ...]
    is_ambiguous: bool


class SampleRecord(Struct, frozen=True):
    """One sample, as the reference implementation writes it."""

    sample_id: int
    sample_type: Kind
    question: QuestionRecord
    grid: GridRecord
    answers: AnswersRecord
    selection_rule_type: SelectionRule
    is_physics: bool
    is_reversed: bool
    image_path: str | None = None


def sample_from_data_record(found: SampleRecord) -> Sample:
    """Convert a record to a sample; ValueError where our answer differs from the one in the file."""
    question, grid = found.question, found.grid
    items = {cell.position.shelf_cell: _item_from_record(cell.item) for cell in grid.items if cell.item}
    hidden = frozenset(cell.position.shelf_cell for cell in grid.items if cell.is_blocked)
    shelf = Shelf(grid.width, grid.height, items, hidden)
    unwanted = [name for name, wanted in question.filter_criteria.items() if not wanted]
    if unwanted:
        raise ValueError(f"it has a negation (not {unwanted[0]}), which requests here do not support")
    select = question.selection_rule
    swapped = mirror_request_select(select) if found.is_reversed else select
    request = Request(
        frozenset(question.filter_criteria), swapped, "director" if found.is_reversed else "participant"
    )
    told = [frozenset(shelf_cell_name(x, y) for x, y in side) for side in _both_answers(found.answers)]
    ours = [answers(shelf, request, "director"), answers(shelf, request, "participant")]
    for who, theirs, here in zip(("director", "participant"), told, ours, strict=True):
        if theirs != here:
            raise ValueError(
                f"the {who}'s answer is {_list_cells(theirs)} there, and {_list_cells(here)} by our reading"
            )
    if len(ours[0]) != 1:
        raise ValueError(f"the director can mean {_list_cells(ours[0])}, not one thing")
    (target,) = ours[0]
    plain = _VIEW.sub("", question.natural_language)
    if select and swapped:
        plain = plain.replace(swapped, select)
    return Sample(
        id=f"sample-{found.sample_id:04d}",
        set=found.sample_type,
        shelf=shelf,
        request=request,
        words=question.natural_language,
        plain=plain,
        target=target,
        kind=found.sample_type,
        rule=found.selection_rule_type,
        physics=found.is_physics,
        rivals=tuple(sorted(ours[1] & hidden)) if found.sample_type == "test" else (),
    )


def sample_to_data_record(sample: Sample, number: int, image: str | None = None) -> SampleRecord:
    """Convert a sample to a record. Only the properties that are true are listed."""
    shelf, request = sample.shelf, sample.request
    reversed_ = request.frame == "director"
    cells = tuple(
        CellRecord(
            PositionRecord(*parse_shelf_cell(cell)),
            cell in shelf.hidden,
            _item_to_record(shelf.items[cell]) if cell in shelf.items else None,
        )
        for cell in shelf.cells
    )
    both = [answers(shelf, request, "participant"), answers(shelf, request, "director")]
    places = [tuple(sorted(parse_shelf_cell(cell) for cell in side)) for side in both]
    question = QuestionRecord(
        filter_criteria=dict.fromkeys(request.tags, True),
        natural_language=sample.words,
        full_question=f"Please pick {sample.words}.",
        selection_rule=request_in_front(request).select,
        selection_property="size" if sample.rule == "size_related" else None,
        selection_rule_type=sample.rule,
        is_reversed=reversed_,
    )
    return SampleRecord(
        number,
        sample.kind,
        question,
        GridRecord(shelf.columns, shelf.rows, cells),
        AnswersRecord(places[0], places[1], both[0] != both[1]),
        sample.rule,
        sample.physics,
        reversed_,
        image,
    )


def _both_answers(found: AnswersRecord) -> Iterator[tuple[tuple[int, int], ...]]:
    yield found.director_coordinates
    yield found.participant_coordinates


def _item_from_record(thing: ItemRecord) -> Item:
    tags = frozenset(name for name, has in thing.boolean_properties.items() if has)
    return Item(thing.name, tags, thing.scalar_properties.get("size", 1))


def _item_to_record(item: Item) -> ItemRecord:
    return ItemRecord(item.name, None, dict.fromkeys(item.tags, True), {"size": item.size})


def _list_cells(cells: frozenset[str]) -> str:
    return ", ".join(sorted(cells)) or "nothing"


def list_director_data_parts(path: Path) -> list[str]:
    """List the parts: a file is one part, and so is each folder with samples in it."""
    if path.is_file():
        return [path.stem]
    return [name for name, _ in _find_sample_files(path)]


def _find_sample_files(folder: Path) -> list[tuple[str, Path]]:
    here = [("samples", folder / name) for name in FILES if (folder / name).is_file()][:1]
    below = [
        (inner.name, inner / name)
        for inner in sorted(folder.iterdir())
        for name in FILES
        if (inner / name).is_file()
    ]
    return here + below


def read_director_data(path: Path, part: str) -> list[Collection]:
    file = path if path.is_file() else dict(_find_sample_files(path))[part]
    return [
        Collection(
            "director", part, [_convert_sample(file, *each) for each in enumerate(_decode_samples(file), 1)]
        )
    ]


def _convert_sample(file: Path, number: int, found: SampleRecord) -> Sample:
    try:
        return sample_from_data_record(found)
    except ValueError as trouble:
        raise Problem(
            f"{file}, sample {found.sample_id} (number {number}): {trouble}; correct or remove it"
        ) from None


def _decode_samples(file: Path) -> list[SampleRecord]:
    data = file.read_bytes()
    try:
        if file.suffix == ".jsonl":
            return msgspec.json.Decoder(SampleRecord).decode_lines(data)
        many = data.lstrip()[:1] == b"["
        if many:
            return msgspec.json.decode(data, type=list[SampleRecord])
        return [msgspec.json.decode(data, type=SampleRecord)]
    except (msgspec.MsgspecError, UnicodeDecodeError) as trouble:
        raise Problem(
            f"{file} is not a file of samples ({trouble}): give the reference's JSON unchanged"
        ) from None


def director_data_stats(path: Path) -> Iterator[str]:
    """Summarize the samples, and the score of a player that ignores the panels."""
    for part in list_director_data_parts(path):
        samples: Sequence[Any] = read_director_data(path, part)[0].instances
        yield f"{part}: {len(samples)} samples"
        for kind in ("control", "test"):
            yield from _kind_stats(kind, [sample for sample in samples if sample.kind == kind])


def _kind_stats(kind: Literal["control", "test"], samples: Sequence[Sample]) -> Iterator[str]:
    if not samples:
        return
    rules = sorted({sample.rule for sample in samples})
    yield f"  {kind}: {len(samples)}; " + ", ".join(
        f"{rule} {sum(s.rule == rule for s in samples)}" for rule in rules
    )
    ties, luck = 0, 0.0
    for sample in samples:
        everything = answers(sample.shelf, sample.request, "participant")
        ties += sample.target in everything and len(everything) > 1
        luck += (sample.target in everything) / len(everything)
    items = sum(len(sample.shelf.items) for sample in samples) / len(samples)
    panels = sum(len(sample.shelf.hidden) for sample in samples) / len(samples)
    physics = sum(s.physics for s in samples)
    yield f"    {items:.1f} items and {panels:.1f} panels on average; physics {physics}"
    if kind == "test":
        yield f"{ties} only tie ({100 * ties / len(samples):.0f} %; 77 % were found in the reference)"
    yield f"    an egocentric player gets {luck / len(samples):.2f}"


source = Source(
    name="director",
    about="samples of the director task in the reference's JSON",
    terms=DataTerms(licence="none", shared=False, note="the reference states no licence"),
    parts=list_director_data_parts,
    read=read_director_data,
    stats=director_data_stats,
)
