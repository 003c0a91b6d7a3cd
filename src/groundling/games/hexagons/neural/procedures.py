"""Drawing procedures to learn from: people's and the narrator's, with the parts that are set aside."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from hashlib import sha256
from pathlib import Path
from random import Random

import msgspec
from msgspec import Struct
from msgspec.json import encode
from msgspec.structs import replace

from groundling.boards.hexes import COLOURS, TILES, Board
from groundling.core.values import Problem
from groundling.games.hexagons.data import list_hexagons_splits, read_data_images
from groundling.games.hexagons.image import HexagonsImage
from groundling.games.hexagons.near_copies import near_copy_base_id
from groundling.games.hexagons.neural.notation import changed_notation_tiles, paint_notation_cells
from groundling.games.hexagons.program import ProgramError, parse_statements, run_program

BLANK = Board.empty().cells
HELD_OUT = 0.1
"""The share of images that is set aside to choose among the steps of a training."""
_COLOUR_WORD = re.compile(r"\b(black|yellow|green|red|blue|purple|orange)(s?)\b", re.IGNORECASE)


class Procedure(Struct, frozen=True, omit_defaults=True):
    """What was said step by step, and the boards: the blank one, then one after each step."""

    id: str
    image: str
    texts: tuple[str, ...]
    boards: tuple[str, ...]
    programs: tuple[str, ...] = ()
    """The drawing program of each step, empty where none is known; or of no step."""

    @classmethod
    def from_image(cls, image: HexagonsImage) -> Procedure:
        boards = (BLANK, *(step.board.cells for step in image.steps))
        texts = tuple(step.spoken_text for step in image.steps)
        programs = tuple(step.program for step in image.steps)
        return cls(image.id, near_copy_base_id(image.image), texts, boards, programs if any(programs) else ())

    def step_changes(self, number: int) -> dict[tuple[int, int], str]:
        """What the step, counted from 0, paints."""
        return changed_notation_tiles(self.boards[number], self.boards[number + 1])


def read_procedures(path: Path, part: str, ids: Sequence[str] | None = None) -> list[Procedure]:
    """Those of a split, or those with the given ids of all splits that are there."""
    names = list_hexagons_splits(path)
    if ids is None and part not in names:
        raise Problem(f"{path} has no {part}.jsonl: give the folder of the data as published")
    images = [
        image for name in names if ids is not None or name == part for image in read_data_images(path, name)
    ]
    wanted = set(ids) if ids is not None else None
    return [Procedure.from_image(image) for image in images if wanted is None or image.id in wanted]


def read_narrated_procedures(files: Iterable[Path]) -> list[Procedure]:
    """Images with the steps of the narrator, as `groundling make hexagons --told` writes them."""
    found = []
    for file in files:
        if not file.is_file():
            raise Problem(f"{file} does not exist: make it with groundling make hexagons --told 2 -o {file}")
        try:
            images = msgspec.json.Decoder(HexagonsImage).decode_lines(file.read_bytes())
        except (msgspec.MsgspecError, UnicodeDecodeError) as trouble:
            raise Problem(
                f"{file} holds no hexagons instances ({trouble}): make it with groundling make hexagons"
            ) from None
        told = [Procedure.from_image(image) for image in images if image.steps]
        if not told:
            raise Problem(f"the images of {file} have no procedures: make them with --told 0, 1, 2 or 3")
        found += told
    return found


class StepProgram(Struct, frozen=True):
    """A drawing program for a step, counted from 1, of a procedure."""

    procedure: str
    step: int
    program: str

    def is_right(self, procedure: Procedure) -> bool:
        """Whether it leads from the gold board before the step to the one after it."""
        boards = procedure.boards
        if not 0 < self.step < len(boards):
            return False
        try:
            after = run_program(parse_statements(self.program), Board(boards[self.step - 1]))
        except ProgramError:
            return False
        return after.cells == boards[self.step]


def add_step_programs(procedures: Sequence[Procedure], file: Path) -> list[Procedure]:
    """The procedures with the programs of a file: for each step the first one that is right."""
    if not file.is_file():
        raise Problem(f"{file} does not exist: make it with papers.hexagons.people_programs")
    try:
        lines = msgspec.json.Decoder(StepProgram).decode_lines(file.read_bytes())
    except msgspec.MsgspecError as trouble:
        raise Problem(
            f"{file} holds no programs of steps ({trouble}): make it with papers.hexagons.people_programs"
        ) from None
    mine, known = {one.id: one for one in procedures}, dict[tuple[str, int], str]()
    for line in lines:
        place = line.procedure, line.step
        if place not in known and line.procedure in mine and line.is_right(mine[line.procedure]):
            known[place] = line.program
    return [
        replace(one, programs=tuple(known.get((one.id, number + 1), "") for number in range(len(one.texts))))
        for one in procedures
    ]


def set_aside_procedures(
    procedures: Sequence[Procedure], seed: int
) -> tuple[list[Procedure], list[Procedure]]:
    """Those to learn from, and those by which to choose when to stop; no image is in both."""
    images = sorted({procedure.image for procedure in procedures})
    if len(images) < 2:
        raise Problem(f"there are procedures of {len(images)} images: at least 2 are needed")
    Random(f"set aside {seed}").shuffle(images)
    held = set(images[: max(1, round(len(images) * HELD_OUT))])
    return [one for one in procedures if one.image not in held], [
        one for one in procedures if one.image in held
    ]


def keep_share_of_procedures(procedures: Sequence[Procedure], share: float, seed: int) -> list[Procedure]:
    """Return the procedures of a share of the images; a smaller share is part of a larger one."""
    images = sorted({procedure.image for procedure in procedures})
    Random(f"share {seed}").shuffle(images)
    kept = set(images[: max(2, round(len(images) * share))])
    return [one for one in procedures if one.image in kept]


def procedures_checksum(procedures: Iterable[Procedure]) -> str:
    return sha256(encode(sorted(procedures, key=lambda one: one.id))).hexdigest()


def permute_procedure_colours(procedure: Procedure, lot: Random) -> Procedure:
    """The same procedure in other colours, in its words and on its boards; white stays white."""
    others = list(COLOURS[1:])
    lot.shuffle(others)
    renamed = dict(zip(COLOURS[1:], others, strict=True))
    digits = str.maketrans({str(COLOURS.index(old)): str(COLOURS.index(new)) for old, new in renamed.items()})

    def rename(match: re.Match[str]) -> str:
        word, new = match[1], renamed[match[1].lower()]
        return (new.upper() if word.isupper() else new.capitalize() if word[0].isupper() else new) + match[2]

    texts, programs = (
        tuple(_COLOUR_WORD.sub(rename, text) for text in part)
        for part in (procedure.texts, procedure.programs)
    )
    boards = tuple(board.translate(digits) for board in procedure.boards)
    return Procedure(procedure.id, procedure.image, texts, boards, programs)


def spoil_procedure_changes(changes: dict[tuple[int, int], str], lot: Random) -> dict[tuple[int, int], str]:
    """What an executor might have painted instead: nothing, the tiles beside, a part, another colour."""
    kind = lot.randrange(4)
    if kind == 0 or not changes:
        return {}
    if kind == 1:
        down, right = lot.choice([(0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (-1, -1)])
        moved = {(row + down, column + right): colour for (row, column), colour in changes.items()}
        return {tile: colour for tile, colour in moved.items() if tile in _TILES}
    if kind == 2:
        return {tile: colour for tile, colour in changes.items() if lot.random() < 0.6}
    colour = lot.choice(COLOURS[1:])
    return dict.fromkeys(changes, colour)


_TILES = frozenset(TILES)


def spoil_procedure_boards(
    procedure: Procedure, steps: int, share: float, lot: Random
) -> tuple[tuple[str, ...], tuple[bool, ...]]:
    """The boards of an executor who errs in a share of the first steps, and in which of them it erred."""
    cells, boards, wrong = BLANK, [], []
    for number in range(steps):
        boards.append(cells)
        changes = procedure.step_changes(number)
        errs = lot.random() < share
        cells = paint_notation_cells(cells, spoil_procedure_changes(changes, lot) if errs else changes)
        wrong.append(errs)
    return (*boards, cells), tuple(wrong)
