"""Draws the pictures that the documents show: `make pictures`."""

import sys
from pathlib import Path
from random import Random

from groundling.boards.clipart import clipart_piece_size, draw_clipart_piece
from groundling.boards.hexes.board_picture import board_picture_size
from groundling.boards.picture import render_png, svg_document, text_at, wrap_text
from groundling.boards.scene import Put
from groundling.boards.scene.draw import draw_scene_svg
from groundling.boards.scene.kinds import EXPRESSIONS, HEIGHT, KINDS, PEOPLE, POSES, WIDTH
from groundling.boards.things import draw_thing
from groundling.core.pack import find, load
from groundling.core.values import Say
from groundling.games.codraw.players.template.message_plan import message_plan_texts
from groundling.games.codraw.players.template.scene_describer import SceneDescriber
from groundling.games.codraw.rules import CodrawSettings
from groundling.games.codraw.scene_generation.generator import generate_scene
from groundling.games.director.items import load_items
from groundling.games.director.make import make
from groundling.games.director.recipe import SampleRecipe
from groundling.games.director.rules import Kind
from groundling.games.director.shelf_picture import shelf_picture_cell_share, shelf_picture_svg
from groundling.games.hexagons.make import FAMILIES

HERE = Path(__file__).parent / "pictures"


def reference() -> str:
    """The follower's view of a built-in lineup, after a description as a person would give it."""
    pack = find("reference")
    game = pack.new()
    lineup = next(
        instance
        for instance in load(pack.builtin)()
        if instance.group == "target-16" and instance.set == "edits-2"
    )
    words = (
        "A heart with nothing missing: two bumps on top, then two full rows, "
        "then three, and one V at the bottom."
    )
    state = game.play(game.start(lineup), "giver", Say(words))
    return load(pack.draw)(game.view(state, "follower")).svg


