"""Executors over any Hugging Face encoder or encoder-decoder, from its folder or by its name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec
import numpy as np
import torch
from msgspec import Struct
from torch import Tensor, nn

from groundling.core.values import Problem, missing_extra
from groundling.games.hexagons.neural.classifier import ClassifierSettings, TileClassifier
from groundling.games.hexagons.neural.encoder import EncoderSettings
from groundling.games.hexagons.neural.executor import LearnedExecutor, measure_executor
from groundling.games.hexagons.neural.generator import write_generator_turns
from groundling.games.hexagons.neural.lesson import Lesson, LessonBatches, vary_lesson_step
from groundling.games.hexagons.neural.notation import (
    Notation,
    Tile,
    read_action_notation,
    write_action_notation,
)
from groundling.games.hexagons.neural.prefetch import Arrays, Prefetch
from groundling.games.hexagons.neural.procedures import Procedure
from groundling.games.hexagons.neural.situations import Situation
from groundling.train.devices import device_precision
from groundling.train.weights import ModelCard

LONGEST = 512
BEAMS = 3
"""As the paper has it."""
IGNORED = -100
"""Marks labels that are not learned, in transformers' models."""


class Seq2SeqSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    context: str
    base: str
    notation: Notation = "triplets"
    answer: int = 400
    """Tokens of an answer, at most."""


class FolderTokens:
    """The tokens of a Hugging Face model."""

    def __init__(self, tokenizer: Any) -> None:
        self.cut = tokenizer
        self.pad = int(tokenizer.pad_token_id or 0)
        ends = (tokenizer.sep_token_id, tokenizer.eos_token_id, self.pad)
        starts = (tokenizer.cls_token_id, tokenizer.bos_token_id, self.pad)
        self.end = next(int(one) for one in ends if one is not None)
        self.start = next(int(one) for one in starts if one is not None)

    def encode(self, text: str) -> list[int]:
        return list(self.cut(text, add_special_tokens=False)["input_ids"])


class FolderEncoder(nn.Module):
    """An encoder of transformers, called as our own is."""

    def __init__(self, model: Any, pad: int) -> None:
        super().__init__()
        self.model, self.pad = model, pad

    def forward(self, tokens: Tensor, added: Tensor) -> Tensor:
        rows = self.model.get_input_embeddings()(tokens) + added
        found: Tensor = self.model(
            inputs_embeds=rows, attention_mask=(tokens != self.pad).long()
        ).last_hidden_state
        return found


class Seq2SeqExecutor(LearnedExecutor):
    """Text in, actions as text out."""

    def __init__(self, settings: Seq2SeqSettings, model: Any, tokenizer: Any) -> None:
        super().__init__()
        self.settings, self.model, self.cut = settings, model, tokenizer

    def source_text(self, situation: Situation) -> str:
        """What the encoder reads: the dialog so far, with the fixed words around the last instruction."""
        *earlier, last = write_generator_turns(situation, self.settings.notation)
        told = [f"{turn.text} => {turn.answer}" for turn in earlier]
        return "\n".join([*told, f"instruction: {last.text} actions:"])

    def encode(self, texts: Sequence[str], longest: int) -> Any:
        self.cut.truncation_side = "left"
        return self.cut(list(texts), padding=True, truncation=True, max_length=longest, return_tensors="pt")

    @torch.inference_mode()
    def paint_tiles(self, situations: Sequence[Situation]) -> list[dict[Tile, str]]:
        given = self.encode([self.source_text(situation) for situation in situations], LONGEST).to(self.where)
        kept = {name: given[name] for name in ("input_ids", "attention_mask")}
        found = self.model.generate(
            **kept, num_beams=BEAMS, do_sample=False, max_new_tokens=self.settings.answer
        )
        texts = self.cut.batch_decode(found, skip_special_tokens=True)
        return [
            read_action_notation(text, self.settings.notation, *situation.boards[-1:])
            for text, situation in zip(texts, situations, strict=True)
        ]


