"""`groundling serve`: open the store, listen, and put everything away in the end."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import Any

from ..core.values import Problem, missing
from .hall import Hall, House
from .sockets import MOST_TEXT
from .sqlite import SqliteStore

MOST_FRAME = 64 * 1024
assert MOST_TEXT < MOST_FRAME


def store_path(url: str) -> Path:
    """Of a file, as a path or as sqlite:///PATH."""
    scheme, mark, rest = url.partition("://")
    if not mark:
        return Path(url)
    if scheme != "sqlite" or not rest.startswith("/"):
        raise Problem(f"--db {url} is not a store: give a file, or sqlite:///FILE")
    return Path(rest[1:])


def listen(host: str, port: int) -> socket.socket:
    """A free port, before anything else is begun. Who comes early waits."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    found = socket.socket(family)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind((host, port))
        found.listen(512)
    except (OSError, OverflowError) as trouble:
        found.close()
        told = getattr(trouble, "strerror", None) or str(trouble)
        raise Problem(f"cannot listen on {host}:{port} ({told}): choose another with --host and --port") from None
    return found


def serve(db: str, host: str, port: int, house: House, ready: Any = print) -> None:
    try:
        import uvicorn

        from .app import make_app
    except ImportError:
        raise missing("web") from None
    listener = listen(host, port)
    hall = Hall(SqliteStore(store_path(db)), house)
    config = uvicorn.Config(
        make_app(hall),
        log_level="warning",
        ws_max_size=MOST_FRAME,
        ws_ping_interval=4.0,
        ws_ping_timeout=6.0,
        timeout_graceful_shutdown=3,
        server_header=False,
    )
    name = f"[{host}]" if ":" in host else host
    ready(
        f"groundling is at http://{name}:{listener.getsockname()[1]}/ and keeps its games in {store_path(db)}; Ctrl-C stops it"
    )
    uvicorn.Server(config).run(sockets=[listener])
