"""The chat player: builds messages, asks a model, and keeps its reasoning out of the reply."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from hashlib import blake2b, sha256
from time import monotonic
from typing import Any
from weakref import WeakKeyDictionary

from msgspec import Struct

from groundling.core.events import encode_event_json
from groundling.core.pack import Seat, load
from groundling.core.player import Ask, Player, PlayerInfo, Reply, Unable
from groundling.core.values import Problem
from groundling.players import ESTIMATED, USAGE_SOURCE
from groundling.players.chat.chat_model import ChatModel
from groundling.players.chat.messages import PromptMessage, ViewFormat, build_messages
from groundling.players.chat.prompts import (
    CARRIED,
    Prompt,
    carried_prompts,
    list_wordings,
    load_prompt,
    prompt_hints,
    read_prompt_file,
)
from groundling.players.chat.token_estimate import (
    DEFAULT_OUTPUT_TOKENS,
    estimate_prompt_tokens,
    estimate_usage,
)

ALL_WORDINGS = "all"
BATCH_SECONDS = 86_400
"""Providers promise the answers of a batch within a day."""
FILTERED_ANSWER = "your answer was stopped by a content filter: answer in other words"
_THOUGHT = re.compile(r"<(think|thinking|reasoning)>(.*?)(?:</\1>|\Z)\s*", re.DOTALL | re.IGNORECASE)


_slots: WeakKeyDictionary[asyncio.AbstractEventLoop, dict[tuple[str, int], asyncio.Semaphore]] = (
    WeakKeyDictionary()
)


class ModelCall(Struct, frozen=True):
    """One request to a model."""

    key: str
    """The hash of all that the answer depends on."""
    conversation: list[PromptMessage]
    seed: int
    prompt: dict[str, str]
    """How the conversation was made."""


class ChatPlayer:
    def __init__(
        self, seat: Seat, model: ChatModel, settings: Mapping[str, Any] = {}, batch: int = 0
    ) -> None:
        """Takes the options see, language, prompt, system, seed, timeout and connections from the seat.
        `settings` are what the model's answers depend on besides its sampling. A model with a `batch` size
        collects that many requests, and answers within a day."""
        self.name = model.name
        self.model = model
        self._settings = dict(settings)
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
        self._system, self._seed = _read_system_message(seat), _read_fixed_seed(seat)
        self._timeout = _positive_number(seat, "timeout", BATCH_SECONDS if batch else 300)
        self._connections = int(_positive_number(seat, "connections", max(batch, 10)))
        facts = {key: str(value) for key, value in model.sampling.items()}
        facts["prompt_hash"] = (
            f"{CARRIED}{wording}"  # the instances have hashes of their own
            if self._carried
            else "+".join(prompt.hash for prompt in self.prompts)
        )
        if self._system:
            facts["system"] = sha256(self._system.encode()).hexdigest()[:16]
        if self._seed is not None:
            facts["seed"] = str(self._seed)
        self.info = PlayerInfo(
            facts={"model": model.name, "see": self._see, **facts}, wordings=len(self.prompts), at_once=batch
        )

    def build_conversation(self, ask: Ask) -> list[PromptMessage]:
        """Return what the model is sent."""
        system = [PromptMessage("system", self._system)] if self._system else []
        prompt = self._choose_prompt(ask.episode)
        return [*system, *build_messages(ask, prompt, self._draw, self._see, self._hints)]

    def make_call(self, ask: Ask) -> ModelCall:
        prompt, conversation = self._choose_prompt(ask.episode), self.build_conversation(ask)
        # repeats are independent samples
        seed = ask.seed if self._seed is None else self._seed + _repeat_number(ask.episode) - 1
        content = [self.name, self.model.sampling, self._settings, seed, conversation]
        made = {"prompt": prompt.name, "prompt_hash": prompt.hash, "see": self._see}
        key = blake2b(encode_event_json(content), digest_size=10).hexdigest()
        return ModelCall(key, conversation, seed, made | ({"system": self._system} if self._system else {}))

    async def act(self, ask: Ask) -> Reply:
        return await self.send_call(self.make_call(ask))

    async def send_call(self, call: ModelCall) -> Reply:
        async with self._connection_slot():
            start = monotonic()
            try:
                answer = await asyncio.wait_for(
                    self.model.answer(call.conversation, call.seed), self._timeout
                )
            except TimeoutError:
                raise Unable("timeout", f"{self.name} gave no answer in {self._timeout:g} s") from None
            seconds = monotonic() - start
        estimated = not answer.usage and "reused_from" not in answer.detail
        usage = answer.usage
        if estimated:
            usage = estimate_usage(call.conversation, answer.text + answer.reasoning)
        text, thought = split_chat_thoughts(answer.text)
        reasoning = "\n".join(part for part in (answer.reasoning, thought) if part)
        detail = {"model": self.name, "call": call.key, **call.prompt}
        detail |= (
            dict(self.model.sampling) | dict(answer.detail) | ({"reasoning": reasoning} if reasoning else {})
        )
        if estimated:
            detail[USAGE_SOURCE] = ESTIMATED
        blocked = FILTERED_ANSWER if answer.filtered else None
        return Reply(text=text, seconds=round(seconds, 4), usage=usage, detail=detail, blocked=blocked)

    def estimate_call(self, call: ModelCall) -> tuple[int, int]:
        """Return how many tokens the call may take at most, in and out."""
        most = self.model.sampling.get("max_tokens", DEFAULT_OUTPUT_TOKENS)
        count = getattr(self.model, "count_prompt_tokens", estimate_prompt_tokens)
        return count(call.conversation), int(most)

    def _connection_slot(self) -> asyncio.Semaphore:
        """The semaphore of this model and connection limit, shared by all seats of the event loop."""
        slots = _slots.setdefault(asyncio.get_running_loop(), {})
        return slots.setdefault((self.name, self._connections), asyncio.Semaphore(self._connections))

    def _choose_prompt(self, episode: str) -> Prompt:
        """The prompt of an episode; repeats of an instance cycle through the wordings."""
        if self._carried:  # a room has one instance, and an id of its own
            return self._carried.get(episode.partition("#")[0], self.prompts[0])
        return self.prompts[(_repeat_number(episode) - 1) % len(self.prompts)]


def _repeat_number(episode: str) -> int:
    return int(episode.rpartition("#")[2]) if "#" in episode else 1


def split_chat_thoughts(text: str) -> tuple[str, str]:
    """Split a reply into its text and what is between thinking tags."""
    thoughts = [found[2].strip() for found in _THOUGHT.finditer(text)]
    return (_THOUGHT.sub("", text).strip(), "\n".join(thoughts)) if thoughts else (text, "")


def _check_view_format(text: str) -> ViewFormat:
    if text not in ("text", "image", "both"):
        raise Problem(f"see={text} is not valid: use text, image or both")
    return text  # type: ignore[return-value]


def _read_system_message(seat: Seat) -> str:
    """Return the text of `system=TEXT`, or of the file in `system=@FILE`."""
    text = seat.option("system")
    return read_prompt_file(text[1:]).strip() if text.startswith("@") else text


def _read_fixed_seed(seat: Seat) -> int | None:
    text = seat.option("seed")
    if text and not text.isdecimal():
        raise Problem(f"seed={text} in seat {seat.role} is not a whole number from 0 on")
    return int(text) if text else None


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

    model = HostedModel(seat)
    return ChatPlayer(seat, model, model.settings, model.batch)


def make_gguf_player(seat: Seat) -> Player:
    from groundling.players.chat.gguf_model import GgufModel

    return ChatPlayer(seat, GgufModel(seat))
