"""Language models as Teller and Drawer: what they are shown, turn by turn, and what is made of their
answers."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from random import Random
from typing import Any

import pytest
from tests.boards.scenes import PARK

from groundling.boards.scene import KINDS, Scene
from groundling.core.events import Refused, Transcript
from groundling.core.pack import Seat, find
from groundling.core.player import Player
from groundling.core.replay import replay_transcript
from groundling.core.table import play
from groundling.games.codraw.gold import make_codraw_gold
from groundling.games.codraw.instance import DRAWER, TELLER, CodrawInstance, choose_instance_palette
from groundling.games.codraw.rules import State
from groundling.players.chat.chat_model import ModelAnswer
from groundling.players.chat.chat_player import ChatPlayer
from groundling.players.chat.messages import PromptMessage
from groundling.players.chat.prompts import list_wordings

pack = find("codraw")
park = CodrawInstance(id="p", target=PARK, palette=choose_instance_palette(PARK, Random(1)))


class Model:
    """Answers in turn, and remembers what it was asked."""

    name = "model"
    sampling: Mapping[str, Any] = {}

    def __init__(self, *texts: str) -> None:
        self.texts = texts
        self.heard: list[list[PromptMessage]] = []

    async def answer(self, conversation: list[PromptMessage], seed: int) -> ModelAnswer:
        self.heard.append(conversation)
        return ModelAnswer(self.texts[min(len(self.heard), len(self.texts)) - 1])


def chat(model: Model, role: str, **options: str) -> ChatPlayer:
    return ChatPlayer(Seat(pack, pack.new(), role, "model", options=options), model)


def played(teller: Player, drawer: Player) -> Transcript:
    async def all_of_it() -> Transcript:
        events = [
            e
            async for e in play(pack.new(), park, {TELLER: teller, DRAWER: drawer}, seed=0, clock=lambda: 0.0)
        ]
        return Transcript(tuple(events))

    return asyncio.run(all_of_it())


def oracle(role: str) -> Player:
    return make_codraw_gold(Seat(pack, pack.new(), role, "gold"))


PUT = {"do": "put", "kind": "Sun", "x": 60, "y": 40, "size": "large"}
FENCED = f"Sure!\n```json\n{json.dumps({'actions': [PUT], 'say': 'ok'})}\n```"
AGREED = '{"actions": [], "agree": true}'


@pytest.mark.parametrize("wording", list_wordings(pack, DRAWER, "en"))
def test_a_model_draws_answers_and_agrees(wording: str) -> None:
    talker = Model("Say: a big sun, top left", "FINISH")
    model = Model(FENCED, AGREED)
    found = played(chat(talker, TELLER), chat(model, DRAWER, prompt=wording))
    state: State = replay_transcript(pack.new(), found)
    assert state.canvas == Scene.of([PARK.pieces[0]])
    assert found.status == "played"
    first, last = model.heard[0][0].text, model.heard[1][-1].text
    assert all(kind in first for kind in KINDS), "it is shown the palette"
    assert "a big sun, top left" in first
    assert "Teller has finished" in last
    assert "large sun at (60, 40)" in last, "and its canvas"
    assert "helicopter" not in last, "the palette is no news"


@pytest.mark.parametrize("wording", list_wordings(pack, TELLER, "en"))
def test_a_model_tells_peeks_corrects_and_finishes(wording: str) -> None:
    model = Model("Say: sun at 60,40 size 1 flip 0", "PEEK", "it should be large", "FINISH")
    found = played(chat(model, TELLER, prompt=wording), oracle(DRAWER))
    assert found.status == "played"
    assert not any(isinstance(event, Refused) for event in found.events)
    first, second, third = (heard[-1].text for heard in model.heard[:3])
    assert "Mike at (150, 250), facing left, waving, wide smile" in first
    assert "medium sun at (60, 40)" not in second, "the canvas is not shown"
    assert "medium sun at (60, 40)" in third, "but by the peek"
    assert "140 characters" in first


def test_a_model_with_eyes_sees_the_scene_or_the_canvas() -> None:
    model = Model("FINISH")
    played(chat(model, TELLER, see="image"), oracle(DRAWER))
    assert model.heard[0][0].picture is not None
    assert "Mike at" not in model.heard[0][0].text
    eyes = Model(AGREED)
    played(oracle(TELLER), chat(eyes, DRAWER, see="image"))
    assert eyes.heard[0][0].picture is not None


def test_a_bad_answer_is_told_why_and_can_be_corrected() -> None:
    model = Model('{"actions": [{"do": "put", "kind": "unicorn"', FENCED, AGREED)
    found = played(chat(Model("Say: a sun", "FINISH"), TELLER), chat(model, DRAWER))
    assert found.status == "played"
    assert "not JSON" in model.heard[1][-1].text
