"""The laws of the conformance kit, one generator each, which yields a message for every breach it finds.

The names and docstrings of the laws are shown to users."""

from __future__ import annotations

import random
from collections.abc import Iterator
from copy import deepcopy
from itertools import pairwise
from math import isclose
from typing import Any
from xml.etree import ElementTree

import msgspec
from msgspec.structs import replace

from groundling.core.derived import derive_choices
from groundling.core.drawing import Drawing
from groundling.core.events import AnyEvent, Replied, Transcript, encode_event_json, event_decoder
from groundling.core.evidence import (
    Evidence,
    EvidenceEpisode,
    Point,
    describe_evidence_error,
    evidence_bytes,
    evidence_or_default,
    is_same_evidence,
    sample_evidence_evenly,
)
from groundling.core.pack import Scores, load
from groundling.core.replay import replay_transcript as fold
from groundling.core.trials import run_text_trials
from groundling.core.values import Illegal, Say

_LAZY_FIELDS = (
    "measures",
    "game",
    "recipe",
    "make",
    "builtin",
    "score",
    "top",
    "chance",
    "cluster",
    "category",
    "draw",
    "hide",
    "choices",
    "prompt_hints",
    "resolve",
)
_HARD_TEXTS = ("<b>&amp;]]>", "\x00\x1b[31m", "\ufffe", "🦜" * 100, "\u202e'\"\\")
"""Texts that people and models may send and that every drawing must survive."""


def check_pack_law(e: Evidence) -> Iterator[str]:
    """What the pack names can be loaded, and it agrees with its game about the name and with itself about the
    roles."""
    for field in _LAZY_FIELDS:
        try:
            load(getattr(e.pack, field))
        except Exception as trouble:  # an import can raise anything
            why = describe_evidence_error(trouble)
            yield f"{field} cannot be loaded from {getattr(e.pack, field)!r}: {why}"
    if e.game.name != e.pack.name:
        yield f"the pack is called {e.pack.name!r}, its game {e.game.name!r}"
    if e.pack.speaker not in e.pack.roles:
        yield f"the speaker {e.pack.speaker!r} is none of the roles {', '.join(e.pack.roles)}"


def check_seed_law(e: Evidence) -> Iterator[str]:
    """The same seed makes the same instances to the byte, another seed makes others, and their ids differ."""
    before = random.getstate()
    made = e.make_instances(e.seed)
    if random.getstate() != before:
        yield "make draws from the global random state: use random.Random(recipe.seed)"
    if _encode_or_repr(e.make_instances(e.seed)) != _encode_or_repr(made):
        yield f"make gives other instances when called again with seed {e.seed}"
    if _encode_or_repr(_without_origin(e.make_instances(e.seed + 1))) == _encode_or_repr(
        _without_origin(made)
    ):
        yield f"make gives the same instances for the seeds {e.seed} and {e.seed + 1}"
    yield from _check_ids("make", made)
    builtin = load(e.pack.builtin)()
    yield from _check_ids("builtin", builtin)
    if _encode_or_repr(load(e.pack.builtin)()) != _encode_or_repr(builtin):
        yield "builtin gives other instances when called again"


def check_json_law(e: Evidence) -> Iterator[str]:
    """Settings, recipes, instances and every event of an episode come back from JSON as they were."""
    yield from _check_round_trip("settings", e.game.settings, msgspec.json.Decoder(e.game.Settings))
    recipe = load(e.pack.recipe)
    yield from _check_round_trip("recipe", recipe(), msgspec.json.Decoder(recipe))
    reader = msgspec.json.Decoder(e.game.Instance)
    for instance in e.instances:
        yield from _check_round_trip(f"instance {instance.id}", instance, reader)
    for episode in e.episodes:
        for event in episode.transcript.events:
            yield from _check_round_trip(
                f"{episode.label}: {type(event).__name__}", event, event_decoder(type(e.game))
            )


