"""Estimates the tokens of a call from its text where no provider has counted them. Estimates err high."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from groundling.players.chat.messages import PromptMessage

TOKENS_PER_BYTE = 0.6
"""For UTF-8. All prompts have at most 0.58 with SmolLM2's tokenizer, whose vocabulary is small."""
MESSAGE_TOKENS = 16
"""For the frame that a chat template puts around a message."""
PICTURE_TOKENS = 1600
"""What Inspect assumes for a picture of high detail."""
DEFAULT_OUTPUT_TOKENS = 2048
"""Expected at most from a model whose seat sets no max_tokens."""


def estimate_text_tokens(text: str) -> int:
    return ceil(TOKENS_PER_BYTE * len(text.encode(errors="replace")))


def estimate_prompt_tokens(conversation: Sequence[PromptMessage]) -> int:
    return sum(
        MESSAGE_TOKENS + estimate_text_tokens(message.text) + PICTURE_TOKENS * (message.picture is not None)
        for message in conversation
    )


def estimate_usage(conversation: Sequence[PromptMessage], answer: str) -> dict[str, int]:
    """Return the usage of a call whose provider reported none."""
    told, said = estimate_prompt_tokens(conversation), estimate_text_tokens(answer)
    return {"input_tokens": told, "output_tokens": said, "total_tokens": told + said}
