"""The instance of CoDraw: a target scene, a palette, and the recorded turns if people played it."""

from __future__ import annotations

from random import Random

from msgspec.structs import replace

from groundling.boards.scene import INDEX, KINDS, PEOPLE, Piece, Scene
from groundling.core.values import Instance, Role
from groundling.games.codraw.recorded.dialogs import RecordedTurn

TELLER, DRAWER = "teller", "drawer"
PALETTE = 20
"""The number of kinds in a palette, unless the Drawer has the whole library."""


class CodrawInstance(Instance, frozen=True, kw_only=True):
    target: Scene
    palette: tuple[str, ...]
    """Mike, Jenny and 18 others, including all that the target needs."""
    number: int | None = None
    """The number of a published scene; the ten that share number // 10 were made for one prompt."""
    recorded: tuple[RecordedTurn, ...] = ()
    """The recorded turns."""

    def __post_init__(self) -> None:
        if strange := [kind for kind in self.palette if kind not in INDEX]:
            raise ValueError(f"there is no clip art called {strange[0]!r}: see KINDS")
        if lacking := [kind for kind in self.target.kinds if kind not in self.palette]:
            raise ValueError(f"the palette lacks {', '.join(lacking)}, which the target has")

    def was_said(self, role: Role, text: str) -> bool:
        """Tell whether a recorded player in this seat sent exactly this message."""
        return any(turn.seat == role and turn.text == text for turn in self.recorded)


def choose_instance_palette(target: Scene, rng: Random) -> tuple[str, ...]:
    """Choose a palette in the order of KINDS, so that the order does not reveal what is needed."""
    needed = {*PEOPLE, *target.kinds}
    others = [kind for kind in KINDS if kind not in needed]
    chosen = needed.union(rng.sample(others, max(PALETTE - len(needed), 0)))
    return tuple(kind for kind in KINDS if kind in chosen)


def hide(park: CodrawInstance, role: Role, rng: Random) -> CodrawInstance:
    """Replace what a seat may not know: the Drawer's scene and recorded words, the Teller's palette."""
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


def _other_palette(park: CodrawInstance, rng: Random) -> tuple[str, ...]:
    for _ in range(50):
        other = choose_instance_palette(park.target, rng)
        if other != park.palette:
            return other
    return park.palette[::-1]  # the target needs the whole palette


def _other_scene(park: CodrawInstance, rng: Random) -> Scene:
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
