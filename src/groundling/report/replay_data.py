"""Episodes to replay in the browser, each as one picture and a list of changes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from msgspec import Struct

from groundling.boards.picture import replace_unprintable
from groundling.boards.svg_patch import Patch, PatchStream
from groundling.core.events import (
    SCORED,
    AnyEvent,
    Closed,
    Failed,
    Moved,
    Opened,
    Refused,
    Replied,
    Transcript,
)
from groundling.core.game import AnyGame
from groundling.core.pack import Measure, Pack, Scores, load
from groundling.core.replay import EpisodeReplay, replay_events
from groundling.core.values import Problem, Role
from groundling.runs.blame_file import EpisodeBlame
from groundling.runs.step_notes import StepNote

PROBE_ONE_IN = 16
"""If there are as many moves of a kind as turns, one in this many is checked."""
JUDGE = "judge"
"""The name of the judge's drawing among the seats."""
SLIGHTEST = 0.005
"""Credit of a clause below this share of the top score is not shown."""


class _SeenBoard(Struct, frozen=True):
    """The last view of a seat."""

    view: Any
    film: PatchStream


class _StepEnd(Struct, frozen=True):
    """The last event of a step."""

    events: int
    """The number of events up to then."""
    role: Role | None
    move: type[Any] | None


class Replayer:
    """Turns episodes of one game into the data that `page/lib/replay.js` shows."""

    def __init__(self, pack: Pack, game: AnyGame) -> None:
        self.game = game
        self._draw, self._score, self._top = load(pack.draw), load(pack.score), load(pack.top)
        self._measures: Sequence[Measure] = load(pack.measures)
        self._judge = load(pack.report.judge) if pack.report.judge else None

    def replay_episode(self, transcript: Transcript, rest: Sequence[AnyEvent | Role] = ()) -> dict[str, Any]:
        """Return an episode as JSON data. Only the first seat's first picture is complete; all others are
        patches. A reply and its verdict are one step. `rest` is what is left of the events after an erased
        one, which a role stands for; it is shown without pictures, as the state is not known."""
        opened = transcript.opened
        roles = self.game.seats(opened.instance)
        seen: dict[Role, _SeenBoard] = {}
        steps: list[dict[str, Any]] = []
        for done, (event, replay) in enumerate(replay_events(self.game, transcript), 1):
            step = self._add_step(steps, event, done - 1)
            if isinstance(event, Opened | Moved):
                step["boards"] = dict(self._board_patches(roles, replay, seen))
                moved = type(event.moves[-1]) if isinstance(event, Moved) else None
                step["end"] = _StepEnd(done, step.get("role"), moved)
        found = self._score_transcript(transcript)
        self._note_turns(transcript, steps, found)
        for number, left in enumerate(rest, len(transcript.events)):
            if not isinstance(left, str):
                self._add_step(steps, left, number)
            elif (steps[-1].get("verdict"), steps[-1].get("role")) != ("erased", left):
                steps.append(
                    {"event": number, "kind": "reply", "role": left, "text": "(erased)", "verdict": "erased"}
                )
        scores = found.episode if transcript.status in SCORED else {}
        return {
            "seats": {role: replace_unprintable(opened.seats[role]) for role in roles}
            | ({JUDGE: "gold beside drawn"} if self._judge else {}),
            "status": "erased" if rest else transcript.status,
            "measure": self._measures[0].name,
            "top": self._top(opened.instance),
            "scores": [[m.name, scores[m.name]] for m in self._measures if scores.get(m.name) is not None],
            "labels": dict(found.facets),
            "steps": steps,
        }

    def _add_step(self, steps: list[dict[str, Any]], event: AnyEvent, number: int) -> dict[str, Any]:
        """Add an event to the steps and return its step: a verdict belongs to the step of its reply."""
        if not isinstance(event, Moved | Refused) or steps[-1].get("verdict") != "open":
            steps.append({"event": number})
        steps[-1].update(self._event_fields(event, "text" in steps[-1]))
        return steps[-1]

    def _board_patches(
        self, roles: Sequence[Role], replay: EpisodeReplay, seen: dict[Role, _SeenBoard]
    ) -> Iterator[tuple[Role, Patch]]:
        for role in roles:
            view = replay.view(role)
            before = seen.get(role)
            if before is None:
                svg = self._draw(view).picture
                film = seen[roles[0]].film.copy() if seen else PatchStream()
            elif before.view == view:
                continue
            else:
                svg, film = self._draw(view).picture, before.film
            patch = film.next_patch(svg)
            seen[role] = _SeenBoard(view, film)
            if patch:
                yield role, patch
        if self._judge:
            film = seen[JUDGE].film if JUDGE in seen else seen[roles[0]].film.copy()
            patch = film.next_patch(self._judge(self.game, replay.state).picture)
            seen[JUDGE] = _SeenBoard(None, film)
            if patch:
                yield JUDGE, patch

    def _event_fields(self, event: AnyEvent, replied: bool) -> dict[str, Any]:
        told: dict[str, Any] = {}
        if isinstance(event, Opened):
            told = {"kind": "opened"}
        elif isinstance(event, Replied):
            told = {
                "kind": "reply",
                "role": event.role,
                "text": replace_unprintable(event.text),
                "verdict": "open",
            }
            if event.strict is not None and event.tolerant is None:
                told["strict"] = replace_unprintable(event.strict)
            if event.dropped:
                told["dropped"] = [replace_unprintable(piece) for piece in event.dropped]
            if event.seconds is not None:
                told["seconds"] = event.seconds
        elif isinstance(event, Moved):
            told = {"kind": "reply", "role": event.role, "verdict": "played"}
            if not replied:
                told["text"] = replace_unprintable(self.game.write(event.moves))
        elif isinstance(event, Refused):
            told = {
                "kind": "reply",
                "role": event.role,
                "verdict": "refused",
                "complaint": replace_unprintable(event.complaint),
            }
        elif isinstance(event, Failed):
            told = {
                "kind": "failed",
                "role": event.role,
                "boundary": event.boundary,
                "text": replace_unprintable(event.message),
            }
        elif isinstance(event, Closed):
            told = {
                "kind": "closed",
                "text": event.reason,
                "score": event.result.score if event.result else None,
            }
        return told

    def _note_turns(self, transcript: Transcript, steps: list[dict[str, Any]], scores: Scores) -> None:
        """Add the scores and facets of each turn to the step that ends it, where the game's `score` returns
        more turns than before. Scoring is slow, so only moves like the one that ended the first turn
        are tried, and all moves of that seat if this misses some."""
        turns = scores.turns
        places = [(step, step.pop("end")) for step in steps if "end" in step]
        kinds: tuple[Callable[[_StepEnd], Any], ...] = (
            lambda end: (end.role, end.move),
            lambda end: end.role,
        )
        ends: dict[int, dict[str, Any]] = {}
        for kind in kinds:
            if len(ends) < len(turns):
                ends = self._turn_ends(transcript, places, len(turns), kind)
        for number, step in ends.items():
            step["turn"] = {name: value for name, value in turns[number - 1].items() if value is not None}
            if number <= len(scores.turn_facets):
                step["labels"] = dict(scores.turn_facets[number - 1])

    def _turn_ends(
        self,
        transcript: Transcript,
        places: Sequence[tuple[dict[str, Any], _StepEnd]],
        count: int,
        kind: Callable[[_StepEnd], Any],
    ) -> dict[int, dict[str, Any]]:
        """Return the steps that end turns, by the number of the turn."""
        found: dict[int, dict[str, Any]] = {}
        first, noted = None, 0
        for place, (step, end) in enumerate(places):
            if noted < count and first in (None, kind(end)):
                there = self._count_turns(transcript, end)
                if there > noted:
                    found[there], noted = step, there
                    if first is None:
                        first = kind(end)
                        alike = [each for each in places[place:] if kind(each[1]) == first]
                        if there == 1 and len(alike) == count and self._each_ends(transcript, alike):
                            return {number: step for number, (step, _) in enumerate(alike, 1)}
        return found

    def _each_ends(self, transcript: Transcript, alike: Sequence[tuple[dict[str, Any], _StepEnd]]) -> bool:
        """Whether each of these steps ends a turn. Their number is right, so it suffices to check some."""
        numbers = {*range(PROBE_ONE_IN, len(alike), PROBE_ONE_IN), len(alike)}
        return all(self._count_turns(transcript, alike[number - 1][1]) == number for number in numbers)

    def _count_turns(self, transcript: Transcript, end: _StepEnd) -> int:
        return len(self._score_transcript(Transcript(transcript.events[: end.events])).turns)

    def _score_transcript(self, transcript: Transcript) -> Scores:
        try:
            return self._score(self.game, transcript)
        except Problem:  # the extra for scores is not installed; pictures and words do not need it
            return Scores({})


def add_step_notes(steps: Sequence[dict[str, Any]], notes: Iterable[StepNote]) -> None:
    for note in notes:
        if note.step < len(steps):
            steps[note.step].setdefault("notes", []).append(replace_unprintable(note.text))


def add_clause_shades(steps: Sequence[dict[str, Any]], blame: EpisodeBlame | None, top: float) -> None:
    """Add to each step the clauses that were said in it, each with its credit as a share of the top score."""
    for clause in blame.clauses if blame else ():
        share = clause.credit / top if top else 0.0
        before = [step for step in steps if step["event"] <= clause.event]
        if before and abs(share) >= SLIGHTEST:
            shade = replace_unprintable(clause.text), round(share, 3), round(clause.credit, 3)
            before[-1].setdefault("clauses", []).append(shade)
