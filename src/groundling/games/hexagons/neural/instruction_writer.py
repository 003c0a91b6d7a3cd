"""A network that writes instructions: it is shown what each step paints, and says the next one as people
do."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from zlib import crc32

import torch
from msgspec.structs import replace
from torch import Tensor

from groundling.core.values import Problem
from groundling.games.hexagons.neural.answer_grammar import FreeTokens
from groundling.games.hexagons.neural.candidates import GrammarSearch
from groundling.games.hexagons.neural.generator import Generator
from groundling.games.hexagons.neural.model_factory import load_hexagons_model
from groundling.games.hexagons.neural.situations import Situation
from groundling.train.devices import select_device, set_onednn
from groundling.train.weights import CARD_FILE, WEIGHTS_FILE, ModelCard, check_weights_exist

TEMPERATURE = 0.8
LONGEST_INSTRUCTION = 120
"""In tokens; of people's, 98 % have at most 69."""


class InstructionWriter:
    def __init__(self, model: Generator, draws: int, seed: int) -> None:
        self._model, self._times, self._seed = model, 1 + draws, seed

    def write_words(self, situation: Situation) -> list[str]:
        """Ways to say the last step: by the likeliest tokens, then those that are drawn, the likelier first.
        What has no end is left out."""
        model, end = self._model, self._model.tokens.end
        seed = crc32(f"{self._seed} {situation.texts} {situation.programs}".encode())
        free = FreeTokens(len(model.numbers))
        search = GrammarSearch(
            free, end, [seed], self._times, lambda _, places: bool(places), temperature=TEMPERATURE
        )

        def choose(scores: Tensor) -> tuple[Tensor, Tensor]:
            return torch.from_numpy(search.choose_tokens(scores.numpy())), torch.from_numpy(search.over)

        with set_onednn(False):
            model.write_by_choice([situation], self._times, choose)
        drawn = sorted(range(1, self._times), key=lambda row: -search.likely[row] / len(search.places[row]))
        written = [model.tokens.decode(search.places[row]) for row in (0, *drawn) if search.over[row]]
        return [text for text in dict.fromkeys(" ".join(one.split()) for one in written) if text]


def load_instruction_writer(folder: Path, draws: int, seed: int) -> tuple[InstructionWriter, ModelCard, str]:
    """The network of an instructor, its card, and the checksum of its weights."""
    check_weights_exist(folder)
    changed = tuple((folder / name).stat().st_mtime_ns for name in (WEIGHTS_FILE, CARD_FILE))
    model, card, digest = _load_network(folder.resolve(), changed)
    return InstructionWriter(model, draws, seed), card, digest


@lru_cache(maxsize=2)
def _load_network(folder: Path, changed: tuple[int, ...]) -> tuple[Generator, ModelCard, str]:
    model, card, digest = load_hexagons_model(folder)
    if not isinstance(model, Generator) or model.settings.writes != "words":
        raise Problem(f"{folder} holds weights of an executor: seat it as executor=weights:{folder}")
    model.settings = replace(model.settings, answer=min(model.settings.answer, LONGEST_INSTRUCTION))
    where = select_device()
    model.prepare_to_play(where).remembers = where.type == "cpu"
    return model, card, digest
