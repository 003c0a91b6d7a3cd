"""Find episodes of runs and data by labels and scores, of the episode or of single turns."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from msgspec import Struct
from starlette.datastructures import QueryParams

from groundling.core.events import Transcript
from groundling.core.pack import Pack, load
from groundling.core.result_tables import natural_sort_key
from groundling.core.values import Problem
from groundling.runs.step_notes import NOTED


class EpisodeLabels(Struct, frozen=True):
    """The labels of an episode, and the score and the labels of each of its turns."""

    labels: Mapping[str, str] = {}
    turns: tuple[tuple[float | None, Mapping[str, str]], ...] = ()


NO_LABELS = EpisodeLabels()


class EpisodeFilter(Struct, frozen=True):
    """What a request asks for: labels, and bounds of the score."""

    labels: tuple[tuple[str, str], ...] = ()
    least: float | None = None
    most: float | None = None

    def match_episode(self, score: float | None, known: EpisodeLabels) -> list[int] | None:
        """The turns, from 1, that have all labels which the episode does not have itself, and a score within
        the bounds. Where it has all, it matches as a whole by its own score: no turns. None: no match."""
        others = [(name, value) for name, value in self.labels if known.labels.get(name) != value]
        if not others:
            return [] if self._fits(score) else None
        found = [
            number
            for number, (own, labels) in enumerate(known.turns, 1)
            if self._fits(own) and all(labels.get(name) == value for name, value in others)
        ]
        return found or None

    def _fits(self, score: float | None) -> bool:
        if self.least is None and self.most is None:
            return True
        above = self.least is None or (score is not None and score >= self.least)
        return above and (self.most is None or (score is not None and score <= self.most))


def read_episode_filter(query: QueryParams) -> EpisodeFilter:
    """Read `label=NAME=VALUE`, which may come several times, `least` and `most`."""
    pairs = (each.partition("=") for each in query.getlist("label"))
    labels = tuple((name, value) for name, mark, value in pairs if mark)
    return EpisodeFilter(labels, _read_bound(query.get("least", "")), _read_bound(query.get("most", "")))


def _read_bound(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def label_episode(pack: Pack, transcript: Transcript) -> EpisodeLabels:
    main = load(pack.measures)[0].name
    try:
        scores = load(pack.score)(pack.new(transcript.opened.settings), transcript)
    except Problem:  # the extra for scores is not installed
        return EpisodeLabels()
    labels: list[Mapping[str, str]] = [*scores.turn_facets, *({} for _ in scores.turns)]
    turns = zip(scores.turns, labels, strict=False)
    return EpisodeLabels(scores.facets, tuple((turn.get(main), own) for turn, own in turns))


def mark_noted_episodes(
    known: Mapping[str, EpisodeLabels], notes: Collection[str]
) -> Mapping[str, EpisodeLabels]:
    noted = {name: known[name] for name in notes if name in known}
    return {
        **known,
        **{name: EpisodeLabels({**each.labels, **NOTED}, each.turns) for name, each in noted.items()},
    }


def list_label_choices(known: Iterable[EpisodeLabels]) -> Sequence[tuple[str, list[str]]]:
    """The names of labels with their values, in natural order."""
    found: dict[str, set[str]] = {}
    for each in known:
        for labels in (each.labels, *(labels for _, labels in each.turns)):
            for name, value in labels.items():
                found.setdefault(name, set()).add(value)
    return [(name, sorted(found[name], key=natural_sort_key)) for name in sorted(found)]