def check_replay_law(e: Evidence) -> Iterator[str]:
    """Folding a transcript gives the state and the result that play reached; the rules change nothing they
    are handed."""
    for episode in e.episodes:
        yield from _check_purity(e, episode)
    for episode in e.episodes:
        state = fold(e.game, episode.transcript)
        if not is_same_evidence(state, episode.last):
            yield f"{episode.label}: replayed, it ends in {state!r}, in play it ended in {episode.last!r}"
        elif e.game.result(state) != episode.transcript.result:
            result = e.game.result(state)
            yield f"{episode.label}: replayed, it gives {result}, in play {episode.transcript.result}"


def check_turns_law(e: Evidence) -> Iterator[str]:
    """Every turn is a seat's of that instance until there is a result, there is none before, and none at the
    start."""
    game = e.game
    for instance in e.instances:
        unknown = set(game.seats(instance)) - set(e.pack.roles)
        if unknown or not game.seats(instance):
            yield f"{instance.id}: seats {game.seats(instance)}, the pack has the roles {e.pack.roles}"
        if game.turn(game.start(instance)) is None or game.result(game.start(instance)) is not None:
            yield f"{instance.id}: the game is over before it begins"
    for episode in e.episodes:
        for number, state in enumerate(
            e.replay_states(episode.opened.instance, list(episode.transcript.event_moves()))
        ):
            turn, result = game.turn(state), game.result(state)
            if (turn is None) != (result is not None):
                yield f"{episode.label}: after move {number} it is the turn of {turn}, the result is {result}"
    yield from e.strays


def check_words_law(e: Evidence) -> Iterator[str]:
    """Whatever is played can be written, and is read back strictly as the same moves."""
    for episode in e.episodes:
        for point in e.episode_points(episode):
            text = e.game.write(point.moves)
            moves = e.try_read(point, text, strict=True)
            if moves != point.moves:
                played = f"{point.role} played {point.moves}"
                yield f"{episode.label}: {played}, written {text!r}, read as {moves!r}"


def check_readings_law(e: Evidence) -> Iterator[str]:
    """What is read strictly is read tolerantly as the same moves."""

    def compare_readings(point: Point, text: str) -> str | None:
        strict, tolerant = (e.try_read(point, text, strict=strict) for strict in (True, False))
        if not isinstance(strict, tuple) or tolerant is None or strict == tolerant:
            return None
        return f"{point.role}: {text!r} is {strict} strictly, {tolerant!r} tolerantly"

    yield from run_text_trials(e, compare_readings)


def check_text_law(e: Evidence) -> Iterator[str]:
    """No text whatever makes `read`, or `play` of what was read, raise anything but Illegal with a
    message."""

    def find_exception(point: Point, text: str) -> str | None:
        for strict in (False, True):
            state = point.state
            try:
                for move in e.game.read(state, point.role, text, strict=strict).moves:
                    if e.game.turn(state) != point.role:
                        break
                    state = e.game.play(state, point.role, move)
            except Illegal as verdict:
                if not str(verdict).strip():
                    return f"{point.role}: {text!r} is Illegal without a message"
            except Exception as trouble:
                how = "strictly" if strict else "tolerantly"
                return f"{point.role}: {text!r} {how} raises {describe_evidence_error(trouble)}"
        return None

    yield from run_text_trials(e, find_exception)


def check_choices_law(e: Evidence) -> Iterator[str]:
    """Every choice that the pack lists can be played, no two are written alike, and no other is played."""
    for point in e.turns:
        options = derive_choices(e.pack, e.game.view(point.state, point.role))
        written = [e.try_write((move,)) for move in options]
        if len(set(written)) < len(options):
            yield f"{point.episode.label}: two choices of {point.role} are written in the same way"
        if options and point.moves[0] not in options and not isinstance(point.moves[0], Say):
            yield f"{point.episode.label}: {point.role} played {point.moves[0]}, which is no choice"
        for move in options:
            try:
                e.game.play(point.state, point.role, move)
            except Illegal as verdict:
                yield f"{point.episode.label}: {point.role} cannot choose {move}: {verdict}"
                break


