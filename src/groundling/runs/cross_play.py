"""Cross-play: one run for each pair of speaker and listener, with a check for shared training games."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import product
from pathlib import Path

import msgspec
from msgspec import Struct

from groundling.core.game import AnyGame
from groundling.core.pack import Pack
from groundling.core.player import Player, player_info
from groundling.core.values import Problem, Role
from groundling.players.player_specs import check_seat_specs, make_player_from_spec, read_player_spec
from groundling.runs.plan import RunPlan
from groundling.runs.run import read_run_recordings
from groundling.runs.session import RunSession, choose_begun_version, make_session, plan_versions


class PlayerPair(Struct, frozen=True):
    session: RunSession
    speaker: str
    """The label of the player in tables."""
    listener: str
    shared: int
    """The number of games that both learned from: they may share a codebook instead of communicating."""
    known: int
    """The number of played instances that one of them learned from."""


class SeatedPlayer(Struct, frozen=True):
    spec: str
    """The player as the user wrote it."""
    player: Player


def cross_play_roles(pack: Pack) -> tuple[Role, Role]:
    others = [role for role in pack.roles if role != pack.speaker]
    if len(others) != 1:
        raise Problem(
            f"{pack.name} has the seats {', '.join(pack.roles)}: only players of two seats can be crossed"
        )
    return pack.speaker, others[0]


def cross_players(
    pack: Pack, plan: RunPlan, specs: Mapping[Role, Sequence[str]], folder: Path | None
) -> list[PlayerPair]:
    """Return all pairs ready to play, ordered by speaker. Each pair has its own folder in `folder` or in
    `runs`, the same one for the same players and instances. Each player is made only once. All pairs have the
    same settings; runs that were begun with defaults or prompts of an earlier version keep them."""
    for role in cross_play_roles(pack):
        _check_specs(role, specs.get(role, ()))
    prompted = {
        role: [read_player_spec(text).is_language_model for text in texts] for role, texts in specs.items()
    }
    models = [role for role, found in prompted.items() if all(found)]
    return choose_begun_version(
        plan_versions(pack, plan, models, prompted=any(map(any, prompted.values()))),
        lambda version, planned: _cross_version(version, planned, specs, folder),
        lambda pairs: any(pair.session.folder.about_path.exists() for pair in pairs),
    )


def _cross_version(
    pack: Pack, plan: RunPlan, specs: Mapping[Role, Sequence[str]], folder: Path | None
) -> list[PlayerPair]:
    game = pack.new(plan.settings)
    made = {
        role: {text: make_table_player(pack, game, role, text, plan) for text in specs[role]}
        for role in cross_play_roles(pack)
    }
    labels = {role: _player_labels(found) for role, found in made.items()}
    seated = {
        role: {labels[role][text]: SeatedPlayer(text, player) for text, player in found.items()}
        for role, found in made.items()
    }

    def open_session(chosen: RunPlan, players: dict[Role, Player], names: Sequence[str]) -> RunSession:
        short = [re.sub(r"\W+", "_", name).strip("_")[-40:] for name in names]
        prefix = (folder or Path("runs")) / "-".join([pack.name, *short])
        return make_session(pack, game, chosen, players, None, prefix)

    speakers, listeners = seated.values()
    for one, other in product(speakers.values(), listeners.values()):
        check_seat_specs(dict(zip(seated, (one.spec, other.spec), strict=True)), pack, game, plan.instances)
    pairs = [make_player_pair(plan, seated, names, open_session) for names in product(speakers, listeners)]
    first = plan.with_first_instances()
    if first is not plan and any(pair.session.folder.keeps_first_instances for pair in pairs):
        return _cross_version(pack, first, specs, folder)
    return pairs


def make_table_player(pack: Pack, game: AnyGame, role: Role, text: str, plan: RunPlan) -> Player:
    return make_player_from_spec(
        pack, game, role, text, plan.instances, lambda name: read_run_recordings(Path(name))
    )


def make_player_pair(
    plan: RunPlan,
    seated: Mapping[Role, Mapping[str, SeatedPlayer]],
    names: tuple[str, str],
    open_session: Callable[[RunPlan, dict[Role, Player], Sequence[str]], RunSession],
) -> PlayerPair:
    """Return the pair of these names, of the speaker and of the listener, ready to play."""
    at_table = {role: seated[role][name] for role, name in zip(seated, names, strict=True)}
    with_seats = msgspec.structs.replace(plan, seats={role: one.spec for role, one in at_table.items()})
    session = open_session(with_seats, {role: one.player for role, one in at_table.items()}, names)
    learned = [player_info(one.player).learned_from for one in at_table.values()]
    return PlayerPair(
        session=session,
        speaker=names[0],
        listener=names[1],
        shared=len(learned[0] & learned[1]),
        known=len((learned[0] | learned[1]).intersection(instance.id for instance in plan.instances)),
    )


def _check_specs(role: Role, texts: Sequence[str]) -> None:
    if not texts:
        raise Problem(f"nobody sits as {role}: add --{role}s PLAYER, as often as you like")
    twice = [text for text, count in Counter(texts).items() if count > 1]
    if twice:
        raise Problem(f"{role} {twice[0]} is given twice: give it once")


def _player_labels(players: Mapping[str, Player]) -> dict[str, str]:
    """Return each player's name, or the user's text where two names are equal."""
    names = Counter(player.name for player in players.values())
    return {text: player.name if names[player.name] == 1 else text for text, player in players.items()}
