"""Executors with trained weights at the table. What many games ask at once is answered at once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from groundling.core.pack import Seat
from groundling.core.player import Ask, Player, PlayerInfo, Reply
from groundling.core.values import Problem
from groundling.games.hexagons.moves import ExecutorView, Next, PaintTile
from groundling.games.hexagons.neural.candidates import GrammarExecutor, can_follow_grammar
from groundling.games.hexagons.neural.executor import LearnedExecutor, TilePainter
from groundling.games.hexagons.neural.generator import REMEMBERED, Generator
from groundling.games.hexagons.neural.model_factory import load_executor_model
from groundling.games.hexagons.neural.notation import Tile, paint_notation_cells
from groundling.games.hexagons.neural.procedures import BLANK
from groundling.games.hexagons.neural.situations import Situation, make_situation, situation_suffices
from groundling.games.hexagons.rules import EXECUTOR, HexagonsGame
from groundling.train.batched_inference import BatchedInference
from groundling.train.devices import select_device, set_onednn
from groundling.train.weights import CARD_FILE, WEIGHTS_FILE, ModelCard, check_weights_exist

AT_ONCE = 16
"""Situations that are answered together."""
MOST_DRAWS = 32
"""Answers to one instruction among which the best is chosen."""
GAMES_AT_ONCE = REMEMBERED
"""Games that are played at once: as many as a generator remembers."""


class WeightsExecutor:
    def __init__(
        self, model: LearnedExecutor, card: ModelCard, digest: str, draws: int | None = None
    ) -> None:
        """With `draws` a generator writes under the grammar of its notation: the likeliest answer and as many
        that are drawn, of which the best is taken. Programs are always written so."""
        self.context: str = card.settings["context"]
        self.name = f"{card.model.removeprefix('hexagons-')} {self.context}"
        self.info = PlayerInfo(
            facts=card.player_facts(digest), at_once=GAMES_AT_ONCE, learned_from=frozenset(card.seen)
        )
        where = select_device()
        if isinstance(model, Generator):
            model.prepare_to_play(where).remembers = where.type == "cpu"
        self._painter: TilePainter = model.to(where).eval()
        if draws is None and can_follow_grammar(model) and model.settings.notation == "program":
            draws = 0
        if draws is not None:
            self._painter = GrammarExecutor(model, draws)
        self._together = BatchedInference(self._paint, AT_ONCE)

    async def act(self, ask: Ask) -> Reply:
        view = ask.view
        assert isinstance(view, ExecutorView)
        texts, boards = list(view.told), player_boards_before(ask, view)
        painted: dict[Tile, str] = {}
        for number in range(len(texts) - view.due, len(texts)):
            found = await self._together.request_answer(make_situation(self.context, texts, boards, number))
            painted |= found
            if number + 1 < len(texts):
                boards[number + 1] = paint_notation_cells(boards[number], found)
        return Reply(moves=(*(PaintTile(*tile, colour) for tile, colour in painted.items()), Next()))

    def _paint(self, situations: Sequence[Situation]) -> list[dict[Tile, str]]:
        with set_onednn(False):
            return self._painter.paint_tiles(situations)


def player_boards_before(ask: Ask, view: ExecutorView) -> list[str]:
    """The board before each instruction that is shown, as it was seen at the time; where it was not, the next
    one that was: nothing is known to have changed."""
    seen: dict[int, str] = {}
    for turn in ask.past:
        earlier = turn.view
        if not isinstance(earlier, ExecutorView) or earlier.board is None or earlier.due != 1:
            continue
        if view.told[: len(earlier.told)] == earlier.told:
            seen[len(earlier.told)] = earlier.board.cells
    cells = view.board.cells if view.board is not None else BLANK
    boards: list[str] = []
    for number in range(len(view.told), 0, -1):
        cells = cells if number > len(view.told) - view.due else seen.get(number, cells)
        boards.append(cells)
    return boards[::-1]


def seat_weights_player(seat: Seat, folder: Path) -> Player:
    """The same player for the same weights: one serves many games."""
    check_weights_exist(folder)
    draws = seat.option("draws")
    if draws and not (draws.isdecimal() and int(draws) <= MOST_DRAWS):
        raise Problem(f"draws={draws} is no number of answers: give 0 to {MOST_DRAWS}")
    changed = tuple((folder / name).stat().st_mtime_ns for name in (WEIGHTS_FILE, CARD_FILE))
    player = _load_player(folder.resolve(), changed, int(draws) if draws else None)
    check_weights_seat(seat, folder, player.context)
    return player


def check_weights_seat(seat: Seat, folder: Path, context: str) -> None:
    """Raise a problem if an executor that was trained in this context cannot sit there."""
    if seat.role != EXECUTOR:
        raise Problem(f"{folder} holds the weights of an executor: seat it as executor, not as {seat.role}")
    game = seat.game
    assert isinstance(game, HexagonsGame)
    shown = game.settings.context
    if not situation_suffices(shown, context):
        raise Problem(f"{folder} needs to see more than the context {shown} shows: add --context {context}")


@lru_cache(maxsize=8)
def _load_player(folder: Path, changed: tuple[int, ...], draws: int | None) -> WeightsExecutor:
    return WeightsExecutor(*load_executor_model(folder), draws)
