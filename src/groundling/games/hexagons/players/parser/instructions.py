"""Reads an instruction as a drawing program and the tiles that it changes: clause by clause."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, reduce

from msgspec import Struct

from groundling.boards.hexes import HEADINGS, Tile, step_on_lattice
from groundling.games.hexagons.players.parser.clause_builder import ClauseBuilder
from groundling.games.hexagons.players.parser.figures import figure_tiles, paint_named_figure
from groundling.games.hexagons.players.parser.mirroring import perform_mirror_repetition
from groundling.games.hexagons.players.parser.parser_scene import PaintMark, ParserScene
from groundling.games.hexagons.players.parser.phrase_scanner import scan_phrases
from groundling.games.hexagons.players.parser.phrases import (
    ColourPhrase,
    ColumnsPhrase,
    CornerPhrase,
    Phrase,
    PronounPhrase,
    ShapePhrase,
    TilesPhrase,
    UnreadableInstruction,
    VerbPhrase,
    WordPhrase,
)
from groundling.games.hexagons.players.parser.repetition import perform_repeat
from groundling.games.hexagons.players.parser.sentences import normalise_sentences, split_parser_sentences
from groundling.games.hexagons.players.parser.target_finder import TargetFinder
from groundling.games.hexagons.players.parser.targets import Target, is_target_word, read_target_noun
from groundling.games.hexagons.players.parser.tile_geometry import (
    enclosed_tiles,
    tile_run_ends,
    tiles_to_shape,
)
from groundling.games.hexagons.players.parser.whole_sentences import perform_whole_sentence
from groundling.games.hexagons.program import Action, Program
from groundling.games.hexagons.program.statements import PaintStatement

_VAGUE = re.findall(
    r"\S+", "line diagonal row pattern sequence set group image section shape pair trio motif"
)
"""Names of shapes that do not determine their form."""
_LINES = ("line", "diagonal")
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
_DEEP = 150
"""The length of a history from which on it is replayed without recursion."""


class InstructionReading(Struct, frozen=True):
    """The interpretation of an instruction."""

    program: Program
    actions: tuple[Action, ...]
    """Its changes, as far as the board is known."""
    whole: float = 0.0
    """The share of its sentences that describe one thing in full."""
    unread: tuple[str, ...] = ()
    """Words that belong to no phrase."""


def parse_instruction(
    instruction: str, history: Sequence[str] = (), board: Mapping[Tile, str] | None = None
) -> InstructionReading:
    """Read an instruction after the visible earlier ones, on a board whose painted tiles are given. Without a
    board, the earlier instructions are carried out first; those that cannot be read are skipped."""
    scene = _scene_after(tuple(history)).copy()
    if board is not None:
        scene.adopt_board(board)
    before = dict(scene.board)
    whole = _perform_instruction(scene, instruction)
    actions = tuple(
        (*tile, colour) for tile, colour in scene.painted.items() if before.get(tile, "white") != colour
    )
    program = _marks_to_program(scene.marks_of_steps([scene.step - 1]), scene.painted)
    return InstructionReading(program, actions, whole, _unread_words(instruction))


def _unread_words(instruction: str) -> tuple[str, ...]:
    return tuple(
        chunk.text
        for sentence in split_parser_sentences(instruction)
        for chunk in scan_phrases(sentence)
        if isinstance(chunk, WordPhrase) and chunk.text.isalpha()
    )


@lru_cache(maxsize=256)
def _scene_after(history: tuple[str, ...]) -> ParserScene:
    """Return the scene after some instructions; callers must copy it before they change it."""
    if 0 < len(history) < _DEEP:
        return _next_scene(_scene_after(history[:-1]), history[-1])
    return reduce(_next_scene, history, ParserScene())


def _next_scene(before: ParserScene, text: str) -> ParserScene:
    """Return the scene after one more instruction; one that cannot be read changes nothing."""
    scene = before.copy()
    try:
        _perform_instruction(scene, text)
    except UnreadableInstruction:
        scene = before.copy()
        scene.step += 1
    return scene


def _marks_to_program(marks: Iterable[PaintMark], painted: dict[Tile, str]) -> Program:
    """Return a program for the marks that are still visible."""
    statements: list[PaintStatement] = []
    left = dict(painted)
    for mark in reversed(list(marks)):
        tiles = [tile for tile in mark.tiles if left.get(tile) == mark.colour]
        for tile in tiles:
            del left[tile]
        if tiles:
            statements.append(PaintStatement((mark.colour,), tiles_to_shape(tiles)))
    return Program(tuple(reversed(statements)))


def _perform_instruction(scene: ParserScene, text: str) -> float:
    """Carry out an instruction, and return the share of its sentences that describe one thing in full."""
    scene.painted = {}
    if perform_whole_sentence(scene, normalise_sentences(text)):
        scene.step += 1
        return 1.0
    finder = TargetFinder(scene)
    whole = [_perform_sentence(finder, sentence) for sentence in split_parser_sentences(text)]
    scene.step += 1
    return sum(whole) / max(1, len(whole))


def _perform_sentence(finder: TargetFinder, text: str) -> bool:
    """Carry out a sentence, and say whether it describes one thing in full."""
    scene = finder.scene
    side, apart = _SIDE.search(text), _APART.search(text)
    scene.side = side[1] if side else None
    scene.stride = 1
    if apart:
        scene.stride = int(apart[4]) if apart[4] else int(apart[1] or apart[2] or apart[5] or 1) + 1
    scene.meant, scene.turned = {}, None
    if perform_whole_sentence(scene, text):
        return True
    for clause in _split_clauses(scan_phrases(text)):
        _perform_clause(finder, clause, text)
    return False


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
    """Whether the words before the verb belong to it: where to repeat something, or that a line connects."""
    if verb == "repeat":
        return not any(name in (*_PAINTING, "connect") for name in _verb_names(clause))
    shapes = [chunk for chunk in clause if isinstance(chunk, ShapePhrase)]
    nowhere = not any(isinstance(chunk, TilesPhrase | ColumnsPhrase) for chunk in clause)
    return verb == "connect" and bool(shapes) and shapes[-1].name in _LINES and nowhere


def _perform_clause(finder: TargetFinder, chunks: list[Phrase], text: str) -> None:
    verbs = _verb_names(chunks)
    if isinstance(chunks[0], VerbPhrase) and chunks[0].name in ("skip", "leave"):
        _perform_skip(finder, chunks)
    elif "mirror" in verbs:
        perform_mirror_repetition(finder, chunks, text)
    elif "repeat" in verbs or any(
        isinstance(chunk, ShapePhrase) and _is_repetition(chunk, chunks) for chunk in chunks
    ):
        perform_repeat(finder, chunks, text)
    elif "connect" in verbs:
        _perform_connect(finder, chunks, text)
    else:
        _perform_painting(finder, chunks, text)


def _is_repetition(shape: ShapePhrase, chunks: list[Phrase]) -> bool:
    """Whether it is the same shape as before, or more of them."""
    if "same" in shape.words and shape.name in _VAGUE:
        return True
    more = "more" in shape.words and shape.name not in _LINES
    return more and not any(is_target_word(chunk, "by") for chunk in chunks)


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
    for target in _merge_places(targets):
        _paint_target(finder, target, text)
    scene.colour = builder.colour or scene.colour


def _merge_places(targets: list[Target]) -> list[Target]:
    """Merge a target that only states a place into the shape before it."""
    kept: list[Target] = []
    for target in targets:
        last = kept[-1] if kept else None
        if last is None or last.shape is None or last.shape.name in _LINES or not _only_place(target):
            kept.append(target)
        elif last.start is None and not last.relation:
            last.start = target
        elif last.start is not None and last.shape.plural and target.colour == last.colour:
            last.start.also.append(target)
        else:
            kept.append(target)
    return kept


def _only_place(target: Target) -> bool:
    """Whether the target names single tiles by their numbers."""
    tiles = target.tiles
    return target.corner is not None or (tiles is not None and tiles.axis is not None and target.is_located)


def _paint_target(finder: TargetFinder, target: Target, text: str) -> None:
    scene, kind = finder.scene, "tiles"
    colour = target.colour or scene.colour
    if target.shape is not None:
        tiles, kind = figure_tiles(finder, target, target.shape, text), target.shape.name
        if not tiles and kind not in _VAGUE:
            paint_named_figure(finder, target, target.shape, text)
        if target.middle:
            scene.paint_tiles(enclosed_tiles(set(tiles)), target.middle)
    else:
        tiles = finder.resolve_target(target)
    if not tiles:
        return
    if target.tiles is not None and (target.tiles.axis or target.relation in ("above", "below")):
        scene.heading = "up" if _goes_up(target, tiles) else "down"
    if target.sequence:
        _paint_sequence(scene, target, tiles, kind)
    elif colour:
        scene.paint_tiles(tiles, colour, kind)


def _goes_up(target: Target, tiles: list[Tile]) -> bool:
    """Whether the tiles go up a column."""
    if target.tiles is not None and target.tiles.axis is not None and target.tiles.axis.side == "bottom":
        return len(tiles) > 1
    return target.relation == "above" or (tiles[0][1] == tiles[-1][1] and tiles[0][0] > tiles[-1][0])


def _paint_sequence(scene: ParserScene, target: Target, tiles: list[Tile], kind: str) -> None:
    """Paint colours in turn along tiles; if the tiles lie in several columns, along each column."""
    colours = [name for count, name in target.sequence for _ in range(count)]
    if len(tiles) == 1:
        way = target.heading if target.heading in HEADINGS else "down"
        tiles = [step_on_lattice(tiles[0], way, n) for n in range(len(colours))]
    columns = dict.fromkeys(column for _, column in tiles)
    if (
        len(columns) > 1
        and len(tiles) >= 2 * len(columns)
        and target.relation is None
        and target.shape is None
    ):
        for column in columns:
            _paint_sequence(scene, target, [tile for tile in tiles if tile[1] == column], kind)
        return
    everything: list[Tile] = []
    for n, tile in enumerate(tiles if target.alternate else tiles[: len(colours)]):
        if (colour := colours[n % len(colours)]) != "white":
            everything += scene.paint_tiles([tile], colour, kind)
    scene.focus_on(everything)


def _perform_connect(finder: TargetFinder, chunks: list[Phrase], text: str) -> None:
    """Paint lines between painted things."""
    places: list[Target] = []
    colour: str | None = None
    at = 0
    while at < len(chunks):
        chunk = chunks[at]
        at += 1
        if isinstance(chunk, ColourPhrase):
            colour = chunk.name
        elif isinstance(chunk, ShapePhrase | TilesPhrase) and _made_of(chunk):
            colour = chunk.colours[0] if chunk.colours else colour
        elif isinstance(chunk, TilesPhrase | ShapePhrase | ColumnsPhrase | CornerPhrase | PronounPhrase) and (
            found := read_target_noun(chunks, at - 1)
        ):
            places.append(found[0])
            at = found[1]
    colour = colour or finder.scene.colour
    if colour:
        finder.scene.paint_tiles(finder.connecting_tiles(places, closed="triangle" in text), colour, "line")


def _made_of(chunk: ShapePhrase | TilesPhrase) -> bool:
    """Whether the phrase is the line itself or its material, not one of its ends."""
    if chunk.definite:
        return False
    if isinstance(chunk, ShapePhrase):
        return True
    return (
        chunk.axis is None and not chunk.each and not chunk.all and (bool(chunk.colours) or not chunk.count)
    )


def _perform_skip(finder: TargetFinder, chunks: list[Phrase]) -> None:
    """Move past tiles, or unpaint those that should stay blank."""
    scene = finder.scene
    verb = chunks[0].name if isinstance(chunks[0], VerbPhrase) else ""
    for at, chunk in enumerate(chunks):
        if isinstance(chunk, ShapePhrase):
            return
        if isinstance(chunk, ColumnsPhrase):
            if chunk.axis is None and scene.columns:
                scene.columns = [max(scene.columns) + chunk.count]
                scene.skipped = True
            return
        if isinstance(chunk, TilesPhrase):
            found = read_target_noun(chunks, at)
            _skip_tiles(finder, found[0] if found else Target(tiles=chunk), chunk, verb)
            return


def _skip_tiles(finder: TargetFinder, target: Target, chunk: TilesPhrase, verb: str) -> None:
    scene = finder.scene
    if chunk.axis is not None and verb == "skip":
        scene.focus_on(finder.resolve_target(target))
        scene.heading = "down"
    elif chunk.axis is not None and (target.columns is not None or scene.columns):
        left = finder.resolve_target(target)
        gone = [
            tile for tile in left if tile in scene.painted and scene.painted[tile] == scene.board.get(tile)
        ]
        for tile in gone:
            del scene.painted[tile], scene.board[tile]
        if not gone:
            scene.focus_on(left)
            scene.heading = "down"
    elif not (chunk.order == "last" or (chunk.definite and not chunk.next and not chunk.count)):
        way = scene.heading if scene.heading in HEADINGS else "down"
        scene.focus = [step_on_lattice(end, way, chunk.count or 1) for end in tile_run_ends(scene.focus, way)]
