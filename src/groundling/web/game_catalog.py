"""The games of a server, by the names under which their rooms are stored."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from groundling.core.pack import Pack, find, installed_packs
from groundling.core.values import Problem


class GameCatalog:
    """Games that the user gave by name, file or module; all that are installed if none is given. Games are
    loaded when they are first needed, as that takes milliseconds."""

    def __init__(self, games: Sequence[str] = ()) -> None:
        self._given = games

    @cached_property
    def served(self) -> dict[str, Pack]:
        """The games to play, by name."""
        packs: dict[str, Pack] = {}
        for game in self._given or installed_packs():
            pack = find(game)
            if packs.setdefault(pack.name, pack) is not pack:
                raise Problem(f"{game} is called {pack.name}, as another game here: rename one of them")
        return packs

    def find_stored(self, name: str) -> Pack | None:
        """The game of a stored room, also one that is only installed; None where it is not known any more."""
        try:
            return self.served.get(name) or find(name)
        except Problem:
            return None
