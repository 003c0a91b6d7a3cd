"""Placement of each category: in the sky, on the grass, on a seat, in a hand, on a head."""

from __future__ import annotations

from random import Random

from msgspec.structs import replace

from groundling.boards.scene import CATEGORIES, CATEGORY, HORIZON, PEOPLE, WIDTH, Piece
from groundling.games.codraw.scene_generation import priors
from groundling.games.codraw.scene_generation.scene_builder import (
    SceneBuilder,
    built_bounding_box,
    built_piece_extent,
    offset_point,
)


def place_piece(stage: SceneBuilder, kind: str, size: int) -> None:
    """Place a piece of this kind; `size` is that of the people."""
    _PLACERS[CATEGORY[kind]](stage, kind, size)


def _make_sized(stage: SceneBuilder, kind: str, size: int, same: float) -> Piece:
    """Make a piece with a size from its kind's weights, or usually that of the people."""
    if sizes := priors.KIND_PRIORS[kind].sizes:
        size = stage.rng.choices(range(3), sizes)[0]
    elif stage.rng.random() > same:
        size = stage.rng.choice([other for other in range(3) if other != size])
    return Piece(kind, 0, 0, size, stage.rng.random() < 0.5)


def _place_in_sky(stage: SceneBuilder, kind: str, size: int) -> None:
    rng, piece = stage.rng, _make_sized(stage, kind, size, 0.8)
    height = built_piece_extent(piece)[1]
    if kind == "sun":
        stage.put_best(piece, lambda: stage.random_side_x(90), lambda: rng.triangular(8, 90, 42), 4)
    elif "cloud" in kind:
        stage.put_best(
            piece,
            lambda: stage.random_x(20),
            lambda: rng.triangular(0.25, 0.75, 0.45) * height + rng.uniform(0, 22),
            4,
        )
    else:
        stage.put_best(piece, lambda: stage.random_x(20), lambda: rng.triangular(20, 150, 45), 4)


def _place_large(stage: SceneBuilder, kind: str, size: int) -> None:
    rng, piece = stage.rng, _make_sized(stage, kind, size, 0.65)
    if kind.endswith("tree"):
        low = (HORIZON + 85, HORIZON + 78, HORIZON + 66)[piece.size]
        stage.put_standing(piece, stage.random_side_x, lambda: rng.triangular(low, low + 95, low + 15))
    else:
        stage.put_standing(piece, lambda: stage.random_x(45))
    if (
        kind in priors.SEATS
        and rng.random() < priors.SEATS[kind][0]
        and (piece.size == size or rng.random() < 0.4)
    ):
        stage.seats[kind] = rng.sample(priors.SEATS[kind][2], len(priors.SEATS[kind][2]))


def _place_person(stage: SceneBuilder, kind: str, size: int) -> None:
    rng = stage.rng
    here = next((person for name in PEOPLE if (person := stage.pieces.get(name))), None)
    if rng.random() < 0.07:
        size = min(2, size + 1)
    expression = rng.choices(range(5), priors.MOODS[_choose_mood(stage)])[0]
    seat = next((host for host, free in stage.seats.items() if free), None)
    if seat:
        host = stage.pieces[seat]
        pose = rng.choice(priors.SEATS[seat][1])
        flip = host.flip if seat in ("slide", "swing") else rng.random() < 0.5
        stage.put_near(
            Piece(kind, 0, 0, host.size, flip, pose, expression),
            offset_point(host, stage.seats[seat].pop()),
            5,
        )
        return
    pose = rng.choices(range(7), priors.POSES)[0]
    new = Piece(kind, 0, 0, size, False, pose, expression)
    margin = built_piece_extent(new)[0] * rng.triangular(0.2, 0.75, 0.55)
    person = stage.put_standing(
        new, lambda: stage.random_x(margin) if here is None else _position_beside(rng, here, margin)
    )
    towards = person.x > (here.x if here else WIDTH / 2 + rng.uniform(-120, 120))
    stage.pieces[kind] = replace(person, flip=towards if rng.random() < 0.84 else not towards)
    if here and kind != here.kind and stage.pieces[here.kind].pose not in (4, 5) and rng.random() < 0.85:
        stage.pieces[here.kind] = replace(here, flip=not towards)


