"""Draws the pictures that the documents show: `make pictures`."""

import sys
from pathlib import Path

from groundling.boards.picture import document, png, text_at, wrap
from groundling.boards.things import thing
from groundling.core.pack import find, load
from groundling.core.values import Say
from groundling.games.director.items import load_items
from groundling.games.director.make import make
from groundling.games.director.picture import share, shelf_svg
from groundling.games.director.recipe import SampleRecipe
from groundling.games.director.rules import Kind

HERE = Path(__file__).parent / "pictures"


def reference() -> str:
    """The follower's view of a built-in lineup, after a description as a person would give it."""
    pack = find("reference")
    game = pack.new()
    lineup = next(instance for instance in load(pack.builtin)() if instance.group == "target-16" and instance.set == "edits-2")
    words = "A heart with nothing missing: two bumps on top, then two full rows, then three, and one V at the bottom."
    state = game.play(game.start(lineup), "giver", Say(words))
    return load(pack.draw)(game.view(state, "follower")).svg


def director_items() -> str:
    """Every item that we bring, as large beside the others as on a shelf, with its name."""
    across, side, step = 16, 70, 98
    items = load_items()
    body = []
    for number, (name, item) in enumerate(items.items.items()):
        x, y = 6 + number % across * (side + 6), 6 + number // across * step
        grown = side * share(item.size)
        body.append(f'<rect x="{x}" y="{y}" width="{side}" height="{side}" rx="6" fill="#e9eef0"/>')
        place = f"translate({x + (side - grown) / 2:.1f} {y + side - grown:.1f}) scale({grown / 100:.3f})"
        body.append(f'<g transform="{place}">{thing(items.looks[name])}</g>')
        body += [
            text_at(line, x + side / 2, y + side + 9 + 8.5 * n, 8, anchor="middle") for n, line in enumerate(wrap(name, 15)[:3])
        ]
    height = 6 + -(-len(items.items) // across) * step
    return document(6 + across * (side + 6), height, "".join(body), "The items of the director task", zoom=1)


def director_shelves() -> str:
    """Six samples: what the participant sees, and beside it what the director does, who means the marked thing."""
    forms: tuple[tuple[int, int, Kind, int], ...] = (
        (2, 2, "control", 5), (2, 2, "test", 5), (4, 4, "control", 3), (4, 4, "test", 4), (5, 3, "test", 12), (8, 8, "test", 1),
    )  # fmt: skip
    body = []
    tops = [10.0, 10.0]
    for number, (columns, rows, kind, seed) in enumerate(forms):
        fill = 0.75 if rows == 2 else 0.6
        made = make(SampleRecipe(n=24, seed=seed, columns=columns, rows=rows, fill=fill, panels=0.35))
        sample = next(sample for sample in made if sample.kind == kind)
        left, top = 10 + number % 2 * 900, tops[number % 2]
        body.append(text_at(f"{columns} by {rows}, {kind}: {sample.words}", left + 8, top + 20, 16))
        width, height, front = shelf_svg(sample.shelf)
        _, _, behind = shelf_svg(sample.shelf.as_seen("director"), "director", marked=(sample.target,))
        body.append(f'<g transform="translate({left} {top + 30:g})">{front}</g>')
        body.append(f'<g transform="translate({left + width + 20:g} {top + 30:g})">{behind}</g>')
        tops[number % 2] = top + height + 50
    return document(1790, max(tops), "".join(body), "Shelves of the director task, from both sides", zoom=1)


if __name__ == "__main__":
    HERE.mkdir(exist_ok=True)
    for name, drawing in (("reference", reference), ("director-items", director_items), ("director-shelves", director_shelves)):
        if not sys.argv[1:] or name in sys.argv[1:]:
            (HERE / f"{name}.png").write_bytes(png(drawing()))
