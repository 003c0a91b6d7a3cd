"""Every speaker with every listener: a run for each pair, and whether the two have learned from the same
games."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from groundling.core.pack import Pack
from groundling.core.player import Player
from groundling.core.values import Problem, Role
from groundling.players.seating import check_seats, take_seat
from groundling.runs.folder import RunFolder
from groundling.runs.plan import Plan
from groundling.runs.playing import Session, seated
from groundling.runs.run import recordings


class Pair(Struct, frozen=True):
    session: Session
    speaker: str
    """By what the two are known in a table."""
    listener: str
    shared: int
    """So many games both have learned from: a codebook may pass for communication."""
    known: int
    """So many of the instances that they play one of them has learned from."""


def two_seats(pack: Pack) -> tuple[Role, Role]:
    """Who speaks and who listens."""
    others = [role for role in pack.roles if role != pack.speaker]
    if len(others) != 1:
        raise Problem(
            f"{pack.name} has the seats {', '.join(pack.roles)}: only players of two seats can be crossed"
        )
    return pack.speaker, others[0]


def cross(pack: Pack, plan: Plan, specs: Mapping[Role, Sequence[str]], folder: Path | None) -> list[Pair]:
    """All pairs, ready to play, the listeners of the first speaker first. Each in a folder of its own, in the
    one given or in `runs`; the same players of the same instances come to the same folder again. A player is
    made once for all its pairs."""
    speaker, listener = two_seats(pack)
    game = pack.new(plan.settings)
    players: dict[Role, dict[str, Player]] = {}
    for role in (speaker, listener):
        _check(role, specs.get(role, ()))
        players[role] = {
            text: take_seat(pack, game, role, text, plan.instances, lambda name: recordings(Path(name)))
            for text in specs[role]
        }
    labels = {role: _labels(found) for role, found in players.items()}
    pairs = []
    for one, other in ((one, other) for one in players[speaker] for other in players[listener]):
        seats = {speaker: one, listener: other}
        check_seats(seats, pack, game, plan.instances)
        at_table = {role: players[role][text] for role, text in seats.items()}
        session = seated(pack, game, msgspec.structs.replace(plan, seats=seats), at_table, None)
        names = [_slug(labels[role][text]) for role, text in seats.items()]
        place = (folder or Path("runs")) / "-".join([pack.name, *names, session.plan.key()])
        learned = [learned_from(player) for player in at_table.values()]
        pairs.append(
            Pair(
                session=msgspec.structs.replace(session, folder=RunFolder(place)),
                speaker=labels[speaker][one],
                listener=labels[listener][other],
                shared=len(learned[0] & learned[1]),
                known=len((learned[0] | learned[1]).intersection(instance.id for instance in plan.instances)),
            )
        )
    return pairs


def learned_from(player: Player) -> frozenset[str]:
    """The ids of the games that a trained player was made from; none, where it does not say."""
    return frozenset(getattr(player, "learned_from", ()))


def _check(role: Role, texts: Sequence[str]) -> None:
    if not texts:
        raise Problem(f"nobody sits as {role}: add --{role}s PLAYER, as often as you like")
    twice = [text for text, count in Counter(texts).items() if count > 1]
    if twice:
        raise Problem(f"{role} {twice[0]} is given twice: give it once")


def _labels(players: Mapping[str, Player]) -> dict[str, str]:
    """A player's own name, or where two have the same one, what the user wrote."""
    names = Counter(player.name for player in players.values())
    return {text: player.name if names[player.name] == 1 else text for text, player in players.items()}


def _slug(label: str) -> str:
    """As a part of a folder's name."""
    return re.sub(r"\W+", "_", label).strip("_")[-40:]
