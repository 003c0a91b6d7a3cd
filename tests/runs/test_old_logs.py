"""A log of every schema that was ever written is kept in tests/data, and stays readable."""

from pathlib import Path

import pytest

from groundling.core.events import SCHEMA
from groundling.core.pack import find
from groundling.core.values import Problem
from groundling.report.episode import episode_text
from groundling.runs.event_log import read_log_transcripts
from groundling.runs.scoring import EpisodeScorer

DATA = Path(__file__).parent.parent / "data"
pack = find("reference")
game = pack.new()


def test_there_is_one_of_each_schema() -> None:
    assert [path.name for path in sorted(DATA.glob("log-schema-*.jsonl"))] == [
        f"log-schema-{n}.jsonl" for n in range(1, SCHEMA + 1)
    ]


@pytest.mark.parametrize("path", sorted(DATA.glob("log-schema-*.jsonl")), ids=lambda path: path.stem)
def test_it_can_be_read_scored_and_shown(path: Path) -> None:
    scorer = EpisodeScorer(pack, game)
    rows = []
    for transcript in read_log_transcripts(path, type(game)):
        rows.append(dict(zip(scorer.columns, scorer.episode_row(transcript)[:-1], strict=True)))
        assert transcript.episode in episode_text(pack, game, transcript)
    assert sorted((row["status"], row["success"]) for row in rows if row["success"] is not None) == [
        ("aborted", 0.0),
        ("played", 0.0),
        ("played", 1.0),
    ]
    assert [row["failed_at"] for row in rows if row["status"] == "errored"] == ["script"]


def test_a_newer_one_is_refused_by_name(tmp_path: Path) -> None:
    line = (DATA / f"log-schema-{SCHEMA}.jsonl").read_bytes().splitlines()[0]
    for newer in (
        line.replace(b'"schema":1', b'"schema":99'),
        b'{"type":"opened","episode":"x","schema":99,"at":1}',
    ):
        (tmp_path / "log").write_bytes(newer + b"\n")
        with pytest.raises(Problem, match="upgrade groundling"):
            list(read_log_transcripts(tmp_path / "log", type(game)))
