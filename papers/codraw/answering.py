"""How truly the Tellers answer what people asked: the most frequent kinds of questions, and all others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Literal, TypeAlias

from msgspec import Struct
from papers.codraw.answer_truth import Claim, SceneTruth
from papers.codraw.question_kinds import AskedQuestion, question_kind, read_asked_questions

from groundling.core.values import Problem
from groundling.games.codraw.players.template.answers import (
    CANNOT_LOOK,
    DO_NOT_KNOW,
    needs_template_answer,
    write_template_answer,
)
from groundling.games.codraw.players.template.question_reader import mentioned_context
from groundling.games.codraw.players.template.scene_describer import SceneDescriber
from groundling.games.codraw.text_table import format_text_table

KINDS_FILE = Path(__file__).with_name("question_kinds.txt")
CAP = 140
Outcome: TypeAlias = Literal["true", "false", "unread", "open", "continues", "ignored"]
"""`open`: "I do not know"; `ignored`: a question about the scene to which the Teller continues its talk."""
CONTINUES = ("next", "check", "unclear")
ACCEPTED = {
    "about": ("size", "where", "there", "had"),
    "kind": ("there",),
    "list": ("there",),
    "count": ("there",),
}
ACCEPTED |= {"toward": ("way", "there"), "there": ("there", "where", "size", "had"), "had": ("had",)}
"""The topics of claims that answer a question, where its own name is not the only one."""


class GivenAnswer(Struct, frozen=True):
    question: AskedQuestion
    kind: str
    label: str
    """What the kind asks, by hand; empty if it is none of the frequent ones."""
    answer: str
    claims: tuple[Claim, ...]
    outcome: Outcome


def read_kind_labels() -> dict[str, str]:
    found: dict[str, str] = {}
    label = ""
    text = ""
    for line in [*KINDS_FILE.read_text(encoding="utf-8").splitlines(), "end:"]:
        if line.startswith("#"):
            continue
        if not line.startswith(" "):
            found |= {kind.strip(): label for kind in text.split(" | ") if kind.strip()}
            label, _, text = line.partition(":")
        else:
            text += f" {line.strip()}"
    return found


def answer_recorded(asked: Iterable[AskedQuestion], art: Path) -> Iterator[GivenAnswer]:
    labels = read_kind_labels()
    for question in asked:
        kind = question_kind(question.text)
        label, answer = labels.get(kind, ""), _answer(question)
        claims = tuple(SceneTruth(question.scene, art).claims(answer)) if _is_statement(answer) else ()
        outcome = judge_answer(label, answer, claims)
        yield GivenAnswer(question, kind, label, answer, claims, outcome)


def _answer(question: AskedQuestion) -> str:
    """Answer as both Tellers do, with the recorded talk in place of their own."""
    if not needs_template_answer(question.text):
        return ""
    words = SceneDescriber(question.scene, Random(question.dialog))
    context = mentioned_context(question.before, question.scene)
    return write_template_answer(
        words, question.text, context, CAP, message=question.teller_last, peeked=question.peeked
    )


def _is_statement(answer: str) -> bool:
    return bool(answer) and answer not in (DO_NOT_KNOW, CANNOT_LOOK)


def judge_answer(label: str, answer: str, claims: Sequence[Claim]) -> Outcome:
    """Judge an answer by its claims and, if the question has a label, by whether they answer it."""
    topic, _, value = label.partition("=")
    if answer in (DO_NOT_KNOW, CANNOT_LOOK):
        return "open"
    if not answer:
        return "continues" if topic in (*CONTINUES, "") else "ignored"
    if any(claim.true is None for claim in claims) or not claims:
        return "unread"
    if not all(claim.true for claim in claims):
        return "false"
    if topic in ("", *CONTINUES):
        return "true"
    wanted = (topic, *ACCEPTED.get(topic, ()), *(("there",) if "no " in answer else ()))
    return "true" if any(claim.topic in wanted for claim in claims) and _agrees(value, answer) else "false"


_CONFIRMED = {"smiling": "smiling", "teeth": "with teeth", "left": "left", "right": "right"}


def _agrees(value: str, answer: str) -> bool:
    """Check a yes or no against what the rest of the answer says of the value in question."""
    if not value or not answer.startswith(("Yes, ", "No, ")) or "here is no" in answer:
        return True
    first = answer.split(". ")[0]
    return (_CONFIRMED.get(value, value) in first) == answer.startswith("Yes")


def answering_report(data: Path, split: str, sample: int) -> Iterator[str]:
    art = data / "Pngs"
    if not art.is_dir():
        raise Problem(f"{art} does not exist: the check needs the published drawings")
    given = list(answer_recorded(read_asked_questions(data, split), art))
    labelled = [one for one in given if one.label]
    facts = [one for one in labelled if one.label.partition("=")[0] not in CONTINUES]
    rest = [one for one in given if not one.label]
    rows = [
        ("the 200 kinds: about the scene", *_count_cells(facts)),
        (
            "the 200 kinds: what next, look, unclear",
            *_count_cells([one for one in labelled if one not in facts]),
        ),
        ("all other questions", *_count_cells(rest)),
    ]
    head = ("questions", "n", "answered", "true", "open", "false", "unread", "ignored", "continues")
    yield from format_text_table(head, rows)
    kinds = {one.kind for one in facts}
    shares = [_true_share([one for one in facts if one.kind == kind]) for kind in sorted(kinds)]
    known = [share for share in shares if share is not None]
    mean = sum(known) / len(known)
    yield f"{len(kinds)} kinds about the scene, each counted once: {mean:.1%} answered truly;"
    yield f"{sum(share >= 0.9 for share in known)} of {len(known)} kinds are answered truly in at least 90 %"
    yield _agreement_line(given)
    yield from _sample_lines(given, sample)


def _true_share(given: Sequence[GivenAnswer]) -> float | None:
    counts = Counter(one.outcome for one in given)
    answered = sum(counts[name] for name in ("true", "false", "unread", "ignored"))
    return counts["true"] / answered if answered else None


def _count_cells(given: Sequence[GivenAnswer]) -> tuple[str, ...]:
    counts = Counter(one.outcome for one in given)
    share = _true_share(given)
    names: tuple[Outcome, ...] = ("open", "false", "unread", "ignored", "continues")
    answered = sum(counts[name] for name in ("true", "false", "unread"))
    told = "–" if share is None else f"{share:.1%}"
    return (f"{len(given):,}", f"{answered:,}", told, *(f"{counts[name]:,}" for name in names))


def _agreement_line(given: Sequence[GivenAnswer]) -> str:
    """Compare our yes and no with those that the recorded Teller began with."""
    same = both = 0
    for one in given:
        first = one.question.answer.lower().split()[:1]
        if (
            one.answer.startswith(("Yes, ", "No, "))
            and first
            and first[0] in ("yes", "yeah", "yep", "no", "nope")
        ):
            both += 1
            same += one.answer.startswith("Yes") == first[0].startswith("y")
    return (
        f"where both say yes or no, the recorded Teller says the same in {same} of {both} ({same / both:.1%})"
    )


def _sample_lines(given: Sequence[GivenAnswer], sample: int) -> Iterator[str]:
    chosen = [one for one in given if one.answer]
    for one in Random(0).sample(chosen, min(sample, len(chosen))):
        yield f"[{one.outcome}] {one.question.teller_last[:100]} | {one.question.text} | {one.answer}"
