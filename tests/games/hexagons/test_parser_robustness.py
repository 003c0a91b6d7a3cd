"""The rule-based executor on texts of every kind: it either reads an instruction or says that it cannot, and
no other exception leaves it."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random

import pytest

from groundling.boards.hexes import COLOURS, TILES, Board, Tile
from groundling.core.pack import Seat
from groundling.core.player import Ask, Reply
from groundling.games.hexagons import pack
from groundling.games.hexagons.data import read_data_images
from groundling.games.hexagons.image import HexagonsImage
from groundling.games.hexagons.moves import ExecutorView, Next, PaintTile
from groundling.games.hexagons.players.parser import (
    UnreadableInstruction,
    make_parser_player,
    parse_instruction,
)
from groundling.games.hexagons.players.parser import player as player_module

REAL = Path(os.environ.get("GROUNDLING_DATA", Path(__file__).parents[4] / "shared" / "data")) / "hexagons"
real = pytest.mark.skipif(not (REAL / "train.jsonl").exists(), reason=f"the HEXAGONS data is not in {REAL}")
MUTATIONS = ("shuffled", "truncated", "upper case", "emoji", "thinned", "spliced", "zeros")
EACH = 60
UNREADABLE = (
    "Paint every 0th tile of column 3 red.",
    "Starting at tile 1 of column 1, paint every 0th column blue.",
    "Repeat it in every 0th column.",
    "Alternate 0 red 0 blue tiles in column 3.",
    "Paint a red line from tile 1 of column 1 to tile 5 of column 1, 0 tiles apart.",
    "Paint the " + "tile above the " * 190 + "red tile blue.",
    "Connect " + "the tile above " * 190 + "the red tile.",
)


def is_readable(text: str, history: Sequence[str] = (), board: Mapping[Tile, str] | None = None) -> bool:
    """Whether the parser reads a text; any exception but its own names the text and fails the test."""
    try:
        parse_instruction(text, history, board)
    except UnreadableInstruction:
        return False
    except Exception as error:
        error.add_note(f"{text!r} after {list(history)}")
        raise
    return True


def unreadable_steps(images: Sequence[HexagonsImage]) -> list[str]:
    """Return what cannot be read, with the full history and either no board or the true one."""
    found: list[str] = []
    for image in images:
        said: list[str] = []
        for number, step in enumerate(image.steps):
            before, _ = image.gold_boards(number)
            for board in (None, before.painted_tiles()):
                if not is_readable(step.spoken_text, said, board):
                    found.append(step.spoken_text)
            said.append(step.spoken_text)
    return found


@real
def test_every_instruction_of_dev_is_read() -> None:
    assert unreadable_steps(read_data_images(REAL, "dev")) == []


@real
@pytest.mark.slow
def test_every_instruction_of_train_is_read() -> None:
    assert unreadable_steps(read_data_images(REAL, "train")) == []


def sample_texts() -> list[str]:
    """Return our own sentences, and the published ones where they are."""
    lines = Path(__file__).with_name("parser_sentences.txt").read_text(encoding="utf-8").splitlines()
    texts = [text for line in lines if "=>" in line for text in line.partition("=>")[0].strip().split(" / ")]
    if (REAL / "dev.jsonl").exists():
        texts += [step.spoken_text for image in read_data_images(REAL, "dev") for step in image.steps]
    return texts


def mutate_text(text: str, other: str, how: str, rng: Random) -> str:
    words = text.split()
    match how:
        case "shuffled":
            rng.shuffle(words)
        case "truncated":
            return text[: rng.randint(0, len(text))]
        case "upper case":
            return text.upper()
        case "emoji":
            words.insert(rng.randint(0, len(words)), rng.choice(("🙂", "👩‍🎨", "→", "½", "²", "\u202e", "٣")))
        case "thinned":
            words = [word for word in words if rng.random() > 0.3]
        case "spliced":
            words = words[: rng.randint(0, len(words))] + other.split()[rng.randint(0, len(other.split())) :]
        case "zeros":
            words = [rng.choice(("0", "0th", "-1", "999")) if rng.random() < 0.2 else word for word in words]
    return " ".join(words)


@pytest.mark.parametrize("how", MUTATIONS)
def test_a_mutated_text_is_read_or_found_unreadable(how: str) -> None:
    rng, texts = Random(how), sample_texts()
    for _ in range(EACH):
        text = mutate_text(rng.choice(texts), rng.choice(texts), how, rng)
        board = {tile: rng.choice(COLOURS[1:]) for tile in rng.sample(TILES, 20)}
        is_readable(text, rng.sample(texts, 2), rng.choice((None, board)))


@pytest.mark.parametrize("text", UNREADABLE, ids=lambda text: text[:40])
def test_what_makes_no_sense_is_unreadable(text: str) -> None:
    with pytest.raises(UnreadableInstruction):
        parse_instruction(text, ["Paint tile 5 of column 10 red."])


def test_a_distance_beyond_the_board_takes_no_time() -> None:
    text = "Paint all tiles within 999 steps of the red tiles blue."
    assert len(parse_instruction(text, ["Paint columns 1 to 9 red."]).actions) == len(TILES)


@pytest.mark.parametrize("text", UNREADABLE, ids=lambda text: text[:40])
def test_an_unreadable_instruction_of_the_history_is_skipped(text: str) -> None:
    history = ["Paint tile 2 of column 3 red.", text]
    assert parse_instruction("Paint the tile below it blue.", history).actions == ((3, 3, "blue"),)
    assert parse_instruction("Repeat step 1 in column 9.", history).actions == ((2, 9, "red"),)


def play_instructions(*told: str) -> Reply:
    player = make_parser_player(Seat(pack, pack.new(), "executor", "parser"))
    view = ExecutorView(told, len(told), Board.empty())
    return asyncio.run(player.act(Ask("e", "executor", view, (), None, 0)))


def test_the_player_passes_over_what_it_cannot_read() -> None:
    reply = play_instructions("Paint tile 2 of column 3 red.", UNREADABLE[0], "Paint the tile below it blue.")
    assert reply.moves == (PaintTile(2, 3, "red"), PaintTile(3, 3, "blue"), Next())


@pytest.mark.parametrize("error", [AttributeError, TypeError, AssertionError, ValueError, KeyError])
def test_a_bug_of_the_parser_is_not_hidden_by_the_player(
    error: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise error("a bug")

    monkeypatch.setattr(player_module, "parse_instruction", fail)
    with pytest.raises(error, match="a bug"):
        play_instructions("Paint tile 2 of column 3 red.")
