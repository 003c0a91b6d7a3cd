"""Models of any provider, through Inspect AI."""

from __future__ import annotations

import asyncio
from base64 import b64encode
from json import JSONDecodeError
from random import Random
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from groundling.core.pack import Seat
from groundling.core.player import Unable
from groundling.core.values import Problem, missing_extra
from groundling.players.chat.chat_model import USAGE_KEYS, ModelAnswer, read_count_option, read_sampling
from groundling.players.chat.messages import PromptMessage

if TYPE_CHECKING:
    from inspect_ai.model import CachePolicy, ChatMessage, GenerateConfig, ModelOutput
    from inspect_ai.model import Model as InspectModel

BATCH_SIZE = 100
"""The requests in a batch with `batch=true`, as in Inspect."""
INSPECT_CACHE = "Inspect's cache"
DEFAULT_RETRIES = "5"
LONGEST_WAIT = 60.0
"""Seconds before a retry, unless the provider asks for more."""
LONGEST_ERROR = 300
"""Characters of a provider's error message that are kept."""


class HostedModel:
    def __init__(self, seat: Seat, model: InspectModel | None = None) -> None:
        self.name = seat.name
        self.sampling = read_sampling(seat)
        effort = seat.option("reasoning_effort")
        self._config = {**self.sampling, **({"reasoning_effort": effort} if effort else {})}
        self._retries: int | None = None  # Inspect retries a model that is passed in, as its own settings say
        if model is None:
            self._retries = read_count_option(seat, "provider_retries", DEFAULT_RETRIES)
        self._base_url = seat.option("base_url")
        self.inspect_model = model or _load_model(seat.name, self._base_url)
        self._loop: asyncio.AbstractEventLoop | None = None
        self.settings = {**self._config, "base_url": self._base_url}
        """What answers depend on besides the conversation and the seed."""
        self.batch = _read_batch_size(seat)
        """The number of requests that are sent together; 0: each is sent on its own."""
        self._cache = _read_cache_policy(seat)

    async def answer(self, conversation: list[PromptMessage], seed: int) -> ModelAnswer:
        """Ask once and at most `provider_retries` times again, whatever the provider sends."""
        from inspect_ai.model import GenerateConfig

        ours = self._retries is not None
        self._renew_batch_model()
        if ours:
            _stop_client_retries(self.inspect_model)
        options = {**self._config, "cache": self._cache, "batch": self.batch or None}
        config = GenerateConfig(seed=seed % 2**31, max_retries=0 if ours else None, **options)
        messages = [_to_chat_message(message) for message in conversation]
        retries = 0
        while True:
            try:
                answer = _to_model_answer(await self.ask(conversation, messages, config), retries)
                if self._cache is None or not _is_from_cache():
                    return answer
                return replace(answer, usage={}, detail={**answer.detail, "reused_from": INSPECT_CACHE})
            # providers raise anything, and a failing model must not end the run
            except Exception as raised:
                trouble = _original_error(raised)
                wait = self._retry_wait(trouble, retries, seed) if retries < (self._retries or 0) else None
                if wait is None:
                    told = f"{self.name}: {_describe_error(trouble)}"
                    raise Unable("provider", told, retries) from raised
            await wait_before_retry(wait)
            retries += 1

    def _retry_wait(self, trouble: Exception, retries: int, seed: int) -> float | None:
        """Seconds until the next attempt, as the provider says or growing; None: it would fail again."""
        decision = self.inspect_model.api.should_retry(trouble)
        if not decision and not isinstance(trouble, JSONDecodeError):
            return None
        told = getattr(decision, "retry_after", None)
        grown = min(LONGEST_WAIT, 2.0**retries) * (1 + Random(seed + retries).random())
        return grown if told is None else float(told)

    async def ask(
        self, conversation: list[PromptMessage], messages: list[ChatMessage], config: GenerateConfig
    ) -> ModelOutput:
        """Generate; a hook for subclasses, with our messages and Inspect's."""
        return await self.inspect_model.generate(messages, config=config)

    def _renew_batch_model(self) -> None:
        """Load a model that sends batches again in another event loop: Inspect believes that the worker
        of an earlier loop still runs."""
        loop = asyncio.get_running_loop()
        if self.batch and self._loop not in (None, loop):
            self.inspect_model = _load_model(self.name, self._base_url, memoize=False)
        self._loop = loop


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


def _to_model_answer(output: ModelOutput, retries: int) -> ModelAnswer:
    if output.error:
        raise Unable("provider", output.error)
    if not output.choices:
        raise Unable("provider", "the response has no choices")
    choice = output.choices[0]
    content = choice.message.content
    parts = [] if isinstance(content, str) else content
    reasoning = "\n".join(part.reasoning for part in parts if part.type == "reasoning")
    counts = {} if output.usage is None else output.usage.model_dump(include=set(USAGE_KEYS))
    usage = {key: counts[key] for key in USAGE_KEYS if counts.get(key)}
    detail: dict[str, Any] = {"answered_by": output.model, "stop": choice.stop_reason}
    fingerprint = (output.metadata or {}).get("system_fingerprint")
    detail |= {"fingerprint": str(fingerprint)} if fingerprint else {}
    detail |= {"retries": retries} if retries else {}
    filtered = choice.stop_reason == "content_filter"
    return ModelAnswer(choice.message.text, reasoning, usage, detail, filtered)


async def wait_before_retry(seconds: float) -> None:
    await asyncio.sleep(seconds)


def _stop_client_retries(model: InspectModel) -> None:
    """Make the provider's client send a request once: it would retry within each of our attempts."""
    client: Any = getattr(model.api, "client", None)
    if hasattr(client, "max_retries"):
        client.max_retries = 0


def _original_error(raised: Exception) -> Exception:
    """Return what the provider's client raised, without Inspect's wrappers."""
    from tenacity import RetryError

    if isinstance(raised, RetryError) and isinstance(last := raised.last_attempt.exception(), Exception):
        return _original_error(last)
    if hasattr(raised, "provider_message") and isinstance(raised.__cause__, Exception):
        return raised.__cause__  # Inspect's own message has the whole request
    return raised


def _describe_error(trouble: Exception) -> str:
    """Return the status and the provider's message in one line, without the request."""
    status, body = getattr(trouble, "status_code", None), getattr(trouble, "body", None)
    told = body.get("message") if isinstance(body, dict) else None
    line = " ".join(str(told or getattr(trouble, "message", None) or trouble).split())
    kind = "" if isinstance(trouble, Unable) else f"{type(trouble).__name__}: "
    prefix = kind if status is None else f"status {status}: "
    return f"{prefix}{line[:LONGEST_ERROR]}{'…' if len(line) > LONGEST_ERROR else ''}"
