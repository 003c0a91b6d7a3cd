"""Facts about lineups, for the gallery."""

from __future__ import annotations

from groundling.games.reference.rules import Lineup


def reference_gallery_facts(lineup: Lineup) -> dict[str, str]:
    target, *others = lineup.grids
    apart = sorted(target.count_differing(other) for other in others)
    return {
        "grids": str(len(lineup.grids)),
        "size": f"{target.size} × {target.size}",
        "letters": str(target.filled_count),
        "cells apart": ", ".join(map(str, apart)),
    }
