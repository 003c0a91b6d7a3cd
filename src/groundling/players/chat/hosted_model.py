"""Models of any provider, through Inspect AI."""

from __future__ import annotations

import asyncio
from base64 import b64encode
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from groundling.core.pack import Seat
from groundling.core.player import Unable
from groundling.core.values import Problem, missing_extra
from groundling.players.chat.chat_model import ModelAnswer, read_sampling
from groundling.players.chat.messages import PromptMessage

if TYPE_CHECKING:
    from inspect_ai.model import CachePolicy, ChatMessage, GenerateConfig, ModelOutput
    from inspect_ai.model import Model as InspectModel

BATCH_SIZE = 100
"""The requests in a batch with `batch=true`, as in Inspect."""
INSPECT_CACHE = "Inspect's cache"


class HostedModel:
    def __init__(self, seat: Seat, model: InspectModel | None = None) -> None:
        self.name = seat.name
        self.sampling = read_sampling(seat)
        effort = seat.option("reasoning_effort")
        self._config = {**self.sampling, **({"reasoning_effort": effort} if effort else {})}
        retries = seat.option("provider_retries", "" if model else "5")
        self._retries = int(retries) if retries else None  # a model that is passed in has its own setting
        self._base_url = seat.option("base_url")
        self._model = model or _load_model(seat.name, self._base_url)
        self._loop: asyncio.AbstractEventLoop | None = None
        self.settings = {**self._config, "base_url": self._base_url}
        """What answers depend on besides the conversation and the seed."""
        self.batch = _read_batch_size(seat)
        """The number of requests that are sent together; 0: each is sent on its own."""
        self._cache = _read_cache_policy(seat)

    async def answer(self, conversation: list[PromptMessage], seed: int) -> ModelAnswer:
        from inspect_ai.model import GenerateConfig

        options = {**self._config, "cache": self._cache, "batch": self.batch or None}
        config = GenerateConfig(seed=seed % 2**31, max_retries=self._retries, **options)
        try:
            output = await self.ask(
                conversation, [_to_chat_message(message) for message in conversation], config
            )
        # providers raise anything, and a failing model must not end the run
        except Exception as trouble:
            raise Unable(
                "provider", f"{self.name}: {type(trouble).__name__}: {' '.join(str(trouble).split())[:500]}"
            ) from trouble
        if output.error:
            raise Unable("provider", f"{self.name}: {output.error}")
        answer = _to_model_answer(output)
        if self._cache is not None and _is_from_cache():
            return replace(answer, usage={}, detail={**answer.detail, "reused_from": INSPECT_CACHE})
        return answer

    async def ask(
        self, conversation: list[PromptMessage], messages: list[ChatMessage], config: GenerateConfig
    ) -> ModelOutput:
        """Generate; a hook for subclasses, with our messages and Inspect's."""
        return await self._model_of_loop().generate(messages, config=config)

    def _model_of_loop(self) -> InspectModel:
        """Return the model. One that sends batches belongs to one event loop, since Inspect believes that the
        worker of an earlier loop still runs."""
        loop = asyncio.get_running_loop()
        if self.batch and self._loop not in (None, loop):
            self._model = _load_model(self.name, self._base_url, memoize=False)
        self._loop = loop
        return self._model


def _is_from_cache() -> bool:
    """Whether Inspect took the last answer from its cache."""
    from inspect_ai.event import ModelEvent
    from inspect_ai.log import transcript

    events = (event for event in reversed(transcript().events) if isinstance(event, ModelEvent))
    return next((event.cache == "read" for event in events), False)


def _read_cache_policy(seat: Seat) -> CachePolicy | None:
    """Return the policy of `cache=true`, or of `cache=DURATION` as Inspect writes it."""
    text = seat.option("cache")
    if not text:
        return None
    from inspect_ai.model import CachePolicy

    policy = CachePolicy() if text == "true" else CachePolicy.from_string(text)
    if policy is None:
        raise Problem(f"cache={text} in seat {seat.role} is not a duration: write true, 12h, 7D or 1W")
    return policy


def _read_batch_size(seat: Seat) -> int:
    text = seat.option("batch", "0").replace("true", str(BATCH_SIZE))
    if not text.isdecimal():
        raise Problem(f"batch={text} in seat {seat.role} is not a number of requests: write true or 50")
    return int(text)


def _load_model(name: str, base_url: str, *, memoize: bool = True) -> InspectModel:
    from rich.text import Text

    try:
        from inspect_ai._util.error import PrerequisiteError
        from inspect_ai.model import get_model
    except ImportError:
        raise missing_extra("llm") from None
    try:
        return get_model(name, base_url=base_url or None, memoize=memoize)
    except (PrerequisiteError, ValueError, ImportError) as trouble:
        told = " ".join(Text.from_markup(str(trouble)).plain.removeprefix("ERROR: ").split())
        raise Problem(f"model {name} cannot be used: {told}") from None


def _to_chat_message(message: PromptMessage) -> ChatMessage:
    from inspect_ai.model import (
        ChatMessageAssistant,
        ChatMessageSystem,
        ChatMessageUser,
        ContentImage,
        ContentText,
    )

    if message.author == "system":
        return ChatMessageSystem(content=message.text)
    if message.author == "assistant":
        return ChatMessageAssistant(content=message.text)
    if message.picture is None:
        return ChatMessageUser(content=message.text)
    image = ContentImage(image=f"data:image/png;base64,{b64encode(message.picture).decode()}")
    return ChatMessageUser(content=[ContentText(text=message.text), image])


def _to_model_answer(output: ModelOutput) -> ModelAnswer:
    choice = output.choices[0]
    content = choice.message.content
    parts = [] if isinstance(content, str) else content
    reasoning = "\n".join(part.reasoning for part in parts if part.type == "reasoning")
    usage = output.usage
    counts: dict[str, int | None] = (
        {}
        if usage is None
        else {
            "input_tokens": usage.input_tokens,
            "output_tokens": usage.output_tokens,
            "total_tokens": usage.total_tokens,
            "reasoning_tokens": usage.reasoning_tokens,
        }
    )
    detail: dict[str, Any] = {"answered_by": output.model, "stop": choice.stop_reason}
    fingerprint = (output.metadata or {}).get("system_fingerprint")
    if fingerprint:
        detail["fingerprint"] = str(fingerprint)
    return ModelAnswer(
        choice.message.text, reasoning, {key: count for key, count in counts.items() if count}, detail
    )
