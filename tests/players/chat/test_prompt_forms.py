"""Every form that a prompt asks for is read, strictly and tolerantly, once its placeholders are filled in."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest
from tests.players.chat.test_prompt_anchors import PACKS, states, told

from groundling.core.game import AnyGame
from groundling.core.pack import Pack
from groundling.core.values import Illegal, Role
from groundling.players.chat.prompts import list_wordings, load_prompt

TAGGED = re.compile(r"^(?:Say|Instruction|Expression): \S.*$", re.MULTILINE)
OBJECT = re.compile(r'\{"(?:actions|do)".*\}+')
FILLED = {
    r"<Mike[^>]*>": "Mike",
    r"<[Nn]ame[^>]*>": "sun",
    r"<left[^>]*>": "left",
    r"<(?:pose|Haltung)>": "waving",
    r"<(?:expression|Ausdruck)>": "smile",
    r"<(?:size|Größe)>": "large",
    r"<(?:number|Zahl)>": "100",
    r"<(?:row|Zeile)> <(?:column|Spalte)> <(?:colour|Farbe)>": "2 3 red",
    r"<[^>]+>": "some words",
}


def fill_in(form: str) -> str:
    for placeholder, value in FILLED.items():
        form = re.sub(placeholder, value, form)
    return form


def forms(text: str, role: Role) -> Iterator[str]:
    """The replies that a text asks for, filled in."""
    if role == "drawer":
        for found in OBJECT.findall(text):
            if "<" in found:
                reply = json.loads(fill_in(found))
                yield json.dumps(reply if "actions" in reply else {"actions": [reply], "say": "ok"})
        return
    yield from map(fill_in, TAGGED.findall(text))
    yield from re.findall(r'"(Instruction: (?:DONE|UNDO))"', text)
    yield from re.findall(r"^Answer: .*$", text, re.MULTILINE)
    yield from set(re.findall(r"\b(?:PEEK|FINISH)\b", text))
    if "<row>" in text or "<Zeile>" in text:
        yield re.sub(r", …", "", fill_in(re.findall(r"<(?:row|Zeile)>.*…", text)[0]))
        yield "none"


def refused_forms(pack: Pack, role: Role, language: str, wording: str) -> Iterator[tuple[str, str]]:
    """The forms that one of the readers refuses in a state in which they are asked for."""
    prompt = load_prompt(pack, role, language, wording)
    for game, state, seated in states(pack):
        if seated == role:
            found = list(forms(told(pack, game, prompt, game.view(state, role)), role))
            assert found or role in ("participant", "follower"), "a form is asked for"
            for form in found:
                if trouble := read_both(game, state, role, form):
                    yield form, trouble


def read_both(game: AnyGame, state: object, role: Role, form: str) -> str:
    try:
        strictly, tolerantly = (game.read(state, role, form, strict=strict).moves for strict in (True, False))
    except Illegal as trouble:
        return str(trouble)
    return "" if strictly == tolerantly else "the readers disagree"


@pytest.mark.parametrize("pack", PACKS, ids=lambda pack: pack.name)
def test_every_form_is_read_as_it_is_asked_for(pack: Pack) -> None:
    for role in pack.roles:
        for language in ("en", "de"):
            for wording in list_wordings(pack, role, language):
                assert set(refused_forms(pack, role, language, wording)) == set(), (role, language, wording)


@pytest.mark.parametrize("pack", PACKS, ids=lambda pack: pack.name)
def test_a_tagged_form_stands_on_a_line_of_its_own_without_quotation_marks(pack: Pack) -> None:
    for role in pack.roles:
        for language in ("en", "de"):
            for wording in list_wordings(pack, role, language):
                prompt = load_prompt(pack, role, language, wording)
                text = "\n".join([prompt.open, prompt.turn, prompt.refused, *prompt.kinds.values()])
                assert re.findall(r'"\w+: <[^"]*"', text) == []
