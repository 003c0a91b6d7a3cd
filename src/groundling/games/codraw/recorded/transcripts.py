"""Recorded dialogs as instances and transcripts, and their replies for the player `replay`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from random import Random

from groundling.boards.scene import KINDS, Scene, apply_changes, find_scene_changes
from groundling.core.events import Transcript
from groundling.core.pack import Seat
from groundling.core.player import Reply
from groundling.core.replay import recorded_transcript
from groundling.core.source import Collection
from groundling.core.values import Problem, Role, Say
from groundling.games.codraw.instance import DRAWER, TELLER, CodrawInstance, choose_instance_palette
from groundling.games.codraw.moves import Agree, Close, CodrawMove, Finish, Peek, Wait
from groundling.games.codraw.recorded.dialog_files import load_dialog_files
from groundling.games.codraw.recorded.dialogs import (
    WHOLE,
    Dialog,
    DialogPolicy,
    RecordedTurn,
    dialog_turns,
    read_dialog,
)
from groundling.games.codraw.rules import OK, CodrawGame, CodrawSettings

AS_RECORDED = CodrawSettings(opens="either", palette="twenty", cap=0, rounds=0, empty=True)
"""The settings under which people played; tokenisation made some messages longer than 140 characters."""
PERSON = "person"


def read_recorded_transcripts(path: Path, part: str) -> Sequence[Collection]:
    parks = list(load_transcript_instances(path, part, WHOLE))
    return [Collection("codraw", part, parks, map(instance_to_transcript, parks))]


def load_transcript_instances(path: Path, part: str, policy: DialogPolicy) -> Iterator[CodrawInstance]:
    """Load the recorded scenes of a part, with the turns as the policy reads them."""
    for record in load_dialog_files(path, part):
        try:
            yield dialog_to_instance(read_dialog(record, policy))
        except ValueError as trouble:
            raise Problem(
                f"{path}: {record.id} holds a scene that cannot be read ({trouble}): download the data again"
            ) from None


def dialog_to_instance(dialog: Dialog) -> CodrawInstance:
    """Make an instance with the recorded turns. The sorted palette does not reveal what is needed."""
    given = (
        dialog.palette.kinds if dialog.palette else choose_instance_palette(dialog.target, Random(dialog.id))
    )
    return CodrawInstance(
        id=dialog.id,
        set=dialog.split,
        group=dialog.id,
        target=dialog.target,
        palette=tuple(kind for kind in KINDS if kind in given),
        number=dialog.number,
        recorded=tuple(dialog_turns(dialog)),
    )


def instance_to_transcript(park: CodrawInstance) -> Transcript:
    """Return the recorded game, ended by both seats as people had to submit it."""
    seats = {TELLER: PERSON, DRAWER: PERSON}
    return recorded_transcript(CodrawGame(AS_RECORDED), park, seats, _recorded_moves(park.recorded))


def _recorded_moves(recorded: Sequence[RecordedTurn]) -> Iterator[tuple[Role, tuple[CodrawMove, ...]]]:
    if recorded and recorded[0].seat == DRAWER:
        yield TELLER, (Wait(),)
    for turn in recorded:
        if turn.seat == TELLER:
            yield TELLER, (*_peek_moves(turn), Say(turn.text))
        else:
            yield DRAWER, (*turn.changes, Say(turn.text))
    yield TELLER, (Finish(),)
    yield DRAWER, (Agree(),)


def _peek_moves(turn: RecordedTurn) -> tuple[CodrawMove, ...]:
    return (Peek(), Close()) if turn.peek else ()


def recorded_replies(seat: Seat) -> Callable[[CodrawInstance], Sequence[Reply]]:
    """Return the replies of the player `replay`: as Teller all messages that are not empty, or with
    `until=peek` those before the peek; as Drawer the drawing and the answer after each of them."""
    until = seat.option("until", "end")
    if until not in ("end", "peek"):
        raise Problem(f"until={until} is none of end, peek")
    peeks = isinstance(seat.game, CodrawGame) and seat.game.settings.peeks > 0
    silent = isinstance(seat.game, CodrawGame) and seat.game.settings.silent
    tell = partial(_teller_replies, until=until, peeks=peeks)
    replies: Callable[[CodrawInstance], list[Reply]] = (
        tell if seat.role == TELLER else partial(_drawer_replies, until=until, silent=silent)
    )
    return lambda park: replies(park) if park.recorded else []


def _recorded_script(park: CodrawInstance, until: str) -> Iterator[tuple[RecordedTurn, Scene, str]]:
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
        canvas = apply_changes(canvas, turn.changes)
        answer = answer if turn.seat == TELLER else turn.text or answer
    if now is not None:
        yield now, canvas, answer


def _teller_replies(park: CodrawInstance, *, until: str, peeks: bool) -> list[Reply]:
    """Finish twice, in case the Drawer continues after the first."""
    said = [
        Reply(moves=(*(_peek_moves(turn) if peeks else ()), Say(turn.text)))
        for turn, _, _ in _recorded_script(park, until)
    ]
    return [*said, Reply(moves=(Finish(),)), Reply(moves=(Finish(),))]


def _drawer_replies(park: CodrawInstance, *, until: str, silent: bool) -> list[Reply]:
    before, found = Scene(), []
    for _, canvas, answer in _recorded_script(park, until):
        found.append(Reply(moves=(*find_scene_changes(before, canvas), Say(OK if silent else answer or OK))))
        before = canvas
    return [*found, Reply(moves=(Agree(),))]
