"""Facts about pictures, for the gallery."""

from __future__ import annotations

from groundling.games.image.rules import Picture


def image_gallery_facts(picture: Picture) -> dict[str, str]:
    target = picture.target
    found = {
        "size": f"{target.size} × {target.size}",
        "letters": str(target.filled_count),
        "alphabet": " ".join(sorted(set(target.letters_by_cell.values()))),
        "par": "" if picture.par is None else f"{picture.par} characters",
    }
    return {name: told for name, told in found.items() if told}
