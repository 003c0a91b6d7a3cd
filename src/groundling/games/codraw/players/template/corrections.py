"""Corrections after a peek: what is missing, superfluous or wrong."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from groundling.boards.scene import HEIGHT, WIDTH, Piece, Scene
from groundling.games.codraw.players.template import piece_words
from groundling.games.codraw.players.template.scene_describer import SceneDescriber

MAX_SENTENCES = 3
"""The most sentences in a message."""
MIN_WORTH = 0.04
"""The smallest loss, in points of similarity, that is worth a correction."""
_AMOUNTS = ((36, "a little"), (52, "a bit"), (80, "an inch"), (130, "2 inches"))
"""Distances in pixels below which people ask for a move in these words."""
_ALIKE = frozenset(("sun", "cloud", "pine tree", "apple tree", "pie", "pizza", "baseball", "basketball"))
_ALIKE |= {"tennis ball", "beach ball", "soccer ball"}
"""Kinds that look the same when mirrored."""


def plan_corrections(
    words: SceneDescriber, canvas: Scene, cap: int, *, told: Collection[str] | None = None, anew: bool = False
) -> list[str]:
    """Return messages, the largest losses first. Missing pieces are mentioned only if their kind is in
    `told`, where that is given.

    A wrong piece is corrected by instructions what to do with it, or, with `anew`, described again: a
    Drawer that redraws the whole canvas from the talk has nothing to move."""
    found = sorted(_weighted_corrections(words, canvas, cap, told, anew), key=lambda pair: -pair[0])
    messages: list[list[str]] = []
    for worth, text in found:
        if worth < MIN_WORTH:
            continue
        if not messages or len(messages[-1]) == MAX_SENTENCES or len(" ".join([*messages[-1], text])) > cap:
            messages.append([])
        messages[-1].append(text)
    return [" ".join(parts) for parts in messages]


def _weighted_corrections(
    words: SceneDescriber, canvas: Scene, cap: int, told: Collection[str] | None, anew: bool
) -> Iterator[tuple[float, str]]:
    for piece in words.scene.pieces:
        drawn = canvas.get(piece.kind)
        if drawn is None:
            if told is None or piece.kind in told:
                yield from ((5.0, text) for text in words.piece_sentences(piece, cap))
            continue
        clauses = list(_correction_clauses(words, piece, drawn))
        worth = sum(worth for worth, _ in clauses)
        if clauses and anew:
            yield from ((worth, text) for text in words.piece_sentences(piece, cap))
        elif clauses:
            yield worth, _join_clauses([clause for _, clause in clauses], cap)
    for extra in canvas.pieces:
        if extra.kind not in words.scene.by_kind:
            yield 4.0, _join_clauses([f"remove {words.definite_name(extra.kind)}"], cap)


def _correction_clauses(words: SceneDescriber, piece: Piece, drawn: Piece) -> Iterator[tuple[float, str]]:
    """Yield the instructions for one piece."""
    the = words.definite_name(piece.kind)
    if piece.size != drawn.size:
        sizes = "2 sizes " if abs(piece.size - drawn.size) > 1 else ""
        yield 1.0, f"make {the} {sizes}{'smaller' if piece.size > drawn.size else 'bigger'}"
    if piece.flip != drawn.flip and piece.kind not in _ALIKE:
        turned = piece_words.piece_direction_words(piece)
        yield 1.0, f"flip {the}{', ' + turned if turned else ''}"
    if piece.pose is not None and piece.pose != drawn.pose:
        yield 0.5, f"{the} should be {piece_words.POSES[piece.pose][0].removeprefix('standing ')}"
    if piece.expression is not None and piece.expression != drawn.expression:
        yield 0.5, f"{the} should be {piece_words.EXPRESSIONS[piece.expression][0]}"
    right, down = piece.x - drawn.x, piece.y - drawn.y
    far = abs(right) / WIDTH + abs(down) / HEIGHT
    steps = [_move_phrase(right, "left", "right"), _move_phrase(down, "up", "down")]
    if any(steps):
        yield far, f"move {the} {' and '.join(step for step in steps if step)}"


def _move_phrase(way: int, less: str, more: str) -> str:
    """Word a move along one axis; empty if it is too small to mention."""
    if abs(way) < 18:
        return ""
    amount = next((words for limit, words in _AMOUNTS if abs(way) < limit), "3 inches")
    return f"{less if way < 0 else more} {amount}"


def _join_clauses(clauses: list[str], cap: int) -> str:
    while len(clauses) > 1 and len("; ".join(clauses)) >= cap:
        clauses.pop()
    text = ". ".join(clause[0].upper() + clause[1:] for clause in clauses)
    return f"{text[: cap - 1]}."
