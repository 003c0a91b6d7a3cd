"""What is played: a scene to be told and drawn, the clip art to draw it with, and what people did where it
was recorded."""

from __future__ import annotations

from random import Random

from msgspec.structs import replace

from groundling.boards.scene import INDEX, KINDS, PEOPLE, Piece, Scene
from groundling.core.values import Instance, Role
from groundling.games.codraw.recorded.dialogs import Turn

TELLER, DRAWER = "teller", "drawer"
PALETTE = 20
"""Kinds that a Drawer is given, unless it has the whole library."""


class Park(Instance, frozen=True, kw_only=True):
    target: Scene
    palette: tuple[str, ...]
    """Mike, Jenny and 18 others, all that the target needs among them."""
    number: int | None = None
    """Of a published scene: ten with one tenth were made for one prompt."""
    recorded: tuple[Turn, ...] = ()
    """What people did with it, turn by turn."""

    def __post_init__(self) -> None:
        if strange := [kind for kind in self.palette if kind not in INDEX]:
            raise ValueError(f"there is no clip art called {strange[0]!r}: see KINDS")
        if lacking := [kind for kind in self.target.kinds if kind not in self.palette]:
            raise ValueError(f"the palette lacks {', '.join(lacking)}, which the target has")

    def was_said(self, role: Role, text: str) -> bool:
        """Whether somebody in this seat said just that."""
        return any(turn.seat == role and turn.text == text for turn in self.recorded)


def choose_palette(target: Scene, rng: Random) -> tuple[str, ...]:
    """A palette for a scene, in the order of KINDS, so that it does not tell what is needed."""
    needed = {*PEOPLE, *target.kinds}
    others = [kind for kind in KINDS if kind not in needed]
    chosen = needed.union(rng.sample(others, max(PALETTE - len(needed), 0)))
    return tuple(kind for kind in KINDS if kind in chosen)


def hide(park: Park, role: Role, rng: Random) -> Park:
    """For the Drawer another scene from the same palette, and other words about it. For the Teller another
    palette."""
    if role == TELLER:
        return replace(park, palette=_other_palette(park, rng))
    target = _other_scene(park, rng)
    recorded = tuple(
        replace(turn, text=turn.text if turn.seat == DRAWER else f"{rng.random()}", changes=())
        for turn in park.recorded
    )
    return replace(
        park, target=target, recorded=recorded, number=None if park.number is None else rng.randrange(10_000)
    )


def _other_palette(park: Park, rng: Random) -> tuple[str, ...]:
    for _ in range(50):
        other = choose_palette(park.target, rng)
        if other != park.palette:
            return other
    return park.palette[::-1]  # all of it is needed


def _other_scene(park: Park, rng: Random) -> Scene:
    while True:
        kinds = rng.sample(park.palette, rng.randint(1, len(park.palette)))
        other = Scene.of(_any_piece(kind, rng) for kind in kinds)
        if other != park.target:
            return other


def _any_piece(kind: str, rng: Random) -> Piece:
    pose, expression = (rng.randrange(7), rng.randrange(5)) if kind in PEOPLE else (None, None)
    return Piece(
        kind, rng.randint(0, 500), rng.randint(0, 400), rng.randrange(3), rng.random() < 0.5, pose, expression
    )
