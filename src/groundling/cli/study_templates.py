"""Begin a study from a template: live pairs of any game, labels for any table, or what a game has in its
folder `studies`."""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Iterator
from importlib.resources import files as package_files
from importlib.resources.abc import Traversable
from pathlib import Path
from string import Template
from typing import Annotated

from typer import Argument, Option

from groundling.core.desk import QuizItem
from groundling.core.pack import Pack, choices_hint, find, installed_packs
from groundling.core.values import Problem
from groundling.files import write_whole_file

LIVE = "live"
LIVE_GAME = "image"
"""The game of the template live, unless another is named."""
LEAST_PAY, PAY_OF_A_MINUTE = 1.50, 0.075
"""Pay of a game, which is by the minutes of its time limit; people usually need half of them."""
_SCALED = re.compile(r"# (?:paper|usual): (?P<number>\d+)(?:; at least (?P<least>\d+))?$")
"""The comment of a number that may be scaled."""


def new_command(
    template: Annotated[
        str, Argument(help="What to begin with: live, or a template of a game.", metavar="TEMPLATE")
    ],
    folder: Annotated[
        Path | None, Argument(metavar="DIR", help="The folder to create.", show_default=False)
    ] = None,
    game: Annotated[
        str, Option(help="The game; default: the one that the template is named after.", metavar="GAME")
    ] = "",
    scale: Annotated[
        float, Option(help="Multiply the numbers of people and items.", metavar="X", min=0.001)
    ] = 1.0,
) -> None:
    """Begin a study from a template: live, machine, labels, or one of a game, such as codraw."""
    if folder is None:
        raise Problem(f"give a template and a folder: groundling study new {LIVE} {template}")
    pack, source = _find_template(template, game)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise Problem(f"{folder} is not empty: choose another folder")
    values = _template_values(pack)
    folder.mkdir(parents=True, exist_ok=True)
    for file in sorted(source.iterdir(), key=lambda each: each.name):
        text = Template(file.read_text(encoding="utf-8")).substitute(values)
        lines = [_scale_line(line, scale) for line in text.splitlines()]
        write_whole_file(folder / file.name, "".join(f"{line}\n" for line in lines).encode())
        print(folder / file.name)
    print(f"next: groundling study check {folder}, then groundling study simulate {folder}")


def _find_template(template: str, game: str) -> tuple[Pack, Traversable]:
    """The pack of the game, and the folder of the template."""
    pack = find(game or LIVE_GAME)
    known = dict(_list_templates(pack))
    if template in known:
        return pack, known[template]
    if game:
        raise Problem(f"{pack.name} has no template {template!r}: {choices_hint(known)}")
    for other in installed_packs():
        pack = find(other)
        known |= (own := dict(_list_templates(pack)))
        if template in own:
            return pack, own[template]
    raise Problem(f"there is no template {template!r}: {choices_hint(known)}")


def _list_templates(pack: Pack) -> Iterator[tuple[str, Traversable]]:
    places = [package_files("groundling.studies") / "templates"]
    places += [package_files(pack.studies) / "studies"] if pack.studies else []
    for place in places:
        for folder in sorted(place.iterdir(), key=lambda each: each.name) if place.is_dir() else ():
            if (folder / "study.toml").is_file():
                yield folder.name, folder


def _template_values(pack: Pack) -> dict[str, str]:
    """What the words with a dollar sign in a template stand for."""
    quiz = (*pack.live.quiz, QuizItem("May you stop at any time?", "yes", ("no",)))
    questions = [
        f"  {{ text = {_quote(item.text)}, choices = {_quote(sorted((item.right, *item.wrong)))}, "
        f"answer = {_quote(item.right)} }},"
        for item in quiz
    ]
    programs = pack.live.partners
    return {
        "game": pack.name,
        "title": pack.live.title,
        "about": pack.about,
        "seats": ", ".join(f'{role} = "person"' for role in pack.roles),
        "programs": ", ".join(f"{role} = {_quote(who)}" for role, who in programs.items()),
        "partners": "\n".join(
            f"[stages.partners.{role}-{_name_partner(who)}]\nseats = {{ {role} = {_quote(who)} }}"
            for role, who in programs.items()
        ),
        "quiz": "\n".join(questions),
        "minutes": str(pack.live.minutes),
        "pay": f"{max(LEAST_PAY, pack.live.minutes * PAY_OF_A_MINUTE):.2f}",
        "seed": str(secrets.randbelow(1_000_000)),
    }


def _name_partner(player: str) -> str:
    """The name of a player as a part of the name of a condition."""
    return re.sub("[^a-z0-9]+", "-", player.lower()).strip("-")


def _quote(value: str | list[str]) -> str:
    """A text or a list of texts as TOML writes it."""
    return json.dumps(value, ensure_ascii=False)


def _scale_line(line: str, scale: float) -> str:
    """Multiply a number whose comment names the usual or the paper's number."""
    found = _SCALED.search(line)
    if found is None:
        return line
    number = max(int(found["least"] or 1), round(scale * int(found["number"])))
    value = re.sub(rf"\b{found['number']}\b", str(number), line[: found.start()], count=1)
    return value + line[found.start() :]
