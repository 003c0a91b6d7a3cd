"""The statistics of the publication next to those of the files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TypeAlias

from groundling.boards.hexes import Board
from groundling.core.values import Problem
from groundling.games.hexagons.data import (
    SPLITS,
    VerificationsRecord,
    list_hexagons_splits,
    read_data_images,
    read_data_verifications,
)
from groundling.games.hexagons.image import HexagonsImage
from groundling.games.hexagons.near_copies import near_copy_base_id
from groundling.games.hexagons.tile_scores import action_scores
from groundling.scores.token_count import count_tokens

ROUNDS = {0: ("recruitment", "1045", "123", "21K", "17"), 1: ("round I", "1909", "304", "43K", "101")}
ROUNDS |= {2: ("round II", "1223", "193", "36K", "63")}
ALL_ROUNDS = ("total", "4177", "620", "100K", "175")
AGREEMENT = ("91.11 [85.85, 96.37]", "72.32 [58.07, 86.57]")
ACTION_AGREEMENT = ("84.46 [74.71, 94.21]", "75.98 [62.58, 89.38]")
TABLE_2 = "Table 2: agreement of verifiers with authors"
LEVELS = {
    0: ("none", "174 (39.0 %)"),
    1: ("low", "47 (10.5 %)"),
    2: ("mid and high", "225 (50.4 %): 104 and 121"),
}
SPLIT = {
    "train": ("496", "3278", "392 (79.51 %)", "87.19 %"),
    "dev": ("62", "446", "49 (79.09 %)", "85.43 %"),
    "test": ("62", "453", "43 (69.35 %)", "83.22 %"),
}
ALL_SPLITS = ("620", "4177", "484 (78.44 %)", "86.57 %")
Pair: TypeAlias = tuple[float, float]
AGREED = frozenset({"A", "V1", "V2"})
"""Tags of steps after which at least one verifier had the author's board."""


def hexagons_stats_lines(path: Path) -> Iterator[str]:
    there = list_hexagons_splits(path)
    if not there:
        raise Problem(
            f"{path} holds none of {', '.join(SPLITS)} as .jsonl: give the folder or file as published"
        )
    splits = {name: read_data_images(path, name) for name in there}
    images = [image for found in splits.values() for image in found]
    yield (
        f"HEXAGONS (Lachmy et al. 2022), {', '.join(there)} of {path}: "
        "here / in the paper, which has train, dev and test"
    )
    missing = [name for name in SPLITS if name not in there]
    if missing:
        yield f"missing: {', '.join(missing)}; sums over the whole release need it"
    verified = {name: read_data_verifications(path, name) for name in there}
    has_boards = any(verified.values())
    actions = _action_table(splits, verified) if has_boards else ()
    agreement = (_agreement_table(splits), actions)
    for table in filter(None, (_size_table(images), *agreement, _level_table(splits), _split_table(splits))):
        yield ""
        yield from table
    yield ""
    yield from _overlap_lines(splits)
    yield ""
    yield "Cannot be recomputed from the release:"
    if not has_boards:
        yield (
            "- Table 2, action-based: only tags and rounded board scores of the verifiers were published, "
            "not their boards"
        )
    yield (
        "- Table 5, mid and high apart: the levels that are public are those of the first stage, "
        "which has the two as one"
    )
    yield "- Table 3: which steps were sampled and what was seen in them was not published"


def _size_table(images: Sequence[HexagonsImage]) -> Iterator[str]:
    rows = [
        _comparison_row(told, _size_counts([image for image in images if image.round == number]))
        for number, told in ROUNDS.items()
    ]
    yield from _format_table(
        "Table 1: size",
        ("", "steps", "procedures", "tokens", "images"),
        [*rows, _comparison_row(ALL_ROUNDS, _size_counts(images))],
    )
    yield "the paper's images by round sum to 181, not 175: some occur in two rounds"


def _size_counts(images: Sequence[HexagonsImage]) -> list[str]:
    texts = [step.text for image in images for step in image.steps]
    names = {near_copy_base_id(image.image) for image in images}
    return [f"{number:,}" for number in (len(texts), len(images), sum(map(count_tokens, texts)), len(names))]


def _comparison_row(told: Sequence[str], found: Iterable[str]) -> list[str]:
    """Return the values of the data, each followed by the value in the paper."""
    name, *theirs = told
    return [name, *(f"{ours} / {paper}" for ours, paper in zip(found, theirs, strict=True))]


def _agreement_table(splits: dict[str, list[HexagonsImage]]) -> Iterator[str]:
    """Format the agreement of author and verifiers on boards: of all, the worse and the better one."""
    images = [image for found in splits.values() for image in found]
    rows = []
    for name, some in {"all": images, **(splits if len(splits) > 1 else {})}.items():
        f1, exact = _agreement_pairs(some)
        rows += [[f"F1, {name}", _format_spread(f1)], [f"exact match, {name}", _format_spread(exact)]]
    rows = [[*row, theirs] for row, theirs in zip(rows, [*AGREEMENT, *[""] * len(rows)], strict=False)]
    title = f"{TABLE_2}, board-based, mean [worse verifier, better verifier]"
    yield from _format_table(title, ("", "here", "paper"), rows)
    count = len(_agreement_pairs(images)[0])
    left = sum(len(image.steps) for image in images) - count
    yield f'over {count:,} tagged steps; {left} have "None" for tags, as nobody verified their procedures'


