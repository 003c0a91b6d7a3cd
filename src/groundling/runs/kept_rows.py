"""The rows of closed episodes, which `play` computes from what it has in memory and keeps beside the log.
They count only for the log, code and settings whose checksums they carry. Otherwise, and whenever a run is
verified, all is computed from the log."""

from __future__ import annotations

import os
import sys
from functools import cache
from hashlib import blake2b
from importlib import import_module
from pathlib import Path
from typing import Any, TypeAlias

import msgspec
from msgspec import Raw, Struct

from groundling import __version__
from groundling.core.game import AnyGame
from groundling.core.pack import Pack, load
from groundling.files import write_whole_file
from groundling.runs.event_log import log_crc
from groundling.runs.run_folder import RunFolder

SCORING_PACKAGES = ("groundling.core", "groundling.boards", "groundling.scores", "groundling.runs")
"""What rows depend on besides the game's own code."""
HASHED_SUFFIXES = (".py", ".json", ".txt")

ScoredRow: TypeAlias = tuple[Any, ...]


class KeptRows(Struct, frozen=True):
    log: int
    """The CRC-32 of the log that the rows are from: it tells whether the log has changed since."""
    code: bytes
    rows: list[Raw]
    unclosed: list[str]
    """The other episodes of the log. They have no rows here, as they can be resumed."""


def find_kept_rows(folder: RunFolder, pack: Pack, game: AnyGame) -> KeptRows | None:
    """Return the rows that were kept of a run, or None if its rows have to be computed."""
    try:
        found = msgspec.msgpack.decode(folder.rows_path.read_bytes(), type=KeptRows)
        same = found.log == log_crc(folder.log_path) and found.code == hash_scoring_code(pack, game)
    except (OSError, msgspec.MsgspecError):
        return None
    return found if same else None


def decode_kept_row(row: Raw) -> ScoredRow:
    return _decode(row)


def encode_kept_row(row: ScoredRow) -> Raw:
    return Raw(_encode(row))


def _plain_number(value: Any) -> Any:
    """Return a number of NumPy as one of Python."""
    return value.item()


_decode = msgspec.msgpack.Decoder(tuple[Any, ...]).decode
_encode = msgspec.msgpack.Encoder(enc_hook=_plain_number).encode


def write_kept_rows(folder: RunFolder, kept: KeptRows) -> None:
    write_whole_file(folder.rows_path, msgspec.msgpack.encode(kept))


def hash_scoring_code(pack: Pack, game: AnyGame) -> bytes:
    """Hash what rows depend on besides the log: our code, the game's code, and its settings."""
    modules = {*SCORING_PACKAGES, type(game).__module__, getattr(load(pack.score), "__module__", "")}
    folders = {_module_folder(name) for name in modules if name}
    files = b"".join(_hash_code_folder(*folder) for folder in sorted(folders))
    settings = msgspec.json.encode([__version__, pack.name, game.settings])
    return blake2b(files + settings, digest_size=32).digest()


def _module_folder(name: str) -> tuple[str, bool]:
    """Return the folder of a module, and whether that is a package."""
    module = sys.modules.get(name) or import_module(name)
    return str(Path(module.__file__ or "").parent), bool(module.__package__)


@cache
def _hash_code_folder(folder: str, is_package: bool) -> bytes:
    """Hash the files of a package, or only those beside a module that is in no package."""
    found = blake2b(digest_size=32)
    for place, inner, names in os.walk(folder):
        inner[:] = sorted(inner) if is_package else []
        for name in sorted(names):
            if name.endswith(HASHED_SUFFIXES):
                found.update(f"{os.path.relpath(place, folder)}/{name}\0".encode())
                found.update(Path(place, name).read_bytes())
    return found.digest()
