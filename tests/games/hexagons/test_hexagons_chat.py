"""Language models at the table: what they are told, in every wording, and what becomes of their replies."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest
from msgspec.structs import replace

from groundling.core.events import Transcript
from groundling.core.pack import Seat, find
from groundling.core.player import Player
from groundling.core.table import play
from groundling.games.hexagons.draw import prompt_hints
from groundling.games.hexagons.image import HexagonsImage
from groundling.games.hexagons.moves import HexagonsView
from groundling.games.hexagons.rules import CONTEXTS, HexagonsGame, HexagonsSettings
from groundling.players.chat.chat_model import ModelAnswer
from groundling.players.chat.chat_player import ChatPlayer
from groundling.players.chat.messages import PromptMessage
from groundling.players.chat.prompts import Prompt, list_wordings, load_prompt
from groundling.players.replay_player import make_replay_player

from .small import PLAIN, RECORDED

PACK = find("hexagons")


class Model:
    """Gives these answers in order, and remembers what it was told."""

    name = "model"
    sampling: Mapping[str, Any] = {}

    def __init__(self, *answers: str) -> None:
        self.answers = list(answers)
        self.heard: list[list[PromptMessage]] = []

    async def answer(self, conversation: list[PromptMessage], seed: int) -> ModelAnswer:
        self.heard.append(conversation)
        return ModelAnswer(self.answers[(len(self.heard) - 1) % len(self.answers)])


def seat(game: HexagonsGame, role: str, name: str, instance: HexagonsImage, **options: str) -> Seat:
    return Seat(PACK, game, role, name, options=dict(options), instances=[instance])


def executed(model: Model, settings: HexagonsSettings, **options: str) -> Transcript:
    """A recorded procedure, with the model in the executor's seat."""
    game = HexagonsGame(settings)
    players: dict[str, Player] = {
        "instructor": make_replay_player(seat(game, "instructor", "replay", RECORDED)),
        "executor": ChatPlayer(seat(game, "executor", "model", RECORDED, **options), model),
    }

    async def all_of_it() -> Transcript:
        return Transcript(tuple([e async for e in play(game, RECORDED, players, seed=0, clock=lambda: 0.0)]))

    return asyncio.run(all_of_it())


@pytest.mark.parametrize("context", CONTEXTS)
@pytest.mark.parametrize("reply", ["actions", "program"])
def test_a_model_is_told_exactly_what_the_context_has(context: str, reply: str) -> None:
    model = Model("3 3 red")
    transcript = executed(model, HexagonsSettings(context=context, reply=reply))  # type: ignore[arg-type]
    assert transcript.status == "played"
    assert all(len(conversation) == 1 for conversation in model.heard), "earlier turns are not told"
    third = model.heard[2][0].text
    first, second, now, _ = (step.spoken_text for step in RECORDED.steps)
    assert f"→ {now}" in third
    assert (second in third) == (context not in ("no-history", "predicted", "oracle"))
    assert (first in third) == (context in ("full-history", "predicted+full", "oracle+full"))
    assert ("Your board" in third) == context.startswith(("predicted", "oracle"))
    assert third.count("  R") == (
        0 if "history" in context or context == "1-previous" else 5 if "oracle" in context else 1
    )


def test_a_refused_reply_is_corrected_in_the_same_conversation() -> None:
    model = Model("3 3 red", "I cannot", "none", "none", "none")
    transcript = executed(model, HexagonsSettings(context="no-history"))
    assert transcript.status == "played"
    assert [len(conversation) for conversation in model.heard] == [1, 1, 3, 1, 1]
    assert "is not an action" in model.heard[2][-1].text


def test_programs_are_carried_out() -> None:
    model = Model(
        "paint red line 1,3 down 5", "none", "```\npaint blue 4,9 6,9 4,10\npaint yellow 5,9\n```", "none"
    )
    transcript = executed(model, HexagonsSettings(reply="program"))
    assert transcript.result is not None
    assert transcript.result.score == pytest.approx(3 / 4)
    assert "rhombus PLACE HEADING 3" in model.heard[0][0].text


def test_the_base_is_told_and_kept() -> None:
    model = Model("0 2 red, 1 2 red, 2 2 red, 3 2 red, 4 2 red", "none", "none", "none")
    transcript = executed(model, HexagonsSettings(base=0))
    assert "Rows are numbered 0 to 9" in model.heard[0][0].text
    assert transcript.result is not None
    assert transcript.result.score == pytest.approx(2 / 4)


def test_a_model_with_eyes_gets_the_picture() -> None:
    model = Model("none")
    executed(model, HexagonsSettings(), see="image")
    message = model.heard[1][0]
    assert message.picture is not None
    assert message.picture.startswith(b"\x89PNG")
    assert "(the board is in the picture)" in message.text
    assert "  R" not in message.text


def instructions(prompt: Prompt, view: HexagonsView) -> str:
    """What is told of the reply, the same however many instructions are left."""
    hints = prompt_hints(view)
    terms = {**hints.terms, **({"left": "N"} if "left" in hints.terms else {})}
    return prompt.fill_kind_fields(replace(hints, terms=terms))["reply"]


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("role", ["instructor", "executor"])
def test_every_wording_can_be_filled_in_everywhere(language: str, role: str) -> None:
    settings = [
        HexagonsSettings(mode=mode, reply=reply, whole=whole)
        for mode in ("live", "describe", "align")
        for reply in ("actions", "program")
        for whole in (False, True)
    ]
    for name in list_wordings(PACK, role, language):
        prompt = load_prompt(PACK, role, language, name)
        told = set()
        for each in settings:
            game = HexagonsGame(each)
            state, seats = game.start(PLAIN), game.seats(PLAIN)
            for text in ("Instruction: one", "Instruction: DONE"):
                if role in seats:
                    told.add(instructions(prompt, game.view(state, role)))
                if game.turn(state) == "instructor" and game.is_writing(state):
                    for move in game.read(state, "instructor", text).moves:
                        state = game.play(state, "instructor", move)
            if role in seats:
                told.add(instructions(prompt, game.view(state, role)))
        assert "" not in told
        assert len(told) == (4 if role == "instructor" else 2), "a kind of reply each"


def test_every_wording_has_a_german_one() -> None:
    for role in PACK.roles:
        assert list_wordings(PACK, role, "de") == list_wordings(PACK, role, "en")
