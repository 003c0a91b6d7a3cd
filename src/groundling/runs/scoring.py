"""From transcripts to a table of episodes: a row each, with all that the score tables are made of. No player is asked."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ..core.events import Failed, Refused, Replied, Transcript
from ..core.game import AnyGame
from ..core.pack import Pack, load
from ..core.values import missing
from .folder import RunFolder

if TYPE_CHECKING:
    import polars as pl


class Scorer:
    """Scores one episode after the other into columns."""

    def __init__(self, pack: Pack, game: AnyGame, run: str, control: str = "") -> None:
        self.game, self.run, self.control = game, run, control
        self.measures = [measure.name for measure in load(pack.measures)]
        self._score, self._cluster = load(pack.score), load(pack.cluster)
        self._chance, self._top = load(pack.chance), load(pack.top)
        self.rows: list[dict[str, Any]] = []

    def take(self, transcript: Transcript) -> None:
        opened, status = transcript.opened, transcript.status
        instance = opened.instance
        ended = status in ("played", "aborted")
        scores = self._score(self.game, transcript).episode
        main = scores[self.measures[0]]
        row: dict[str, Any] = {
            "run": self.run,
            "game": opened.game,
            "set": instance.set,
            "control": self.control,
            "players": " → ".join(opened.seats.values()),
            "episode": opened.episode,
            "instance": instance.id,
            "group": instance.group,
            "cluster": self._cluster(instance),
            "status": status,
            **(scores if ended else dict.fromkeys(scores)),
            "chance": self._chance(instance),
            "top": self._top(instance),
        }
        row |= dict.fromkeys([f"refused_{role}" for role in opened.seats], 0)
        well_formed, seconds = True, 0.0
        for event in transcript.events:
            if isinstance(event, Replied):
                well_formed &= event.strict is None
                seconds += event.seconds or 0.0
                for key, count in event.usage.items():
                    row[f"usage_{key}"] = row.get(f"usage_{key}", 0) + count
            elif isinstance(event, Refused):
                row[f"refused_{event.role}"] += 1
                well_formed = False
            elif isinstance(event, Failed):
                row["failed_at"] = event.boundary
        # An episode without a slip runs the same under both readings; with one, the strict reading ends it there.
        row["strict"] = None if not ended else main if well_formed and status == "played" else 0.0
        row["tolerant"] = None if not ended or opened.strict else main
        row["seconds"] = seconds
        self.rows.append(row)


def score_run(folder: RunFolder, control: str = "") -> Scorer:
    """A control goes under the name of the run that it belongs to."""
    run = folder.path.parent if control else folder.path
    scorer = Scorer(folder.pack(), folder.game(), str(run), control)
    for transcript in folder.transcripts():
        scorer.take(transcript)
    return scorer


def frame(rows: Iterable[dict[str, Any]]) -> pl.DataFrame:
    try:
        import polars as pl
    except ImportError:
        raise missing("score") from None
    rows = list(rows)
    keys = dict.fromkeys(key for row in rows for key in row)
    return pl.DataFrame({key: [row.get(key) for row in rows] for key in keys}, strict=False)


def write_scores(folder: RunFolder, table: pl.DataFrame) -> None:
    """Beside the log, whole or not at all."""
    draft = folder.path / "scores.parquet.part"
    table.write_parquet(draft)
    draft.replace(folder.path / "scores.parquet")
