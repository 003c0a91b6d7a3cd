"""Recorded dialogs as instances and transcripts, and their replies for the player `replay`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from random import Random

from groundling import __version__
from groundling.boards.scene import KINDS, Scene, apply, diff
from groundling.core.events import SCHEMA, Closed, Moved, Opened, Transcript
from groundling.core.pack import Seat
from groundling.core.player import Reply
from groundling.core.replay import replay
from groundling.core.source import Collection
from groundling.core.values import Problem, Role, Say
from groundling.games.codraw.moves import Agree, Close, CodrawMove, Finish, Peek, Wait
from groundling.games.codraw.park import DRAWER, TELLER, Park, choose_palette
from groundling.games.codraw.recorded.dialogs import WHOLE, Dialog, Policy, Turn, read_dialog, turns
from groundling.games.codraw.recorded.reading import records
from groundling.games.codraw.rules import OK, CodrawGame, CodrawSettings

AS_RECORDED = CodrawSettings(opens="either", palette="twenty", cap=0, rounds=0, empty=True)
"""The settings under which people played. Their messages had at most 140 characters, but tokenisation made
some of them longer."""
PERSON = "person"


def read(path: Path, part: str) -> Sequence[Collection]:
    parks = list(parks_of(path, part, WHOLE))
    return [Collection("codraw", part, parks, map(transcript, parks))]


def parks_of(path: Path, part: str, policy: Policy) -> Iterator[Park]:
    """Load the recorded scenes of a part, with the turns as the policy reads them."""
    for record in records(path, part):
        try:
            yield park_of(read_dialog(record, policy))
        except ValueError as trouble:
            raise Problem(
                f"{path}: {record.id} holds a scene that cannot be read ({trouble}): fetch the data again"
            ) from None


def park_of(dialog: Dialog) -> Park:
    """Make an instance with the recorded turns. The palette is sorted, so that its order does not reveal
    what is needed."""
    given = dialog.palette.kinds if dialog.palette else choose_palette(dialog.target, Random(dialog.id))
    return Park(
        id=dialog.id,
        set=dialog.split,
        group=dialog.id,
        target=dialog.target,
        palette=tuple(kind for kind in KINDS if kind in given),
        number=dialog.number,
        recorded=tuple(turns(dialog)),
    )


def transcript(park: Park) -> Transcript:
    """Return the recorded game, ended by both seats as people had to submit it."""
    game = CodrawGame(AS_RECORDED)
    opened: Opened[Park, CodrawSettings] = Opened(
        episode=park.id,
        at=0.0,
        game=game.name,
        instance=park,
        settings=AS_RECORDED,
        seats={TELLER: PERSON, DRAWER: PERSON},
        seed=0,
        retries=0,
        strict=False,
        version=__version__,
        schema=SCHEMA,
    )
    moved = [Moved(episode=park.id, at=0.0, role=role, moves=moves) for role, moves in _moves(park.recorded)]
    result = game.result(replay(game, Transcript((opened, *moved))))
    return Transcript((opened, *moved, Closed(episode=park.id, at=0.0, reason="finished", result=result)))


def _moves(recorded: Sequence[Turn]) -> Iterator[tuple[Role, tuple[CodrawMove, ...]]]:
    if recorded and recorded[0].seat == DRAWER:
        yield TELLER, (Wait(),)
    for turn in recorded:
        if turn.seat == TELLER:
            yield TELLER, (*_looked(turn), Say(turn.text))
        else:
            yield DRAWER, (*turn.changes, Say(turn.text))
    yield TELLER, (Finish(),)
    yield DRAWER, (Agree(),)


def _looked(turn: Turn) -> tuple[CodrawMove, ...]:
    return (Peek(), Close()) if turn.peek else ()


def recorded(seat: Seat) -> Callable[[Park], Sequence[Reply]]:
    """Return the replies of the player `replay`: as Teller all messages that are not empty, or with
    `until=peek` those before the peek; as Drawer the drawing and the answer after each of them."""
    until = seat.option("until", "end")
    if until not in ("end", "peek"):
        raise Problem(f"until={until} is none of end, peek")
    peeks = isinstance(seat.game, CodrawGame) and seat.game.settings.peeks > 0
    silent = isinstance(seat.game, CodrawGame) and seat.game.settings.silent
    tell = partial(_teller, until=until, peeks=peeks)
    replies: Callable[[Park], list[Reply]] = (
        tell if seat.role == TELLER else partial(_drawer, until=until, silent=silent)
    )
    return lambda park: replies(park) if park.recorded else []


def _script(park: Park, until: str) -> Iterator[tuple[Turn, Scene, str]]:
    """Yield each message of the Teller with the canvas and the last answer before the next message."""
    canvas, now = Scene(), None
    answer = ""
    for turn in park.recorded:
        if until == "peek" and turn.peek:
            break
        if turn.seat == TELLER and turn.text:
            if now is not None:
                yield now, canvas, answer
            now, answer = turn, ""
        canvas, answer = apply(canvas, turn.changes), answer if turn.seat == TELLER else turn.text or answer
    if now is not None:
        yield now, canvas, answer


def _teller(park: Park, *, until: str, peeks: bool) -> list[Reply]:
    """Finish twice, in case the Drawer continues after the first."""
    said = [
        Reply(moves=(*(_looked(turn) if peeks else ()), Say(turn.text)))
        for turn, _, _ in _script(park, until)
    ]
    return [*said, Reply(moves=(Finish(),)), Reply(moves=(Finish(),))]


def _drawer(park: Park, *, until: str, silent: bool) -> list[Reply]:
    before, found = Scene(), []
    for _, canvas, answer in _script(park, until):
        found.append(Reply(moves=(*diff(before, canvas), Say(OK if silent else answer or OK))))
        before = canvas
    return [*found, Reply(moves=(Agree(),))]
