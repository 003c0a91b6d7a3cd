"""A pretrained reader for the Drawer: MiniLM's weights, reduced to the needed vocabulary."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import torch
from msgspec import MsgspecError, convert
from msgspec.json import decode, encode
from msgspec.structs import replace
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from tokenizers.models import WordPiece

from groundling.boards.scene import KINDS
from groundling.core.values import Problem
from groundling.games.codraw.neural.dialog_pack import load_dialog_pack
from groundling.games.codraw.neural.transformer import TransformerDrawer, TransformerSettings
from groundling.games.codraw.neural.vocabulary import MARKS, PART_PREFIX, Vocabulary
from groundling.train.bert_parameters import rename_bert_parameters

WIDTH, HEADS, LAYERS, INNER = 384, 12, 6, 4
_NAMES = {
    "attention.output.dense": "own_out",
    "attention.output.LayerNorm": "norms.0",
    "intermediate.dense": "think.0",
    "output.dense": "think.3",
    "output.LayerNorm": "norms.1",
}


def convert_pretrained_reader(model: Path, messages: Iterable[str], out: Path) -> None:
    """Convert the folder of a BERT-like model to a file with our parameter names, in half precision."""
    pieces = (model / "vocab.txt").read_text("utf-8").split("\n")
    numbers = {piece: number for number, piece in enumerate(pieces) if piece}
    cut = WordPiece(numbers, unk_token=MARKS[1], max_input_chars_per_word=40)
    said = {word for message in (*messages, *KINDS) for word in message.lower().split()}
    used = {token.value for word in said for token in cut.tokenize(word)}
    single = {piece for piece in numbers if len(piece.removeprefix(PART_PREFIX)) == 1 and piece.isascii()}
    kept = sorted((used | single) - set(MARKS), key=numbers.__getitem__)
    words = (*MARKS, *kept)
    with safe_open(model / "model.safetensors", "pt") as stored:
        named = {name: stored.get_tensor(name) for name in stored.keys()}  # noqa: SIM118
    state = rename_bert_parameters(named, "reader", "own", _NAMES)
    state["words.weight"] = state["words.weight"][[numbers[word] for word in words]]
    save_file(
        {name: value.half().contiguous() for name, value in state.items()},
        out,
        {"words": encode(words).decode()},
    )


def read_pretrained_vocabulary(file: Path, blind: bool = False) -> Vocabulary:
    try:
        with safe_open(file, "pt") as stored:
            words = decode((stored.metadata() or {})["words"], type=tuple[str, ...])
    except (SafetensorError, KeyError, MsgspecError):
        raise _not_a_reader(file) from None
    return Vocabulary(words, blind)


def _not_a_reader(file: Path) -> Problem:
    return Problem(f"{file} is no pretrained reader: make it with python -m {__name__} MODEL PACK FILE")


def pretrained_reader_settings(words: Vocabulary, **others: Any) -> TransformerSettings:
    """Return settings of a Drawer that has the pretrained reader's shape."""
    form = {
        "width": WIDTH,
        "heads": HEADS,
        "layers": LAYERS,
        "inner": INNER,
        "deep": 2,
        "after": True,
        **others,
    }
    return convert({"words": len(words), "mirror": words.mirror_index(), **form}, TransformerSettings)


def load_pretrained_reader(model: TransformerDrawer, file: Path, words: Vocabulary) -> None:
    """Load the pretrained reader into a new Drawer; each kind's query starts as the words of its name."""
    with safe_open(file, "pt") as stored:
        state = {name: stored.get_tensor(name).float() for name in stored.keys()}  # noqa: SIM118
    try:
        state["places.weight"] = state["places.weight"][: model.longest]
        lacking, unknown = model.load_state_dict(state, strict=False)
    except (KeyError, RuntimeError):
        raise _not_a_reader(file) from None
    if unknown or any(name.split(".")[0] in ("words", "places", "norm", "reader") for name in lacking):
        raise _not_a_reader(file)
    names = replace(words, blind=False)
    with torch.no_grad():
        for number, kind in enumerate(KINDS):
            named = model.words.weight[names.encode_message(kind)[:-1]].mean(0)
            model.kinds[number] = named / named.std() * 0.5


if __name__ == "__main__":
    folder, pack, target = map(Path, sys.argv[1:])
    corpus = load_dialog_pack(pack).corpus
    convert_pretrained_reader(folder, corpus.teller, target)
