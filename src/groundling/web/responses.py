"""Request bodies, JSON responses and static files, for all parts of the server."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from html import escape
from importlib.resources import files
from importlib.resources.abc import Traversable
from string import Template
from typing import Any, Literal

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from groundling.core.events import encode_event_json
from groundling.core.values import Role
from groundling.web.colourblind_palette import palette_stylesheet
from groundling.web.middleware import is_same_origin

MEDIA_TYPES = {
    "html": "text/html",
    "css": "text/css",
    "js": "text/javascript",
    "svg": "image/svg+xml",
    "png": "image/png",
}
MOST_BODY = 64 * 1024
DECODE_ERRORS = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
"""What decoding JSON can raise."""


async def read_request_body(request: Request, kind: Any, most: int = MOST_BODY) -> Any:
    """Decode the JSON body of a request from one of our own pages."""
    if not is_same_origin(request):
        raise HTTPException(403, "this was not sent by a page of this server")
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > most:
            raise HTTPException(413, f"at most {most} bytes can be sent")
    try:
        return msgspec.json.decode(body, type=kind)
    except DECODE_ERRORS as trouble:
        raise HTTPException(400, f"this cannot be understood: {trouble}") from None


def json_response(value: Any, status: int = 200) -> Response:
    return Response(
        encode_event_json(value), status, headers={"cache-control": "no-store"}, media_type="application/json"
    )


def error_response(request: Request, status: int, why: str) -> Response:
    """JSON for scripts, and a page for people, with what the reason says before its colon as the title."""
    if request.method != "GET" or "text/html" not in request.headers.get("accept", ""):
        return json_response({"error": why}, status)
    if status == 404:
        why = "there is nothing at this address: it may be misspelt, or the page was removed"
    title, _, advice = (escape(part[:1].upper() + part[1:]) for part in why.partition(": "))
    # who takes part in a study has no other page to go to
    is_study = request.url.path.startswith("/study/")
    way = "" if is_study else '<a class="button primary" href="/">To the games</a>'
    page = Template(static_response_files()["error.html"].decode())
    content = page.substitute(title=title, advice=f"{advice}." if advice else "", way=way)
    return Response(content, status, media_type="text/html", headers={"cache-control": "no-cache"})


def links_response(links: Mapping[Role, str]) -> Response:
    """The invitation links of a new room, by seat."""
    return json_response({"links": {role: f"/join#{secret}" for role, secret in links.items()}}, 201)


def cookie_response(request: Request, path: str, name: str, value: str, seconds: int) -> Response:
    """Send a page to a path, with a cookie that is valid only there."""
    answer = json_response({"path": path})
    set_page_cookie(request, answer, name, value, path, seconds)
    return answer


def set_page_cookie(
    request: Request,
    answer: Response,
    name: str,
    value: str,
    path: str = "/",
    seconds: int | None = None,
    samesite: Literal["strict", "lax"] = "strict",
) -> None:
    """Set a cookie that scripts and other sites cannot use; without seconds, until the browser closes."""
    secure = request.url.scheme == "https"
    answer.set_cookie(
        name, value, max_age=seconds, path=path, httponly=True, samesite=samesite, secure=secure
    )


def page_response_endpoint(name: str) -> Any:
    async def send_page(request: Request) -> Response:
        return file_response(static_response_files(), name)

    return send_page


async def send_static_response(request: Request) -> Response:
    return file_response(static_response_files(), request.path_params["name"])


def file_response(known: dict[str, bytes], name: str) -> Response:
    content = known.get(name)
    if content is None:
        raise HTTPException(404, "there is no such page here")
    kind = MEDIA_TYPES[name.rpartition(".")[2]]
    # A browser requests the icon again whenever the address changes, as it does with every step of a replay.
    kept = "max-age=3600" if kind.startswith("image/") else "no-cache"
    return Response(content, media_type=kind, headers={"cache-control": kept})


@cache
def static_response_files() -> dict[str, bytes]:
    """The files of the server's own pages, with those that it shares with reports."""
    page = files("groundling.report") / "page"
    return {
        **load_response_files(page / "lib", "lib/"),
        **load_response_files(page / "common"),
        **load_response_files(files("groundling.web") / "static"),
        "palette.css": palette_stylesheet().encode(),
    }


def load_response_files(folder: Traversable, name: str = "") -> dict[str, bytes]:
    """Read all files that can be sent, by name, so that no path is ever made from a request."""
    contents: dict[str, bytes] = {}
    folders = [(name, folder)]
    for prefix, place in folders:
        for entry in place.iterdir():
            if entry.is_dir():
                folders.append((f"{prefix}{entry.name}/", entry))
            elif entry.name.rpartition(".")[2] in MEDIA_TYPES:
                contents[f"{prefix}{entry.name}"] = entry.read_bytes()
    return contents
