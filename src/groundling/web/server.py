"""Run the server under uvicorn, in one process or several workers."""

from __future__ import annotations

import gc
import os
import signal
import socket
import sys
from collections.abc import Sequence
from functools import partial
from ipaddress import ip_address, ip_network
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import msgspec

from groundling.core.pack import Pack, choices_hint, load
from groundling.core.values import Problem
from groundling.files import file_error_advice
from groundling.players.player_specs import (
    PlayerSpec,
    known_player_specs,
    make_player_from_spec,
    read_player_spec,
)
from groundling.web.episode_library import open_episode_library
from groundling.web.game_catalog import GameCatalog
from groundling.web.page_seats import MOST_TEXT
from groundling.web.room_manager import RoomManager
from groundling.web.server_settings import ServerSettings
from groundling.web.stimuli import StimulusLibrary, is_recorded_partner, refuse_room_recordings
from groundling.web.stimulus_files import check_stimuli_hidden, open_stimuli
from groundling.web.store_url import check_database_url, is_database_url, open_store_url, store_url_name
from groundling.web.studies.served_study import begin_served_studies, load_served_studies, reserved_study_sets

if TYPE_CHECKING:
    import uvicorn
    from starlette.applications import Starlette

    from groundling.web.cluster.socket_balance import SocketBalance

LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
"""Host names of this machine for its own users."""
MOST_FRAME = 64 * 1024
_print_line = partial(print, flush=True)  # the admin token appears nowhere else
assert MOST_TEXT < MOST_FRAME


