"""No text that an Instructor of a HEXAGONS study can read teaches abstraction: how people describe an image
by themselves is what is studied."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from tests.games.hexagons.small import PLAIN

from groundling.core.desk import Desk
from groundling.core.pack import find, load
from groundling.games.hexagons import desk
from groundling.games.hexagons.moves import InstructionsDone, Next, PaintTile
from groundling.games.hexagons.rules import INSTRUCTOR, HexagonsGame, HexagonsSettings
from groundling.studies.study_file import list_text_files, read_study

ROOT = Path(__file__).parents[2] / "src" / "groundling"
TEMPLATE = ROOT / "games" / "hexagons" / "studies" / "hexagons"
TAUGHT = re.compile(
    r"shape|pattern|repeat|repetit|loop|symmetr|mirror|reflect|rotat|recurs|iterat|abstract|regular|structur"
    r"|\bobject|\bfunction|alternat|\bsimilar|\bshort(?:er|en)?\b|concise|\bdiagonal|\bsquare|\bcircle|\bring\b"
    r"|triang|flower|\bstar\b|diamond|spiral|stripe|\bcross\b|\bgroups? of tiles|\bcolumn",
    re.IGNORECASE,
)
PERMITTED = ("row , column ", "characters: shorten it")
"""The name of a tile for people who cannot see it, and the limit of an answer in a questionnaire."""
PAGES = (
    "study.html",
    "study.js",
    "play.html",
    "play.js",
    "outcome.js",
    "unbegun.js",
    "tools/hexes.js",
    *(
        f"lib/{name}.js"
        for name in ("seat_help", "seat_code", "seat_socket", "study_link", "talk", "presence")
    ),
)
MESSAGES = (
    "games/hexagons/rules.py",
    "games/hexagons/gallery.py",
    "core/replay.py",
    "web/page_seats.py",
    "web/studies/participant_actions.py",
    "web/studies/participant_pages.py",
    "web/studies/participant_view.py",
    "web/studies/study_host.py",
    "web/studies/submitted_answers.py",
)


def find_taught(texts: Iterator[str]) -> list[str]:
    found = []
    for text in texts:
        rest = text
        for permitted in PERMITTED:
            rest = rest.replace(permitted, "")
        found += [f"{word[0]} in {text!r}" for word in TAUGHT.finditer(rest)]
    return found


def template_texts() -> Iterator[str]:
    study = read_study(TEMPLATE)
    yield study.title
    yield from (path.read_text() for path in list_text_files(TEMPLATE, study).values())
    for path in TEMPLATE.glob("*.jsonl"):
        for line in path.read_text().splitlines():
            yield from (step["text"] for step in json.loads(line).get("steps", ()))
    for stage in study.stages:
        yield stage.title
        for question in stage.questions:
            yield question.text
            yield from question.choices


def desk_texts(shown: Desk) -> Iterator[str]:
    yield shown.now
    for panel in shown.panels:
        yield panel.title
    for button in shown.buttons:
        yield from (button.label, button.confirm)
    if shown.say:
        yield from (shown.say.label, shown.say.button, shown.say.confirm)


def game_texts() -> Iterator[str]:
    """The help, and all desks of a collection task and of a drawing."""
    live = find("hexagons").live
    game = HexagonsGame(msgspec.convert({"mode": "align"}, HexagonsSettings))
    yield live.title
    yield from load(live.help)(game, PLAIN, INSTRUCTOR)  # type: ignore[operator]
    state = game.start(PLAIN)
    said = [msgspec.convert({"move": "say", "text": text}, HexagonsGame.Move) for text in ("one", "two")]
    for move in (*said, InstructionsDone(), PaintTile(1, 1, "red"), Next(), Next()):
        yield from desk_texts(desk.make_hexagons_desk(game.view(state, INSTRUCTOR), True))
        yield from desk_texts(desk.make_hexagons_desk(game.view(state, INSTRUCTOR), False))
        state = game.play(state, INSTRUCTOR, move)
    ended = desk.compare_hexagons(game, state)
    yield ended.sentence
    yield from (panel.title for panel in ended.panels)
    yield from desk_texts(load(live.gallery.canvas.desk)())  # type: ignore[union-attr]


def page_texts() -> Iterator[str]:
    """The words in pages, and the strings in their scripts."""
    static = ROOT / "web" / "static"
    for name in PAGES:
        text = (static / name).read_text()
        if name.endswith(".html"):
            yield re.sub(r"<[^>]*>", " ", text)
        else:
            code = re.sub(r"/\*[\s\S]*?\*/|^\s*//.*$", "", text, flags=re.MULTILINE)
            yield from map(without_code, re.findall(r'"[^"\n]*"|`[^`]*`', code))
    for file in sorted((ROOT / "web" / "studies").rglob("*.toml")):
        yield file.read_text()


def without_code(text: str) -> str:
    """A template of a script without its expressions."""
    while (rest := re.sub(r"\$?\{[^{}]*\}", "", text)) != text:
        text = rest
    return text


def message_texts() -> Iterator[str]:
    """All texts in the modules that answer people, but for docstrings and names."""
    for name in MESSAGES:
        tree = ast.parse((ROOT / name).read_text())
        docs = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        notes = {
            id(part)
            for node in ast.walk(tree)
            if isinstance(node, ast.Call) and _is_meta(node)
            for part in ast.walk(node)
        }
        for node in ast.walk(tree):
            if not isinstance(node, ast.Constant) or id(node) in docs | notes:
                continue
            if isinstance(node.value, str) and " " in node.value:
                yield node.value


def _is_meta(node: ast.Call) -> bool:
    """Descriptions of settings are for researchers."""
    return isinstance(node.func, ast.Name) and node.func.id == "Meta"


@pytest.mark.parametrize("texts", [template_texts, game_texts, page_texts, message_texts])
def test_no_text_for_an_instructor_teaches_abstraction(texts: Iterator[str]) -> None:
    every = list(texts())  # type: ignore[operator]
    assert len(every) > 3
    assert find_taught(iter(every)) == []


def test_words_that_teach_are_found() -> None:
    taught = ["Look for patterns.", "Repeat it", "Draw a flower", "the first column", "avoid repetition"]
    assert len(find_taught(iter(taught))) == len(taught)
    assert find_taught(iter([desk._BRIEF])) == []
