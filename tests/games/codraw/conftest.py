"""Dialogs and tiny weights, made once a session."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.games.codraw import narrated

from groundling.games.codraw.recorded.dialog_files import load_dialog_files

if TYPE_CHECKING:
    from tests.games.codraw.tiny_weights import TinyWeights

    from groundling.games.codraw.neural.dialog_pack import DialogPack


@pytest.fixture(scope="session")
def narrated_data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of 40 dialogs to learn from and 4 to play."""
    return narrated.folder(tmp_path_factory.mktemp("narrated"))


@pytest.fixture(scope="session")
def dialogs(narrated_data: Path) -> DialogPack:
    from groundling.games.codraw.neural.dialog_pack import pack_dialogs

    return pack_dialogs(load_dialog_files(narrated_data))


@pytest.fixture(scope="session")
def weights(dialogs: DialogPack, tmp_path_factory: pytest.TempPathFactory) -> TinyWeights:
    torch = pytest.importorskip("torch")
    torch.set_num_threads(1)
    from tests.games.codraw.tiny_weights import TinyWeights

    return TinyWeights(dialogs, tmp_path_factory.mktemp("weights"))
