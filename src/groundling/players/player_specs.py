"""Parse `ROLE=PLAYER[,key=value…]` and make the player for that seat."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from msgspec import Struct

from groundling.core.code_files import FILE_SPEC, MODULE_SPEC
from groundling.core.events import Transcript
from groundling.core.game import AnyGame
from groundling.core.pack import Pack, Seat, choices_hint, installed_entry_points, load
from groundling.core.player import Player
from groundling.core.values import Instance, Problem, Role
from groundling.players import CHAT, GROUP, SHARED
from groundling.players.code_player import make_code_player

K = TypeVar("K")


class PlayerSpec(Struct, frozen=True):
    """The parts of a player as the user wrote it."""

    name: str
    arg: str
    options: dict[str, str]

    @property
    def is_code(self) -> bool:
        """Whether the name is FILE.py[:CLASS] or MODULE:CLASS."""
        return bool(FILE_SPEC.fullmatch(self.name) or MODULE_SPEC.fullmatch(self.name))

    @property
    def is_model(self) -> bool:
        """Whether the name is a hosted model's, PROVIDER/MODEL."""
        return "/" in self.name and not self.is_code

    @property
    def is_language_model(self) -> bool:
        return self.is_model or self.name == "gguf"


def read_seat_specs(texts: Sequence[str], pack: Pack) -> dict[Role, str]:
    """Parse the values of `--seat`, by role."""
    seats: dict[Role, str] = {}
    for text in texts:
        role, equals, spec = text.partition("=")
        if not equals or not spec:
            raise Problem(f"seat {text!r} is not ROLE=PLAYER: write --seat {pack.roles[0]}=gold")
        if role not in pack.roles:
            raise Problem(f"{pack.name} has no seat {role!r}: {choices_hint(pack.roles)}")
        if role in seats:
            raise Problem(f"seat {role} is taken twice: give --seat {role}=… once")
        seats[role] = spec
    return seats


def with_recorded_specs(
    seats: Mapping[Role, str], pack: Pack, game: AnyGame, instances: Sequence[Instance]
) -> dict[Role, str]:
    """Add `replay` in every empty seat for which all instances that have it carry a recording."""
    found = dict(seats)
    for role in pack.roles if pack.data.recorded else ():
        seated = [instance for instance in instances if role in game.seats(instance)]
        if role not in found and seated:
            replies = load(pack.data.recorded)(Seat(pack, game, role, "replay", instances=instances))  # type: ignore[misc]
            if all(replies(instance) for instance in seated):
                found[role] = "replay"
    return {role: found[role] for role in pack.roles if role in found}


def check_seat_specs(
    seats: Mapping[Role, str], pack: Pack, game: AnyGame, instances: Sequence[Instance]
) -> None:
    """Check that every seat of some instance is taken. Instances of a game may differ in their seats."""
    needed = {role for instance in instances for role in game.seats(instance)}
    for role in pack.roles:
        if role in needed and role not in seats:
            raise Problem(
                f"seat {role} is empty: add --seat {role}=PLAYER ({choices_hint(known_player_specs(pack))})"
            )
    if pack.data.fits is not None:
        load(pack.data.fits)(
            game, {role: read_player_spec(spec).name for role, spec in seats.items()}, instances
        )


def read_player_spec(text: str) -> PlayerSpec:
    head, *pairs = text.split(",")
    name, _, arg = head.partition(":")
    # a model's own name may have colons
    if "/" in name or FILE_SPEC.fullmatch(head) or MODULE_SPEC.fullmatch(head):
        name, arg = head, ""
    options: dict[str, str] = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals or not key:
            more = ", and a text with commas into a file: system=@FILE" if "system" in options else ""
            raise Problem(f"{pair!r} in player {text!r} is not key=value: write NAME[:ARG],key=value{more}")
        options[key] = value
    return PlayerSpec(name, arg, options)


def with_prompt_specs(seats: Mapping[K, str], prompts: str) -> dict[K, str]:
    """Give these prompts, if any, to all language models that do not name their own."""
    if not prompts:
        return dict(seats)
    specs = {role: read_player_spec(text) for role, text in seats.items()}
    models = language_model_seats(seats)
    if not models:
        raise Problem("--prompts is for language models, and none has a seat: leave it out")
    chosen = {
        role: f"{seats[role]},prompt={prompts}" for role in models if "prompt" not in specs[role].options
    }
    return {**seats, **chosen}


def language_model_seats(seats: Mapping[K, str]) -> list[K]:
    return [role for role, text in seats.items() if read_player_spec(text).is_language_model]


def known_player_specs(pack: Pack) -> list[str]:
    return sorted({*pack.players, *SHARED, *installed_entry_points(GROUP)})


def make_players_from_specs(
    pack: Pack,
    game: AnyGame,
    seats: Mapping[Role, str],
    instances: Sequence[Instance],
    recordings: Callable[[str], Mapping[str, Transcript]],
) -> dict[Role, Player]:
    live = any(read_player_spec(text).name == "terminal" for text in seats.values())
    return {
        role: make_player_from_spec(pack, game, role, text, instances, recordings, live=live)
        for role, text in seats.items()
    }


def make_player_from_spec(
    pack: Pack,
    game: AnyGame,
    role: Role,
    text: str,
    instances: Sequence[Instance],
    recordings: Callable[[str], Mapping[str, Transcript]],
    *,
    live: bool = False,
) -> Player:
    """Make the player that the user wrote as `text`: a class in a file or module, a player of the game, a
    shared one, one that another package brings, or a model."""
    spec = read_player_spec(text)
    seat = Seat(pack, game, role, spec.name, spec.arg, dict(spec.options), instances, recordings, live)
    known, brought = {**SHARED, **pack.players}, installed_entry_points(GROUP)
    if spec.is_code:
        player = make_code_player(seat, spec.name)
    elif spec.name in known:
        player = load(known[spec.name])(seat)
    elif spec.name in brought:
        player = make_code_player(seat, brought[spec.name].value, installed=True)
    elif spec.is_model:
        player = load(CHAT)(seat)
    else:
        file = f"{spec.name}.py"
        hint = f"{file}:{spec.arg or 'CLASS'}" if Path(file).is_file() else "a file as FILE.py:CLASS"
        raise Problem(
            f"{pack.name} has no player {spec.name!r}: {choices_hint(known_player_specs(pack))}, "
            f"a model as PROVIDER/MODEL, or {hint}"
        )
    if seat.options:
        raise Problem(f"player {spec.name!r} takes no option {', '.join(seat.options)}: leave it out")
    return player
