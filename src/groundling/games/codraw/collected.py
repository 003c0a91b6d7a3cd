"""The games of a study as data in the published format, with the sessions that ended early apart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from groundling.boards.scene import PEOPLE, Palette, PersonFigure, Scene, apply_changes
from groundling.core.events import Closed, Moved
from groundling.core.source import CollectedData, CollectedGame
from groundling.core.values import Say
from groundling.games.codraw.instance import DRAWER, TELLER, CodrawInstance
from groundling.games.codraw.moves import Peek
from groundling.games.codraw.recorded.dialog_files import (
    INCOMPLETE,
    RELEASE,
    SPLITS,
    DialogRecord,
    RawRound,
    encode_release,
)
from groundling.games.codraw.recorded.dialogs import SCENES_PER_PROMPT, dialog_scene_prompt
from groundling.games.codraw.rules import DRAWS
from groundling.games.codraw.similarity import similarity
from groundling.scores.token_count import split_lower_words

FIGURES = 5
"""The figures of each person that a published palette has."""
HELD_SHARE = 0.1
"""The share of prompts in val and in test."""


def collect_codraw_data(games: Sequence[CollectedGame]) -> CollectedData:
    """Write the dialogs of all rounds in their order. Scenes of published splits stay there; other scenes are
    split by prompt."""
    published = sorted(
        (game for game in games if game.round is not None), key=lambda game: game.transcript.opened.at
    )
    people = dict.fromkeys(person for game in published for person in game.people.values())
    names = {person: f"p{number:03d}" for number, person in enumerate(people, 1)}
    parks: dict[str, CodrawInstance] = {
        game.transcript.opened.instance.id: game.transcript.opened.instance for game in published
    }
    numbers = _number_scenes(list(parks.values()))
    splits = _split_scenes(list(parks.values()), numbers)
    records: dict[bool, dict[str, DialogRecord]] = {True: {}, False: {}}
    for game in published:
        park = game.transcript.opened.instance
        found, key = records[game.complete], f"{splits[park.id]}_{numbers[park.id]:05d}"
        again = sum(name.startswith(key) for name in found)
        name = f"{key}{again:02d}" if again else key
        found[name] = _make_record(game, name, numbers[park.id], names)
    files = {RELEASE: encode_release(records[True])} if records[True] else {}
    if records[True] and records[False]:
        files[INCOMPLETE] = encode_release(records[False])
    counts = ", ".join(
        f"{split} {number}"
        for split in SPLITS
        if (number := sum(name.startswith(split) for name in records[True]))
    )
    told = f"{len(records[True])} dialogs of {len(parks)} scenes by {len(people)} people; {counts}"
    return CollectedData(files, f"{told}; {len(records[False])} ended early and are apart")


def _number_scenes(parks: Sequence[CodrawInstance]) -> dict[str, int]:
    """Published scenes keep their numbers. Each other scene is a prompt of its own, as it shares none."""
    known = {park.id: park.number for park in parks if park.number is not None}
    first = max(known.values(), default=-1) // SCENES_PER_PROMPT + 1
    others = [park.id for park in parks if park.number is None]
    return known | {name: SCENES_PER_PROMPT * (first + place) for place, name in enumerate(others)}


def _split_scenes(parks: Sequence[CodrawInstance], numbers: dict[str, int]) -> dict[str, str]:
    prompts = sorted({dialog_scene_prompt(numbers[park.id]) for park in parks if park.set not in SPLITS})
    Random(0).shuffle(prompts)
    held = round(HELD_SHARE * len(prompts))
    place = {
        prompt: "val" if at < held else "test" if at < 2 * held else "train"
        for at, prompt in enumerate(prompts)
    }
    return {
        park.id: park.set if park.set in SPLITS else place[dialog_scene_prompt(numbers[park.id])]
        for park in parks
    }


def _make_record(game: CollectedGame, name: str, number: int, names: dict[str, str]) -> DialogRecord:
    park: CodrawInstance = game.transcript.opened.instance
    events, last = game.transcript.events, game.transcript.events[-1]
    left = [
        names[game.people[role]]
        for role, ending in (last.endings.items() if isinstance(last, Closed) else ())
        if ending in ("left", "closed") and role in game.people
    ]
    return DialogRecord(
        id=name,
        split=name.partition("_")[0],
        image_id=number,
        abs_t=park.target.text(),
        dialog=_list_rounds(game, park),
        seconds=round(last.at - events[0].at, 3),
        players=(names[game.people[TELLER]], names[game.people[DRAWER]]),
        left=tuple(left),
    )


def _list_rounds(game: CollectedGame, park: CodrawInstance) -> list[RawRound]:
    """One round for each message of the Teller with the drawing and the answer that follow. Where somebody
    ends the game, drawing and peek make a round without words."""
    turns = list(_list_turns(game))
    palette = _fix_palette(park, [canvas for _, _, canvas, _ in turns])
    rounds: list[RawRound] = []
    before, told, peeked = Scene(), "", False
    for role, text, canvas, peek in turns:
        peeked |= peek
        if role == TELLER:
            told = text
        elif told or text or canvas != before or peeked:
            rounds.append(
                RawRound(
                    msg_t=told,
                    msg_d=text,
                    abs_b=palette.text(before),
                    abs_d=palette.text(canvas),
                    peeked=peeked,
                    similarity=round(similarity(park.target, canvas), 4),
                )
            )
            before, told, peeked = canvas, "", False
    if told or peeked:  # nobody answered
        drawn = palette.text(before)
        rounds.append(RawRound(msg_t=told, msg_d="", abs_b=drawn, abs_d=drawn, peeked=peeked))
    return rounds


def _list_turns(game: CollectedGame) -> Iterator[tuple[str, str, Scene, bool]]:
    """The seat of each turn, what it said in the tokens of the release, the canvas, and whether it peeked."""
    canvas = Scene()
    for event in game.transcript.events:
        if isinstance(event, Moved):
            canvas = apply_changes(canvas, [move for move in event.moves if isinstance(move, DRAWS)])
            said = [move.text for move in event.moves if isinstance(move, Say)]
            peeked = any(isinstance(move, Peek) for move in event.moves)
            yield event.role, " ".join(split_lower_words(" ".join(said))), canvas, peeked


def _fix_palette(park: CodrawInstance, canvases: Sequence[Scene]) -> Palette:
    """The kinds of the Drawer, with the figures of people that were meant or drawn, and others up to the
    published number."""
    figures: list[PersonFigure] = []
    for person in PEOPLE:
        pieces = [piece for scene in (park.target, *canvases) if (piece := scene.get(person))]
        used = [PersonFigure(person, piece.pose or 0, piece.expression or 0) for piece in pieces]
        every = [PersonFigure(person, *divmod(number, 5)) for number in range(35)]
        Random(f"{park.id}/{person}").shuffle(every)
        own = list(dict.fromkeys(used))
        figures += own + [each for each in every if each not in own][: max(0, FIGURES - len(own))]
    return Palette(park.palette, tuple(figures))