def _position_beside(rng: Random, other: Piece, margin: float) -> float:
    """Return an x at arm's length or further, usually on the side with more room."""
    room = max(WIDTH - margin - other.x, other.x - margin)
    away = rng.uniform(min(95, room), room)
    side = 1 if (other.x < WIDTH / 2) == (rng.random() < 0.9) else -1
    return min(max(other.x + side * away, margin), WIDTH - margin)


def _choose_mood(stage: SceneBuilder) -> str:
    if any(kind in stage.pieces for kind in priors.SCARY) and stage.rng.random() < 0.7:
        return "scared"
    return "wet" if "rain cloud" in stage.pieces and stage.rng.random() < 0.6 else "calm"


def _place_animal(stage: SceneBuilder, kind: str, size: int) -> None:
    rng, piece = stage.rng, _make_sized(stage, kind, size, 0.85)
    trees = [stage.pieces[name] for name in ("oak tree", "apple tree", "pine tree") if name in stage.pieces]
    if kind == "owl" and trees and rng.random() < 0.8:
        tree = rng.choice(trees)
        left, top, right, bottom = built_bounding_box(tree)
        lowest = top + 0.62 * (bottom - top)
        reach = 0.3 * (right - left) * (0.5 if tree.kind == "pine tree" else 1)
        y = rng.uniform(max(top + 0.2 * (bottom - top), 18), max(lowest, 40))
        x = min(max(tree.x + rng.uniform(-reach, reach), 14), WIDTH - 14)
        stage.put_near(replace(piece, size=min(piece.size, tree.size)), (x, y))
    elif kind == "owl" and rng.random() < 0.5:
        stage.put_best(piece, stage.random_x, lambda: rng.uniform(40, 150))
    elif kind in ("cat", "duck", "owl") and "picnic table" in stage.pieces and rng.random() < 0.25:
        _place_on_table(stage, piece)
    else:
        margin = built_piece_extent(piece)[0] * rng.uniform(0.25, 0.6)
        stage.put_standing(piece, lambda: stage.random_x(max(margin, 25)))
    people = [stage.pieces[name] for name in PEOPLE if name in stage.pieces]
    if people and rng.random() < 0.8:
        placed, friend = stage.pieces[kind], rng.choice(people)
        stage.pieces[kind] = replace(placed, flip=friend.x < placed.x)


def _place_on_table(stage: SceneBuilder, piece: Piece) -> None:
    table = stage.pieces["picnic table"]
    there = replace(piece, size=table.size)
    x, y = offset_point(table, (stage.rng.uniform(-85, 85), stage.rng.uniform(-40, -20)))
    stage.put_near(there, (x, y - built_piece_extent(there)[1] / 2 + 4))


def _place_food(stage: SceneBuilder, kind: str, size: int) -> None:
    piece = _make_sized(stage, kind, size, 0.9)
    if "picnic table" in stage.pieces and stage.rng.random() < 0.7:
        _place_on_table(stage, piece)
    elif kind in ("hot dog", "burger") and "grill" in stage.pieces and stage.rng.random() < 0.6:
        grill = stage.pieces["grill"]
        stage.put_near(replace(piece, size=grill.size), offset_point(grill, (0, -46)), 4)
    elif not _place_in_hand(stage, piece):
        stage.put_standing(piece, lambda: stage.random_x(60))


def _place_in_hand(stage: SceneBuilder, piece: Piece) -> bool:
    """Put the piece into a free hand, unless it would then be out of sight."""
    rng = stage.rng
    free = [name for name in PEOPLE if stage.hands.get(name)]
    if not free or rng.random() > priors.KIND_PRIORS[piece.kind].held:
        return False
    holder = stage.pieces[rng.choice(free)]
    hands = stage.hands[holder.kind]
    hand = rng.choice(hands)
    x, y = offset_point(holder, hand)
    outwards = x < holder.x
    # Long things usually point away from the body.
    for flip in (outwards, not outwards) if rng.random() < 0.8 else (not outwards, outwards):
        held = replace(piece, size=holder.size, flip=flip, x=round(x), y=round(y))
        middle = offset_point(held, priors.KIND_PRIORS[piece.kind].offset)
        if 0 < middle[0] < WIDTH and middle[1] > 0.4 * built_piece_extent(held)[1]:
            hands.remove(hand)
            stage.put_near(held, middle, 2)
            return True
    return False


