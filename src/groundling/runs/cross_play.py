"""Cross-play: one run for each pair of speaker and listener, with a check for shared training games."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

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
    speaker, listener = cross_play_roles(pack)
    game = pack.new(plan.settings)
    players: dict[Role, dict[str, Player]] = {}
    for role in (speaker, listener):
        players[role] = {
            text: make_player_from_spec(
                pack, game, role, text, plan.instances, lambda name: read_run_recordings(Path(name))
            )
            for text in specs[role]
        }
    labels = {role: _player_labels(found) for role, found in players.items()}
    pairs = []
    for one, other in ((one, other) for one in players[speaker] for other in players[listener]):
        seats = {speaker: one, listener: other}
        check_seat_specs(seats, pack, game, plan.instances)
        at_table = {role: players[role][text] for role, text in seats.items()}
        names = [re.sub(r"\W+", "_", labels[role][text]).strip("_")[-40:] for role, text in seats.items()]
        prefix = (folder or Path("runs")) / "-".join([pack.name, *names])
        with_seats = msgspec.structs.replace(plan, seats=seats)
        session = make_session(pack, game, with_seats, at_table, None, prefix)
        learned = [player_info(player).learned_from for player in at_table.values()]
        pairs.append(
            PlayerPair(
                session=session,
                speaker=labels[speaker][one],
                listener=labels[listener][other],
                shared=len(learned[0] & learned[1]),
                known=len((learned[0] | learned[1]).intersection(instance.id for instance in plan.instances)),
            )
        )
    first = plan.with_first_instances()
    if first is not plan and any(pair.session.folder.keeps_first_instances for pair in pairs):
        return _cross_version(pack, first, specs, folder)
    return pairs


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
