"""What every part of the server asks and answers with: JSON, files of ours, and words where something cannot be."""

from __future__ import annotations

from importlib.resources.abc import Traversable
from typing import Any

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from .guard import same_origin

KINDS = {"html": "text/html", "css": "text/css", "js": "text/javascript", "svg": "image/svg+xml", "png": "image/png"}
MOST_BODY = 64 * 1024


async def read_body(request: Request, kind: Any, most: int = MOST_BODY) -> Any:
    """What a page of ours sent, read as that kind."""
    if not same_origin(request):
        raise HTTPException(403, "this was not sent by a page of this server")
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > most:
            raise HTTPException(413, f"at most {most} bytes can be sent")
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError) as trouble:
        raise HTTPException(400, f"this cannot be understood: {trouble}") from None


def json_answer(value: Any, status: int = 200) -> Response:
    headers = {"cache-control": "no-store"}
    return Response(msgspec.json.encode(value), status, headers=headers, media_type="application/json")


def file_answer(known: dict[str, bytes], name: str) -> Response:
    body = known.get(name)
    if body is None:
        raise HTTPException(404, "there is no such page here")
    return Response(body, media_type=KINDS[name.rpartition(".")[2]], headers={"cache-control": "no-cache"})


def files_in(folder: Traversable) -> dict[str, bytes]:
    """All there is to send, by name: no path is ever made from a request."""
    found: dict[str, bytes] = {}
    folders = [("", folder)]
    for prefix, place in folders:
        for entry in place.iterdir():
            if entry.is_dir():
                folders.append((f"{prefix}{entry.name}/", entry))
            elif entry.name.rpartition(".")[2] in KINDS:
                found[f"{prefix}{entry.name}"] = entry.read_bytes()
    return found
