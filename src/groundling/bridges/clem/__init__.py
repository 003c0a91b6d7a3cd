"""clembench: its instances, its way of scoring and its table.

`source` turns its instance files into ours (`groundling data import clembench`). `replay` scores replies
exactly as its own code does, quirks included, so that numbers can stand beside its published ones;
`as_clembench` and `replies` put one of our episodes into that form. `quirks.py` lists where its rules differ
from ours."""

from groundling.bridges.clem.ours import as_clembench, replies
from groundling.bridges.clem.quirks import QUIRKS, Quirk
from groundling.bridges.clem.replay import NoScores, replay
from groundling.core.source import Source

source = Source(
    name="clembench",
    about="instances of its reference game and image game, every version and language",
    parts=f"{__name__}.files:parts",
    read=f"{__name__}.files:read",
)

__all__ = ["QUIRKS", "NoScores", "Quirk", "as_clembench", "replay", "replies", "source"]
