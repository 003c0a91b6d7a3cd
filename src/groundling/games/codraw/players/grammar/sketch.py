"""The working memory of a Drawer: all facts about every piece, and the scene that follows from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from groundling.boards.scene import HEIGHT, KINDS, PEOPLE, WIDTH, Piece, Scene
from groundling.games.codraw.players.grammar import appearance
from groundling.games.codraw.players.grammar.facts import DiscourseState, Fact, shift_distance_pixels
from groundling.games.codraw.players.grammar.layout import lay_out_pieces
from groundling.games.codraw.players.grammar.lexicon import lexicon_family_name
from groundling.games.codraw.players.grammar.message_reader import read_message_facts
from groundling.games.codraw.players.grammar.phrases import parse_message_phrases, restrict_phrase_mentions
from groundling.games.codraw.players.questions import PieceQuestion
from groundling.games.codraw.scene_generation.scene_builder import built_piece_extent

_STEPS = ("bigger", "smaller", "flip", "otherway", "swap")
"""Corrections that depend on the canvas before them."""


class Sketch:
    def __init__(self, palette: Sequence[str] = KINDS) -> None:
        self.palette = frozenset(palette)
        self.memory = DiscourseState([], [], {})
        self.drafts: dict[str, list[tuple[int, Fact]]] = {}
        """By kind: all facts, each with the number of its message."""
        self.messages = 0
        self.unsure: list[str] = []
        """Kinds for which the last message had only a general word."""

    def read_message(self, message: str) -> None:
        self.messages += 1
        before: Scene | None = None
        guesses = set(self.memory.guesses)
        for fact in read_message_facts(
            self.memory, restrict_phrase_mentions(parse_message_phrases(message), self.palette)
        ):
            match fact.rule:
                case "denied":
                    pass
                case "renamed":
                    self._rename_kind(fact.kind, fact.said["to"])
                case "remove":
                    self.drafts.pop(fact.kind, None)
                case rule if rule in _STEPS:
                    before = before or self.draw_scene()
                    self._apply_correction(fact, before)
                case _:
                    self._record_fact(fact)
        self.unsure = [
            kind for kind in self.memory.guesses if kind not in guesses and self._is_ambiguous(kind)
        ]

    def open_question(self) -> str:
        """Return a question about an ambiguous word of the last message; "" if there is none."""
        return (
            f"Which {lexicon_family_name(self.memory.guesses[self.unsure[0]])} is it?" if self.unsure else ""
        )

    def list_doubts(self) -> list[PieceQuestion]:
        """List what nobody has said about the pieces, the greatest loss first: side, direction, size."""
        told = {kind: [fact for _, fact in facts] for kind, facts in self.drafts.items()}
        sides = [PieceQuestion("side", kind) for kind, facts in told.items() if not facts]
        turned = appearance.unstated_flips(told)
        ways = [PieceQuestion("way", kind) for kind in sorted(turned, key=lambda kind: kind not in PEOPLE)]
        sizes = [PieceQuestion("size", kind) for kind in appearance.unstated_sizes(told)]
        return [question for question in (*sides, *ways, *sizes) if question.is_sensible]

    def _is_ambiguous(self, guess: str) -> bool:
        """Tell whether another kind could be meant. A "cloud" is the plain cloud unless called otherwise."""
        family = self.memory.guesses[guess]
        others = [kind for kind in family if kind not in self.drafts]
        return guess in self.drafts and bool(others) and lexicon_family_name(family) != guess

    def note_reply(self, reply: str) -> None:
        """Note the Drawer's reply: if it was the question, the next message is read as the answer."""
        self.memory.asked = self.unsure[0] if self.unsure and reply == self.open_question() else ""

    def draw_scene(self) -> Scene:
        said = {kind: [fact for _, fact in told] for kind, told in self.drafts.items()}
        sizes = appearance.decide_sizes(said)
        pieces = {kind: Piece(kind, 0, 0, sizes[kind], False, *self._decide_figure(kind)) for kind in said}
        at = lay_out_pieces(pieces, said)
        flips = appearance.decide_flips(said, {kind: x for kind, (x, _) in at.items()})
        pieces = {kind: replace(piece, flip=flips[kind]) for kind, piece in pieces.items()}
        at = _apply_shifts(lay_out_pieces(pieces, said), said)
        return Scene.of(_keep_visible(piece, *at[kind]) for kind, piece in pieces.items())

    def _decide_figure(self, kind: str) -> tuple[int | None, int | None]:
        return appearance.decide_figure(self.drafts[kind]) if kind in PEOPLE else (None, None)

    def _rename_kind(self, old: str, new: str) -> None:
        """Move all facts to the kind that was really meant."""
        told = [(number, replace(fact, kind=new)) for number, fact in self.drafts.pop(old, [])]
        self.drafts[new] = [*told, *self.drafts.get(new, [])]
        for kind, others in self.drafts.items():
            self.drafts[kind] = [(number, _rename_anchor(fact, old, new)) for number, fact in others]

    def _record_fact(self, fact: Fact) -> None:
        if self.palette.issuperset((fact.kind, *fact.anchors)):
            for kind in (fact.kind, *fact.anchors):
                self.drafts.setdefault(kind, [])
            self.drafts[fact.kind].append((self.messages, fact))

    def _apply_correction(self, fact: Fact, before: Scene) -> None:
        """Apply a correction by recording its result."""
        old = before.get(fact.kind)
        if old is None:
            return
        match fact.rule:
            case "bigger" | "smaller":
                by = (2 if "steps" in fact.said else 1) * (-1 if fact.rule == "bigger" else 1)
                self._record_fact(Fact(fact.kind, "resized", {"to": min(2, max(0, old.size + by))}))
            case "flip" | "otherway":
                self._record_fact(Fact(fact.kind, "turned", {"flip": not old.flip}))
            case "swap" if other := before.get(fact.anchors[0]):
                self._record_fact(Fact(old.kind, "put", {"x": other.x, "y": other.y}))
                self._record_fact(Fact(other.kind, "put", {"x": old.x, "y": old.y}))


def _rename_anchor(fact: Fact, old: str, new: str) -> Fact:
    if old not in fact.anchors:
        return fact
    return replace(fact, anchors=tuple(new if kind == old else kind for kind in fact.anchors))


def _apply_shifts(
    at: Mapping[str, tuple[float, float]], said: Mapping[str, Sequence[Fact]]
) -> dict[str, tuple[float, float]]:
    """Apply all corrections of positions."""
    found = dict(at)
    for kind, told in said.items():
        for fact in told:
            if fact.rule == "shift":
                across, down = shift_distance_pixels(fact)
                found[kind] = found[kind][0] + across, found[kind][1] + down
            elif fact.rule == "put":
                found[kind] = fact.said["x"], fact.said["y"]
    return found


def _keep_visible(piece: Piece, x: float, y: float) -> Piece:
    """Place a piece, keeping some of it visible."""
    width, height = built_piece_extent(piece)
    x, y = min(max(x, -width / 2), WIDTH + width / 2), min(max(y, -height / 2), HEIGHT + height / 2)
    return replace(piece, x=round(x), y=round(y))
