"""Games as data in the published format: a game in `align` mode is a drawing procedure, and games in
`execute` mode verify it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from itertools import count
from typing import TypeAlias

from msgspec.structs import asdict, replace

from groundling.boards.hexes import Board
from groundling.core.events import Transcript
from groundling.core.replay import replay_transcript
from groundling.core.source import WrittenData
from groundling.games.hexagons.agreement import tags
from groundling.games.hexagons.data import image_to_data_record
from groundling.games.hexagons.image import HexagonsImage, ProcedureFacts
from groundling.games.hexagons.recorded import recorded_image
from groundling.games.hexagons.rules import INSTRUCTOR, HexagonsGame, State
from groundling.games.hexagons.tile_scores import Digits

PERSON = "person"
UNKNOWN_INSTRUCTOR = 0
"""The number of people: a server does not record who they are."""
VERIFIERS = 2
Boards: TypeAlias = Sequence[Digits]
"""The boards after each step."""
Procedure: TypeAlias = tuple[tuple[str, Board], ...]
"""The words and gold boards by which games of one procedure are found."""


def write_hexagons_data(transcripts: Iterable[Transcript]) -> WrittenData:
    """Write all procedures in these games, in the order in which they were begun, with the agreement of those
    that two have executed. Published ones are written byte for byte as they were read."""
    authored: list[Transcript] = []
    executed: dict[Procedure, list[Boards]] = {}
    left_out = 0
    for transcript in sorted(transcripts, key=lambda each: each.opened.at):
        game, image = HexagonsGame(transcript.opened.settings), transcript.opened.instance
        state: State = replay_transcript(game, transcript)
        mode = game.play_mode(image) if transcript.status == "played" and state.done else ""
        if mode == "align":
            authored.append(transcript)
        elif mode == "execute" and not game.settings.whole and not game.settings.context.startswith("oracle"):
            told = tuple(zip(state.said, (step.board for step in image.steps), strict=False))
            executed.setdefault(told, []).append([step.after for step in state.done])
        else:
            left_out += 1
    images = [_verify_image(image, executed) for image in _number_images(authored)]
    verified = sum(image.facts is not None and image.facts.tags is not None for image in images)
    procedures = "1 drawing procedure" if len(images) == 1 else f"{len(images)} drawing procedures"
    about = f"{procedures}, {verified} verified"
    about += f"; left out {left_out} games that are unfinished or in another mode" if left_out else ""
    return WrittenData(encode_data_lines(images), len(images), about)


def _number_images(authored: Sequence[Transcript]) -> list[HexagonsImage]:
    """Return the procedures of these games. Published ones keep their facts; new ones are numbered after
    them."""
    known = [_published_image(transcript) for transcript in authored]
    numbers = count(max((image.facts.index + 1 for image in known if image and image.facts), default=0))
    players = dict.fromkeys(transcript.opened.seats[INSTRUCTOR] for transcript in authored)
    instructors = {name: number for number, name in enumerate((n for n in players if n != PERSON), 1)}
    return [
        image
        or replace(
            recorded_image(transcript),
            facts=ProcedureFacts(
                next(numbers), instructors.get(transcript.opened.seats[INSTRUCTOR], UNKNOWN_INSTRUCTOR)
            ),
        )
        for transcript, image in zip(authored, known, strict=True)
    ]


def _published_image(transcript: Transcript) -> HexagonsImage | None:
    """Return the image of a published procedure as it was recorded, or None for a new game. Boards come from
    the author's moves. Instructions come from the instance, because moves strip the white space around
    them."""
    image: HexagonsImage = transcript.opened.instance
    found = recorded_image(transcript)
    if image.facts is None or [step.spoken_text for step in image.steps] != [
        step.text for step in found.steps
    ]:
        return None
    steps = zip(image.steps, found.steps, strict=True)
    return replace(image, steps=tuple(replace(step, board=drawn.board) for step, drawn in steps))


def _verify_image(image: HexagonsImage, executed: dict[Procedure, list[Boards]]) -> HexagonsImage:
    """Add the agreement with the first two who executed the procedure, unless it is known already."""
    told = tuple((step.spoken_text, step.board) for step in image.steps)
    verifiers = executed.get(told, ())[:VERIFIERS]
    assert image.facts is not None
    if image.facts.tags is not None or len(verifiers) < VERIFIERS:
        return image
    return with_agreement(image, *verifiers)


def with_agreement(image: HexagonsImage, first: Boards, second: Boards) -> HexagonsImage:
    assert image.facts is not None
    found, scores = tags([step.board for step in image.steps], first, second)
    return replace(image, facts=replace(image.facts, tags=found, agreement=scores))


def encode_data_lines(images: Iterable[HexagonsImage]) -> bytes:
    """Write procedures as the lines of a published file."""
    lines = [json.dumps(asdict(image_to_data_record(image)), ensure_ascii=False) for image in images]
    return "".join(f"{line}\n" for line in lines).encode()
