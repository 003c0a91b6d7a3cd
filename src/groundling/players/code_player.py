"""Players whose class is in a file or module that the user names."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from groundling.core.code_files import FILE_SPEC, CodeOrigin, code_problem, load_code
from groundling.core.pack import Seat, choices_hint
from groundling.core.player import Ask, Player, Reply, Unable, player_info, player_name
from groundling.core.values import Problem


class CodePlayer:
    """Turns an exception in the user's code into a Problem that names the file and the line."""

    def __init__(self, player: Player, origin: CodeOrigin | None, shown: str, path: str) -> None:
        self.name = player_name(player)
        self.info = msgspec.structs.replace(player_info(player), origin=origin)
        self._player, self._shown, self._path = player, shown, path

    async def act(self, ask: Ask) -> Reply:
        try:
            reply: object = await self._player.act(ask)
        except (Unable, Problem):
            raise
        except Exception as trouble:
            what = f"failed in episode {ask.episode} as {ask.role}"
            advice = "correct it and play into another folder, or run the same command again to resume"
            raise code_problem(trouble, self._shown, self._path, what, advice) from trouble
        if not isinstance(reply, Reply):
            raise Problem(
                f"{self._shown}: act of {type(self._player).__name__} returned a {type(reply).__name__} "
                f"in episode {ask.episode}: return Reply(text=…) or Reply(moves=…)"
            )
        return reply


def make_code_player(seat: Seat, code: str, *, installed: bool = False) -> Player:
    """Make the player of FILE.py[:CLASS] or MODULE:CLASS. The options of the seat are its arguments; one
    called `seat` is the Seat itself."""
    kind, origin = load_code(code, _has_act, "a class with act")
    if not _has_act(kind):
        raise Problem(f"{origin.code} has no act: give a class with async def act(self, ask: Ask) -> Reply")
    if not inspect.iscoroutinefunction(kind.act):
        raise Problem(f"act of {origin.code} is not async: write async def act(self, ask: Ask) -> Reply")
    path = inspect.getfile(kind)
    file = FILE_SPEC.fullmatch(code)
    shown = file["file"] if file and str(Path(file["file"]).resolve()) == path else path
    arguments = _read_arguments(kind, seat, origin.code)
    try:
        player = kind(**arguments)
    except Problem:
        raise
    except Exception as trouble:
        raise code_problem(trouble, shown, path, f"cannot make the player {kind.__name__}") from trouble
    return CodePlayer(player, None if installed else origin, shown, path)


def _has_act(value: object) -> bool:
    return isinstance(value, type) and hasattr(value, "act")


def _read_arguments(kind: type, seat: Seat, code: str) -> dict[str, Any]:
    """Take the arguments of the class from the options of the seat."""
    parameters = _find_parameters(kind)
    takes_seat = parameters.pop("seat", None) is not None
    takes_any = any(each.kind is each.VAR_KEYWORD for each in parameters.values())
    named = {
        name: each
        for name, each in parameters.items()
        if each.kind not in (each.VAR_KEYWORD, each.VAR_POSITIONAL)
    }
    options = dict(seat.options)
    if seat.arg and not takes_seat:
        raise Problem(f"player {seat.name!r} takes no argument {seat.arg!r}: leave it out")
    unknown = [name for name in options if name not in named]
    if unknown and not takes_any and not takes_seat:
        hint = choices_hint(named) if named else "it takes none"
        raise Problem(f"{code} takes no option {', '.join(unknown)}: {hint}")
    for name, each in named.items():
        if each.default is each.empty and name not in options:
            raise Problem(f"{code} needs the option {name}: write {code},{name}=…")
    taken = [name for name in options if name in named or takes_any]
    arguments = {name: _convert_option(code, name, seat.option(name), named) for name in taken}
    return {**arguments, "seat": seat} if takes_seat else arguments


def _find_parameters(kind: type) -> dict[str, inspect.Parameter]:
    try:
        return dict(inspect.signature(kind, eval_str=True).parameters)
    except NameError:  # an annotation that exists only for type checkers
        return dict(inspect.signature(kind).parameters)


def _convert_option(code: str, name: str, text: str, named: Mapping[str, inspect.Parameter]) -> Any:
    """Convert a text to the annotated type of the parameter, where msgspec knows that type."""
    hint = named[name].annotation if name in named else inspect.Parameter.empty
    if hint is inspect.Parameter.empty or isinstance(hint, str):
        return text
    try:
        return msgspec.convert(text, hint, strict=False)
    except msgspec.ValidationError:
        kind = hint.__name__ if isinstance(hint, type) else hint
        raise Problem(f"{name}={text} of {code} is wrong: give a value of type {kind}") from None
    except TypeError:
        return text
