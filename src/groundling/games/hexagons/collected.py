"""The games of a study: as data in the published format, split by image, with what verifiers painted; and how
far authors and verifiers agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from statistics import fmean

import msgspec
from msgspec.structs import replace

from groundling.boards.hexes import Board
from groundling.core.events import Transcript
from groundling.core.pack import GameAgreement
from groundling.core.replay import replay_transcript
from groundling.core.source import CollectedData, CollectedGame
from groundling.games.hexagons.agreement import TAGS, pair_score, tags
from groundling.games.hexagons.data import ProcedureVerification, VerificationsRecord
from groundling.games.hexagons.image import HexagonsImage, ProcedureFacts
from groundling.games.hexagons.recorded import recorded_image
from groundling.games.hexagons.release import VERIFIERS, encode_data_lines, with_agreement
from groundling.games.hexagons.rules import EXECUTOR, INSTRUCTOR, HexagonsGame, State
from groundling.games.hexagons.split import HexagonsSplitRecipe, deal_split_images


def collect_hexagons_data(games: Sequence[CollectedGame]) -> CollectedData:
    """Write the procedures of all rounds in their order, with the agreement of those verified twice."""
    published = sorted(
        (game for game in games if game.round is not None and game.complete),
        key=lambda game: game.transcript.opened.at,
    )
    authored = [game for game in published if _play_mode(game.transcript) == "align"]
    verified: dict[str, list[ProcedureVerification]] = {}
    for game in published:
        if _play_mode(game.transcript) == "execute":
            verified.setdefault(game.continues, []).append(_read_verification(game))
    people = dict.fromkeys(game.people[INSTRUCTOR] for game in authored)
    numbers = {person: number for number, person in enumerate(people, 1)}
    images: dict[str, HexagonsImage] = {}
    records: dict[str, VerificationsRecord] = {}
    for index, game in enumerate(authored):
        episode, author = game.transcript.episode, game.people[INSTRUCTOR]
        found = _first_verifiers(verified.get(episode, ()), author)
        image = _make_image(game, index, numbers[author], found)
        images[image.id] = image
        records[image.id] = VerificationsRecord(index, episode, author, found)
    files: dict[str, bytes] = {}
    counts = []
    for split, ids in deal_split_images(list(images.values()), HexagonsSplitRecipe()).items():
        if ids:
            counts.append(f"{split} {len(ids)}")
            files[f"{split}.jsonl"] = encode_data_lines(images[name] for name in ids)
            lines = [msgspec.json.encode(records[name]) + b"\n" for name in ids]
            files[f"{split}_verifications.jsonl"] = b"".join(lines)
    both = sum(len(record.verifications) == VERIFIERS for record in records.values())
    pictures = len({image.image for image in images.values()})
    told = f"{len(images)} drawing procedures of {pictures} images by {len(people)} instructors"
    return CollectedData(files, f"{told}, {both} verified; {', '.join(counts)}")


def hexagons_agreement(transcripts: Sequence[Transcript]) -> GameAgreement | None:
    """The F1 of the boards of the author of a procedure and of each verifier, mean over steps, with the tags
    of the steps where there are two verifiers. Several procedures for one image are not compared."""
    modes = [_play_mode(transcript) for transcript in transcripts]
    if modes.count("align") != 1 or modes[0] != "align" or len(transcripts) < 2:
        return None
    author = [step.board for step in recorded_image(transcripts[0]).steps]
    verifiers = [_read_boards(transcript) for transcript in transcripts[1:]]
    scores = [fmean(map(pair_score, author, boards)) for boards in verifiers]
    two = len(verifiers) >= VERIFIERS
    found = Counter(tags(author, *verifiers[:VERIFIERS])[0]) if two else Counter[str]()
    return GameAgreement((fmean(scores), *scores), {tag: found[tag] for tag in TAGS if found[tag]})


def _play_mode(transcript: Transcript) -> str:
    return HexagonsGame(transcript.opened.settings).play_mode(transcript.opened.instance)


def _read_boards(transcript: Transcript) -> list[Board]:
    """The boards after each step of a verification."""
    state: State = replay_transcript(HexagonsGame(transcript.opened.settings), transcript)
    return [step.after for step in state.done]


def _read_verification(game: CollectedGame) -> ProcedureVerification:
    boards = tuple(board.cells for board in _read_boards(game.transcript))
    return ProcedureVerification(game.transcript.episode, game.people[EXECUTOR], boards)


def _first_verifiers(
    found: Sequence[ProcedureVerification], author: str
) -> tuple[ProcedureVerification, ...]:
    """Return the first two verifications by two people who are not the author."""
    by_person: dict[str, ProcedureVerification] = {}
    for each in found:
        if each.person != author:
            by_person.setdefault(each.person, each)
    return tuple(by_person.values())[:VERIFIERS]


def _make_image(
    game: CollectedGame, index: int, instructor: int, verifiers: Sequence[ProcedureVerification]
) -> HexagonsImage:
    image = replace(
        recorded_image(game.transcript),
        id=f"{index:03d}",
        image=game.transcript.opened.instance.id,
        round=game.round,
        facts=ProcedureFacts(index, instructor),
    )
    if len(verifiers) < VERIFIERS:
        return image
    first, second = (each.boards for each in verifiers)
    return with_agreement(image, first, second)
