"""The calls of the editor's page, which holds the sheet: check it, draw its items, save it atomically."""

from __future__ import annotations

import fcntl
import hashlib
import os
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from groundling.boards.things import DRAWINGS
from groundling.core.values import Problem
from groundling.files import write_whole_file
from groundling.games.director.item_checks import FIELDS_OF, PICTURES, check_item_sheet
from groundling.games.director.item_sheet import (
    SLOTS,
    Defaults,
    Entry,
    Property,
    Sheet,
    fill_defaults,
    our_item_sheet,
    read_item_sheet,
)
from groundling.games.director.items import Items, items_from_sheet
from groundling.games.director.make import why_make_refused
from groundling.games.director.request_stock import RequestStock
from groundling.games.director.sheet_edits import encode_edited_sheet
from groundling.games.director.shelf_picture import shelf_item_picture

T = TypeVar("T")
WRITABLE = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH


class Judgement(Struct, frozen=True):
    """The faults and counts of a sheet."""

    troubles: list[str]
    """Faults that prevent saving."""
    refusal: str = ""
    """Why the generator would refuse a sheet without faults."""
    items: int = 0
    properties: int = 0
    questions: int = 0
    """The number of possible requests …"""
    physics: int = 0
    """… of these, with physics …"""
    superlatives: int = 0
    """… and with smallest or largest."""


class _CheckRequest(Struct, frozen=True):
    sheet: Sheet


class _LooksRequest(Struct, frozen=True):
    items: tuple[Entry, ...]
    defaults: Defaults = Defaults()


class _SaveRequest(Struct, frozen=True):
    sheet: Sheet
    version: str
    """The hash of the file when it was opened, so that no other change is overwritten."""
    unfinished: bool = False
    """Whether to save even if the generator would refuse the sheet."""


