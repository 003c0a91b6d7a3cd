"""What stands in for models, published data and people where pages name them."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.bridges.clem.examples import image, reference, write
from tests.docs.doc_runner import write_file
from tests.games.codraw import narrated
from tests.games.hexagons.procedures import told_images, write_published
from tests.players.chat.provider_server import Sender, send_completion
from tests.web.room_helpers import play_rooms

from groundling.cli.main import main
from groundling.core.pack import find
from groundling.web.server_settings import RoomRequest
from groundling.web.store import PERSON

RECRUITING = '[recruiting]\nservice = "prolific"\ndescription = "Play a game of words."\nplaces = 40\n'
StandIn = Callable[[], dict[str, str] | None]
"""Puts it into the folder, and returns words of the page with what they stand for."""


def codraw_data(name: str) -> StandIn:
    def put() -> None:
        Path(name).mkdir(parents=True)
        narrated.folder(Path(name), many=8, val=2)

    return put


def hexagons_data(name: str) -> StandIn:
    def put() -> None:
        write_published(Path(name), many=30)
        numbered = enumerate(told_images(30)[-2:], 500)
        rows = [{"index": at, "levels": [step.level for step in image.steps]} for at, image in numbered]
        Path(name, "dev_levels.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))

    return put


def clembench_data(name: str) -> StandIn:
    def put() -> None:
        write(Path(name, "referencegame", "instances_v1.6_en.json.gz"), ("lines", [reference()]))
        write(Path(name, "imagegame", "instances_v1.6_en.json.gz"), ("compact", [image()]))

    return put


def commands(*lines: str) -> StandIn:
    """What a page takes for granted, by commands."""

    def put() -> None:
        for line in lines:
            assert main(line.split()) == 0, line

    return put


def text_file(name: str, text: str) -> StandIn:
    def put() -> None:
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text, encoding="utf-8")

    return put


def game_of_people(game: str, *roles: str, db: str = "groundling.db", **settings: str) -> StandIn:
    """A finished game in a database, with the settings that a page in the browser offers. A seat in it stands
    for the code of a person."""

    def put() -> dict[str, str]:
        pack = find(game)
        seats = dict.fromkeys(roles or pack.roles, PERSON)
        order = RoomRequest(game, seats, settings={**pack.live.settings, **settings})
        (room,) = play_rooms(db, order)
        return {"BCDF-GHJK": f"{room}/{pack.roles[0]}"}

    return put


def study_with_people(template: str, *options: str, folder: bool = True) -> StandIn:
    """The study DIR, and groundling.db, in which people have taken part: the bots of a pilot, as if they had
    come through Prolific. 0123456789abcdef stands for the code of the last of them."""

    def put() -> dict[str, str]:
        for name, content in _pilot(template, *options).items():
            Path(name).parent.mkdir(exist_ok=True)
            Path(name).write_bytes(content)
        if not folder:
            shutil.rmtree("DIR")
        with sqlite3.connect("groundling.db") as database:
            database.execute("UPDATE study_people SET service = 'prolific'")
            ((code,),) = database.execute("SELECT person FROM study_people ORDER BY service_id DESC LIMIT 1")
        return {"0123456789abcdef": code}

    return put


@cache
def _pilot(template: str, *options: str) -> dict[str, bytes]:
    """The files of a study, and the database of its pilot. It takes seconds, so pages share it."""
    here = Path.cwd()
    with TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            commands(" ".join(["study new", template, "DIR", *options]))()
            write_file(Path("DIR/study.toml"), RECRUITING, part=True)
            commands("study simulate DIR --server --people 12 --seed 1 --leave 0")()
            Path("DIR/pilot.db").rename("groundling.db")
            files = [path for path in Path().rglob("*") if path.is_file()]
            return {str(path): path.read_bytes() for path in files}
        finally:
            os.chdir(here)


def answer_as_model(asked: dict[str, Any]) -> Sender:
    """Reply in the form that the prompt asks for."""
    told = json.dumps(asked["messages"])
    forms = {"Expression:": "Expression: the fullest grid", "Answer:": "Answer: first"}
    return send_completion(next((reply for form, reply in forms.items() if form in told), "DONE"))
