"""Carries out instructions, sentence by sentence and clause by clause."""

from __future__ import annotations

import re
from collections.abc import Iterator

from groundling.games.hexagons.players.parser.chunks import (
    ColumnsPhrase,
    Phrase,
    ShapePhrase,
    TilesPhrase,
    VerbPhrase,
)
from groundling.games.hexagons.players.parser.clauses import ClauseBuilder
from groundling.games.hexagons.players.parser.deeds.mirrors import perform_mirror
from groundling.games.hexagons.players.parser.deeds.others import perform_connect, perform_skip
from groundling.games.hexagons.players.parser.deeds.paint import VAGUE, paint_targets
from groundling.games.hexagons.players.parser.deeds.repeat import perform_repeat
from groundling.games.hexagons.players.parser.meaning import TargetFinder
from groundling.games.hexagons.players.parser.phrases import scan_phrases
from groundling.games.hexagons.players.parser.scene import ParserScene
from groundling.games.hexagons.players.parser.sentences import split_sentences
from groundling.games.hexagons.players.parser.target import is_word
from groundling.games.hexagons.players.parser.wholes import perform_whole
from groundling.games.hexagons.players.parser.words import to_plain_words

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


def perform_instruction(scene: ParserScene, text: str) -> None:
    scene.painted = {}
    if perform_whole(scene, to_plain_words(text)):
        scene.step += 1
        return
    finder = TargetFinder(scene)
    for sentence in split_sentences(text):
        if sentence.remark:
            _look_at_remark(finder, sentence.text)
        else:
            _perform_sentence(finder, sentence.text)
    scene.step += 1


def _look_at_remark(finder: TargetFinder, text: str) -> None:
    """Focus on the tiles that a remark mentions."""
    for target in ClauseBuilder(scan_phrases(text)).build_targets():
        if target.relation and (tiles := finder.resolve_target(target)):
            finder.scene.focus_on(tiles)
            return


def _perform_sentence(finder: TargetFinder, text: str) -> None:
    scene = finder.scene
    side, apart = _SIDE.search(text), _APART.search(text)
    scene.side = side[1] if side else None
    scene.stride = _tile_stride(apart) if apart else 1
    scene.meant, scene.turned = {}, None
    if perform_whole(scene, text):
        return
    for clause in _split_clauses(scan_phrases(text)):
        _perform_clause(finder, clause, text)


def _tile_stride(apart: re.Match[str]) -> int:
    """Return the distance between tiles if some are left out between them."""
    return int(apart[4]) if apart[4] else int(apart[1] or apart[2] or apart[5] or 1) + 1


def _verb_names(chunks: list[Phrase]) -> list[str]:
    return [chunk.name for chunk in chunks if isinstance(chunk, VerbPhrase)]


def _split_clauses(chunks: list[Phrase]) -> Iterator[list[Phrase]]:
    """Split a sentence into parts that are carried out in turn."""
    clause: list[Phrase] = []
    own = False
    for chunk in chunks:
        if isinstance(chunk, VerbPhrase):
            begins = _begins_clause(chunk.name, clause, own)
            joins = begins and _joins_clause(chunk.name, clause)
            if begins and not joins and clause:
                yield clause
                clause = []
            own = True if joins else chunk.name in _OWN if begins else own and chunk.name in _OWN
        clause.append(chunk)
    if clause:
        yield clause


def _begins_clause(verb: str, clause: list[Phrase], own: bool) -> bool:
    """Whether a verb begins a new clause."""
    again = any(name in ("repeat", "connect") for name in _verb_names(clause))
    if verb in _OWN:
        return not (again and verb in ("skip", "leave"))
    return own and (verb in _PAINTING or (not again and verb in ("move", "start", "continue")))


def _joins_clause(verb: str, clause: list[Phrase]) -> bool:
    """Whether the words before the verb belong to its clause: where to repeat something, or that a line
    connects."""
    if verb == "repeat":
        return not any(name in (*_PAINTING, "connect") for name in _verb_names(clause))
    shapes = [chunk for chunk in clause if isinstance(chunk, ShapePhrase)]
    nowhere = not any(isinstance(chunk, TilesPhrase | ColumnsPhrase) for chunk in clause)
    return verb == "connect" and bool(shapes) and shapes[-1].name in ("line", "diagonal") and nowhere


def _perform_clause(finder: TargetFinder, chunks: list[Phrase], text: str) -> None:
    verbs = _verb_names(chunks)
    if isinstance(chunks[0], VerbPhrase) and chunks[0].name in ("skip", "leave"):
        perform_skip(finder, chunks)
    elif "mirror" in verbs:
        perform_mirror(finder, chunks, text)
    elif "repeat" in verbs or any(
        isinstance(chunk, ShapePhrase) and _is_repetition(chunk, chunks) for chunk in chunks
    ):
        perform_repeat(finder, chunks, text)
    elif "connect" in verbs:
        perform_connect(finder, chunks, text)
    else:
        _perform_painting(finder, chunks, text)


def _is_repetition(shape: ShapePhrase, chunks: list[Phrase]) -> bool:
    """Whether it is the same shape as before, or more of them."""
    if "same" in shape.words and shape.name in VAGUE:
        return True
    return (
        "more" in shape.words
        and shape.name not in ("line", "diagonal")
        and not any(is_word(chunk, "by") for chunk in chunks)
    )


def _perform_painting(finder: TargetFinder, chunks: list[Phrase], text: str) -> None:
    """Paint the targets of a clause, or only focus on them."""
    scene, builder = finder.scene, ClauseBuilder(chunks)
    targets = builder.build_targets()
    if not targets and builder.lead.start is not None and builder.colour is None:
        scene.focus_on(finder.resolve_target(builder.lead.start))
        scene.columns = sorted({column for _, column in scene.focus})
    if not targets and builder.lead.columns is not None:
        scene.columns = finder.find_columns(builder.lead.columns)
    if builder.colour is None and builder.verb in (None, "move", "count", "locate", "find", "using"):
        for target in targets:
            tiles = finder.resolve_target(target)
            only = target.columns is not None and target.tiles is None and target.rows is None
            # a column only: the next tiles are counted from its top
            scene.focus_on([(0, column) for column in scene.columns] if only else tiles)
            scene.heading = "down" if only else scene.heading
        return
    paint_targets(finder, targets, text)
    scene.colour = builder.colour or scene.colour
