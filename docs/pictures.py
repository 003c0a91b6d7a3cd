"""Draws the pictures that the documents show: `make pictures`."""

from pathlib import Path
from random import Random

from groundling.boards.clipart import footprint, piece
from groundling.boards.hexes import extent
from groundling.boards.picture import document, png, text_at
from groundling.boards.scene import Put
from groundling.boards.scene.draw import svg
from groundling.boards.scene.kinds import EXPRESSIONS, HEIGHT, KINDS, PEOPLE, POSES, WIDTH
from groundling.core.pack import find, load
from groundling.core.values import Say
from groundling.games.codraw.players.template.plan import messages
from groundling.games.codraw.players.template.sentences import Words
from groundling.games.codraw.rules import CodrawSettings
from groundling.games.codraw.scenes import make_scene
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


def codraw() -> str:
    """The Drawer's view of a built-in scene, half way through what the template Teller says."""
    pack = find("codraw")
    game, park = pack.new(CodrawSettings(palette="twenty")), load(pack.builtin)()[3]
    state = game.start(park)
    told = messages(Words(park.target, Random(0)), 140)
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
        scale = min(2, (side - 12) / max(footprint(kind)))
        fill = "#bde5f5" if number < 8 else "#b2db86"
        body += (
            f'<rect x="{x + 2}" y="{y + 2}" width="{side - 4}" height="{side - 4}" rx="8" fill="{fill}"/>'
            f'<g transform="translate({x + side / 2:g} {y + side / 2:g}) scale({scale:.3g})">{piece(kind, expression=2)}</g>'
            + text_at(kind, x + side / 2, y + side + 11, 11, anchor="middle")
        )
    return document(across * side, -(-len(KINDS) // across) * (side + below), body, "The 58 kinds of clip art")


def people() -> str:
    """Mike and Jenny in all their poses, with all their expressions."""
    left, top, wide, high = 150, 24, 92, 116
    body = ""
    for column, (kind, expression) in enumerate((kind, number) for kind in PEOPLE for number in range(len(EXPRESSIONS))):
        x = left + column * wide + (column >= len(EXPRESSIONS)) * 20
        body += text_at(f"{kind}, {EXPRESSIONS[expression]}", x + wide / 2, 16, 9, anchor="middle")
        for pose in range(len(POSES)):
            figure = piece(kind, pose=pose, expression=expression)
            y = top + pose * high
            body += (
                f'<rect x="{x + 2}" y="{y + 2}" width="{wide - 4}" height="{high - 4}" rx="8" fill="#b2db86"/>'
                f'<g transform="translate({x + wide / 2:g} {y + high / 2:g}) scale(.48)">{figure}</g>'
            )
    body += "".join(text_at(name, 10, top + (pose + 0.5) * high, 11) for pose, name in enumerate(POSES))
    return document(left + 10 * wide + 30, top + len(POSES) * high + 8, body, "Mike and Jenny")


def scenes() -> str:
    """Two dozen that the generator made."""
    across, wide, gap = 4, 250, 6
    high, rng = wide * HEIGHT / WIDTH, Random(0)
    body = "".join(
        svg(make_scene(rng), f"scene-{number}", number % across * (wide + gap), number // across * (high + gap), wide)
        for number in range(24)
    )
    return document(across * (wide + gap) - gap, 6 * (high + gap) - gap, body, "Made scenes")


if __name__ == "__main__":
    HERE.mkdir(exist_ok=True)
    for draw, zoom in ((reference, 2), (hexagons, 1), (codraw, 1), (clipart, 1), (people, 1), (scenes, 1)):
        (HERE / f"{draw.__name__}.png").write_bytes(png(draw(), zoom))
