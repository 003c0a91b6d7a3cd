"""The facts that the gallery shows about a scene."""

from __future__ import annotations

from groundling.games.codraw.instance import CodrawInstance


def codraw_gallery_facts(park: CodrawInstance) -> dict[str, str]:
    found = {
        "pieces": str(len(park.target.pieces)),
        "scene": "" if park.number is None else str(park.number),
        "clip art": ", ".join(park.target.kinds),
        "messages": str(len(park.recorded)) if park.recorded else "",
    }
    return {name: told for name, told in found.items() if told}
