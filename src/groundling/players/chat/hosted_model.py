"""Models of any provider, through Inspect AI."""

from __future__ import annotations

from base64 import b64encode
from typing import TYPE_CHECKING, Any

from groundling.core.pack import Seat
from groundling.core.player import Unable
from groundling.core.values import Problem, missing_extra
from groundling.players.chat.chat_model import ModelAnswer, read_sampling
from groundling.players.chat.messages import PromptMessage

if TYPE_CHECKING:
    from inspect_ai.model import ChatMessage, GenerateConfig, ModelOutput
    from inspect_ai.model import Model as InspectModel


class HostedModel:
    def __init__(self, seat: Seat, model: InspectModel | None = None) -> None:
        self.name = seat.name
        self.sampling = read_sampling(seat)
        effort = seat.option("reasoning_effort")
        self._config = {**self.sampling, **({"reasoning_effort": effort} if effort else {})}
        retries = seat.option("provider_retries", "" if model else "5")
        self._retries = int(retries) if retries else None  # a model that is passed in has its own setting
        self._model = model or _load_model(seat.name, seat.option("base_url"))

    async def answer(self, conversation: list[PromptMessage], seed: int) -> ModelAnswer:
        from inspect_ai.model import GenerateConfig

        config = GenerateConfig(seed=seed % 2**31, max_retries=self._retries, **self._config)
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
        return _to_model_answer(output)

    async def ask(
        self, conversation: list[PromptMessage], messages: list[ChatMessage], config: GenerateConfig
    ) -> ModelOutput:
        """Generate; a hook for subclasses, with our messages and Inspect's."""
        return await self._model.generate(messages, config=config)


def _load_model(name: str, base_url: str) -> InspectModel:
    from rich.text import Text

    try:
        from inspect_ai._util.error import PrerequisiteError
        from inspect_ai.model import get_model
    except ImportError:
        raise missing_extra("llm") from None
    try:
        return get_model(name, base_url=base_url or None)
    except (PrerequisiteError, ValueError, ImportError) as trouble:
        told = " ".join(Text.from_markup(str(trouble)).plain.removeprefix("ERROR: ").split())
        raise Problem(f"model {name} cannot be used: {told}") from None


def _to_chat_message(message: PromptMessage) -> ChatMessage:
    from inspect_ai.model import ChatMessageAssistant, ChatMessageUser, ContentImage, ContentText

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