def _place_toy(stage: SceneBuilder, kind: str, size: int) -> None:
    rng, piece = stage.rng, _make_sized(stage, kind, size, 0.9)
    if kind in ("pail", "shovel") and "sandbox" in stage.pieces and rng.random() < 0.75:
        sandbox = stage.pieces["sandbox"]
        stage.put_near(
            replace(piece, size=sandbox.size),
            offset_point(sandbox, (rng.uniform(-90, 70), rng.uniform(-42, -18))),
        )
    elif kind == "campfire":
        stage.put_standing(piece, lambda: stage.random_x(90))
    elif _place_in_hand(stage, piece):
        return
    elif kind in ("kite", "balloons"):
        top = 0.42 * built_piece_extent(piece)[1]
        stage.put_best(piece, lambda: stage.random_x(70), lambda: top + rng.uniform(0, 60))
    elif kind in priors.BALLS and _place_before_foot(stage, piece):
        return
    elif kind in priors.BALLS and rng.random() < 0.45:
        stage.put_best(piece, lambda: stage.random_x(90), lambda: rng.uniform(100, 260))
    else:
        stage.put_standing(piece, lambda: stage.random_x(50))


def _place_before_foot(stage: SceneBuilder, piece: Piece) -> bool:
    """Put the piece before the foot of a kicking person."""
    kicker = next(
        (person for name in PEOPLE if (person := stage.pieces.get(name)) and person.pose == 2), None
    )
    if kicker is None or stage.rng.random() < 0.25:
        return False
    ball = replace(piece, size=kicker.size)
    away = stage.rng.uniform(78, 125) + built_piece_extent(ball)[0] / 2
    stage.put_near(ball, offset_point(kicker, (away, stage.rng.uniform(25, 75))))
    return True


def _place_clothing(stage: SceneBuilder, kind: str, size: int) -> None:
    rng = stage.rng
    bare = [
        stage.pieces[name] for name in PEOPLE if name in stage.pieces and not _is_dressed(stage, name, kind)
    ]
    animals = [
        stage.pieces[name]
        for name in priors.HEADS
        if name in stage.pieces and not _is_dressed(stage, name, kind)
    ]
    if animals and (not bare or rng.random() < 0.15):
        wearer = rng.choice(animals)
        head = priors.HEADS[wearer.kind]
    elif bare and rng.random() < priors.KIND_PRIORS[kind].held:
        wearer = rng.choice(bare)
        head = stage.head_offset(wearer)
    else:
        stage.put_standing(_make_sized(stage, kind, size, 0.9), lambda: stage.random_x(50))
        return
    ahead = rng.random() < (0.96 if kind in priors.LOOKS_AHEAD else 0.6)
    hat = priors.KIND_PRIORS[kind].offset
    worn = Piece(kind, 0, 0, wearer.size, wearer.flip == ahead)
    stage.worn.setdefault(wearer.kind, []).append(kind)
    stage.put_near(worn, offset_point(wearer, (head[0] + hat[0], head[1] + hat[1])), 1.5)


def _is_dressed(stage: SceneBuilder, wearer: str, kind: str) -> bool:
    """Tell whether the wearer already has a hat, or glasses, as the kind is."""
    return any(("glasses" in worn) == ("glasses" in kind) for worn in stage.worn.get(wearer, []))


_PLACERS = dict(
    zip(
        CATEGORIES,
        (
            _place_in_sky,
            _place_large,
            _place_person,
            _place_person,
            _place_animal,
            _place_clothing,
            _place_food,
            _place_toy,
        ),
        strict=True,
    )
)
