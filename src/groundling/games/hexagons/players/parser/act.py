"""Carries out instructions, sentence by sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .....boards.hexes import HEADINGS, ROWS, Tile, step
from .clauses import Builder
from .chunks import Chunk, Colour, Columns, Corner, Pronoun, Shape, Tiles, Verb
from .lines import connect
from .mirrors import mirror
from .repeat import repeat
from .resolve import columns_of, resolve
from .phrases import COL, scan
from .scene import Scene, runs
from .shapes import copy_named, enclosed, shape_tiles_new
from .target import Target, is_word, noun
from .words import plain

_REMARK = re.compile(
    r"^(?:now , |then , |finally , )?(?:there (?:should|will|are|is)|this (?:will|should|is|makes|creates|completes)|you (?:should|will|are|have|now|can)|"
    r"the (?:resulting|overall|final|result)|note|notice|the (?:pattern|image|shape|drawing|design|picture) (?:should|will|is)|"
    r"click|it (?:should|will)|we |these (?:will|should)|they (?:will|should)|do not|if |repeat until|check)"
)
_TAIL = re.compile(
    r" (?:: all (?:of )?(?:the )?tiles (?:that|which|at|exactly|within|up)|,? ?(?:so that|so you|so there|so the|so it|so they|such that|resulting in|which will|which should|to complete|to make (?:a|an|it|the|\d|your)|to form|until you have|making (?:a|an|it|the|\d|up)|as if)\b).*$"
)


def sentences(text: str) -> list[str]:
    text = re.sub(rf"\( (?:{COL} \)|[^)]*\)?)", _bracketed, text) if "(" in text else text
    parts = re.split(r"(?<!\S)[.;!?\n](?!\S)", text)
    return [" ".join(part.split()) for part in parts if part.strip()]


_COLOURS_OF = re.compile(rf"^(?:the|this|it|each|they)\b.*\b(?:alternate|start with)\b.*\b{COL}\b")


def _with_colours(parts: list[str]) -> list[str]:
    """Puts a remark on the colours of a repetition to the sentence that asks for it."""
    kept: list[str] = []
    for part in parts:
        if kept and "repeat" in kept[-1] and _COLOURS_OF.match(part) and not re.search(COL, kept[-1]):
            kept[-1] += " , " + part[part.index("start with") :] if "start with" in part else ""
        else:
            kept.append(part)
    return kept


def _bracketed(match: re.Match[str]) -> str:
    """What stands in brackets is left out, but for a mere colour."""
    inside = match.group().strip("() ")
    return f" {inside} " if re.fullmatch(COL, inside) else " "


def perform(scene: Scene, text: str) -> None:
    """Carries out one instruction."""
    scene.painted = {}
    for sentence in _with_colours(sentences(plain(text))):
        sentence = re.sub(r"^to (?:make|start|do|begin|complete|end|add|paint)\b[^,]*, ", "", sentence)
        if sentence.startswith(("there are", "there is")) and " tiles " in sentence:
            _point(scene, sentence)
            continue
        if _REMARK.match(sentence) and not re.search(r" is (?:white|black|yellow|green|red|blue|purple|orange)", sentence):
            continue
        _sentence(scene, _TAIL.sub("", sentence))
    scene.step += 1


def _point(scene: Scene, sentence: str) -> None:
    """Looks at the tiles that a remark tells of."""
    for target in Builder(scan(sentence)).build():
        if target.relation and (tiles := resolve(scene, target)):
            scene.look(tiles)
            return


def _sentence(scene: Scene, sentence: str) -> None:
    side = re.search(r"count(?:ing)? from (?:the )?(?:top |bottom )?(?:and )?(?:the )?(left|right)", sentence)
    scene.side = side[1] if side else None
    apart = re.search(
        r"(?:leave|skip|with) (?:a|an|1|(\d+)) (?:blank |white )?tiles?(?: blank| white)?(?: in)? between (?:each|them|every|the tiles|two)",
        sentence,
    )
    scene.stride = 1 if not apart else int(apart[1] or 1) + 1
    chunks = scan(sentence)
    scene.meant, scene.turned = {}, None
    for clause in _clauses(chunks):
        _clause(scene, clause, sentence)


_OWN = {"skip", "leave", "repeat", "mirror", "connect"}


def _clauses(chunks: list[Chunk]) -> Iterator[list[Chunk]]:
    """Parts of a sentence that are carried out one after the other."""
    clause: list[Chunk] = []
    own = False
    for chunk in chunks:
        again = any(isinstance(other, Verb) and other.name in ("repeat", "connect") for other in clause)
        starts = isinstance(chunk, Verb) and (
            (chunk.name in _OWN and not (again and chunk.name in ("skip", "leave")))
            or (
                own
                and chunk.name in (("paint", "make", "add") if again else ("paint", "make", "add", "move", "start", "continue"))
            )
        )
        if starts and isinstance(chunk, Verb) and chunk.name == "connect" and _bare_line(clause):
            starts = False
            own = True
        if (
            starts
            and isinstance(chunk, Verb)
            and chunk.name == "repeat"
            and not any(isinstance(other, Verb) and other.name in ("paint", "make", "add", "connect") for other in clause)
        ):
            starts = False
            own = True
        if starts and clause:
            yield clause
            clause = []
        if isinstance(chunk, Verb):
            own = chunk.name in _OWN if starts else own and chunk.name in _OWN
        clause.append(chunk)
    if clause:
        yield clause


def _bare_line(clause: list[Chunk]) -> bool:
    """Whether a line is to be made, but nothing says where."""
    shapes = [chunk for chunk in clause if isinstance(chunk, Shape)]
    return (
        bool(shapes)
        and shapes[-1].name in ("line", "diagonal")
        and not any(isinstance(chunk, Tiles | Columns) for chunk in clause)
    )


def _clause(scene: Scene, chunks: list[Chunk], text: str) -> None:
    verb = next((chunk.name for chunk in chunks if isinstance(chunk, Verb)), None)
    if isinstance(chunks[0], Verb) and chunks[0].name in ("skip", "leave"):
        _skip(scene, chunks)
        return
    if any(isinstance(chunk, Verb) and chunk.name == "mirror" for chunk in chunks):
        mirror(scene, chunks, text)
        return
    if any(
        isinstance(chunk, Verb)
        and chunk.name == "repeat"
        or isinstance(chunk, Shape)
        and (
            ("same" in chunk.words and chunk.name in _VAGUE)
            or (
                "more" in chunk.words
                and chunk.name not in ("line", "diagonal")
                and not any(is_word(other, "by") for other in chunks)
            )
        )
        for chunk in chunks
    ):
        repeat(scene, chunks, text)
        return
    if any(isinstance(chunk, Verb) and chunk.name == "connect" for chunk in chunks):
        _connect(scene, chunks)
        return
    builder = Builder(chunks)
    targets = builder.build()
    if not targets and builder.lead.columns is not None:
        scene.columns = columns_of(scene, builder.lead.columns)
    if builder.colour is None and builder.verb in (None, "move", "count", "locate", "find", "end"):
        for target in targets:
            scene.look(resolve(scene, target))
        return
    for target in _placed(targets):
        _paint(scene, target, text)
    if builder.colour:
        scene.colour = builder.colour


def _connect(scene: Scene, chunks: list[Chunk]) -> None:
    """Lines between things that are there."""
    places: list[Target] = []
    colour: str | None = None
    at = 0
    while at < len(chunks):
        chunk = chunks[at]
        if isinstance(chunk, Colour):
            colour = chunk.name
        elif isinstance(chunk, Shape) and not chunk.definite:
            colour = chunk.colours[0] if chunk.colours else colour
        elif (
            isinstance(chunk, Tiles)
            and not chunk.definite
            and chunk.axis is None
            and chunk.colours
            and not chunk.each
            and not chunk.all
        ):
            colour = chunk.colours[0]
        elif isinstance(chunk, Tiles) and chunk.axis is None and not chunk.definite and not chunk.colours and not chunk.count:
            pass
        elif isinstance(chunk, Tiles | Shape | Columns | Corner | Pronoun) and (found := noun(chunks, at)):
            places.append(found[0])
            at = found[1]
            continue
        at += 1
    colour = colour or scene.colour
    if colour:
        scene.paint(connect(scene, places), colour, "line")


def _skip(scene: Scene, chunks: list[Chunk]) -> None:
    """Goes past tiles, or takes back those that are to stay blank."""
    for at, chunk in enumerate(chunks):
        if isinstance(chunk, Tiles):
            found = noun(chunks, at)
            target = found[0] if found else Target(tiles=chunk)
            if chunk.axis is not None and isinstance(chunks[0], Verb) and chunks[0].name == "skip":
                scene.look(resolve(scene, target))
                scene.heading = "down"
                return
            if chunk.axis is not None and (target.columns is not None or scene.columns):
                for tile in resolve(scene, target):
                    if scene.painted.get(tile) == scene.board.get(tile) and tile in scene.painted:
                        del scene.painted[tile]
                        scene.board.pop(tile, None)
                return
            count = chunk.count or 1
            way = scene.heading if scene.heading in HEADINGS else "down"
            ends = [run[0] if way == "up" else run[-1] for run in runs(scene.focus)]
            scene.focus = [step(end, way, count) for end in ends]
            return
        if isinstance(chunk, Columns):
            if chunk.axis is None and scene.columns:
                scene.columns = [max(scene.columns) + chunk.count]
                scene.skipped = True
            return
        if isinstance(chunk, Shape):
            return


_VAGUE = (
    "line",
    "diagonal",
    "row",
    "pattern",
    "sequence",
    "set",
    "group",
    "image",
    "section",
    "shape",
    "pair",
    "trio",
    "motif",
)


def _placed(targets: list[Target]) -> list[Target]:
    """Takes what only says where a shape is for the place of that shape."""
    kept: list[Target] = []
    for target in targets:
        last = kept[-1] if kept else None
        if (
            last
            and last.shape
            and last.shape.name not in ("line", "diagonal")
            and not last.start
            and not last.relation
            and _only_place(target)
        ):
            last.start = target
        elif (
            last
            and last.shape
            and last.start
            and last.shape.name not in ("line", "diagonal")
            and _only_place(target)
            and last.shape.plural
            and target.colour == last.colour
        ):
            last.start.also.append(target)
        else:
            kept.append(target)
    return kept


def _only_place(target: Target) -> bool:
    """Whether it names single tiles by their numbers."""
    tiles = target.tiles
    return target.corner is not None or (tiles is not None and tiles.axis is not None and target.located)


def _paint(scene: Scene, target: Target, text: str) -> None:
    colour = target.colour or scene.colour
    if target.shape is not None:
        tiles = shape_tiles_new(scene, target, text)
        kind = target.shape.name
        if not tiles and kind in _VAGUE:
            return
        if not tiles:
            copy_named(scene, target, text)
            return
        if target.middle and tiles and (inner := enclosed(set(tiles))):
            scene.paint(inner, target.middle)
    else:
        tiles = resolve(scene, target)
        kind = "tiles"
    if not tiles:
        return
    if target.tiles is not None and target.relation in ("above", "below") or (target.tiles and target.tiles.axis):
        rows = [row for row, _ in tiles]
        scene.heading = (
            "up"
            if target.relation == "above" or (len(rows) > 1 and rows[0] > rows[-1] and tiles[0][1] == tiles[-1][1])
            else "down"
        )
        if target.tiles and target.tiles.axis and target.tiles.axis.side == "bottom":
            scene.heading = "up" if len(rows) > 1 else "down"
    if target.sequence:
        _in_turn(scene, target, tiles, kind)
    elif colour:
        scene.paint(tiles, colour, kind)


def _in_turn(scene: Scene, target: Target, tiles: list[Tile], kind: str) -> None:
    """Colours one after the other along some tiles."""
    colours = [name for count, name in target.sequence for _ in range(count)]
    if len(tiles) == 1 and len(colours) > 1:
        way = target.heading if target.heading in HEADINGS else "down"
        tiles = [step(tiles[0], way, n) for n in range(len(colours))]
    everything: list[Tile] = []
    columns = list(dict.fromkeys(column for _, column in tiles))
    if len(columns) > 1 and len(tiles) >= 2 * len(columns) and target.relation is None and target.shape is None:
        for column in columns:
            _in_turn(scene, target, [tile for tile in tiles if tile[1] == column], kind)
        return
    for n, tile in enumerate(tiles):
        if n >= len(colours) and not target.alternate:
            break
        colour = colours[n % len(colours)]
        if colour != "white":
            everything += scene.paint([tile], colour, kind)
    scene.look(everything)
