"""No prompt shows an answer that could be copied: forms have placeholders, or list all choices."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from groundling.boards.hexes import COLOURS
from groundling.boards.scene import KINDS
from groundling.core.events import Replied, Transcript
from groundling.core.game import AnyGame
from groundling.core.pack import Pack, Seat, find, installed_packs, load
from groundling.core.replay import replay_events
from groundling.core.table import play
from groundling.core.values import Illegal, Role
from groundling.players.chat.prompts import Prompt, list_wordings, load_prompt, prompt_hints

PACKS = [find(name) for name, point in installed_packs().items() if point.value.startswith("groundling.")]
COMMANDS = re.compile(r"(?:Instruction:\s*)?(?:DONE|UNDO)|PEEK|CLOSE|FINISH|none", re.IGNORECASE)
"""What has to be written exactly so, and says nothing about an instance."""
OPEN_PLACEHOLDER = re.compile(r"<[^>]+>|…")


def states(pack: Pack) -> Iterator[tuple[AnyGame, Any, Role]]:
    """Every state in which a seat is asked, in two games that `gold` plays with each settings."""
    kind = load(pack.game).Settings
    for given in ({}, dict(pack.live.settings)):
        game = pack.new(msgspec.convert(given, kind))
        for instance in load(pack.builtin)()[:2]:
            gold = load(pack.players["gold"])
            players = {role: gold(Seat(pack, game, role, "gold")) for role in game.seats(instance)}

            async def all_of_it(
                game: AnyGame = game, instance: Any = instance, players: Any = players
            ) -> Any:
                events = play(game, instance, players, seed=0, clock=lambda: 0.0)
                return Transcript(tuple([event async for event in events]))

            for event, sitting in replay_events(game, asyncio.run(all_of_it())):
                if isinstance(event, Replied):
                    yield game, sitting.state, event.role


def told(pack: Pack, game: AnyGame, prompt: Prompt, view: Any) -> str:
    """All that a prompt says beside the view."""
    fields = dict.fromkeys(("view", "board", "words", "news"), "")
    fields |= prompt.fill_kind_fields(prompt_hints(pack, game)(view))
    sections = (prompt.open, prompt.turn)
    texts = [section.format_map(fields) for section in sections]
    return "\n".join([*texts, prompt.refused.format(complaint="…")])


def literals(text: str) -> Iterator[str]:
    """Everything in a text that could be taken for a reply: lines, quotations, what follows a colon."""
    yield from text.splitlines()
    yield from re.findall(r'"([^"\n]+)"', text)
    yield from re.findall(r":\s+([^\n]+?)\.?$", text, re.MULTILINE)


def read_strictly(game: AnyGame, state: Any, role: Role, text: str) -> tuple[Any, ...] | None:
    try:
        return game.read(state, role, text, strict=True).moves
    except Illegal:
        return None


def copied_moves(pack: Pack, role: Role, prompt: Prompt) -> Iterator[str]:
    """The literals of a prompt that could be played, but for commands and where all choices are listed."""
    for game, state, seated in states(pack):
        if seated != role:
            continue
        text = told(pack, game, prompt, game.view(state, role))
        found = {
            part: read_strictly(game, state, role, part)
            for part in literals(text)
            if not COMMANDS.fullmatch(part.strip()) and not OPEN_PLACEHOLDER.search(part)
        }
        moves = {part: read for part, read in found.items() if read is not None}
        if pack.name == "reference" and len(set(moves.values())) == len(state.lineup.grids):
            continue
        yield from moves


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("pack", PACKS, ids=lambda pack: pack.name)
def test_no_example_can_be_copied_as_an_answer(pack: Pack, language: str) -> None:
    for role in pack.roles:
        for wording in list_wordings(pack, role, language):
            prompt = load_prompt(pack, role, language, wording)
            assert set(copied_moves(pack, role, prompt)) == set(), prompt.name


@pytest.mark.parametrize(
    ("game", "role"), [("director", "participant"), ("image", "follower"), ("hexagons", "executor")]
)
def test_nothing_in_a_whole_prompt_is_found_to_be_an_answer(game: str, role: str) -> None:
    pack = find(game)
    for language in ("en", "de"):
        for wording in list_wordings(pack, role, language):
            prompt = load_prompt(pack, role, language, wording)
            for rules, state, seated in states(pack):
                if seated == role:
                    text = told(pack, rules, prompt, rules.view(state, role)).replace("?", ".")
                    with pytest.raises(Illegal):
                        rules.read(state, role, text)


def test_an_anchor_is_noticed() -> None:
    for name, role, wording in (("director", "participant", "plain"), ("director", "participant", "example")):
        assert set(copied_moves(find(name), role, load_prompt(find(name), role, "en", wording)))


def test_worked_examples_are_about_what_the_game_does_not_have() -> None:
    items = str([sample.shelf for sample in load(find("director").builtin)()])
    assert "lantern" not in items
    assert "lantern" in load_prompt(find("director"), "director", "en", "visible-only-example").open
    for name in ("reference", "image"):
        for role in find(name).roles:
            drawn = re.findall(
                r"^\S(?: \S)+$", load_prompt(find(name), role, "en", "example").open, re.MULTILINE
            )
            assert set("".join(drawn)) == {"#", "▢", " "}
    assert not {"pink", "grey", "brown"} & set(COLOURS)
    assert not {"moon", "ghost", "well"} & set(KINDS)
