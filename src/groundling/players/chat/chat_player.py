"""The chat player: builds messages, asks a model, and keeps its reasoning out of the reply."""

from __future__ import annotations

import asyncio
import re
from time import monotonic
from weakref import WeakKeyDictionary

from groundling.core.pack import Seat, load
from groundling.core.player import Ask, Player, PlayerInfo, Reply, Unable
from groundling.core.values import Problem
from groundling.players.chat.chat_model import ChatModel
from groundling.players.chat.messages import PromptMessage, ViewFormat, build_messages
from groundling.players.chat.prompts import (
    CARRIED,
    Prompt,
    carried_prompts,
    list_wordings,
    load_prompt,
    prompt_hints,
)

ALL_WORDINGS = "all"
_THOUGHT = re.compile(r"<(think|thinking|reasoning)>(.*?)(?:</\1>|\Z)\s*", re.DOTALL | re.IGNORECASE)


_slots: WeakKeyDictionary[asyncio.AbstractEventLoop, dict[tuple[str, int], asyncio.Semaphore]] = (
    WeakKeyDictionary()
)


class ChatPlayer:
    def __init__(self, seat: Seat, model: ChatModel) -> None:
        """Takes the options see, language, prompt, timeout and connections from the seat."""
        self.name = model.name
        self.model = model
        self._draw, self._hints = load(seat.pack.draw), prompt_hints(seat.pack, seat.game)
        self._see = _check_view_format(seat.option("see", "text"))
        language, wording = seat.option("language", "en"), seat.option("prompt", seat.pack.wordings.default)
        names = list_wordings(seat.pack, seat.role, language) if wording == ALL_WORDINGS else [wording]
        self._carried = carried_prompts(seat.instances, seat.role, wording)
        self.prompts = (
            [next(iter(self._carried.values()))]
            if self._carried
            else [load_prompt(seat.pack, seat.role, language, name) for name in names]
        )
        self._timeout = _positive_number(seat, "timeout", 300)
        self._connections = int(_positive_number(seat, "connections", 10))
        sampling = {key: str(value) for key, value in model.sampling.items()}
        hashes = {
            "prompt_hash": f"{CARRIED}{wording}"  # the instances have hashes of their own
            if self._carried
            else "+".join(prompt.hash for prompt in self.prompts)
        }
        self.info = PlayerInfo(
            facts={"model": model.name, "see": self._see, **hashes, **sampling}, wordings=len(self.prompts)
        )

    def build_conversation(self, ask: Ask) -> list[PromptMessage]:
        """Return what the model is sent."""
        return build_messages(ask, self._choose_prompt(ask.episode), self._draw, self._see, self._hints)

    async def act(self, ask: Ask) -> Reply:
        prompt = self._choose_prompt(ask.episode)
        conversation = self.build_conversation(ask)
        async with self._connection_slot():
            start = monotonic()
            try:
                answer = await asyncio.wait_for(self.model.answer(conversation, ask.seed), self._timeout)
            except TimeoutError:
                raise Unable("timeout", f"{self.name} gave no answer in {self._timeout:g} s") from None
            seconds = monotonic() - start
        text, thought = split_chat_thoughts(answer.text)
        reasoning = "\n".join(part for part in (answer.reasoning, thought) if part)
        detail = {"model": self.name, "prompt": prompt.name, "prompt_hash": prompt.hash, "see": self._see}
        detail |= (
            dict(self.model.sampling) | dict(answer.detail) | ({"reasoning": reasoning} if reasoning else {})
        )
        return Reply(text=text, seconds=round(seconds, 4), usage=answer.usage, detail=detail)

    def _connection_slot(self) -> asyncio.Semaphore:
        """The semaphore of this model and connection limit, shared by all seats of the event loop."""
        slots = _slots.setdefault(asyncio.get_running_loop(), {})
        return slots.setdefault((self.name, self._connections), asyncio.Semaphore(self._connections))

    def _choose_prompt(self, episode: str) -> Prompt:
        """The prompt of an episode; repeats of an instance cycle through the wordings."""
        if self._carried:  # a room has one instance, and an id of its own
            return self._carried.get(episode.partition("#")[0], self.prompts[0])
        repeat = int(episode.rpartition("#")[2]) if "#" in episode else 1
        return self.prompts[(repeat - 1) % len(self.prompts)]


def split_chat_thoughts(text: str) -> tuple[str, str]:
    """Split a reply into its text and what is between thinking tags."""
    thoughts = [found[2].strip() for found in _THOUGHT.finditer(text)]
    return (_THOUGHT.sub("", text).strip(), "\n".join(thoughts)) if thoughts else (text, "")


def _check_view_format(text: str) -> ViewFormat:
    if text not in ("text", "image", "both"):
        raise Problem(f"see={text} is not valid: use text, image or both")
    return text  # type: ignore[return-value]


def _positive_number(seat: Seat, name: str, default: float) -> float:
    text = seat.option(name, str(default))
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if value <= 0:
        raise Problem(f"{name}={text} in seat {seat.role} is not a number above 0")
    return value


def make_hosted_player(seat: Seat) -> Player:
    from groundling.players.chat.hosted_model import HostedModel

    return ChatPlayer(seat, HostedModel(seat))


def make_gguf_player(seat: Seat) -> Player:
    from groundling.players.chat.gguf_model import GgufModel

    return ChatPlayer(seat, GgufModel(seat))