def hexagons() -> str:
    """The built-in gallery of HEXAGONS on one sheet, a family below the other."""
    images = sorted(load(find("hexagons").builtin)(), key=lambda image: image.id)
    side, across, gap = 6, 8, 12
    width, height = board_picture_size(side)
    body, top = [], 0.0
    for name in FAMILIES:
        shown = [image for image in images if image.set == name]
        body.append(text_at(name, gap, top + 30, 20))
        top += 42
        for number, image in enumerate(shown):
            x, y = gap + number % across * (width + gap), top + number // across * (height + gap)
            body.append(image.target.svg(image.id, x, y, side, letters=False))
        top += -(-len(shown) // across) * (height + gap)
    return svg_document(
        gap + across * (width + gap), top + gap, "".join(body), "The built-in gallery of HEXAGONS"
    )


def codraw() -> str:
    """The Drawer's view of a built-in scene, half way through what the template Teller says."""
    pack = find("codraw")
    game, park = pack.new(CodrawSettings(palette="twenty")), load(pack.builtin)()[3]
    state = game.start(park)
    told = message_plan_texts(SceneDescriber(park.target, Random(0)), 140)
    for text, drawn in zip(told[:3], park.target.pieces, strict=False):
        for role, move in (("teller", Say(text)), ("drawer", Put(drawn)), ("drawer", Say("ok"))):
            state = game.play(state, role, move)
    state = game.play(state, "teller", Say(told[3]))
    return load(pack.draw)(game.view(state, "drawer")).svg


def clipart() -> str:
    """All 58 kinds with their names, each as large as its field allows but at most double."""
    across, side, below = 10, 120, 20
    body = ""
    for number, kind in enumerate(KINDS):
        x, y = number % across * side, number // across * (side + below)
        scale = min(2, (side - 12) / max(clipart_piece_size(kind)))
        fill = "#bde5f5" if number < 8 else "#b2db86"
        body += (
            f'<rect x="{x + 2}" y="{y + 2}" width="{side - 4}" height="{side - 4}" rx="8" fill="{fill}"/>'
            f'<g transform="translate({x + side / 2:g} {y + side / 2:g}) scale({scale:.3g})">'
            f"{draw_clipart_piece(kind, expression=2)}</g>"
            + text_at(kind, x + side / 2, y + side + 11, 11, anchor="middle")
        )
    return svg_document(
        across * side, -(-len(KINDS) // across) * (side + below), body, "The 58 kinds of clip art"
    )


def people() -> str:
    """Mike and Jenny in all their poses, with all their expressions."""
    left, top, wide, high = 150, 24, 92, 116
    body = ""
    for column, (kind, expression) in enumerate(
        (kind, number) for kind in PEOPLE for number in range(len(EXPRESSIONS))
    ):
        x = left + column * wide + (column >= len(EXPRESSIONS)) * 20
        body += text_at(f"{kind}, {EXPRESSIONS[expression]}", x + wide / 2, 16, 9, anchor="middle")
        for pose in range(len(POSES)):
            figure = draw_clipart_piece(kind, pose=pose, expression=expression)
            y = top + pose * high
            body += (
                f'<rect x="{x + 2}" y="{y + 2}" width="{wide - 4}" height="{high - 4}"'
                ' rx="8" fill="#b2db86"/>'
                f'<g transform="translate({x + wide / 2:g} {y + high / 2:g}) scale(.48)">{figure}</g>'
            )
    body += "".join(text_at(name, 10, top + (pose + 0.5) * high, 11) for pose, name in enumerate(POSES))
    return svg_document(left + 10 * wide + 30, top + len(POSES) * high + 8, body, "Mike and Jenny")


def scenes() -> str:
    """Two dozen that the generator made."""
    across, wide, gap = 4, 250, 6
    high, rng = wide * HEIGHT / WIDTH, Random(0)
    body = "".join(
        draw_scene_svg(
            generate_scene(rng),
            f"scene-{number}",
            number % across * (wide + gap),
            number // across * (high + gap),
            wide,
        )
        for number in range(24)
    )
    return svg_document(across * (wide + gap) - gap, 6 * (high + gap) - gap, body, "Made scenes")


def director_items() -> str:
    """Every item that we bring, as large beside the others as on a shelf, with its name."""
    across, side, step = 16, 70, 98
    items = load_items()
    body = []
    for number, (name, item) in enumerate(items.shelf_items.items()):
        x, y = 6 + number % across * (side + 6), 6 + number // across * step
        grown = side * shelf_picture_cell_share(item.size)
        body.append(f'<rect x="{x}" y="{y}" width="{side}" height="{side}" rx="6" fill="#e9eef0"/>')
        place = f"translate({x + (side - grown) / 2:.1f} {y + side - grown:.1f}) scale({grown / 100:.3f})"
        body.append(f'<g transform="{place}">{draw_thing(items.item_looks[name])}</g>')
        body += [
            text_at(line, x + side / 2, y + side + 9 + 8.5 * n, 8, anchor="middle")
            for n, line in enumerate(wrap_text(name, 15)[:3])
        ]
    height = 6 + -(-len(items.shelf_items) // across) * step
    return svg_document(
        6 + across * (side + 6), height, "".join(body), "The items of the director task", zoom=1
    )


def director_shelves() -> str:
    """Six samples: what the participant sees, and beside it what the director does, who means the marked
    thing."""
    forms: tuple[tuple[int, int, Kind, int], ...] = (
        (2, 2, "control", 5), (2, 2, "test", 5), (4, 4, "control", 3), (4, 4, "test", 4),
        (5, 3, "test", 12), (8, 8, "test", 1),
    )  # fmt: skip
    body = []
    tops = [10.0, 10.0]
    for number, (columns, rows, kind, seed) in enumerate(forms):
        fill = 0.75 if rows == 2 else 0.6
        made = make(SampleRecipe(n=24, seed=seed, columns=columns, rows=rows, fill=fill, panels=0.35))
        sample = next(sample for sample in made if sample.kind == kind)
        left, top = 10 + number % 2 * 900, tops[number % 2]
        body.append(text_at(f"{columns} by {rows}, {kind}: {sample.words}", left + 8, top + 20, 16))
        width, height, front = shelf_picture_svg(sample.shelf)
        _, _, behind = shelf_picture_svg(
            sample.shelf.as_seen("director"), "director", marked=(sample.target,)
        )
        body.append(f'<g transform="translate({left} {top + 30:g})">{front}</g>')
        body.append(f'<g transform="translate({left + width + 20:g} {top + 30:g})">{behind}</g>')
        tops[number % 2] = top + height + 50
    return svg_document(
        1790, max(tops), "".join(body), "Shelves of the director task, from both sides", zoom=1
    )


if __name__ == "__main__":
    HERE.mkdir(exist_ok=True)
    for draw in (reference, hexagons, codraw, clipart, people, scenes, director_items, director_shelves):
        name = draw.__name__.replace("_", "-")
        if not sys.argv[1:] or name in sys.argv[1:]:
            (HERE / f"{name}.png").write_bytes(render_png(draw(), 2 if draw is reference else 1))
