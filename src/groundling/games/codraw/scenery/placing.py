"""Placement of each category: in the sky, on the grass, on a seat, in a hand, on a head."""

from __future__ import annotations

from random import Random

from msgspec.structs import replace

from groundling.boards.scene import CATEGORIES, CATEGORY, HORIZON, PEOPLE, WIDTH, Piece
from groundling.games.codraw.scenery import lore
from groundling.games.codraw.scenery.stage import Stage, at, box, extent


def place(stage: Stage, kind: str, size: int) -> None:
    """Place a piece of this kind; `size` is that of the people."""
    _PLACE[CATEGORY[kind]](stage, kind, size)


def _sized(stage: Stage, kind: str, size: int, same: float) -> Piece:
    """Make a piece with a size from its kind's weights, or usually that of the people."""
    if sizes := lore.USUAL[kind].sizes:
        size = stage.rng.choices(range(3), sizes)[0]
    elif stage.rng.random() > same:
        size = stage.rng.choice([other for other in range(3) if other != size])
    return Piece(kind, 0, 0, size, stage.rng.random() < 0.5)


def _sky(stage: Stage, kind: str, size: int) -> None:
    rng, piece = stage.rng, _sized(stage, kind, size, 0.8)
    height = extent(piece)[1]
    if kind == "sun":
        stage.best(piece, lambda: stage.sides(90), lambda: rng.triangular(8, 90, 42), 4)
    elif "cloud" in kind:
        stage.best(
            piece,
            lambda: stage.anywhere(20),
            lambda: rng.triangular(0.25, 0.75, 0.45) * height + rng.uniform(0, 22),
            4,
        )
    else:
        stage.best(piece, lambda: stage.anywhere(20), lambda: rng.triangular(20, 150, 45), 4)


def _large(stage: Stage, kind: str, size: int) -> None:
    rng, piece = stage.rng, _sized(stage, kind, size, 0.65)
    if kind.endswith("tree"):
        low = (HORIZON + 85, HORIZON + 78, HORIZON + 66)[piece.size]
        stage.standing(piece, stage.sides, lambda: rng.triangular(low, low + 95, low + 15))
    else:
        stage.standing(piece, lambda: stage.anywhere(45))
    if (
        kind in lore.SEATS
        and rng.random() < lore.SEATS[kind][0]
        and (piece.size == size or rng.random() < 0.4)
    ):
        stage.seats[kind] = rng.sample(lore.SEATS[kind][2], len(lore.SEATS[kind][2]))


def _person(stage: Stage, kind: str, size: int) -> None:
    rng = stage.rng
    here = next((person for name in PEOPLE if (person := stage.pieces.get(name))), None)
    if rng.random() < 0.07:
        size = min(2, size + 1)
    expression = rng.choices(range(5), lore.MOODS[_mood(stage)])[0]
    seat = next((host for host, free in stage.seats.items() if free), None)
    if seat:
        host = stage.pieces[seat]
        pose = rng.choice(lore.SEATS[seat][1])
        flip = host.flip if seat in ("slide", "swing") else rng.random() < 0.5
        stage.put(Piece(kind, 0, 0, host.size, flip, pose, expression), at(host, stage.seats[seat].pop()), 5)
        return
    pose = rng.choices(range(7), lore.POSES)[0]
    new = Piece(kind, 0, 0, size, False, pose, expression)
    margin = extent(new)[0] * rng.triangular(0.2, 0.75, 0.55)
    person = stage.standing(
        new, lambda: stage.anywhere(margin) if here is None else _beside(rng, here, margin)
    )
    towards = person.x > (here.x if here else WIDTH / 2 + rng.uniform(-120, 120))
    stage.pieces[kind] = replace(person, flip=towards if rng.random() < 0.84 else not towards)
    if here and kind != here.kind and stage.pieces[here.kind].pose not in (4, 5) and rng.random() < 0.85:
        stage.pieces[here.kind] = replace(here, flip=not towards)


def _beside(rng: Random, other: Piece, margin: float) -> float:
    """Return an x at arm's length or further, usually on the side with more room."""
    room = max(WIDTH - margin - other.x, other.x - margin)
    away = rng.uniform(min(95, room), room)
    side = 1 if (other.x < WIDTH / 2) == (rng.random() < 0.9) else -1
    return min(max(other.x + side * away, margin), WIDTH - margin)


def _mood(stage: Stage) -> str:
    if any(kind in stage.pieces for kind in lore.SCARY) and stage.rng.random() < 0.7:
        return "scared"
    return "wet" if "rain cloud" in stage.pieces and stage.rng.random() < 0.6 else "calm"


def _animal(stage: Stage, kind: str, size: int) -> None:
    rng, piece = stage.rng, _sized(stage, kind, size, 0.85)
    trees = [stage.pieces[name] for name in ("oak tree", "apple tree", "pine tree") if name in stage.pieces]
    if kind == "owl" and trees and rng.random() < 0.8:
        tree = rng.choice(trees)
        left, top, right, bottom = box(tree)
        lowest = top + 0.62 * (bottom - top)
        reach = 0.3 * (right - left) * (0.5 if tree.kind == "pine tree" else 1)
        y = rng.uniform(max(top + 0.2 * (bottom - top), 18), max(lowest, 40))
        x = min(max(tree.x + rng.uniform(-reach, reach), 14), WIDTH - 14)
        stage.put(replace(piece, size=min(piece.size, tree.size)), (x, y))
    elif kind == "owl" and rng.random() < 0.5:
        stage.best(piece, stage.anywhere, lambda: rng.uniform(40, 150))
    elif kind in ("cat", "duck", "owl") and "picnic table" in stage.pieces and rng.random() < 0.25:
        _on_table(stage, piece)
    else:
        margin = extent(piece)[0] * rng.uniform(0.25, 0.6)
        stage.standing(piece, lambda: stage.anywhere(max(margin, 25)))
    people = [stage.pieces[name] for name in PEOPLE if name in stage.pieces]
    if people and rng.random() < 0.8:
        placed, friend = stage.pieces[kind], rng.choice(people)
        stage.pieces[kind] = replace(placed, flip=friend.x < placed.x)