def check_gold_law(e: Evidence) -> Iterator[str]:
    """Gold players in all seats finish every instance with its top score."""
    for episode in e.gold_batch.episodes:
        result, top = episode.transcript.result, load(e.pack.top)(episode.opened.instance)
        if result is not None and not isclose(result.score, top, abs_tol=1e-9):
            yield f"{episode.label}: the score is {result.score}, its top is {top}"
    yield from e.gold_batch.troubles


def check_speaker_law(e: Evidence) -> Iterator[str]:
    """In games of several seats the pack's speaker says words, which the controls can take away or
    exchange."""
    shared = [
        episode
        for episode in e.gold_batch.episodes
        if len(episode.players) > 1 and e.pack.speaker in episode.players
    ]
    moves = [
        move
        for episode in shared
        for role, move in episode.transcript.event_moves()
        if role == e.pack.speaker
    ]
    if shared and not any(isinstance(move, Say) for move in moves):
        yield f"gold never says anything as {e.pack.speaker}: name the seat that speaks, and let it use Say"


def check_end_law(e: Evidence) -> Iterator[str]:
    """Random players in all seats come to a finished end."""
    yield from e.random_batch.troubles


def check_resume_law(e: Evidence) -> Iterator[str]:
    """An episode cut after any event resumes as it was, with the same players; after its end nothing more
    happens."""
    for episode in e.episodes:
        events = episode.transcript.events
        for cut in law_cut_points(len(events)):
            expected = events[cut:]
            got = e.continue_episode(episode, events[:cut], len(expected) + 1)
            wrong = [
                pair
                for pair in zip(map(_without_time, got), map(_without_time, expected), strict=False)
                if pair[0] != pair[1]
            ]
            if wrong:
                now, before = wrong[0]
                yield f"{episode.label}: resumed after {cut} events, it has {now} instead of {before}"
                break
            if len(got) != len(expected):
                more = f"{len(got)} more, not {len(expected)}"
                yield f"{episode.label}: resumed after {cut} events, it has {more}"
                break


def check_scores_law(e: Evidence) -> Iterator[str]:
    """Any transcript, cut ones too, gets the measures of the pack, in their bounds; a finished one its
    result's score, one that a limit ended some score."""
    measures, score = load(e.pack.measures), load(e.pack.score)
    bounds = {measure.name: (measure.low, measure.high) for measure in measures}
    if not measures:
        yield "the pack names no measure"
        return
    main = measures[0].name
    for instance in e.instances:
        top, chance = e.top_score(instance), load(e.pack.chance)(instance)
        if top is not None and not chance <= top:
            yield f"{instance.id}: chance is {chance}, above the top score {top}"
        for name, hook in (("cluster", e.pack.cluster), ("category", e.pack.category)):
            if not isinstance(label := load(hook)(instance), str):
                yield f"{instance.id}: {name} gives {label!r}, not a str"
    for episode in e.episodes:
        for events in episode.cut_transcripts():
            label = f"{episode.label}, {len(events)} events ending in {type(events[-1]).__name__}"
            try:
                given: Scores = score(e.game, Transcript(events))
            except Exception as trouble:
                yield f"{label}: {describe_evidence_error(trouble)}"
                break
            if given.episode.keys() != bounds.keys() or any(
                turn.keys() - bounds.keys() for turn in given.turns
            ):
                yield f"{label}: measures {', '.join(given.episode)}, the pack names {', '.join(bounds)}"
                break
            outside = [name for name, value in given.episode.items() if not _is_within(value, *bounds[name])]
            if outside:
                yield f"{label}: {outside[0]} is {given.episode[outside[0]]}, outside {bounds[outside[0]]}"
                break
            result, value = Transcript(events).result, given.episode[main]
            if result is not None and (value is None or not isclose(value, result.score, abs_tol=1e-9)):
                yield f"{label}: {main} is {value}, the result {result.score}"
            if value is None and Transcript(events).status == "limited":
                yield f"{label}: there is no {main}, though an episode that a limit ended is scored"


