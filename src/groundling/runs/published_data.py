"""Reads folders that `groundling data publish` wrote: instances and recorded games by split."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import msgspec

from groundling.core.events import Transcript, event_decoder
from groundling.core.pack import Pack, find, load
from groundling.core.source import Collection, Source
from groundling.core.values import Instance, Problem, missing_extra

if TYPE_CHECKING:
    import polars as pl

T = TypeVar("T")
RECORD_FILE, SUMS_FILE, TABLES_FOLDER = "dataset.toml", "SHA256SUMS", "parquet"
INSTANCES, EPISODES = "instances", "episodes"
PUBLISHED_READER = "published"


def is_published(path: Path) -> bool:
    return (path / RECORD_FILE).is_file() and (path / TABLES_FOLDER / INSTANCES).is_dir()


def name_data(reader: Source, path: Path) -> str:
    """Return the name under which runs record what they were played from."""
    if not is_published(path):
        return reader.name
    try:
        record = tomllib.loads((path / RECORD_FILE).read_text("utf-8"))
        return f"{record['title']} {record['version']}"
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, KeyError) as trouble:
        raise Problem(f"{path / RECORD_FILE} cannot be read ({trouble}): get the data again") from None


def table_file(table: str, split: str) -> str:
    """Return the path of a table inside a published folder."""
    return f"{TABLES_FOLDER}/{table}/{split}.parquet"


def published_source(pack: Pack | None = None) -> Source:
    """Return the reader of published folders, for one game or for all that are installed."""

    def read_part(path: Path, part: str) -> Sequence[Collection]:
        return list(_read_collections(path, part, pack))

    return Source(
        name=PUBLISHED_READER,
        about="folders that groundling data publish has written, of any game",
        parts=list_published_splits,
        read=read_part,
    )


def list_published_splits(path: Path) -> list[str]:
    if not is_published(path):
        return []
    return sorted(file.stem for file in (path / TABLES_FOLDER / INSTANCES).glob("*.parquet"))


def _read_collections(path: Path, part: str, pack: Pack | None) -> Iterator[Collection]:
    instances = _read_table(path, INSTANCES, part)
    games = instances["game"].unique().sort().to_list()
    if pack and pack.name not in games:
        raise Problem(f"{path} has no instances of {pack.name} in {part}, but of {', '.join(games)}")
    episodes = _read_table(path, EPISODES, part) if (path / table_file(EPISODES, part)).is_file() else None
    for name in [pack.name] if pack else games:
        chosen = pack or find(name)
        mine = instances.filter(instances["game"] == name)["data"].to_list()
        decoder = msgspec.json.Decoder(load(chosen.game).Instance)
        found: list[Instance] = [_decode_cell(path, decoder, text) for text in mine]
        title = part if len(games) == 1 else f"{name}-{part}"
        runs = _read_runs(path, chosen, episodes)
        # the games of several runs can have the same names, so each run is a collection of its own
        yield Collection(name, title, found, next(iter(runs.values())) if len(runs) == 1 else ())
        for run, games_of_run in runs.items() if len(runs) > 1 else ():
            yield Collection(name, f"{title}-{run.replace('/', '-')}", (), games_of_run)


def _read_runs(path: Path, pack: Pack, episodes: pl.DataFrame | None) -> dict[str, list[Transcript]]:
    """Return the games of a pack by run."""
    found: dict[str, list[Transcript]] = {}
    if episodes is None:
        return found
    decoder, rows = event_decoder(load(pack.game)), episodes.filter(episodes["game"] == pack.name)
    for run, text in zip(rows["run"].to_list(), rows["events"].to_list(), strict=True):
        events = tuple(_decode_cell(path, decoder, line) for line in text.split("\n") if line)
        found.setdefault(run, []).append(Transcript(events))
    return found


def _decode_cell(path: Path, decoder: msgspec.json.Decoder[T], text: str) -> T:
    try:
        return decoder.decode(text)
    except msgspec.MsgspecError as trouble:
        raise Problem(f"{path} was made with another version of the game ({trouble}): use that") from None


def _read_table(path: Path, table: str, split: str) -> pl.DataFrame:
    """Read a table after checking that it is as it was written."""
    try:
        import polars as pl
    except ImportError:
        raise missing_extra("score") from None
    file = table_file(table, split)
    content = (path / file).read_bytes()
    sums = (path / SUMS_FILE).read_text("utf-8").splitlines() if (path / SUMS_FILE).is_file() else []
    if f"{sha256(content).hexdigest()}  {file}" not in sums:
        raise Problem(f"{path / file} is not what {SUMS_FILE} says: get the data again")
    return pl.read_parquet(BytesIO(content))


source = published_source()
