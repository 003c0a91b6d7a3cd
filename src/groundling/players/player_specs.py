"""Parse `ROLE=PLAYER[,key=value…]` and make the player for that seat."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct

from groundling.core.events import Transcript
from groundling.core.game import AnyGame
from groundling.core.pack import Pack, Seat, choices_hint, load
from groundling.core.player import Player
from groundling.core.values import Instance, Problem, Role
from groundling.players import CHAT, SHARED


class PlayerSpec(Struct, frozen=True):
    """The parts of a player as the user wrote it."""

    name: str
    arg: str
    options: dict[str, str]


def read_seats(texts: Sequence[str], pack: Pack) -> dict[Role, str]:
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


def with_recorded(
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


def check_seats(seats: Mapping[Role, str], pack: Pack, game: AnyGame, instances: Sequence[Instance]) -> None:
    """Check that every seat of some instance is taken. Instances of a game may differ in their seats."""
    needed = {role for instance in instances for role in game.seats(instance)}
    for role in pack.roles:
        if role in needed and role not in seats:
            raise Problem(
                f"seat {role} is empty: add --seat {role}=PLAYER ({choices_hint(known_players(pack))})"
            )
    if pack.data.fits is not None:
        load(pack.data.fits)(game, {role: read_spec(spec).name for role, spec in seats.items()}, instances)


def read_spec(text: str) -> PlayerSpec:
    head, *pairs = text.split(",")
    name, _, arg = head.partition(":")
    if "/" in name:  # a model's own name may have colons
        name, arg = head, ""
    options: dict[str, str] = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals or not key:
            raise Problem(f"{pair!r} in player {text!r} is not key=value: write NAME[:ARG],key=value")
        options[key] = value
    return PlayerSpec(name, arg, options)


def with_prompts(seats: Mapping[Role, str], prompts: str) -> dict[Role, str]:
    """Give these prompts to all language models that do not name their own."""
    specs = {role: read_spec(text) for role, text in seats.items()}
    models = [role for role, spec in specs.items() if "/" in spec.name or spec.name == "gguf"]
    if not models:
        raise Problem("--prompts is for language models, and none has a seat: leave it out")
    chosen = {
        role: f"{seats[role]},prompt={prompts}" for role in models if "prompt" not in specs[role].options
    }
    return {**seats, **chosen}


def known_players(pack: Pack) -> list[str]:
    return sorted({*pack.players, *SHARED})


def make_players(
    pack: Pack,
    game: AnyGame,
    seats: Mapping[Role, str],
    instances: Sequence[Instance],
    recordings: Callable[[str], Mapping[str, Transcript]],
) -> dict[Role, Player]:
    return {role: make_player(pack, game, role, text, instances, recordings) for role, text in seats.items()}


def make_player(
    pack: Pack,
    game: AnyGame,
    role: Role,
    text: str,
    instances: Sequence[Instance],
    recordings: Callable[[str], Mapping[str, Transcript]],
) -> Player:
    spec = read_spec(text)
    factory = CHAT if "/" in spec.name else {**SHARED, **pack.players}.get(spec.name)
    if factory is None:
        raise Problem(
            f"{pack.name} has no player {spec.name!r}: {choices_hint(known_players(pack))}, "
            "or a model as PROVIDER/MODEL"
        )
    seat = Seat(pack, game, role, spec.name, spec.arg, dict(spec.options), instances, recordings)
    player = load(factory)(seat)
    if seat.options:
        raise Problem(f"player {spec.name!r} takes no option {', '.join(seat.options)}: leave it out")
    return player
