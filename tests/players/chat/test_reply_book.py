"""A call that is known or being made is not made again, whichever event loop asks."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from groundling.core.pack import Seat, find, load
from groundling.core.player import Ask, Reply, Unable
from groundling.players.chat.chat_model import ModelAnswer
from groundling.players.chat.chat_player import ChatPlayer
from groundling.players.chat.messages import PromptMessage
from groundling.players.chat.reply_book import ReplyBook, ReusingPlayer

pack = find("reference")


class HeldModel:
    """Answers when it is told to, and counts its calls."""

    name = "held"

    def __init__(self, **sampling: Any) -> None:
        self.sampling = sampling
        self.calls = 0
        self.called, self.answer_now = threading.Event(), threading.Event()
        self.fails = 0

    async def answer(self, conversation: list[PromptMessage], seed: int) -> ModelAnswer:
        self.calls += 1
        self.called.set()
        await asyncio.to_thread(self.answer_now.wait, 10)
        if self.fails:
            self.fails -= 1
            raise Unable("provider", "no answer")
        return ModelAnswer(f"answer {self.calls}", usage={"total_tokens": 5})


def first_ask(episode: str = "edits-2-01", seed: int = 7) -> Ask:
    game = pack.new()
    return Ask(episode, "giver", game.view(game.start(load(pack.builtin)()[0]), "giver"), (), None, seed)


def chat(model: Any, settings: dict[str, Any] | None = None, **options: str) -> ChatPlayer:
    return ChatPlayer(Seat(pack, pack.new(), "giver", model.name, options=options), model, settings or {})


async def until(is_true: Callable[[], bool]) -> None:
    while not is_true():
        await asyncio.sleep(0)


def test_calls_that_are_open_at_the_same_time_are_made_once() -> None:
    model = HeldModel()
    player = ReusingPlayer(chat(model), ReplyBook(), "run")

    async def ask_all() -> list[Reply]:
        asking = asyncio.gather(*(player.act(first_ask()) for _ in range(5)))
        await until(model.called.is_set)
        model.answer_now.set()
        return await asking

    replies = asyncio.run(ask_all())
    assert model.calls == 1
    assert {reply.text for reply in replies} == {"answer 1"}
    assert sum(reply.usage.get("total_tokens", 0) for reply in replies) == 5
    assert [reply.detail.get("reused_from") for reply in replies] == [None, *["run/edits-2-01"] * 4]


def test_if_an_open_call_fails_one_of_those_who_wait_makes_it() -> None:
    model = HeldModel()
    model.fails = 1
    player = ReusingPlayer(chat(model), ReplyBook(), "run")

    async def ask_all() -> list[Reply | BaseException]:
        asking = asyncio.gather(*(player.act(first_ask()) for _ in range(3)), return_exceptions=True)
        await until(model.called.is_set)
        model.answer_now.set()
        return await asking

    failed, *answered = asyncio.run(ask_all())
    assert isinstance(failed, Unable)
    assert [reply.text for reply in answered if isinstance(reply, Reply)] == ["answer 2", "answer 2"]
    assert model.calls == 2


@pytest.mark.parametrize("who", [0, 1])
def test_somebody_who_gives_up_does_not_stop_the_others(who: int) -> None:
    model = HeldModel()
    player = ReusingPlayer(chat(model), ReplyBook(), "run")

    async def ask_all() -> str | None:
        asking = [asyncio.ensure_future(player.act(first_ask())) for _ in range(2)]
        await until(model.called.is_set)
        asking[who].cancel()
        model.answer_now.set()
        return (await asking[1 - who]).text

    assert asyncio.run(ask_all()) == ("answer 2" if who == 0 else "answer 1")


def test_event_loops_in_two_threads_share_a_book() -> None:
    model, book = HeldModel(), ReplyBook()
    player = ReusingPlayer(chat(model), book, "run")
    found: list[Reply] = []

    def ask() -> None:
        found.append(asyncio.run(player.act(first_ask())))

    threads = [threading.Thread(target=ask) for _ in range(2)]
    threads[0].start()
    assert model.called.wait(10)
    threads[1].start()
    model.answer_now.set()
    for thread in threads:
        thread.join(10)
    assert model.calls == 1
    assert [reply.text for reply in found] == ["answer 1"] * 2
    assert asyncio.run(player.act(first_ask())).text == "answer 1", "and a later loop does so too"


def test_everything_that_an_answer_depends_on_makes_another_call() -> None:
    players = [
        chat(HeldModel()),
        chat(HeldModel(temperature=0)),
        chat(HeldModel(temperature=1)),
        chat(HeldModel(), {"base_url": "http://here"}),
        chat(HeldModel(), {"reasoning_effort": "low"}),
        chat(HeldModel(), system="Be brief."),
        chat(HeldModel(), seed="7000"),
        chat(HeldModel(), prompt="brief"),
        chat(HeldModel(), see="both"),
        chat(HeldModel(), see="image"),
    ]
    named = chat(HeldModel())
    named.name = "another"
    keys = [player.make_call(first_ask()).key for player in [*players, named]]
    keys.append(players[0].make_call(first_ask(seed=8)).key)
    assert len(set(keys)) == len(keys) == 12
    assert keys[0] == chat(HeldModel()).make_call(first_ask()).key
    assert keys[0] == chat(HeldModel(), timeout="9", connections="3").make_call(first_ask()).key


def test_a_fixed_seed_is_sent_in_place_of_the_episodes_and_repeats_differ() -> None:
    player = chat(HeldModel(), seed="40")
    seeds = [player.make_call(first_ask(name, seed=9)).seed for name in ("one", "two", "one#2", "one#3")]
    assert seeds == [40, 40, 41, 42]
    assert player.info.facts["seed"] == "40"
    assert player.make_call(first_ask("one", 1)).key == player.make_call(first_ask("one", 2)).key


def test_the_first_reply_of_a_call_stays_and_a_filtered_one_is_not_kept() -> None:
    book = ReplyBook()
    for text, detail in (
        ("filtered", {"call": "a", "stop": "content_filter"}),
        ("first", {"call": "a"}),
        ("second", {"call": "a"}),
        ("of an old version", {}),
    ):
        book.add_reply("run/x", text, msgspec.Raw(msgspec.json.encode(detail)))

    async def never() -> Reply:
        raise AssertionError("the reply is known")

    reply = asyncio.run(book.reply_once("a", "run/y", never))
    assert (reply.text, reply.detail["reused_from"]) == ("first", "run/x")