class ItemsEditor:
    def __init__(self, path: Path) -> None:
        self._path, self._folder = path, path.parent
        self._lock = Lock()

    def open_sheet(self, asked: Any) -> dict[str, Any]:
        """Return the sheet, by default ours, and all that the page needs to know."""
        version = self._file_version()
        sheet = read_item_sheet(self._path) if version else our_item_sheet()
        return {
            "file": self._path.name,
            "new": not version,
            "closed": self._is_read_only(),
            "version": version,
            "sheet": msgspec.to_builtins(sheet),
            "judgement": self._judge_sheet(sheet),
            "drawings": sorted(DRAWINGS),
            "pictures": self._list_pictures(),
            "roles": {
                role: [field for field in _FIELDS if role in FIELDS_OF.get(field, (*SLOTS, "size"))]
                for role in (*SLOTS, "size")
            },
            "slots": SLOTS,
        }

    def check_asked_sheet(self, asked: Any) -> Judgement:
        return self._judge_sheet(_convert_request(asked, _CheckRequest).sheet)

    def draw_looks(self, asked: Any) -> dict[str, str]:
        """Draw items as large as on a shelf; those that cannot be drawn are left out."""
        wanted = _convert_request(asked, _LooksRequest)
        largest = max((fill_defaults(entry, wanted.defaults).size or 0 for entry in wanted.items), default=0)
        return {
            entry.name: svg
            for entry in wanted.items
            if (svg := self._draw_look(fill_defaults(entry, wanted.defaults), largest))
        }

    def save_sheet(self, asked: Any) -> dict[str, Any]:
        """Save the sheet, unless the generator would refuse it or another change would be overwritten."""
        wanted = _convert_request(asked, _SaveRequest)
        with self._lock, self._exclusive_lock():
            judged = self._judge_sheet(wanted.sheet)
            if judged.troubles:
                raise Problem(judged.troubles[0])
            if judged.refusal and not wanted.unfinished:
                raise Problem(f"the generator would refuse these items: {judged.refusal}")
            if self._file_version() != wanted.version:
                raise Problem(
                    f"{self._path.name} was changed by somebody else since it was opened: reload the page to "
                    "see it"
                )
            if self._is_read_only():
                raise Problem(f"{self._path.name} is read-only: allow it to be written first, and save again")
            mode = stat.S_IMODE(self._path.stat().st_mode) if wanted.version else None
            try:
                write_whole_file(self._path, encode_edited_sheet(wanted.sheet, self._folder), mode)
            except OSError as trouble:
                raise Problem(
                    f"{self._path.name} could not be written ({trouble.strerror}): it is as it was"
                ) from None
            return {"version": self._file_version(), "judgement": judged}

    def _file_version(self) -> str:
        """The hash of the file; "" if it does not exist."""
        try:
            return hashlib.sha256(self._path.read_bytes()).hexdigest()
        except FileNotFoundError:
            return ""
        except OSError as trouble:
            raise Problem(
                f"{self._path.name} cannot be read ({trouble.strerror}): start the server with another file"
            ) from None

    def _is_read_only(self) -> bool:
        """Whether the file is read-only, which replacing it by a new file would ignore."""
        found = self._path.stat() if self._path.exists() else None
        return found is not None and not (found.st_mode & WRITABLE and os.access(self._path, os.W_OK))

    @contextmanager
    def _exclusive_lock(self) -> Iterator[None]:
        """Lock the folder against other workers that save."""
        if not self._folder.is_dir():
            raise Problem(
                f"the folder of {self._path.name} no longer exists: create it again, and save again"
            )
        folder = os.open(self._folder, os.O_RDONLY)
        try:
            fcntl.flock(folder, fcntl.LOCK_EX)
            yield
        finally:
            os.close(folder)

    def _judge_sheet(self, sheet: Sheet) -> Judgement:
        outside = [
            entry for entry in sheet.items if entry.picture and not self._is_beside_file(entry.picture)
        ]
        troubles = [
            f"item {entry.name!r} has the picture {entry.picture}, which is not beside the file"
            for entry in outside
        ]
        troubles += check_item_sheet(sheet, self._folder) if not troubles else []
        if troubles:
            return Judgement(troubles, items=len(sheet.items), properties=len(sheet.properties))
        stock = RequestStock(items_from_sheet(sheet, str(self._folder)))
        sized = {tags for sign in (1, -1) for tags in stock.requests_by_size(sign, "none", harmless=True)}
        return Judgement(
            troubles=[],
            refusal=why_make_refused(stock),
            items=len(sheet.items),
            properties=len(sheet.properties),
            questions=len(stock.asks),
            physics=sum(ask.physics for ask in stock.asks),
            superlatives=len(sized),
        )

    def _is_beside_file(self, picture: str) -> bool:
        """Whether a picture lies beside the file; no other files are ever read."""
        return (self._folder / picture).resolve().is_relative_to(self._folder.resolve())

    def _list_pictures(self) -> list[str]:
        found = sorted(self._folder.iterdir()) if self._folder.is_dir() else []
        return [path.name for path in found if path.suffix.lower() in PICTURES and path.is_file()]

    def _draw_look(self, entry: Entry, largest: int) -> str:
        if entry.picture and not (
            self._is_beside_file(entry.picture) and (self._folder / entry.picture).is_file()
        ):
            return ""
        if not entry.picture and entry.drawing not in DRAWINGS:
            return ""
        only: Mapping[str, Entry] = {entry.name: entry}
        look = Items({}, only, str(self._folder)).item_looks[entry.name]
        return shelf_item_picture(entry.name, look, entry.size or 0, largest)


_FIELDS = tuple(name for name in Property.__struct_fields__ if name not in ("name", "role"))


def _convert_request(asked: Any, kind: type[T]) -> T:
    try:
        return msgspec.convert(asked, kind)
    except msgspec.ValidationError as trouble:
        raise Problem(f"this is not a sheet of items: {trouble}") from None