def check_drawing_law(e: Evidence) -> Iterator[str]:
    """Every view can be drawn, as some text and as well-formed SVG, and equal views are drawn alike."""
    drawn: dict[bytes, Drawing] = {}
    for label, view in e.sampled_views(_HARD_TEXTS):
        key = type(view).__name__.encode() + evidence_bytes(view)
        if key not in drawn:
            drawn[key] = load(e.pack.draw)(view)
            trouble = _drawing_error(drawn[key])
            if trouble:
                yield f"{label}: {trouble}"
        again = load(e.pack.draw)(deepcopy(view))
        if (again.text, again.svg) != (drawn[key].text, drawn[key].svg):
            yield f"{label}: the same view is drawn in two ways"


def law_cut_points(length: int) -> list[int]:
    """Return the lengths at which to cut a transcript: all of them, or 60 evenly spaced ones."""
    return sample_evidence_evenly(range(1, length + 1), 60)


def _encode_or_repr(value: Any) -> bytes:
    return evidence_or_default(repr(value).encode(), lambda: encode_event_json(value))


def _without_origin(instances: list[Any]) -> list[Any]:
    """Blank the fields that depend on the seed alone."""
    return [replace(instance, id="", origin="") for instance in instances]


def _check_ids(where: str, instances: list[Any]) -> Iterator[str]:
    ids = [instance.id for instance in instances]
    if not ids:
        yield f"{where} gives no instances"
    twice = [one for one, next_one in pairwise(sorted(ids)) if one == next_one]
    if twice:
        yield f"{where} gives the id {twice[0]!r} to more than one instance"


def _check_round_trip(label: str, value: Any, reader: msgspec.json.Decoder[Any]) -> Iterator[str]:
    try:
        back = reader.decode(encode_event_json(value))
    except (TypeError, ValueError, OverflowError) as trouble:  # msgspec's own errors are ValueErrors
        yield f"{label}: {describe_evidence_error(trouble)}"
    else:
        if back != value:
            yield f"{label}: {value!r} comes back as {back!r}"


def _check_purity(e: Evidence, episode: EvidenceEpisode) -> Iterator[str]:
    game, instance = e.game, episode.opened.instance
    if not is_same_evidence(game.start(instance), game.start(instance)):
        yield f"{episode.label}: start gives another state when called again"
    for point in e.episode_points(episode):
        state = point.state
        for role, move in ((point.role, move) for move in point.moves):
            before = evidence_bytes(state)
            e.try_read(point, point.text, strict=False), game.turn(state), game.result(state)
            for seat in game.seats(instance):
                game.view(state, seat)
            if evidence_bytes(state) != before:
                looked = "looking at a state (turn, view, read or result)"
                yield f"{episode.label}: {looked} changes it: {state!r}"
                return
            after = game.play(state, role, move)
            if evidence_bytes(state) != before:
                yield f"{episode.label}: play changes the state that it is handed: {move}"
                return
            if not is_same_evidence(game.play(state, role, move), after):
                yield f"{episode.label}: play gives another state when called again: {move}"
                return
            state = after


def _without_time(event: AnyEvent) -> AnyEvent:
    event = replace(event, at=0.0)
    return replace(event, seconds=None) if isinstance(event, Replied) else event


def _is_within(value: object, low: float | None, high: float | None) -> bool:
    if value is None:
        return True
    return (
        isinstance(value, int | float) and (low is None or value >= low) and (high is None or value <= high)
    )


def _drawing_error(drawing: Drawing) -> str | None:
    if not drawing.text.strip():
        return "the drawing has no text"
    try:
        root = ElementTree.fromstring(drawing.picture)
    except ElementTree.ParseError as trouble:
        return f"the drawing is not well-formed XML: {trouble}"
    return None if root.tag.rpartition("}")[2] == "svg" else f"the drawing is not an svg but a {root.tag}"
