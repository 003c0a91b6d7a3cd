"""Carries out instructions, sentence by sentence and clause by clause."""

from __future__ import annotations

import re
from collections.abc import Iterator

from groundling.games.hexagons.players.parser.chunks import Chunk, Columns, Shape, Tiles, Verb
from groundling.games.hexagons.players.parser.clauses import Builder
from groundling.games.hexagons.players.parser.deeds.mirrors import mirror
from groundling.games.hexagons.players.parser.deeds.others import connect, skip
from groundling.games.hexagons.players.parser.deeds.paint import VAGUE, paint_all
from groundling.games.hexagons.players.parser.deeds.repeat import repeat
from groundling.games.hexagons.players.parser.meaning import Finder
from groundling.games.hexagons.players.parser.phrases import scan
from groundling.games.hexagons.players.parser.scene import Scene
from groundling.games.hexagons.players.parser.sentences import sentences
from groundling.games.hexagons.players.parser.target import is_word
from groundling.games.hexagons.players.parser.wholes import whole
from groundling.games.hexagons.players.parser.words import plain

_SIDE = re.compile(r"count(?:ing)? from (?:the )?(?:top |bottom )?(?:and )?(?:the )?(left|right)")
_APART = re.compile(
    r"gaps of (\d+)|skip (\d+)(?: tiles?)? (?:after|between)|skip every (other)|each (\d+) tiles from the "
    r"(?:#-1|last)|"
    r"(?:leave|skip|with) (?:a|an|1|(\d+)) (?:blank |white )?tiles?(?: left)?(?: blank| white)?"
    r"(?: in)? between (?:each|them|every|the tiles|two)"
)
_PAINTING = ("paint", "make", "add")
_OWN = ("skip", "leave", "repeat", "mirror", "connect")
"""Verbs that begin a clause of their own."""


def perform(scene: Scene, text: str) -> None:
    scene.painted = {}
    if whole(scene, plain(text)):
        scene.step += 1
        return
    finder = Finder(scene)
    for sentence in sentences(text):
        if sentence.remark:
            _point(finder, sentence.text)
        else:
            _sentence(finder, sentence.text)
    scene.step += 1


def _point(finder: Finder, text: str) -> None:
    """Focus on the tiles that a remark mentions."""
    for target in Builder(scan(text)).build():
        if target.relation and (tiles := finder.resolve(target)):
            finder.scene.look(tiles)
            return


def _sentence(finder: Finder, text: str) -> None:
    scene = finder.scene
    side, apart = _SIDE.search(text), _APART.search(text)
    scene.side = side[1] if side else None
    scene.stride = _stride(apart) if apart else 1
    scene.meant, scene.turned = {}, None
    if whole(scene, text):
        return
    for clause in _clauses(scan(text)):
        _clause(finder, clause, text)


def _stride(apart: re.Match[str]) -> int:
    """Return the distance between tiles if some are left out between them."""
    return int(apart[4]) if apart[4] else int(apart[1] or apart[2] or apart[5] or 1) + 1


def _verbs(chunks: list[Chunk]) -> list[str]:
    return [chunk.name for chunk in chunks if isinstance(chunk, Verb)]


def _clauses(chunks: list[Chunk]) -> Iterator[list[Chunk]]:
    """Split a sentence into parts that are carried out in turn."""
    clause: list[Chunk] = []
    own = False
    for chunk in chunks:
        if isinstance(chunk, Verb):
            begins = _begins(chunk.name, clause, own)
            joins = begins and _joins(chunk.name, clause)
            if begins and not joins and clause:
                yield clause
                clause = []
            own = True if joins else chunk.name in _OWN if begins else own and chunk.name in _OWN
        clause.append(chunk)
    if clause:
        yield clause


def _begins(verb: str, clause: list[Chunk], own: bool) -> bool:
    """Whether a verb begins a new clause."""
    again = any(name in ("repeat", "connect") for name in _verbs(clause))
    if verb in _OWN:
        return not (again and verb in ("skip", "leave"))
    return own and (verb in _PAINTING or (not again and verb in ("move", "start", "continue")))


def _joins(verb: str, clause: list[Chunk]) -> bool:
    """Whether the words before the verb belong to its clause: where to repeat something, or that a line
    connects."""
    if verb == "repeat":
        return not any(name in (*_PAINTING, "connect") for name in _verbs(clause))
    shapes = [chunk for chunk in clause if isinstance(chunk, Shape)]
    nowhere = not any(isinstance(chunk, Tiles | Columns) for chunk in clause)
    return verb == "connect" and bool(shapes) and shapes[-1].name in ("line", "diagonal") and nowhere


def _clause(finder: Finder, chunks: list[Chunk], text: str) -> None:
    verbs = _verbs(chunks)
    if isinstance(chunks[0], Verb) and chunks[0].name in ("skip", "leave"):
        skip(finder, chunks)
    elif "mirror" in verbs:
        mirror(finder, chunks, text)
    elif "repeat" in verbs or any(isinstance(chunk, Shape) and _again(chunk, chunks) for chunk in chunks):
        repeat(finder, chunks, text)
    elif "connect" in verbs:
        connect(finder, chunks, text)
    else:
        _build(finder, chunks, text)


def _again(shape: Shape, chunks: list[Chunk]) -> bool:
    """Whether it is the same shape as before, or more of them."""
    if "same" in shape.words and shape.name in VAGUE:
        return True
    return (
        "more" in shape.words
        and shape.name not in ("line", "diagonal")
        and not any(is_word(chunk, "by") for chunk in chunks)
    )


def _build(finder: Finder, chunks: list[Chunk], text: str) -> None:
    """Paint the targets of a clause, or only focus on them."""
    scene, builder = finder.scene, Builder(chunks)
    targets = builder.build()
    if not targets and builder.lead.start is not None and builder.colour is None:
        scene.look(finder.resolve(builder.lead.start))
        scene.columns = sorted({column for _, column in scene.focus})
    if not targets and builder.lead.columns is not None:
        scene.columns = finder.columns(builder.lead.columns)
    if builder.colour is None and builder.verb in (None, "move", "count", "locate", "find", "using"):
        for target in targets:
            tiles = finder.resolve(target)
            only = target.columns is not None and target.tiles is None and target.rows is None
            # a column only: the next tiles are counted from its top
            scene.look([(0, column) for column in scene.columns] if only else tiles)
            scene.heading = "down" if only else scene.heading
        return
    paint_all(finder, targets, text)
    scene.colour = builder.colour or scene.colour