def _on_table(stage: Stage, piece: Piece) -> None:
    table = stage.pieces["picnic table"]
    there = replace(piece, size=table.size)
    x, y = at(table, (stage.rng.uniform(-85, 85), stage.rng.uniform(-40, -20)))
    stage.put(there, (x, y - extent(there)[1] / 2 + 4))


def _food(stage: Stage, kind: str, size: int) -> None:
    piece = _sized(stage, kind, size, 0.9)
    if "picnic table" in stage.pieces and stage.rng.random() < 0.7:
        _on_table(stage, piece)
    elif kind in ("hot dog", "burger") and "grill" in stage.pieces and stage.rng.random() < 0.6:
        grill = stage.pieces["grill"]
        stage.put(replace(piece, size=grill.size), at(grill, (0, -46)), 4)
    elif not _given(stage, piece):
        stage.standing(piece, lambda: stage.anywhere(60))


def _given(stage: Stage, piece: Piece) -> bool:
    """Put the piece into a free hand, unless it would then be out of sight."""
    rng = stage.rng
    free = [name for name in PEOPLE if stage.hands.get(name)]
    if not free or rng.random() > lore.USUAL[piece.kind].held:
        return False
    holder = stage.pieces[rng.choice(free)]
    hands = stage.hands[holder.kind]
    hand = rng.choice(hands)
    x, y = at(holder, hand)
    outwards = x < holder.x
    # Long things usually point away from the body.
    for flip in (outwards, not outwards) if rng.random() < 0.8 else (not outwards, outwards):
        held = replace(piece, size=holder.size, flip=flip, x=round(x), y=round(y))
        middle = at(held, lore.USUAL[piece.kind].offset)
        if 0 < middle[0] < WIDTH and middle[1] > 0.4 * extent(held)[1]:
            hands.remove(hand)
            stage.put(held, middle, 2)
            return True
    return False


def _toy(stage: Stage, kind: str, size: int) -> None:
    rng, piece = stage.rng, _sized(stage, kind, size, 0.9)
    if kind in ("pail", "shovel") and "sandbox" in stage.pieces and rng.random() < 0.75:
        sandbox = stage.pieces["sandbox"]
        stage.put(
            replace(piece, size=sandbox.size), at(sandbox, (rng.uniform(-90, 70), rng.uniform(-42, -18)))
        )
    elif kind == "campfire":
        stage.standing(piece, lambda: stage.anywhere(90))
    elif _given(stage, piece):
        return
    elif kind in ("kite", "balloons"):
        top = 0.42 * extent(piece)[1]
        stage.best(piece, lambda: stage.anywhere(70), lambda: top + rng.uniform(0, 60))
    elif kind in lore.BALLS and _kicked(stage, piece):
        return
    elif kind in lore.BALLS and rng.random() < 0.45:
        stage.best(piece, lambda: stage.anywhere(90), lambda: rng.uniform(100, 260))
    else:
        stage.standing(piece, lambda: stage.anywhere(50))


def _kicked(stage: Stage, piece: Piece) -> bool:
    """Put the piece before the foot of a kicking person."""
    kicker = next(
        (person for name in PEOPLE if (person := stage.pieces.get(name)) and person.pose == 2), None
    )
    if kicker is None or stage.rng.random() < 0.25:
        return False
    ball = replace(piece, size=kicker.size)
    away = stage.rng.uniform(78, 125) + extent(ball)[0] / 2
    stage.put(ball, at(kicker, (away, stage.rng.uniform(25, 75))))
    return True


def _clothing(stage: Stage, kind: str, size: int) -> None:
    rng = stage.rng
    bare = [stage.pieces[name] for name in PEOPLE if name in stage.pieces and not _dressed(stage, name, kind)]
    animals = [
        stage.pieces[name] for name in lore.HEADS if name in stage.pieces and not _dressed(stage, name, kind)
    ]
    if animals and (not bare or rng.random() < 0.15):
        wearer = rng.choice(animals)
        head = lore.HEADS[wearer.kind]
    elif bare and rng.random() < lore.USUAL[kind].held:
        wearer = rng.choice(bare)
        head = stage.head(wearer)
    else:
        stage.standing(_sized(stage, kind, size, 0.9), lambda: stage.anywhere(50))
        return
    ahead = rng.random() < (0.96 if kind in lore.LOOKS_AHEAD else 0.6)
    hat = lore.USUAL[kind].offset
    worn = Piece(kind, 0, 0, wearer.size, wearer.flip == ahead)
    stage.worn.setdefault(wearer.kind, []).append(kind)
    stage.put(worn, at(wearer, (head[0] + hat[0], head[1] + hat[1])), 1.5)


def _dressed(stage: Stage, wearer: str, kind: str) -> bool:
    """Tell whether the wearer already has a hat, or glasses, as the kind is."""
    return any(("glasses" in worn) == ("glasses" in kind) for worn in stage.worn.get(wearer, []))


_PLACE = dict(zip(CATEGORIES, (_sky, _large, _person, _person, _animal, _clothing, _food, _toy), strict=True))
