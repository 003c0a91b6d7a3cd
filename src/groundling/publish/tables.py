"""The tables of a data set by split, with a description of every column."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from importlib.resources import files
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec
from msgspec import Struct

from groundling.core.events import Moved, Refused, Replied, Transcript, encode_event_json
from groundling.core.pack import Pack, load
from groundling.core.values import Instance, Problem, Say
from groundling.publish.dataset_record import WHOLE, DatasetRecord
from groundling.publish.material import Material, PublishedRun, each_instance
from groundling.publish.provenance import find_instance_source
from groundling.runs.published_data import EPISODES, INSTANCES
from groundling.runs.scoring import EpisodeScorer

if TYPE_CHECKING:
    import polars as pl

FORMAT_CHANGES = {
    "1": "instances, episodes, turns, labels and settled as Parquet; dataset.toml as their record"
}
"""What changed in each version of the format, the newest last."""
FORMAT = list(FORMAT_CHANGES)[-1]
TURNS, LABELS, SETTLED = "turns", "labels", "settled"
Row: TypeAlias = dict[str, Any]
Tables: TypeAlias = dict[tuple[str, str], "pl.DataFrame"]
"""By table and split."""


class TableColumn(Struct, frozen=True):
    kind: type
    about: str


def _read_columns() -> dict[str, dict[str, TableColumn]]:
    """Read the columns of every table; each also has a canary."""
    kinds = {"text": str, "number": float, "count": int}
    read = tomllib.loads((files(__package__) / "columns.toml").read_text(encoding="utf-8"))
    canary = ("text", "the same text in every row, to detect training on the data")
    return {
        table: {
            name: TableColumn(kinds[kind], about)
            for name, (kind, about) in {**columns, "canary": canary}.items()
        }
        for table, columns in read.items()
    }


COLUMNS: Mapping[str, Mapping[str, TableColumn]] = _read_columns()
"""The tables, the default one first."""


def make_tables(material: Material, record: DatasetRecord) -> Tables:
    """Return the tables that have rows. Labels are not split."""
    import polars as pl

    rows: dict[tuple[str, str], list[Row]] = {}
    for table, split, row in _all_rows(material, record):
        rows.setdefault((table, split), []).append({**row, "canary": record.canary})
    types: dict[type, Any] = {str: pl.String, float: pl.Float64, int: pl.Int64}
    return {
        (table, split): pl.DataFrame(
            rows[table, split], {name: types[column.kind] for name, column in COLUMNS[table].items()}
        )
        for table in COLUMNS
        for split in (*record.splits, WHOLE)
        if (table, split) in rows
    }


def _all_rows(material: Material, record: DatasetRecord) -> Iterator[tuple[str, str, Row]]:
    for run in material.runs:
        scorer = EpisodeScorer(run.pack, run.run.make_game())
        for game in run.games:
            split = _find_split(record, game.opened.instance, run.name)
            yield EPISODES, split, _episode_row(run, game, scorer)
            yield from ((TURNS, split, row) for row in _turn_rows(run, game))
    abouts = {run.name: run.about for run in material.runs}
    known: dict[tuple[str, str, str], tuple[Instance, str]] = {}
    for pack, instance, where in each_instance(material):
        key = (_find_split(record, instance, where), pack.name, instance.id)
        if key in known:
            _check_same(instance, where, *known[key])
            continue
        known[key] = instance, where
        source = find_instance_source(instance, abouts.get(where, {}), where)
        yield INSTANCES, key[0], _instance_row(pack, instance, source)
    used = {split for split, *_ in known}
    if unused := next((name for name in record.splits if known and name not in used), ""):
        raise Problem(f"the split {unused!r} has no instances: correct [splits] in dataset.toml")
    for table in material.labels:
        for row in table.rows:
            cells = {**row, "study": table.study, "field": table.field}
            name = SETTLED if table.settled else LABELS
            yield name, WHOLE, _pick_columns(name, cells)


def _find_split(record: DatasetRecord, instance: Instance, where: str) -> str:
    split = record.split_of(where.partition("/")[0], instance.set)
    if split is None:
        raise Problem(f"the set {instance.set!r} is in no split: name it under [splits] in dataset.toml")
    return split


def _check_same(instance: Instance, where: str, other: Instance, there: str) -> None:
    if instance != other:
        raise Problem(
            f"{there} and {where} have different instances called {instance.id!r}: "
            "put them into different splits, or publish them apart"
        )


def _episode_row(run: PublishedRun, game: Transcript, scorer: EpisodeScorer) -> Row:
    opened = game.opened
    scored = dict(zip(scorer.columns, scorer.episode_row(game), strict=False))
    if scored["status"] == "damaged":
        raise Problem(
            f"{run.name}: {game.episode} contradicts itself with the texts of the review: correct them"
        )
    return {
        "run": run.name,
        "game": run.pack.name,
        "episode": game.episode,
        "control": run.control,
        "settings": encode_event_json(opened.settings).decode(),
        "instance": opened.instance.id,
        "set": opened.instance.set,
        "cluster": scored["cluster"],
        "players": msgspec.json.encode(opened.seats).decode(),
        "status": scored["status"],
        "score": scored[scorer.measures[0]],
        "measures": msgspec.json.encode({name: scored[name] for name in scorer.measures}).decode(),
        "strict": scored["strict"],
        "chance": scored["chance"],
        "version": opened.version,
        "events": "\n".join(encode_event_json(event).decode() for event in game.events),
    }


def _turn_rows(run: PublishedRun, game: Transcript) -> Iterator[Row]:
    """Yield a row for each reply. Of recorded games only the moves may be known."""
    number, reply = 0, None
    for event in game.events:
        if isinstance(event, Replied):
            reply = event
        if not isinstance(event, Moved | Refused):
            continue
        number += 1
        moves = event.moves if isinstance(event, Moved) else ()
        yield {
            "run": run.name,
            "game": run.pack.name,
            "episode": game.episode,
            "number": number,
            "role": event.role,
            "player": game.opened.seats.get(event.role, ""),
            "text": reply.text if reply else " ".join(move.text for move in moves if isinstance(move, Say)),
            "moves": encode_event_json(moves).decode() if isinstance(event, Moved) else "",
            "complaint": event.complaint if isinstance(event, Refused) else "",
            "seconds": reply.seconds if reply else None,
        }
        reply = None


def _instance_row(pack: Pack, instance: Any, source: str) -> Row:
    return {
        "game": pack.name,
        "instance": instance.id,
        "set": instance.set,
        "group": instance.group,
        "category": load(pack.category)(instance),
        "cluster": load(pack.cluster)(instance),
        "source": source,
        "origin": instance.origin,
        "data": encode_event_json(instance).decode(),
    }


def _pick_columns(table: str, cells: Mapping[str, str]) -> Row:
    """Return the cells of a CSV file that the table has, as values of its columns."""
    kinds = {name: column.kind for name, column in COLUMNS[table].items() if name in cells}
    return {
        name: cells[name] if kind is str else kind(cells[name]) if cells[name] else None
        for name, kind in kinds.items()
    }


def count_leaks(tables: Iterable[tuple[str, pl.DataFrame]]) -> int:
    """Count the clusters that are in more than one split, from the tables of instances by split."""
    splits: dict[tuple[str, str], set[str]] = {}
    for split, table in tables:
        for key in zip(table["game"].to_list(), table["cluster"].to_list(), strict=True):
            splits.setdefault(key, set()).add(split)
    return sum(len(found) > 1 for found in splits.values())
