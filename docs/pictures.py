"""Draws the pictures that the documents show: `make pictures`."""

from pathlib import Path

from groundling.boards.hexes import extent
from groundling.boards.picture import document, png, text_at
from groundling.core.pack import find, load
from groundling.core.values import Say
from groundling.games.hexagons.make import FAMILIES

HERE = Path(__file__).parent / "pictures"


def reference() -> str:
    """The follower's view of a built-in lineup, after a description as a person would give it."""
    pack = find("reference")
    game = pack.new()
    lineup = next(instance for instance in load(pack.builtin)() if instance.group == "target-16" and instance.set == "edits-2")
    words = "A heart with nothing missing: two bumps on top, then two full rows, then three, and one V at the bottom."
    state = game.play(game.start(lineup), "giver", Say(words))
    return load(pack.draw)(game.view(state, "follower")).svg


def hexagons() -> str:
    """The built-in gallery of HEXAGONS on one sheet, a family below the other."""
    images = sorted(load(find("hexagons").builtin)(), key=lambda image: image.id)
    side, across, gap = 6, 8, 12
    width, height = extent(side)
    body, top = [], 0.0
    for name in FAMILIES:
        shown = [image for image in images if image.set == name]
        body.append(text_at(name, gap, top + 30, 20))
        top += 42
        for number, image in enumerate(shown):
            x, y = gap + number % across * (width + gap), top + number // across * (height + gap)
            body.append(image.target.svg(image.id, x, y, side, letters=False))
        top += -(-len(shown) // across) * (height + gap)
    return document(gap + across * (width + gap), top + gap, "".join(body), "The built-in gallery of HEXAGONS")


if __name__ == "__main__":
    HERE.mkdir(exist_ok=True)
    (HERE / "hexagons.png").write_bytes(png(hexagons(), zoom=1))
    (HERE / "reference.png").write_bytes(png(reference()))
