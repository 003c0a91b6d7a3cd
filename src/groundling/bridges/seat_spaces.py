"""What a seat sees and does as spaces of Gymnasium: texts, boards as arrays, choices by number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Literal, TypeAlias

import numpy as np
from gymnasium import error, spaces

from groundling.boards.picture import render_png
from groundling.bridges.stepping import EpisodeStepper
from groundling.core.pack import load
from groundling.core.player import Reply
from groundling.core.values import Role

Acting: TypeAlias = Literal["numbers", "text"]
RENDER_MODES = ("human", "ansi", "svg", "png")
SEEN_LENGTH, SAID_LENGTH = 1_000_000, 2_000
"""The most characters of an observation, and of a sampled reply. Longer replies are the game's to refuse."""
PRINTABLE = frozenset(map(chr, range(32, 127)))
REMEMBERED = 4_096
"""Observations of a seat that need not be made again."""
NOT_THERE = -1
"""Fills an array where a board is smaller than the largest, or is not seen now."""


class AnyText(spaces.Text):
    """Any text up to a length; partners may use any characters. Samples are printable ASCII."""

    def __init__(self, max_length: int) -> None:
        super().__init__(max_length, min_length=0, charset=PRINTABLE)

    def contains(self, x: Any) -> bool:
        return isinstance(x, str) and len(x) <= self.max_length


def _is_hashable(view: Any) -> bool:
    try:
        hash(view)
    except TypeError:
        return False
    return True


def _no_boards(view: Any) -> Mapping[str, Sequence[Any]]:
    return {}


def _none(view: Any) -> Sequence[Any]:
    return ()


class SeatSpaces:
    """The spaces of one seat, large enough for all instances of the environment."""

    def __init__(self, stepper: EpisodeStepper, role: Role, acting: Acting) -> None:
        pack, game = stepper.pack, stepper.game
        self._stepper, self._role = stepper, role
        self._draw, hooks = load(pack.draw), pack.arrays
        self._boards = load(hooks.boards) if hooks.boards else _no_boards
        self._sizes = load(hooks.sizes) if hooks.sizes else _none
        self._choices = load(pack.choices) if pack.choices else _none
        self._moves = load(hooks.moves) if hooks.moves else None
        views = [game.view(game.start(one), role) for one in stepper.instances if role in game.seats(one)]
        seen: dict[str, list[tuple[int, ...]]] = {}
        for view in views:
            for name, board in self._boards(view).items():
                seen.setdefault(name, []).append(np.shape(board))
        low, high = np.iinfo(np.int16).min, np.iinfo(np.int16).max
        self._shapes = {
            name: tuple(map(max, *found)) if found[1:] else found[0] for name, found in seen.items()
        }
        boxes = {name: spaces.Box(low, high, shape, np.int16) for name, shape in self._shapes.items()}
        self.observation_space = spaces.Dict({"text": AnyText(SEEN_LENGTH), **boxes})
        self.action_space = self._find_action_space(views, acting)
        # The views of an instance come again and again in learning, and to draw them takes half of a turn.
        self._remember_view = lru_cache(REMEMBERED)(self._describe_view)

    def _find_action_space(self, views: Sequence[Any], acting: Acting) -> spaces.Space[Any]:
        if acting == "numbers":
            counts = [len(self._choices(view)) for view in views]
            if all(counts):
                return spaces.Discrete(max(counts))
            sizes = [self._sizes(view) for view in views]
            if all(sizes):
                return spaces.MultiDiscrete(np.array(max(sizes, key=len)))
        return AnyText(SAID_LENGTH)

    def observe_view(self, view: Any) -> dict[str, Any]:
        """Return an observation that is the caller's own."""
        found = (self._remember_view if _is_hashable(view) else self._describe_view)(view)
        return {name: seen if name == "text" else seen.copy() for name, seen in found.items()}

    def _describe_view(self, view: Any) -> dict[str, Any]:
        found: dict[str, Any] = {"text": self._draw(view).text}
        boards = self._boards(view) if self._shapes else {}
        for name, shape in self._shapes.items():
            board = (
                np.array(boards[name], np.int16) if name in boards else np.full(shape, NOT_THERE, np.int16)
            )
            if board.shape != shape:
                wider = np.full(shape, NOT_THERE, np.int16)
                wider[tuple(map(slice, board.shape))] = board
                board = wider
            found[name] = board
        return found

    def describe_turn(self, complaint: str | None) -> dict[str, Any]:
        """Return what the seat is told beside its observation: why its reply was refused, how the episode
        ended, and which numbers are choices now."""
        stepper = self._stepper
        about: dict[str, Any] = {"instance": stepper.replay.opened.instance.id}
        if complaint is not None:
            about["illegal"] = complaint
        if stepper.ending:
            about["ending"] = stepper.ending
            return about if stepper.failed else about | {"score": stepper.value}
        if stepper.role == self._role and isinstance(self.action_space, spaces.Discrete):
            about["action_mask"] = mask = np.zeros(int(self.action_space.n), np.int8)
            mask[: len(self._choices(stepper.replay.view(self._role)))] = 1
        return about

    def read_action(self, view: Any, action: Any) -> Reply:
        """Return the reply that an action stands for. The game may refuse it, but an action outside of this
        seat's space is an error of the caller."""
        if isinstance(self.action_space, spaces.Text):
            if isinstance(action, str):
                return Reply(text=action)
        elif self.action_space.contains(action):
            if isinstance(self.action_space, spaces.Discrete):
                options = self._choices(view)
                return Reply(moves=(options[int(action)],)) if action < len(options) else Reply(text="")
            numbers = [int(number) for number in action[: len(self._sizes(view))]]
            assert self._moves is not None
            return Reply(moves=self._moves(view, numbers))
        kind = type(self.action_space).__name__ if not isinstance(self.action_space, AnyText) else "text"
        raise error.InvalidAction(f"this seat acts in {kind}: {action!r} is not in {self.action_space}")

    def render_view(self, view: Any, mode: str) -> str | bytes | None:
        drawing = self._draw(view)
        if mode == "human":
            print(drawing.text)
            return None
        if mode == "png":
            return render_png(drawing.picture)
        return drawing.picture if mode == "svg" else drawing.text


def check_render_mode(mode: str | None) -> None:
    if mode not in (None, *RENDER_MODES):
        raise error.UnsupportedMode(
            f"there is no render mode {mode!r}: choose from {', '.join(RENDER_MODES)}"
        )
