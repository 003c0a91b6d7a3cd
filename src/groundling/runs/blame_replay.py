"""Plays episodes again with words or listener exchanged, without asking anybody who costs something."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from groundling.core.events import LIMIT, SCORED, Closed, Failed, Moved, Refused, Replied, Transcript
from groundling.core.game import AnyGame
from groundling.core.pack import load
from groundling.core.panel import find_clause_spans
from groundling.core.player import Ask, Player, Reply, Unable
from groundling.core.table import play
from groundling.core.values import Instance, Problem, Role, Say
from groundling.players import SHARED
from groundling.players.player_specs import make_player_from_spec, read_player_spec
from groundling.players.replay_player import SILENCE
from groundling.runs.blame_file import ClauseCredit, EpisodeBlame
from groundling.runs.cross_play import cross_play_roles
from groundling.runs.run import read_run_recordings
from groundling.runs.stored_run import Run
from groundling.scores.blame import HeardScores, split_loss

AT_ONCE = 16
RETRIES = 10
"""Refused replies are recited like others, however many were allowed."""


class RecitingPlayer:
    """Says what was said, in order."""

    name = "recited"

    def __init__(self, replies: Sequence[Reply]) -> None:
        self._replies = replies

    async def act(self, ask: Ask) -> Reply:
        if len(ask.past) < len(self._replies):
            return self._replies[len(ask.past)]
        raise Unable("recording", "nothing more was said")


class SaidReply(Struct, frozen=True):
    """A reply of the speaker, and the number of its event in the transcript."""

    event: int
    reply: Reply


class BlamePanel:
    """The listeners and the speaker with which the episodes of one run are played again."""

    def __init__(
        self, run: Run, listeners: Sequence[str] = (), speaker: str = "", *, asks_models: bool = False
    ) -> None:
        self.pack, self.run = run.find_pack(), run
        self.speaker, self.listener = cross_play_roles(self.pack)
        hints, played = self.pack.panel, run.make_game()
        fields = {**msgspec.structs.asdict(played.settings), **hints.settings}
        self.played, self.game = played, self.pack.new(type(played.settings)(**fields))
        self.measure = hints.measure or load(self.pack.measures)[0].name
        self._score, self._top = load(self.pack.score), load(self.pack.top)
        self._cut = load(hints.clauses) if hints.clauses else None
        self.instances = list(
            {one.opened.instance.id: one.opened.instance for one in run.read_transcripts()}.values()
        )
        self.members = list(listeners) or self._default_listeners()
        self.reference = speaker or hints.speaker or self.pack.live.partners.get(self.speaker, "gold")
        self._panel = [self._make_player(self.listener, spec) for spec in self.members]
        self._reference = self._make_player(self.speaker, self.reference)
        self.asked, self.unasked = self._find_listener(asks_models)

    def _default_listeners(self) -> list[str]:
        found = list(self.pack.panel.listeners)
        partner = self.pack.live.partners.get(self.listener, "gold")
        if not found and partner not in ("gold", "random"):
            found = [partner]
        if not found:
            raise Problem(
                f"{self.pack.name} has no {self.listener} that reads words and costs nothing: name one with "
                "--panel PLAYER"
            )
        return found

    def _make_player(self, role: Role, spec: str) -> Player:
        return make_player_from_spec(
            self.pack, self.game, role, spec, self.instances, lambda name: read_run_recordings(Path(name))
        )

    def _find_listener(self, asks_models: bool) -> tuple[Player | None, str]:
        """Return the listener of the run if it can be asked, or why it cannot."""
        text = self.run.read_about()["plan"].get("seats", {}).get(self.listener)
        if text is None:
            return None, "who listened is not here"
        spec = read_player_spec(text)
        if spec.is_language_model and not asks_models:
            return None, f"{text} is not asked, as it may cost something; --ask-models allows it"
        if spec.name in SHARED and not spec.is_language_model:
            return None, f"{text} cannot be asked"
        try:
            return self._make_player(self.listener, text), ""
        except Problem as trouble:
            return None, f"{text} cannot be asked: {trouble}"

    def has_words(self, transcript: Transcript) -> bool:
        moves = transcript.event_moves()
        return any(role == self.speaker and isinstance(move, Say) for role, move in moves)

    async def blame_episode(
        self, transcript: Transcript, *, clauses: bool, other: Transcript | None
    ) -> EpisodeBlame:
        """Split the loss of an episode. With `other`, clauses are exchanged for those of that episode."""
        opened = transcript.opened
        said = list(self._said_replies(transcript))
        replies = [one.reply for one in said]
        panel = [await self._hear(opened.instance, replies, member, opened.seed) for member in self._panel]
        reference = [
            await self._replay(opened.instance, self._reference, member, opened.seed)
            for member in self._panel
        ]
        asked = None
        if self.asked is not None:
            asked = await self._replay(opened.instance, self._reference, self.asked, opened.seed)
        listened = self.listener in opened.seats
        played = self._measure(self.played, transcript) if listened else None
        split = split_loss(HeardScores(played, panel, reference, asked, self._top(opened.instance)))
        found: list[ClauseCredit] = []
        if clauses:
            found = [one async for one in self._credit_clauses(transcript, said, panel, other)]
        cluster = load(self.pack.cluster)(opened.instance)
        return EpisodeBlame(
            opened.episode, opened.instance.set, cluster, split, panel, reference, asked, found
        )

    def _said_replies(self, transcript: Transcript) -> Iterator[SaidReply]:
        text = ""
        for number, event in enumerate(transcript.events):
            if isinstance(event, Replied) and event.role == self.speaker:
                text = event.text
            elif isinstance(event, Moved) and event.role == self.speaker:
                yield SaidReply(number, Reply(moves=event.moves))
            elif isinstance(event, Refused) and event.role == self.speaker:
                yield SaidReply(number, Reply(text=text, blocked=event.complaint))

    async def _hear(self, instance: Instance, replies: Sequence[Reply], member: Player, seed: int) -> float:
        return await self._replay(instance, RecitingPlayer(replies), member, seed)

    async def _replay(self, instance: Instance, speaker: Player, listener: Player, seed: int) -> float:
        """Play an episode and return its score; where words run out, that of the state it reached."""
        players = {self.speaker: speaker, self.listener: listener}
        seats = self.game.seats(instance)
        events = []
        async for event in play(
            self.game,
            instance,
            {role: players[role] for role in seats},
            seed=seed,
            clock=lambda: 0.0,
            retries=RETRIES,
        ):
            events.append(event)
        if isinstance(events[-1], Failed):
            stopped = Closed(episode=events[0].episode, at=0.0, reason=f"{LIMIT}words")
            events[-1] = stopped
        return self._measure(self.game, Transcript(tuple(events)))

    def _measure(self, game: AnyGame, transcript: Transcript) -> float:
        if transcript.status not in SCORED:
            return 0.0
        return self._score(game, transcript).episode[self.measure] or 0.0

    async def _credit_clauses(
        self,
        transcript: Transcript,
        said: Sequence[SaidReply],
        whole: Sequence[float],
        other: Transcript | None,
    ) -> AsyncIterator[ClauseCredit]:
        """Yield what the panel loses, on average, without each clause."""
        opened = transcript.opened
        before = sum(whole) / len(whole)
        foreign = self._all_clauses(other) if other else []
        for place, number, text, start, end in self._find_clauses(said):
            instead = foreign[place % len(foreign)] if foreign else ""
            changed = f"{text[:start]}{instead}{text[end:]}".strip() or SILENCE
            replies = [
                one.reply if one.event != number else _with_words(one.reply, text, changed) for one in said
            ]
            heard = [
                await self._hear(opened.instance, replies, member, opened.seed) for member in self._panel
            ]
            yield ClauseCredit(number, text[start:end].strip(), before - sum(heard) / len(heard))

    def _find_clauses(self, said: Sequence[SaidReply]) -> Iterator[tuple[int, int, str, int, int]]:
        """Yield the number of each clause, its event, the words it stands in, its start and its end."""
        place = 0
        for one in said:
            for move in one.reply.moves or ():
                if isinstance(move, Say):
                    for start, end in find_clause_spans(move.text, self._cut):
                        yield place, one.event, move.text, start, end
                        place += 1

    def _all_clauses(self, transcript: Transcript) -> list[str]:
        found = self._find_clauses(list(self._said_replies(transcript)))
        return [text[start:end] for _, _, text, start, end in found]


def _with_words(reply: Reply, text: str, changed: str) -> Reply:
    moves = tuple(
        Say(changed) if isinstance(move, Say) and move.text == text else move for move in reply.moves or ()
    )
    return Reply(moves=moves)


def blame_transcripts(
    panel: BlamePanel,
    transcripts: Sequence[Transcript],
    *,
    clauses: int | None,
    exchange: bool,
    on_done: Callable[[int], None],
) -> list[EpisodeBlame]:
    """Split the losses of episodes, the clauses of the first `clauses` of them too (None: of all)."""

    async def blame_all() -> list[EpisodeBlame]:
        found: list[EpisodeBlame] = []
        for first in range(0, len(transcripts), AT_ONCE):
            chunk = transcripts[first : first + AT_ONCE]
            jobs = []
            for place, one in enumerate(chunk, first):
                other = transcripts[(place + 1) % len(transcripts)] if exchange else None
                cut = clauses is None or place < clauses
                jobs.append(panel.blame_episode(one, clauses=cut, other=other))
            found += await asyncio.gather(*jobs)
            on_done(len(chunk))
        return found

    return asyncio.run(blame_all())


def scored_transcripts(run: Run, panel: BlamePanel) -> list[Transcript]:
    """Return the episodes with a result and words."""
    scored = [one for one in run.read_transcripts() if one.status in SCORED]
    if not scored:
        raise Problem(f"{run.path} has no finished episode: play it first")
    found = [one for one in scored if panel.has_words(one)]
    if not found:
        raise Problem(f"{run.path} has no words of the {panel.speaker}: blame needs a run with words")
    return found
