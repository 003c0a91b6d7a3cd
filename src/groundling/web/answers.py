"""What the server's answers are made of: pages, JSON, and what a page of ours may send."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from ..core.events import encode
from .guard import same_origin

KINDS = {"html": "text/html", "css": "text/css", "js": "text/javascript", "svg": "image/svg+xml", "png": "image/png"}
MOST_BODY = 64 * 1024


async def body(request: Request, kind: Any, most: int = MOST_BODY) -> Any:
    """What a page of ours sent, read as that kind."""
    if not same_origin(request):
        raise HTTPException(403, "this was not sent by a page of this server")
    found = b""
    async for chunk in request.stream():
        found += chunk
        if len(found) > most:
            raise HTTPException(413, f"at most {most} bytes can be sent")
    try:
        return msgspec.json.decode(found, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError) as trouble:
        raise HTTPException(400, f"this cannot be understood: {trouble}") from None


def as_json(value: Any, status: int = 200) -> Response:
    return Response(encode(value), status, headers={"cache-control": "no-store"}, media_type="application/json")


def page(name: str) -> Any:
    async def show(request: Request) -> Response:
        return _file(name)

    return show


async def static(request: Request) -> Response:
    return _file(request.path_params["name"])


def _file(name: str) -> Response:
    found = _files().get(name)
    if found is None:
        raise HTTPException(404, "there is no such page here")
    return Response(found, media_type=KINDS[name.rpartition(".")[2]], headers={"cache-control": "no-cache"})


@cache
def _files() -> dict[str, bytes]:
    """All there is to send, by name: no path is ever made from a request. What reports use too lies with them."""
    found: dict[str, bytes] = {}
    folders = [("lib/", files("groundling.report") / "page" / "lib"), ("", files("groundling.web") / "static")]
    for prefix, folder in folders:
        for entry in folder.iterdir():
            if entry.is_dir():
                folders.append((f"{prefix}{entry.name}/", entry))
            elif entry.name.rpartition(".")[2] in KINDS:
                found[f"{prefix}{entry.name}"] = entry.read_bytes()
    return found
