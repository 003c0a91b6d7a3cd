"""What questions or a peek gain: the same pair plays the same real games in several ways."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice
from pathlib import Path

import numpy as np
from msgspec import Struct

from groundling.core.events import AnyEvent, Moved, Transcript
from groundling.core.game import AnyGame
from groundling.core.pack import Seat, find, load
from groundling.core.player import Player
from groundling.core.table import play
from groundling.core.values import Problem, Role, Say
from groundling.games.codraw.moves import Finish
from groundling.games.codraw.neural.table.printing import NONE
from groundling.games.codraw.park import DRAWER, TELLER, Park
from groundling.games.codraw.players.questions import TOPICS, read
from groundling.games.codraw.recorded.dialogs import WHOLE
from groundling.games.codraw.recorded.transcripts import parks_of
from groundling.games.codraw.score import cluster
from groundling.games.codraw.tables import table
from groundling.scores.pairs import compare

WITHOUT = {TELLER: "template", DRAWER: "grammar"}
"""Players that can be seated without weights."""
STILL = {"peek": "no"}
"""Options of a Teller that does not peek."""
ASKED = {f"ask={topics}": {"ask": topics} for topics in (*TOPICS, "all")}
PEEKED = {f"peek=end,mend={mend}": {"peek": "end", "mend": mend} for mend in ("steps", "anew")}


class Pair(Struct, frozen=True):
    """Two players, in one of the ways in which they can play."""

    way: str
    players: dict[Role, Player]


class Outcome(Struct, frozen=True):
    """The games of a pair, one per scene."""

    pair: Pair
    games: tuple[Transcript, ...]

    @property
    def similarity(self) -> list[float]:
        return [game.result.score if game.result else 0.0 for game in self.games]

    def said(self, role: Role) -> list[str]:
        return [
            move.text
            for game in self.games
            for who, move in game.moves()
            if who == role and isinstance(move, Say)
        ]

    @property
    def questions(self) -> float:
        """Questions per game."""
        return sum(read(text) is not None for text in self.said(DRAWER)) / len(self.games)

    @property
    def messages(self) -> float:
        """Messages of the Teller per game."""
        return len(self.said(TELLER)) / len(self.games)


def trials(
    drawer: str,
    tellers: Sequence[str],
    data: Path,
    part: str,
    limit: int | None,
    *,
    peek: bool,
    told: Callable[[str, int, int], None] = lambda what, done, of: None,
) -> Iterator[str]:
    """Yield the table of what each topic gains over no questions, or what each way to correct gains over no
    peek."""
    told("reading the dialogs", 0, 0)
    parks = list(islice(parks_of(data, part, WHOLE), limit))
    if not parks:
        raise Problem(f"{data} has no dialogs of {part}: choose another split")
    game = find("codraw").new()
    groups = [_pairs(game, drawer, teller, peek=peek) for teller in tellers]
    clusters = [cluster(park) for park in parks]
    rows, aborted, before = [], 0, 0

    def ended(what: str, before: int, many: int) -> None:
        told(what, before + many, len(parks) * sum(map(len, groups)))

    for teller, pairs in zip(tellers, groups, strict=True):
        without: Outcome | None = None
        for pair in pairs:
            tell = partial(ended, f"{teller}, {pair.way}", before)
            found = Outcome(pair, _played(game, parks, pair, without.games if without else (), tell))
            before += len(parks)
            aborted += sum(one.status != "played" for one in found.games)
            without = without or found
            rows.append((teller, *_cells(found, without, clusters)))
    yield from table(("teller", "", "similarity", "difference", "questions", "messages"), rows)
    scenes = f"{len(parks):,} scenes of {part} in {len(set(clusters)):,} clusters"
    yield f"{scenes}; {drawer} draws ({groups[0][0].players[DRAWER].name}); differences are from"
    yield (
        "the first row of the same Teller, scene by scene, and their 95 % intervals resample clusters; "
        "questions of the"
    )
    yield "Drawer and messages of the Teller a game"
    if aborted:
        yield f"{aborted:,} games were aborted, and count 0"
    for teller, pairs in zip(tellers, groups, strict=True):
        yield from _learned(parks, teller, pairs[0].players)


def _pairs(game: AnyGame, drawer: str, teller: str, *, peek: bool) -> list[Pair]:
    """Return the pairs to compare, the baseline first."""
    speaks, draws = _seated(game, TELLER, teller, STILL), _seated(game, DRAWER, drawer)
    usual = Pair("peek=no" if peek else "ask=no", {TELLER: speaks, DRAWER: draws})
    if peek:
        return [
            usual,
            *(
                Pair(way, {TELLER: _seated(game, TELLER, teller, how), DRAWER: draws})
                for way, how in PEEKED.items()
            ),
        ]
    return [
        usual,
        *(
            Pair(way, {TELLER: speaks, DRAWER: _seated(game, DRAWER, drawer, how)})
            for way, how in ASKED.items()
        ),
    ]


def _seated(game: AnyGame, role: Role, who: str, options: dict[str, str] | None = None) -> Player:
    """Seat a player as `groundling play` does."""
    codraw, built_in = find("codraw"), who == WITHOUT[role]
    if not built_in and not Path(who).is_dir():
        raise Problem(
            f"{who} is neither {WITHOUT[role]} nor a folder: "
            f"give the folder of a {role.capitalize()}'s weights"
        )
    name = who if built_in else "weights"
    seat = Seat(codraw, game, role, name, "" if built_in else who, dict(options or {}))
    player = load(codraw.players[name])(seat)
    if seat.options:
        raise Problem(
            f"{who} cannot have {','.join(f'{key}={value}' for key, value in seat.options.items())}"
        )
    return player


def _played(
    game: AnyGame,
    parks: Sequence[Park],
    pair: Pair,
    before: Sequence[Transcript],
    ended: Callable[[int], None],
) -> tuple[Transcript, ...]:
    """Play all scenes at once, because trained players answer in batches. Games differ only after the Teller
    would finish, so each resumes the earlier game at that point."""

    done = 0

    async def one(number: int) -> Transcript:
        nonlocal done
        park = parks[number]
        so_far = _beginning(before[number]) if before else ()
        new = play(game, park, pair.players, seed=0, clock=lambda: 0.0, so_far=so_far)
        found = Transcript((*so_far, *[event async for event in new]))
        done += 1
        ended(done)
        return found

    async def everything() -> tuple[Transcript, ...]:
        return tuple(await asyncio.gather(*(one(number) for number in range(len(parks)))))

    return asyncio.run(everything())


def _beginning(game: Transcript) -> tuple[AnyEvent, ...]:
    """Return the events before the Teller first finished; none, if it never did."""
    for number, event in enumerate(game.events):
        if (
            isinstance(event, Moved)
            and event.role == TELLER
            and any(isinstance(move, Finish) for move in event.moves)
        ):
            return game.events[: number - 1]
    return ()


def _cells(found: Outcome, without: Outcome, clusters: Sequence[str]) -> tuple[str, ...]:
    difference = NONE
    if found is not without:
        gained = compare(found.pair.way, without.similarity, found.similarity, clusters)
        difference = f"{gained.difference:+.3f} [{gained.low:+.3f}, {gained.high:+.3f}]"
    mean = f"{np.mean(found.similarity):.3f}"
    return found.pair.way, mean, difference, f"{found.questions:.2f}", f"{found.messages:.1f}"


def _learned(parks: Sequence[Park], teller: str, players: dict[Role, Player]) -> Iterator[str]:
    """Yield warnings about players that learned from these scenes or from the same games."""
    seen = {role: frozenset(getattr(player, "learned_from", ())) for role, player in players.items()}
    played = {park.id for park in parks}
    for role, known in seen.items():
        if many := len(known & played):
            yield f"the {role.capitalize()} of the rows of {teller} has learned from {many:,} of these scenes"
    if many := len(seen[TELLER] & seen[DRAWER]):
        yield (
            f"{teller} and the Drawer have both learned from the same {many:,} games: "
            "a codebook can pass for communication"
        )