def open_server_listener(host: str, port: int) -> socket.socket:
    """Bind the port before anything else starts. Early connections wait."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(512)
    except (OSError, OverflowError) as trouble:
        listener.close()
        why = getattr(trouble, "strerror", None) or str(trouble)
        raise Problem(
            f"cannot listen on {host}:{port} ({why}): choose another with --host and --port"
        ) from None
    return listener


def is_loopback_server(host: str) -> bool:
    """Whether only this machine can reach the address."""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def run_server(
    db: str,
    host: str,
    port: int,
    settings: ServerSettings,
    workers: int = 1,
    proxies: Sequence[str] = (),
    show_token: bool = False,
) -> None:
    """Serve until stopped. With `show_token`, print the link with the generated admin token once."""
    import uvicorn
    from uvicorn.supervisors import Multiprocess

    if workers < 1:
        raise Problem(f"--workers is {workers}: must be at least 1")
    if workers > 1 and not is_database_url(db):
        raise Problem(
            "several workers cannot share a file: "
            "give --db postgresql://USER@HOST/DATABASE, or leave out --workers"
        )
    check_server_proxies(proxies)
    catalog = GameCatalog(settings.games)
    check_server_partners(settings.partners, list(catalog.served.values()))
    if not settings.gallery:
        check_stimuli_hidden(settings.instances, settings.runs, settings.data, catalog)
    if settings.studies and settings.gallery:
        raise Problem("--gallery shows what a study plays: leave out --gallery or --study")
    # with several workers, report problems before any of them starts
    studies = open_server_files(settings).served_studies if workers > 1 else ()
    listener = open_server_listener(host, port)
    settings = msgspec.structs.replace(
        settings, workers=workers, hosts=() if proxies or not is_loopback_server(host) else LOOPBACK
    )
    if is_database_url(db):
        check_database_url(db)
    # one process opens its store before it says that it is ready
    app = make_server_worker(db, settings) if workers == 1 else None
    begin_served_studies(db, app.state.room_manager.settings.served_studies if app else studies)
    name = f"[{host}]" if ":" in host else host
    here = f"http://{name}:{listener.getsockname()[1]}"
    kept = "nothing" if settings.preview else f"its games in {store_url_name(db)}"
    _print_line(f"groundling is at {here}/ and keeps {kept}; Ctrl-C stops it")
    if settings.admin:
        _print_line(
            f"administration: log in at {here}/admin/login"
            f"{f'#{settings.admin}' if show_token else ' with the token that you set'}"
        )
    if app is not None:
        uvicorn.Server(make_server_config(app, proxies)).run(sockets=[listener])
        return
    with TemporaryDirectory(prefix="groundling-") as folder:
        make_app = partial(make_balanced_worker, db, settings, proxies, Path(folder))
        supervisor = Multiprocess(make_server_config(make_app, proxies, workers), [listener])
        supervisor.run()
    # the exit code is negative after a signal
    if any((process.exitcode or 0) > 0 for process in supervisor.processes):
        raise Problem("a worker could not be started: fix the problem above and start the server again")


def run_study_preview(
    host: str, port: int, settings: ServerSettings, proxies: Sequence[str] = (), show_token: bool = False
) -> None:
    """Serve studies until stopped, with a database that is then deleted."""
    if not settings.studies:
        raise Problem("--preview is for studies: add --study DIR")
    settings = msgspec.structs.replace(settings, preview=True)
    # uvicorn raises the signal that stopped it once more, and by default it would end the process at once
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    with TemporaryDirectory(prefix="groundling-") as folder:
        run_server(
            str(Path(folder) / "preview.db"), host, port, settings, proxies=proxies, show_token=show_token
        )


def make_server_config(app: Any, proxies: Sequence[str], workers: int = 1) -> uvicorn.Config:
    """The configuration of uvicorn; with several workers, `app` makes the application of each."""
    import uvicorn

    from groundling.web import socket_transport
    from groundling.web.http_protocol import DeadlineHttpProtocol

    return uvicorn.Config(
        app,
        http=DeadlineHttpProtocol,
        factory=workers > 1,
        workers=workers,
        log_level="warning",
        ws_max_size=MOST_FRAME,
        ws_ping_interval=socket_transport.PING_SECONDS,
        ws_ping_timeout=socket_transport.PONG_SECONDS,
        timeout_graceful_shutdown=3,
        timeout_worker_healthcheck=15,
        server_header=False,
        proxy_headers=bool(proxies),
        forwarded_allow_ips=list(proxies),
    )


def make_balanced_worker(
    db: str, settings: ServerSettings, proxies: Sequence[str], folder: Path
) -> SocketBalance:
    """Make the application of one of several workers, which share their sockets."""
    from groundling.web.cluster.socket_balance import SocketBalance

    balance = SocketBalance(make_server_worker(db, settings), folder, str(os.getpid()))
    balance.set_config(make_server_config(balance, proxies))
    return balance


def make_server_worker(db: str, settings: ServerSettings) -> Starlette:
    """Make the application of one worker process."""
    from groundling.web.app import make_app

    sys.setswitchinterval(0.001)  # with the default the commit thread waits five times as long
    # full collections can be rare: rooms are freed by reference counts, only closed connections are not
    gc.set_threshold(5_000, 5, 10)
    gc.freeze()  # permanent objects are never scanned
    settings = open_server_files(settings)
    store = open_store_url(db)
    bus = None
    if is_database_url(db):
        from groundling.web.cluster.bus import MessageBus

        bus = MessageBus(db)
    return make_app(RoomManager(store, settings, bus), db)


def open_server_files(settings: ServerSettings) -> ServerSettings:
    """Open what is played and what is shown. Nothing that is played is shown, unless there is a gallery."""
    catalog = GameCatalog(settings.games)
    studies = load_served_studies(settings.studies, catalog)
    sets = (*open_stimuli(settings.instances, catalog), *reserved_study_sets(studies))
    hidden = StimulusLibrary(() if settings.gallery else sets)
    books = open_episode_library(settings.runs, settings.data, hidden.is_secret)
    return msgspec.structs.replace(settings, books=books, sets=sets, served_studies=studies)


def check_server_partners(partners: Sequence[str], packs: Sequence[Pack]) -> None:
    """Check that each partner is a model, or a player that some game can seat."""
    names = sorted({name for pack in packs for name in known_player_specs(pack)})
    for partner in partners:
        spec = read_player_spec(partner)
        if is_recorded_partner(partner):
            raise Problem(
                f"--partner {partner} is not needed: --instances with recorded data or a run offers it"
            )
        if not spec.is_model and not spec.is_code and spec.name not in names:
            raise Problem(
                f"--partner {partner}: no game has a player {spec.name!r}: {choices_hint(names)}, "
                "a model as PROVIDER/MODEL, or a file as FILE.py:CLASS"
            )
        if not spec.is_model and (why := _seating_problem(partner, spec, packs)):
            raise Problem(f"--partner {partner}: {why}")


def _seating_problem(partner: str, spec: PlayerSpec, packs: Sequence[Pack]) -> str:
    """Why no game can seat this player, or "" where one can."""
    why = ""
    for pack in packs:
        known = spec.is_code or spec.name in known_player_specs(pack)
        for role in pack.live.partners if known else ():
            try:
                make_player_from_spec(
                    pack, pack.new(), role, partner, load(pack.builtin)(), refuse_room_recordings
                )
            except Problem as trouble:
                why = why or str(trouble)
            except OSError as trouble:
                why = why or file_error_advice(trouble)
            else:
                return ""
    return why


def read_limit_ranges(given: Sequence[str]) -> dict[str, int]:
    """Read address ranges with the number of people behind each address, given as NETWORK=PEOPLE."""
    ranges: dict[str, int] = {}
    for each in given:
        network, _, people = each.partition("=")
        try:
            ranges[str(ip_network(network))] = int(people)
        except ValueError:
            raise Problem(
                f"--limit-for {each} is not NETWORK=PEOPLE: write it as in --limit-for 192.0.2.0/24=30"
            ) from None
        if int(people) < 1:
            raise Problem(f"--limit-for {each}: at least one person must be behind an address")
    return ranges


def check_server_proxies(proxies: Sequence[str]) -> None:
    """Check that each proxy is an address or a network: its forwarded headers are trusted."""
    for proxy in proxies:
        try:
            ip_network(proxy)
        except ValueError:
            raise Problem(
                f"--proxy {proxy} is no address: give the proxy's own, such as 127.0.0.1, or a network"
            ) from None
