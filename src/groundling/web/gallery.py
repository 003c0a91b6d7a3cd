"""Gallery pages: a game's instances with their targets, and a canvas to draw new ones. Off by default."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Mapping, Sequence
from time import time
from typing import Any

import msgspec
from msgspec import Struct
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from groundling.core.desk import Canvas, Exhibit, Gallery
from groundling.core.pack import Pack, load
from groundling.core.values import Illegal, Instance
from groundling.web.answers import as_json, body, page
from groundling.web.guard import Limits, address
from groundling.web.hall import Hall
from groundling.web.library import DataBook, reading
from groundling.web.replay import page_start
from groundling.web.show import opening
from groundling.web.store import Made

PAGE = 12
"""Pictures on one page."""
BUILT_IN, DRAWN = "built in", "drawn here"
MOST_NAME = 60
JOINERS = "\u200c\u200d"
"""Invisible, but some languages and some emoji need them."""
MOST_DRAWING = 512 * 1024
"""Bytes of a drawing, with all its strokes."""
MOST_DRAWN = 1000
"""Drawings of a game that are stored."""
DRAWN_A_SECOND, DRAWN_AT_ONCE = 1 / 60, 10.0
"""Drawings that one address may save."""
LOOKS_A_SECOND, LOOKS_AT_ONCE = 10.0, 120.0
"""Pictures that one address may fetch, as drawing them takes time."""


class Drawn(Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    moves: msgspec.Raw


class Card(Struct, frozen=True):
    """An instance or an exhibit in the list."""

    instance: Instance | Exhibit
    name: str
    facts: Mapping[str, str]


class Galleries:
    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self._books = {book.name: book for book in hall.house.books if isinstance(book, DataBook)}
        self._cards: dict[tuple[str, str], list[Card]] = {}
        share = hall.house.workers
        self._looks = Limits(LOOKS_A_SECOND / share, max(1.0, LOOKS_AT_ONCE / share))
        self._saves = Limits(DRAWN_A_SECOND / share, max(1.0, DRAWN_AT_ONCE / share))

    def routes(self) -> list[Route]:
        if not self._hall.house.gallery:
            return []
        return [
            Route("/gallery/", page("galleries.html")),
            Route("/gallery/{game}/", page("gallery.html")),
            Route("/gallery/{game}/cards.json", self.cards),
            Route("/gallery/{game}/picture.svg", self.picture),
            Route("/gallery/{game}/draw", page("draw.html")),
            Route("/gallery/{game}/canvas.json", self.canvas),
            Route("/gallery/{game}/drawn", self.save, methods=["POST"]),
        ]

    def _gallery(self, request: Request) -> tuple[Pack, Gallery]:
        pack = self._hall.game(request.path_params["game"])
        assert pack.live is not None
        if pack.live.gallery is None:
            raise HTTPException(404, f"{pack.name} has no gallery")
        return pack, pack.live.gallery

    # Lists and pictures
    # --------------------------------------------------------------------------------------------------------

    def _sources(self, pack: Pack, gallery: Gallery) -> list[str]:
        data = [name for name, book in self._books.items() if book.pack.name == pack.name]
        return [BUILT_IN, *data, *([DRAWN] if gallery.canvas else []), *gallery.also]

    async def _all(self, request: Request) -> list[Card]:
        """All cards of the source that the request names."""
        pack, gallery = self._gallery(request)
        source = request.query_params.get("of", BUILT_IN)
        if source not in self._sources(pack, gallery):
            raise HTTPException(404, f"{pack.name} has no instances {source!r} here")
        facts = load(gallery.facts)
        if source == DRAWN:
            return [Card(instance, name, facts(instance)) for name, instance in await self._hall.drawn(pack)]
        key = pack.name, source
        if key not in self._cards and source in gallery.also:
            exhibits: Sequence[Exhibit] = await asyncio.to_thread(load(gallery.also[source]))
            self._cards[key] = [Card(exhibit, "", exhibit.facts) for exhibit in exhibits]
        elif key not in self._cards:
            found: Sequence[Instance]
            if book := self._books.get(source):
                found = await reading(book, book.instances)
            else:
                found = await asyncio.to_thread(self._hall.instances, pack)
            self._cards[key] = [Card(instance, "", facts(instance)) for instance in found]
        return self._cards[key]

    async def cards(self, request: Request) -> Response:
        pack, gallery = self._gallery(request)
        there, asked = await self._all(request), request.query_params
        source = asked.get("of", BUILT_IN)
        choices = {"set": _values(card.instance.set for card in there)}
        choices |= {name: _values(card.facts.get(name, "") for card in there) for name in gallery.by}
        wanted = {name: asked[name] for name in choices if asked.get(name)}
        words = asked.get("find", "").lower().split()
        found = [
            card
            for card in there
            if all(
                (card.instance.set if name == "set" else card.facts.get(name)) == value
                for name, value in wanted.items()
            )
            and all(word in f"{card.instance.id} {card.name}".lower() for word in words)
        ]
        start, text = (
            page_start(asked.get("from", "")),
            load(gallery.text) if source not in gallery.also else None,
        )
        assert pack.live is not None
        return as_json(
            {
                "game": pack.name,
                "title": pack.live.title,
                "sources": self._sources(pack, gallery),
                "choices": {name: values for name, values in choices.items() if len(values) > 1},
                "canvas": gallery.canvas is not None,
                "role": pack.speaker if source in (BUILT_IN, DRAWN) else "",
                "book": source if source in self._books and self._books[source].rows() else "",
                "total": len(there),
                "found": len(found),
                "page": PAGE,
                "cards": [
                    {
                        "id": card.instance.id,
                        "name": card.name,
                        "set": card.instance.set,
                        "facts": card.facts,
                        "text": text(card.instance) if text else "",
                    }
                    for card in found[start : start + PAGE]
                ],
            }
        )

    async def picture(self, request: Request) -> Response:
        pack, gallery = self._gallery(request)
        if not self._looks.take(address(request)):
            raise HTTPException(429, "you have looked at many pictures: wait a little")
        wanted = request.query_params.get("id", "")
        found = next((card.instance for card in await self._all(request) if card.instance.id == wanted), None)
        if found is None:
            raise HTTPException(404, "there is no such picture here")
        draw = load(gallery.picture) if gallery.picture else lambda instance: opening(pack, instance)
        svg = found.picture if isinstance(found, Exhibit) else await asyncio.to_thread(draw, found)
        return Response(svg, media_type="image/svg+xml", headers={"cache-control": "max-age=3600"})

    # Drawing
    # --------------------------------------------------------------------------------------------------------

    def _canvas(self, request: Request) -> tuple[Pack, Canvas]:
        pack, gallery = self._gallery(request)
        if gallery.canvas is None:
            raise HTTPException(404, f"nothing can be drawn for {pack.name}")
        return pack, gallery.canvas

    async def canvas(self, request: Request) -> Response:
        pack, canvas = self._canvas(request)
        assert pack.live is not None
        desk = load(canvas.desk)()
        return as_json(
            {
                "title": pack.live.title,
                "now": desk.now,
                "tool": desk.tool,
                "facts": desk.facts,
                "panels": desk.panels,
                "most": MOST_NAME,
            }
        )

    async def save(self, request: Request) -> Response:
        pack, canvas = self._canvas(request)
        asked: Drawn = await body(request, Drawn, MOST_DRAWING)
        if not self._saves.take(address(request)):
            raise HTTPException(429, "you have saved many drawings: wait a little")
        name = " ".join(asked.name.split())
        seen = "".join(sign for sign in name if sign not in JOINERS)
        if not seen.strip() or len(name) > MOST_NAME:
            raise HTTPException(400, f"give it a name of at most {MOST_NAME} characters")
        if not seen.isprintable():
            raise HTTPException(400, "this name has signs that cannot be shown: give it a name without them")
        try:
            moves = msgspec.json.decode(asked.moves, type=tuple[load(pack.game).Move, ...])  # type: ignore[misc]
            instance = load(canvas.made)(f"drawn-{secrets.token_hex(4)}", moves)
        except (msgspec.MsgspecError, Illegal) as trouble:
            raise HTTPException(400, f"this cannot be drawn: {trouble}") from None
        if len(await self._hall.store.made(pack.name)) >= MOST_DRAWN:
            raise HTTPException(409, "the gallery is full: ask whoever runs this server to make room")
        await self._hall.store.keep(Made(pack.name, instance.id, time(), name, msgspec.json.encode(instance)))
        return as_json({"id": instance.id}, 201)


def _values(found: Any) -> list[str]:
    """All values but the empty one, numbers in numeric order."""
    return sorted(
        {value for value in found if value}, key=lambda value: (len(value) if value.isdecimal() else 0, value)
    )
