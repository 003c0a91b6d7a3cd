"""The curve of similarity over divergence: one line a training by playing, from the Teller that it started
from."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

torch = pytest.importorskip("torch", reason="torch is not installed: pip install '.[train]' to run these")

from papers.codraw.__main__ import main  # noqa: E402
from papers.codraw.curve import read_curves  # noqa: E402
from tests.games.codraw.tiny_weights import tiny_job, train  # noqa: E402

from groundling.games.codraw.neural.dialog_pack import DialogPack  # noqa: E402
from groundling.train.weights import load_weights  # noqa: E402

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def home(dialogs: DialogPack, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Teller that imitates, and two that went on from it by playing, one of them with another Drawer
    too."""
    place = tmp_path_factory.mktemp("home")
    drawers = tuple(str(place / name) for name in ("drawer", "other"))
    plan = {"steps": 4, "every": 2, "rate": 1e-2}
    jobs = [
        *(tiny_job("bilstm", name=name, plan=plan) for name in ("drawer", "other")),
        tiny_job("scene2seq", name="teller", plan=plan, drawers=drawers[:1]),
    ]
    for name, partners in (("free", drawers[:1]), ("both", drawers)):
        job = tiny_job("scene2seq", name=name, plan=plan, start=str(place / "teller"), drawers=partners)
        jobs.append(replace(job, settings={}))
    for job in jobs:
        train(dialogs, job, place / job.name)
    return place


def test_a_course_begins_with_what_its_start_had_with_the_same_drawers(home: Path) -> None:
    free, both = read_curves([home])
    assert (free.teller.folder.name, both.teller.folder.name) == ("free", "both")
    start = load_weights(home / "teller")[0].scores["similarity"]
    assert free.start == start
    assert free.curve_points[0] == (0.0, start)
    assert both.start is None, "the mean over other Drawers cannot be compared"
    measured = msgspec.json.Decoder(dict[str, float]).decode_lines(
        (home / "free" / "curve.jsonl").read_bytes()
    )
    assert free.curve_points[1:] == [(found["divergence"], found["similarity"]) for found in measured]
    assert len(free.curve_points) == 3
    assert read_curves([home / "free"])[0].start is None, "the start is not there"


def test_within_a_bound_only_what_was_measured_there_counts(home: Path) -> None:
    (course,) = read_curves([home / "free" / "curve.jsonl"])
    nearest = min(found.divergence for found in course.measured)
    assert course.best_within(nearest / 2) is None
    assert (
        course.best_within(1e9)
        == course.best_point.similarity
        == max(found.similarity for found in course.measured)
    )


def test_without_its_curve_a_training_is_the_point_on_its_card(home: Path, tmp_path: Path) -> None:
    for name in ("card.json", "weights.safetensors"):
        (tmp_path / name).write_bytes((home / "free" / name).read_bytes())
    (course,) = read_curves([tmp_path])
    card, _, _ = load_weights(tmp_path)
    assert course.curve_points == [(card.scores["divergence"], card.scores["similarity"])]
    (tmp_path / "curve.jsonl").write_bytes(
        (home / "free" / "curve.jsonl").read_bytes() + b'{"step": 6, "simil'
    )
    assert len(read_curves([tmp_path])[0].curve_points) == 2, "a line that is half written does not count"


def test_the_command_prints_a_table_and_draws_it(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("curve.svg", "curve.png"):
        assert main(["curve", str(home), "--out", str(tmp_path / name)]) == 0
        printed = capsys.readouterr().out.splitlines()
        assert "scene2seq + aux + RL with 2 Drawers" in printed[2]
        assert str(tmp_path / name) in printed[-1]
    assert (tmp_path / "curve.svg").read_text().count("<polyline") == 2
    assert (tmp_path / "curve.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (["teller"], "no Teller that learned by playing"),
        (["drawer"], "no Teller that learned by playing"),
        (["drawer/curve.jsonl"], "no Teller that learned by playing"),
        ([], "no weights"),
        (["free", "--out", "curve.txt"], "no picture"),
    ],
)
def test_what_has_no_curve_is_reported_in_one_line(
    given: list[str], told: str, home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [str(home / given[0]), *given[1:]] if given else [str(tmp_path)]
    assert main(["curve", *words]) == 2
    found = capsys.readouterr()
    assert told in found.err
    assert (found.out, found.err.count("\n")) == ("", 1)
