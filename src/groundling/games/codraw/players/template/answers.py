"""Answers to what people ask about a scene, from the scene: what is there, where, how large, and so on."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from groundling.boards.scene import CATEGORY, HORIZON, PEOPLE, WIDTH, Piece
from groundling.games.codraw.players.questions import parse_own_question
from groundling.games.codraw.players.template import piece_words, position_phrases, scene_checks
from groundling.games.codraw.players.template.question_reader import SceneQuestion, read_questions
from groundling.games.codraw.players.template.scene_describer import SceneDescriber
from groundling.games.codraw.scene_generation.scene_builder import built_bounding_box

DO_NOT_KNOW = "I do not know."
CANNOT_LOOK = "I do not know: I cannot look at it again."
_QUESTION = re.compile(
    r"\?|^\W*(?:ok\W+|okay\W+)?(?:what|where|which|who|how|is|are|does|do|did|can|should|has|have|any"
    r"|repeat|pardon|huh)\b|\bagain please|\brepeat\b",
    re.IGNORECASE,
)
_WHOLE = frozenset(("not", "no", "fully", "whole", "showing", "shown", "visible", "see"))
_TOUCHES = frozenset(("touching", "touch", "touches", "against", "crossing", "overlapping"))
MOST_KINDS = 3
_CONTINUES = ("next", "chat", "check")


def needs_template_answer(text: str) -> bool:
    return bool(_QUESTION.search(text.strip()))


def asks_to_check(words: SceneDescriber, text: str) -> bool:
    """Whether a message asks the Teller to look at the drawing."""
    return any(one.topic == "check" for one in read_questions(text, words.scene, ()))


def write_template_answer(
    words: SceneDescriber,
    question: str,
    last: Sequence[str],
    cap: int,
    *,
    message: str = "",
    peeked: bool = False,
) -> str:
    """Answer about the kinds that a question names, else those mentioned last; "" if it asks to continue.
    `message` is what the Teller said last, and `peeked` whether it has looked at the canvas."""
    if simple := parse_own_question(question):
        return _SceneAnswers(words, SceneQuestion(simple.topic, (simple.kind,))).answer_own_question(cap)
    asked = read_questions(question, words.scene, last)
    acts = {one.topic for one in asked}
    if "repeat" in acts:
        return message[:cap]
    if "check" in acts and peeked:
        return CANNOT_LOOK
    if not asked or acts & set(_CONTINUES):
        return ""
    if "explain" in acts:
        asked = [SceneQuestion("about", tuple(last))]
    parts: list[str] = []
    for one in asked:
        parts += [part for part in _SceneAnswers(words, one).answer_question() if part not in parts]
    return (
        _join_parts(parts, cap)
        if parts
        else ("" if acts == {"unknown"} and not _is_open(asked) else DO_NOT_KNOW)
    )


def _is_open(asked: Sequence[SceneQuestion]) -> bool:
    return any(one.words & {"what", "which", "how", "where", "who"} for one in asked)


def _join_parts(parts: list[str], cap: int) -> str:
    said = [part[0].upper() + part[1:] for part in parts]
    while len(said) > 1 and len(". ".join(said)) >= cap:
        said.pop()
    while len(said[0]) >= cap and ", " in said[0]:
        said[0] = said[0].rpartition(", ")[0]
    text = ". ".join(said)
    return f"{text[: cap - 1]}."


def _name_in_height(the: str, be: str, height: str) -> str:
    """Put the name of a piece into the phrase for its height."""
    if height.startswith("its ") and " is " in height:
        return f"{the} has {height.replace(' is ', ' ', 1)}"
    if " of it " in height or "its middle" in height:
        return height.replace(" of it ", f" of {the} ").replace("its middle", f"the middle of {the}")
    return f"{the} {'has' if height.startswith(('his', 'her', 'its')) else be} {height}"


class _SceneAnswers:
    """Answers one question."""

    def __init__(self, words: SceneDescriber, question: SceneQuestion) -> None:
        self.words, self.scene, self.question = words, words.scene, question
        self.pieces = [self.scene.by_kind[kind] for kind in question.kinds if kind in self.scene.by_kind]

    def answer_question(self) -> list[str]:
        """Return sentences without their marks; none if the scene does not say."""
        question = self.question
        match question.topic:
            case "list":
                return self._list_pieces()
            case "count":
                return self._count_pieces()
            case "there" | "kind":
                return self._tell_presence()
            case "toward" | "touch" | "order":
                return self._tell_relation()
            case "unknown":
                return []
        missing = [kind for kind in question.kinds if kind not in self.scene.by_kind]
        if missing and not self.pieces:
            return [f"There {self._be(missing[0])} no {self.words.piece_name(missing[0])}"]
        return self._tell_topic(question.topic)

    def answer_own_question(self, cap: int) -> str:
        """Answer a Drawer of ours in a whole sentence: one that learned from descriptions needs more than a
        yes."""
        (kind,), topic = self.question.kinds, self.question.topic
        if not self.pieces:
            found = f"No, there {self._be(kind)} no {self.words.piece_name(kind)}"
        elif topic == "there":
            first, *parts = self._present_clauses()
            found = f"Yes, {first}"
            for part in parts:
                found = f"{found}, {part}" if len(found) + len(part) + 2 < cap else found
        elif topic == "side":
            found = ", ".join(filter(None, self._side_clauses(self.pieces[0])))
        else:
            found = self._tell(topic, self.pieces[0])
        return f"{found[0].upper()}{found[1 : cap - 1]}."

    def _be(self, kind: str) -> str:
        return "are" if kind in piece_words.PLURAL else "is"

    def _the(self, piece: Piece) -> str:
        return self.words.definite_name(piece.kind)

    def _a(self, kind: str) -> str:
        return piece_words.piece_with_article(self.words.piece_name(kind), kind)

    def _tell_topic(self, topic: str) -> list[str]:
        suitable = [piece for piece in self.pieces if self._suits(topic, piece)]
        if topic in ("face", "pose", "had") and not suitable:
            people = [piece for piece in self.scene.pieces if piece.kind in PEOPLE]
            suitable = [] if self.pieces and topic != "had" else self.pieces or people
        chosen = suitable[:MOST_KINDS]
        values = self.question.values
        told = [(self._check(topic, piece, values), self._tell(topic, piece)) for piece in chosen]
        told = [(verdict, text) for verdict, text in told if text]
        verdicts = {verdict for verdict, _ in told}
        found = [text for _, text in told]
        if len(verdicts) == 1 and found and (verdict := verdicts.pop()) is not None:
            found[0] = f"{'Yes' if verdict else 'No'}, {found[0]}"
        return found

    def _suits(self, topic: str, piece: Piece) -> bool:
        if topic == "way":
            return piece.kind in piece_words.WITH_FRONT
        return piece.kind in PEOPLE if topic in ("face", "pose", "had") else True

    def _check(self, topic: str, piece: Piece, values: Sequence[str]) -> bool | None:
        if topic == "cut":
            sides = self.question.words & {"left", "right", "top", "bottom"}
            open_question = self.question.words & {"how", "what", "which", "much", "or", "where"}
            found = None if open_question else scene_checks.check_cut(piece, sides)
            return found if found is None else found != bool(self.question.words & _WHOLE)
        if topic == "had":
            return self._check_belongings(piece)
        if topic == "where" and self.question.words & _TOUCHES:
            return scene_checks.check_edges(piece, self.question.words) if values else None
        return scene_checks.check_values(topic, piece, values)

    def _tell(self, topic: str, piece: Piece) -> str:
        the, be = self._the(piece), self._be(piece.kind)
        match topic:
            case "size":
                return f"{the} {be} {piece_words.SIZES[piece.size][0]}"
            case "way":
                turned = piece_words.piece_direction_words(piece)
                return f"{the} {be} {turned}" if turned.startswith("facing") else f"{the} has the {turned}"
            case "pose":
                pose = piece_words.POSES[piece.pose or 0][0]
                return f"{the} is {'standing ' if pose.startswith('with') else ''}{pose}"
            case "face":
                return f"{the} is {piece_words.EXPRESSIONS[piece.expression or 0][0]}"
            case "had":
                return self._tell_belongings(piece)
            case "cut":
                cut = position_phrases.position_cut_phrases(piece)
                return f"{the} has its {' and its '.join(cut)}" if cut else f"{the} {be} not cut off"
            case "where" | "touch":
                return self._tell_place(piece)
            case _:
                return ", ".join(self.words.piece_clauses(piece))

    def _tell_place(self, piece: Piece) -> str:
        """Say where a piece is: by what it stands on, across, to the edges, and in height."""
        words, phrases = self.question.words, position_phrases
        gaps = phrases.position_edge_gaps(piece)
        the, be = self._the(piece), self._be(piece.kind)
        nearer = "left" if gaps.left < gaps.right else "right"
        edges = [
            phrases.edge_distance_phrase(getattr(gaps, side), side)
            for side in ("left", "right", "top", "bottom")
            if words & {"far", "close", "inches", "inch", "distance", "space"}
            and (side in words or (side == nearer and words & {"edge", "edges", "side", "border", "sides"}))
        ]
        if edges:
            return f"{the} {be} {', '.join(edges)}"
        height = phrases.position_height_phrase(piece, self.words.rng)
        if words & {"horizon", "skyline", "high", "low", "height", "level"} and height:
            return _name_in_height(the, be, height)
        host = self.words.attachments[piece.kind]
        had = self.words.piece_clauses(piece)[0] if host and host.how in ("worn", "held") else ""
        spot, gap = self._side_clauses(piece)
        parts = [spot, gap, height, had] if len(self.pieces) < MOST_KINDS else [spot, had]
        return ", ".join(part for part in parts if part)

    def _side_clauses(self, piece: Piece) -> tuple[str, str]:
        """Say on which side a piece is, and how far from the edge."""
        phrases = position_phrases
        across = phrases.position_corner_phrase(piece) or phrases.position_across_phrase(piece)
        spot = f"{self._the(piece)} {self._be(piece.kind)} {across}"
        return spot, phrases.position_side_gap_phrase(piece)

    def _belongings(self, person: Piece) -> list[Piece]:
        hosts = self.words.attachments
        return [
            other
            for other in self.scene.pieces
            if (host := hosts[other.kind]) and host.kind == person.kind and host.how in ("worn", "held")
        ]

    def _wanted_belongings(self, person: Piece) -> list[Piece]:
        """Return what the person wears or holds, whichever was asked."""
        how = {"wear": "worn", "hold": "held"}
        wanted = {how[value] for value in self._had_verbs()} or {"worn", "held"}
        return [
            thing
            for thing in self._belongings(person)
            if (host := self.words.attachments[thing.kind]) and host.how in wanted
        ]

    def _had_verbs(self) -> set[str]:
        said = self.question.words
        wear = said & {"wear", "wears", "wearing"}
        hold = said & {"hold", "holds", "holding", "carrying", "held", "hand", "hands", "arm"}
        return {verb for verb, used in (("wear", wear), ("hold", hold)) if used}

    def _check_belongings(self, person: Piece) -> bool | None:
        if self.question.words & {"what", "which", "who", "or", "where", "how"} or person.kind not in PEOPLE:
            return None
        things = {kind for kind in self.question.kinds if kind not in PEOPLE}
        found = {thing.kind for thing in self._wanted_belongings(person)}
        return bool(found & things) if things else bool(found)

    def _tell_belongings(self, piece: Piece) -> str:
        """Say what a person wears and holds, or who has a thing."""
        hosts, verbs = self.words.attachments, {"worn": "wearing", "held": "holding"}
        if piece.kind not in PEOPLE:
            host = hosts[piece.kind]
            if not host or host.how not in verbs:
                return ""
            owner = self.scene.by_kind[host.kind]
            return (
                f"{self._the(owner)} is {verbs[host.how]} {self._the(piece)}{self._hand_side(piece, owner)}"
            )
        which_hand = {"hand", "arm"} & self.question.words
        had = [
            f"{verbs[host.how]} {self._a(thing.kind)}{self._hand_side(thing, piece) if which_hand else ''}"
            for thing in self._wanted_belongings(piece)
            if (host := hosts[thing.kind])
        ]
        nothing = " or ".join(
            verb
            for verb in ("wearing", "holding")
            if not self._had_verbs() or verb.removesuffix("ing") in self._had_verbs()
        )
        return f"{self._the(piece)} is {' and '.join(had) if had else f'not {nothing} anything'}"

    def _hand_side(self, thing: Piece, owner: Piece) -> str:
        """Say on which side, as the picture shows it, somebody holds a thing."""
        held = CATEGORY[thing.kind] != "clothing" and abs(thing.x - owner.x) > 12
        return f" on the {'left' if thing.x < owner.x else 'right'} side" if held else ""

    def _tell_presence(self) -> list[str]:
        """Say which of the kinds there are."""
        kinds = self.question.kinds
        if not kinds or (self.question.words & {"color", "colour"} and len(kinds) == 1):
            return []
        if not self.pieces:
            names = " or ".join(self.words.piece_name(kind) for kind in kinds[:2])
            return [f"No, there is no {names if len(kinds) < 3 else 'such thing'}"]
        if self.question.topic == "kind" or len(kinds) > 1:
            return [self._name_pieces(self.pieces)]
        return [f"Yes, {', '.join(self._present_clauses())}"]

    def _present_clauses(self) -> list[str]:
        """Describe the piece that was asked for."""
        clauses = self.words.piece_clauses(self.pieces[0])
        host = self.words.attachments[self.pieces[0].kind]
        if not host or host.how not in ("worn", "held"):
            clauses[0] = piece_words.piece_with_article(clauses[0], self.pieces[0].kind)
        return clauses

    def _name_pieces(self, pieces: Sequence[Piece]) -> str:
        names = [self._a(piece.kind) for piece in pieces]
        listed = ", ".join(names[:-1]) + (" and " if len(names) > 1 else "") + names[-1]
        return f"there {'are' if pieces[0].kind in piece_words.PLURAL else 'is'} {listed}"

    def _list_pieces(self) -> list[str]:
        chosen = list(self._spot_pieces())
        spot = {"sky": "in the sky", "left": "on the left", "right": "on the right"}
        where = f" {spot.get(self.question.values[0], 'on the grass')}" if self.question.values else ""
        if not chosen:
            return [f"No, there is nothing{where}" if where else "No, there are none"]
        return [f"{self._name_pieces(chosen)}{where}"]

    def _spot_pieces(self) -> Iterator[Piece]:
        for piece in self.scene.pieces:
            bottom = built_bounding_box(piece)[3]
            match self.question.values:
                case ():
                    wanted = piece.kind in self.question.kinds
                case ("sky",):
                    wanted = CATEGORY[piece.kind] == "sky" or bottom < HORIZON
                case ("left",):
                    wanted = piece.x < WIDTH / 2
                case ("right",):
                    wanted = piece.x > WIDTH / 2
                case _:
                    wanted = bottom > HORIZON and CATEGORY[piece.kind] != "sky"
            if wanted:
                yield piece

    def _count_pieces(self) -> list[str]:
        if not self.question.kinds:
            return []
        if not self.pieces:
            return ["there are none"]
        named = self._name_pieces(self.pieces).removeprefix("there is ")
        return [f"there {'are' if len(self.pieces) > 1 else 'is'} {len(self.pieces)}, {named}"]

    def _tell_relation(self) -> list[str]:
        question = self.question
        pair = [*question.kinds[:1], *question.others[:1]]
        missing = [kind for kind in pair if kind not in self.scene.by_kind]
        if missing or len(pair) < 2:
            return [f"There {self._be(kind)} no {self.words.piece_name(kind)}" for kind in missing[:1]]
        one, other = (self.scene.by_kind[kind] for kind in pair)
        verdict, text = {"toward": self._tell_toward, "touch": self._tell_touch, "order": self._tell_order}[
            question.topic
        ](one, other)
        if not text:
            return []
        return [text if verdict is None else f"{'Yes' if verdict else 'No'}, {text}"]

    def _tell_toward(self, one: Piece, other: Piece) -> tuple[bool | None, str]:
        verdict = scene_checks.check_toward(one, other)
        if one.kind not in piece_words.WITH_FRONT:
            return None, ""
        told = f"{self._the(one)} is {piece_words.piece_direction_words(one)}"
        if self.question.values in (("away",), ("each",)):
            back = scene_checks.check_toward(other, one)
            verdict = None if verdict is None or back is None else verdict and back
            if self.question.values == ("away",) and verdict is not None:
                verdict = not scene_checks.check_toward(one, other) and not back
            told += f", {self._the(other)} is {piece_words.piece_direction_words(other)}"
        return verdict if self.question.values else None, told

    def _tell_touch(self, one: Piece, other: Piece) -> tuple[bool | None, str]:
        share, gap = scene_checks.overlap_share(one, other), scene_checks.piece_gap(one, other)
        both = f"{self._the(one)} and {self._the(other)}"
        if gap > 12:
            return (False if self.question.values == ("touch",) else None), f"{both} do not touch"
        if share < 0.35:
            return None, ""
        if self.question.values == ("touch",):
            return True, f"{both} overlap"
        ahead = scene_checks.is_in_front(one, other)
        told = f"{self._the(one)} is {'in front of' if ahead else 'behind'} {self._the(other)}"
        return ahead == (self.question.values == ("front",)), told

    def _tell_order(self, one: Piece, other: Piece) -> tuple[bool | None, str]:
        order = scene_checks.order_words(one, other)
        verdict = scene_checks.check_orders(one, other, self.question.values)
        if self.question.values == ("near",):
            order = "next to" if verdict else f"{order}" if order else "near"
        return verdict, f"{self._the(one)} {self._be(one.kind)} {order} {self._the(other)}" if order else ""