class Seq2SeqTask:
    def __init__(
        self, model: Seq2SeqExecutor, batches: LessonBatches, held: Sequence[Procedure], lesson: Lesson
    ) -> None:
        self.model, self.batches, self.held, self.lesson = model, batches, held, lesson
        self.prefetch = Prefetch(self.make_batch, model.where)

    def groups(self) -> Iterable[tuple[float, Iterable[nn.Parameter]]]:
        return [(1.0, self.model.parameters())]

    def loss(self, step: int) -> tuple[Tensor, Mapping[str, Tensor]]:
        rows, mask, labels = self.prefetch.batch_at(step)
        with device_precision(rows.device):
            found = self.model.model(input_ids=rows, attention_mask=mask, labels=labels)
        return found.loss.float(), {}

    def measure(self, model: nn.Module) -> Mapping[str, float]:
        assert isinstance(model, Seq2SeqExecutor)
        return measure_executor(model, self.held, model.settings.context)

    def make_batch(self, step: int) -> Arrays:
        settings = self.model.settings
        pairs = [vary_lesson_step(one, settings.context, self.lesson) for one in self.batches.batch_at(step)]
        given = self.model.encode([self.model.source_text(situation) for situation, _ in pairs], LONGEST)
        right = self.model.encode(
            [write_action_notation(changes, settings.notation) for _, changes in pairs], settings.answer
        )
        labels = np.where(right["attention_mask"].numpy() > 0, right["input_ids"].numpy(), IGNORED)
        return given["input_ids"].numpy(), given["attention_mask"].numpy(), labels


def build_huggingface_classifier(base: str, context: str, settings: dict[str, Any]) -> TileClassifier:
    model, tokenizer = _load_huggingface("AutoModel", base)
    width = int(model.config.hidden_size)
    longest = min(LONGEST, int(getattr(model.config, "max_position_embeddings", LONGEST)))
    encoder = EncoderSettings(words=int(model.config.vocab_size), width=width, longest=longest)
    given = {"context": context, "base": base, "encoder": msgspec.to_builtins(encoder), **settings}
    tokens = FolderTokens(tokenizer)
    return TileClassifier(
        msgspec.convert(given, ClassifierSettings), tokens, FolderEncoder(model, tokens.pad)
    )


def build_huggingface_seq2seq(
    base: str, context: str, notation: str, settings: dict[str, Any]
) -> Seq2SeqExecutor:
    model, tokenizer = _load_huggingface("AutoModelForSeq2SeqLM", base)
    given = {"context": context, "base": base, "notation": notation, **settings}
    return Seq2SeqExecutor(msgspec.convert(given, Seq2SeqSettings), model, tokenizer)


def rebuild_huggingface_model(card: ModelCard) -> LearnedExecutor:
    """The same, for trained weights: of the folder only the shape and the tokens are needed."""
    if card.model == "hexagons-encoder":
        settings = msgspec.convert(card.settings, ClassifierSettings)
        model, tokenizer = _load_huggingface("AutoModel", settings.base)
        tokens = FolderTokens(tokenizer)
        return TileClassifier(settings, tokens, FolderEncoder(model, tokens.pad))
    shape = msgspec.convert(card.settings, Seq2SeqSettings)
    return Seq2SeqExecutor(shape, *_load_huggingface("AutoModelForSeq2SeqLM", shape.base))


def _load_huggingface(kind: str, base: str) -> tuple[Any, Any]:
    try:
        import transformers
    except ImportError:
        raise missing_extra("transformers") from None
    try:
        model = getattr(transformers, kind).from_pretrained(base)
        tokenizer = transformers.AutoTokenizer.from_pretrained(base)
    except Exception as trouble:  # a folder that is no model fails in many ways, none of which is named
        told = " ".join(f"{type(trouble).__name__}: {trouble}".split())[:160]
        raise Problem(
            f"{base} cannot be loaded as a Hugging Face model ({told}): give a model's folder or name"
        ) from None
    return model.float(), tokenizer
