"""The dialogs and tiny weights of CoDraw's tests, and the commands of groundling in this process."""

from __future__ import annotations

from collections.abc import Sequence

from tests.games.codraw.conftest import dialogs, narrated_data, weights

from groundling.cli import main

__all__ = ["dialogs", "narrated_data", "weights"]


def run_here(commands: Sequence[Sequence[str]], at_once: int) -> None:
    """Run commands as papers/codraw does, without starting a process for each."""
    for words in commands:
        assert main(list(words)) == 0, words