def _action_table(
    splits: dict[str, list[HexagonsImage]], verified: dict[str, dict[int, VerificationsRecord]]
) -> Iterator[str]:
    """Format the agreement on what each step changes, each side against its own board before."""
    pairs: list[tuple[Pair, Pair]] = []
    for name, images in splits.items():
        for image in images:
            record = verified[name].get(image.facts.index) if image.facts else None
            if record and len(record.verifications) == 2:
                pairs += _action_pairs(image, record)
    rows = [
        [name, _format_spread([each[number] for each in pairs]), ACTION_AGREEMENT[number]]
        for number, name in enumerate(("F1", "exact match"))
    ]
    title = f"{TABLE_2}, action-based, mean [worse verifier, better verifier]"
    yield from _format_table(title, ("", "here", "paper"), rows)


def _action_pairs(image: HexagonsImage, record: VerificationsRecord) -> Iterator[tuple[Pair, Pair]]:
    """Yield F1 and exact match of both verifiers, for each step."""
    first, second = ([Board.empty().cells, *each.boards] for each in record.verifications)
    for number in range(len(image.steps)):
        gold = image.gold_boards(number)
        one, other = (action_scores(*gold, *boards[number : number + 2]) for boards in (first, second))
        yield (one.f1, other.f1), (one.exact, other.exact)


def _agreement_pairs(images: Sequence[HexagonsImage]) -> tuple[list[Pair], list[Pair]]:
    """Return F1 and exact match of the two verifiers with the author, for each tagged step."""
    f1: list[Pair] = []
    exact: list[Pair] = []
    for facts in (image.facts for image in images):
        if facts and facts.tags is not None and facts.agreement is not None:
            for tag, (first, second, *_) in zip(facts.tags, facts.agreement, strict=True):
                exact.append((float(tag in ("A", "V1")), float(tag in ("A", "V2"))))
                f1.append((first, second))
    return f1, exact


def _format_spread(pairs: Sequence[Pair]) -> str:
    if not pairs:
        return "—"
    means = ([sum(pair) / 2 for pair in pairs], [min(pair) for pair in pairs], [max(pair) for pair in pairs])
    mean, low, high = (100 * sum(values) / len(pairs) for values in means)
    return f"{mean:.2f} [{low:.2f}, {high:.2f}]"


def _level_table(splits: dict[str, list[HexagonsImage]]) -> Iterator[str]:
    steps = [
        step.level
        for found in splits.values()
        for image in found
        for step in image.steps
        if step.level is not None
    ]
    if not steps:
        yield "Table 5: abstraction levels: no file of levels lies beside the splits"
        return
    counts = Counter(steps)
    rows = [
        [name, f"{counts[level]} ({100 * counts[level] / len(steps):.1f} %)", paper]
        for level, (name, paper) in LEVELS.items()
    ]
    yield from _format_table(
        "Table 5: abstraction levels of dev", ("", "here", "paper"), [*rows, ["all", str(len(steps)), "446"]]
    )


def _split_table(splits: dict[str, list[HexagonsImage]]) -> Iterator[str]:
    rows = [
        _comparison_row((name, *SPLIT.get(name, ("—",) * 4)), _agreed_counts(found))
        for name, found in splits.items()
    ]
    rows.append(
        _comparison_row(
            ("all", *ALL_SPLITS), _agreed_counts([image for found in splits.values() for image in found])
        )
    )
    yield from _format_table(
        "Table 6: splits", ("", "procedures", "steps", "agreed procedures", "agreed steps"), rows
    )
    yield (
        "agreed: at least one verifier had the author's board, after the step; "
        "of a procedure, after its last step. The"
    )
    yield (
        "paper does not say how it counts agreed procedures: "
        "this gives dev's 49, and two more than its 392 in train"
    )
    yield "49 of 62 are 79.03 %: the paper's 79.09 % is a slip"


def _agreed_counts(images: Sequence[HexagonsImage]) -> list[str]:
    tags = [image.facts.tags for image in images if image.facts and image.facts.tags]
    steps = [tag in AGREED for procedure in tags for tag in procedure]
    procedures = [procedure[-1] in AGREED for procedure in tags]
    return [
        f"{len(images):,}",
        f"{sum(len(image.steps) for image in images):,}",
        f"{sum(procedures)} ({100 * sum(procedures) / len(procedures):.2f} %)" if procedures else "—",
        f"{100 * sum(steps) / len(steps):.2f} %" if steps else "—",
    ]


def _overlap_lines(splits: dict[str, list[HexagonsImage]]) -> Iterator[str]:
    """Return what each split has in common with train."""
    texts = {
        name: [step.spoken_text for image in found for step in image.steps] for name, found in splits.items()
    }
    for name in splits:
        if name != "train" and "train" in splits:
            again = sum(text in set(texts["train"]) for text in texts[name])
            yield f"{name}: {again} of {len(texts[name])} instructions stand word for word in train as well"
    yield (
        "Images that are nearly copies of one in another split "
        "(the same id but for a last letter, or few tiles differ):"
    )
    pairs = {
        tuple(sorted((f"{image.set} {image.image}", other)))
        for found in splits.values()
        for image in found
        for other in image.near
    }
    yield from (f"- {one}, {other}" for one, other in sorted(pairs))
    if not pairs:
        yield "- none"


def _format_table(title: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    widths = [max(len(row[column]) for row in [head, *rows]) for column in range(len(head))]
    yield title
    for row in [head, *rows]:
        first, *others = (
            cell.ljust(width) if not column else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        yield "  ".join([first, *others]).rstrip()
