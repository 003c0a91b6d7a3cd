"""Every game is a task of Inspect AI, played at our table and scored by our scores."""

from __future__ import annotations

import asyncio
from math import isnan, nan
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import list_tasks
from inspect_ai._util.error import PrerequisiteError
from inspect_ai.log import EvalLog
from inspect_ai.model import ModelName
from inspect_ai.scorer import Target
from inspect_ai.solver import TaskState
from tests.games.codraw import narrated

from groundling.bridges.inspect import tasks
from groundling.bridges.inspect.scoring import game_scores
from groundling.cli import main
from groundling.core.pack import installed_packs
from groundling.report.score_table import weighted_mean
from groundling.runs.run import open_run
from groundling.runs.run_extent import extent_lines
from groundling.runs.scoring import score_run
from groundling.runs.scoring_table import count_outcomes, scored_strata

from .helpers import evaluate, means, mock, ours, scripts

ROOT = Path(__file__).parents[2]
GRIDS = ["X X X X X\n" + "▢ ▢ ▢ ▢ ▢\n" * 4, "X X X X X\nX ▢ ▢ ▢ ▢\n" + "▢ ▢ ▢ ▢ ▢\n" * 3]
SAID = {
    "reference": {"giver": ["Expression: the fullest one"], "follower": ["Answer: second"]},
    "image": {
        "giver": ["Instruction: a row of X", "Instruction: one more X", "Instruction: DONE"],
        "follower": GRIDS,
    },
}


def columns_of_both(run: Path, log: EvalLog) -> list[Any]:
    mine, theirs = (score_run(open_run(path)).sort("episode") for path in (run, log.location))
    columns = [name for name in mine.columns if name not in ("run", "seconds", "players")]
    return [mine.select(columns), theirs.select(columns)]


@pytest.mark.parametrize(
    ("game", "options"),
    [("reference", {}), ("reference", {"strict": True}), ("image", {}), ("image", {"retries": 0})],
)
def test_the_same_replies_get_the_same_numbers(game: str, options: dict[str, Any], tmp_path: Path) -> None:
    files = scripts(game, tmp_path, **SAID[game])
    log = evaluate(
        f"groundling/{game}",
        tmp_path,
        task_args={"n": 4, **options},
        model_roles=ours(game, **{r: f"script:{f}" for r, f in files.items()}),
    )
    flags = ["--strict"] if "strict" in options else ["--retries", "0"] if "retries" in options else []
    seats = [word for role, file in files.items() for word in ("--seat", f"{role}=script:{file}")]
    assert main(["play", game, "--limit", "4", *seats, *flags, "-o", str(tmp_path / "run")]) == 0
    mine, theirs = columns_of_both(tmp_path / "run", log)
    assert mine.equals(theirs)
    assert mine["status"].to_list().count("aborted") == (1 if options else 0)
    told = means(log)
    assert told.pop("limited") == 0
    for name, value in told.items():
        mean = mine[name].mean()
        assert value == pytest.approx(nan if mean is None else mean, nan_ok=True), name


def test_seats_are_agents_and_the_transcript_is_in_the_store(tmp_path: Path) -> None:
    log = evaluate(
        "groundling/image",
        tmp_path,
        task_args={"n": 1},
        model_roles=ours("image", giver="gold", follower="rule"),
    )
    assert log.samples
    (sample,) = log.samples
    spans = [event.name for event in sample.events if event.event == "span_begin" and event.type == "agent"]
    assert spans[:4] == ["giver", "follower", "giver", "follower"]
    calls = [(event.role, event.model) for event in sample.events if event.event == "model"]
    assert calls[:2] == [("giver", "groundling/image/gold"), ("follower", "groundling/image/rule")]
    assert [event["type"] for event in sample.store["transcript"]][:3] == ["opened", "replied", "moved"]
    assert sample.messages[0].text.startswith("[giver] Instruction:")
    assert sample.output.completion == "finished, score 1"


def test_a_model_reads_its_prompt_and_sees_pictures_as_data(tmp_path: Path) -> None:
    log = evaluate(
        "groundling/reference",
        tmp_path,
        task_args={"n": 1, "seats": "giver=gold", "see": "both", "language": "de", "wording": "plain"},
        model=mock("Antwort: zweites", "Answer: second"),
    )
    assert log.status == "success"
    assert log.samples
    first = next(event for event in log.samples[0].events if event.event == "model")
    assert [part.type for part in first.input[0].content] == ["text", "image"]  # type: ignore[union-attr]
    assert any(text.startswith("data:image/png;base64,") for text in log.samples[0].attachments.values())
    assert log.stats.model_usage["mockllm/model"].total_tokens == 20
    assert log.samples[0].scores
    (score,) = log.samples[0].scores.values()
    assert isinstance(score.value, dict)
    assert score.value["strict"] == 0
    assert score.metadata
    assert score.metadata["refused_follower"] == 1


def test_one_seat_that_is_left_is_for_the_main_model(tmp_path: Path) -> None:
    log = evaluate(
        "groundling/reference",
        tmp_path,
        task_args={"n": 3, "seats": "giver=gold"},
        model="groundling/reference/rule",
    )
    assert means(log)["success"] == 1
    assert log.samples
    assert {event.role for event in log.samples[0].events if event.event == "model"} == {"follower"}


def test_epochs_are_repeats_and_go_through_the_wordings(tmp_path: Path) -> None:
    log = evaluate(
        "groundling/reference",
        tmp_path,
        task_args={"n": 2, "seats": "giver=gold", "wording": "all"},
        model=mock(*["Answer: first"] * 6),
        epochs=3,
    )
    table = score_run(open_run(log.location))
    assert sorted(table["episode"]) == [
        f"{instance}{repeat}" for instance in ("edits-2-01", "edits-4-01") for repeat in ("", "#2", "#3")
    ]
    assert set(table["prompt_follower"]) == {"en/follower.brief", "en/follower.example", "en/follower.plain"}


def test_settings_sets_and_new_instances_are_options(tmp_path: Path) -> None:
    roles = ours("image", giver="gold", follower="gold")
    log = evaluate(
        "groundling/image",
        tmp_path,
        task_args={"seed": 5, "n": 3, "set": "random", "turns": 2},
        model_roles=roles,
    )
    assert log.samples
    opened = [sample.store["transcript"][0] for sample in log.samples]
    assert {event["instance"]["origin"] for event in opened} == {"seed 5"}
    assert {event["settings"]["turns"] for event in opened} == {2}
    assert {sample.metadata["set"] for sample in log.samples} == {"random"}


def test_seats_may_have_options_of_their_own(tmp_path: Path) -> None:
    file = tmp_path / "said.txt"
    file.write_text("Answer: first\n")
    for seats in (f"giver=gold,follower=script:{file}", ["giver=gold", f"follower=script:{file}"]):
        log = evaluate("groundling/reference", tmp_path, task_args={"n": 3, "seats": seats}, model=None)
        assert log.status == "success"
        assert log.results
        assert log.results.completed_samples == 3


def test_instances_come_from_a_file_too(tmp_path: Path) -> None:
    file = tmp_path / "mine.jsonl"
    assert main(["make", "reference", "-n", "2", "--seed", "9", "-o", str(file)]) == 0
    log = evaluate(
        "groundling/reference",
        tmp_path,
        task_args={"instances": str(file)},
        model_roles=ours("reference", giver="gold", follower="rule"),
    )
    assert log.eval.dataset.samples == len(file.read_text().splitlines())


@pytest.mark.parametrize(
    ("options", "roles", "told"),
    [
        (
            {"colour": "red"},
            {"giver": "gold", "follower": "gold"},
            "there is no option -T colour: choose from data, instances",
        ),
        ({"n": 0}, {"giver": "gold", "follower": "gold"}, "-T n"),
        ({"n": "many"}, {"giver": "gold", "follower": "gold"}, "-T n"),
        (
            {"set": "easy"},
            {"giver": "gold", "follower": "gold"},
            "no set 'easy': choose from edits-2, edits-4",
        ),
        ({"seats": "giver=nobody"}, {"follower": "gold"}, "no player 'nobody'"),
        ({"seats": "giver"}, {"follower": "gold"}, "is not ROLE=PLAYER"),
        ({"see": "smell"}, {"giver": "gold", "follower": "gold"}, "see=smell"),
        ({"language": "tlh"}, {"giver": "gold", "follower": "gold"}, "no prompts in language 'tlh'"),
        ({"seed": 1, "instances": "x.jsonl"}, {"giver": "gold", "follower": "gold"}, "give one of"),
        ({}, {"giver": "gold"}, "seat follower is empty: add --model-role follower=MODEL, --model MODEL"),
        ({"seats": "giver=gold"}, {}, "seat follower is empty: add --model-role follower=MODEL"),
        ({"seats": "giver=gold"}, {"giver": "gold", "follower": "gold"}, "one of our players sits there"),
        ({}, {"giver": "gold", "follower": "gold", "judge": "gold"}, "no such seat in reference"),
        (
            {"instances": "none.jsonl"},
            {"giver": "gold", "follower": "gold"},
            "none.jsonl: No such file or directory",
        ),
        ({"instances": "."}, {"giver": "gold", "follower": "gold"}, ".: Is a directory; name a file"),
        ({"seats": "giver=script:none"}, {"follower": "gold"}, "none: No such file or directory"),
    ],
)
def test_what_cannot_be_played_is_told_before_anything_is(
    options: dict[str, Any], roles: dict[str, str], told: str, tmp_path: Path
) -> None:
    with pytest.raises(PrerequisiteError) as trouble:
        evaluate("groundling/reference", tmp_path, task_args=options, model_roles=ours("reference", **roles))
    assert told in str(trouble.value)
    assert "\n" not in str(trouble.value).strip()
    assert list(tmp_path.glob("*.eval")) == []


def test_a_model_takes_the_seat_that_is_left_though_there_is_a_recording_of_it(tmp_path: Path) -> None:
    data = narrated.folder(tmp_path)
    options = {"data": str(data), "split": "train", "n": 1}
    log = evaluate(
        "groundling/codraw",
        tmp_path,
        task_args={**options, "seats": "teller=replay"},
        model="groundling/codraw/grammar",
    )
    (played,) = open_run(Path(log.location)).read_transcripts()
    assert played.opened.seats == {"teller": "replay", "drawer": "groundling/codraw/grammar"}
    with pytest.raises(PrerequisiteError, match="could take teller or drawer: say who takes the other"):
        evaluate("groundling/codraw", tmp_path, task_args=options, model="groundling/codraw/grammar")


def test_an_unknown_player_of_ours_is_reported_in_one_line(tmp_path: Path) -> None:
    for model, told in (
        ("image/gold", "is a player of image, this is reference"),
        ("reference/nobody", "no player 'nobody'"),
    ):
        with pytest.raises(PrerequisiteError, match=told):
            evaluate(
                "groundling/reference",
                tmp_path,
                task_args={"seats": "giver=gold"},
                model=f"groundling/{model}",
            )


def test_editors_find_every_game_of_ours_in_the_file() -> None:
    listed = {task.name for task in list_tasks("src/groundling/bridges", root_dir=ROOT)}
    games = {name for name, point in installed_packs().items() if point.value.startswith("groundling.")}
    assert listed == games | {"game"}


def test_the_file_can_be_run_itself(tmp_path: Path) -> None:
    assert tasks.__file__
    log = evaluate(
        f"{tasks.__file__}@reference",
        tmp_path,
        task_args={"n": 1},
        model_roles=ours("reference", giver="gold", follower="gold"),
    )
    assert means(log)["success"] == 1


def test_a_game_that_did_not_begin_has_every_measure_without_a_value() -> None:
    state = TaskState(model=ModelName("mockllm/model"), sample_id="x", epoch=1, input="", messages=[])
    score = asyncio.run(game_scores("reference")(state, Target("")))
    assert score is not None
    assert list(score.as_dict()) == [
        "success",
        "characters",
        "tokens",
        "recited",
        "strict",
        "tolerant",
        "limited",
    ]
    assert all(isnan(float(value or 0)) for value in score.as_dict().values())
    assert score.reason == "unfinished"


def test_the_director_task_tells_means_by_kind_and_rule_and_kinds_of_error(tmp_path: Path) -> None:
    log = evaluate(
        "groundling/director",
        tmp_path,
        model="groundling/director/egocentric",
        task_args={"n": 12, "seed": 1},
    )
    assert log.results
    metrics = {
        score.name: {name: metric.value for name, metric in score.metrics.items()}
        for score in log.results.scores
    }
    assert metrics["success"]["grouped_test"] == 0
    assert metrics["success"]["grouped_control"] == 1
    by_rule = {name.partition("by_")[2]: value for name, value in metrics["success"].items() if "by_" in name}
    rules = ("size_related", "spatial_different_perspective", "spatial_same_perspective")
    assert by_rule == {
        f"{kind} {rule}": float(kind == "control") for kind in ("control", "test") for rule in rules
    }
    assert metrics["hidden_distractor"]["grouped_test"] == 1


def test_without_roles_a_model_plays_with_itself_and_the_log_says_so(tmp_path: Path) -> None:
    model = mock(*["Expression: the fullest one", "Answer: second"] * 2)
    log = evaluate("groundling/reference", tmp_path, task_args={"n": 2}, model=model, max_samples=1)
    assert log.status == "success"
    assert log.eval.metadata
    assert log.eval.metadata["main_model"] == ["giver", "follower"]
    assert {role: usage.total_tokens for role, usage in log.stats.role_usage.items()} == {
        "giver": 20,
        "follower": 20,
    }
    seats = {"giver": "mockllm/model", "follower": "mockllm/model"}
    assert open_run(log.location).read_about()["plan"]["seats"] == seats


def test_the_main_model_takes_only_the_seats_without_a_role(tmp_path: Path) -> None:
    log = evaluate(
        "groundling/reference",
        tmp_path,
        task_args={"n": 2},
        model="groundling/reference/rule",
        model_roles=ours("reference", giver="gold"),
    )
    assert means(log)["success"] == 1
    assert log.eval.metadata
    assert log.eval.metadata["main_model"] == ["follower"]


@pytest.mark.parametrize("game", ["reference", "image", "hexagons", "codraw", "director"])
def test_the_viewer_shows_what_was_meant_and_what_came_of_it(game: str, tmp_path: Path) -> None:
    log = evaluate(f"groundling/{game}", tmp_path, task_args={"n": 2}, model=f"groundling/{game}/gold")
    assert log.samples
    for sample in log.samples:
        assert sample.scores
        (score,) = sample.scores.values()
        assert score.answer
        assert score.answer == sample.target


def test_means_of_an_uneven_sample_are_weighted_as_in_the_score_table(tmp_path: Path) -> None:
    log = evaluate(
        "groundling/director", tmp_path, task_args={"n": 11}, model="groundling/director/egocentric"
    )
    assert log.results
    found = next(score for score in log.results.scores if score.name == "success")
    table = score_run(open_run(log.location))
    weighted = weighted_mean(table, "success")
    assert found.metrics["groundling/weighted_mean"].value == pytest.approx(weighted)
    assert found.metrics["mean"].value != pytest.approx(weighted)
    assert log.results.headline
    assert log.results.headline.metric == "groundling/weighted_mean"


def test_a_limit_of_samples_is_the_same_rotation_as_in_play(tmp_path: Path) -> None:
    roles = ours("image", giver="gold", follower="gold")
    first, all_of_it = (
        evaluate("groundling/image", tmp_path, model_roles=roles, **options)
        for options in ({"task_args": {"n": 5}}, {"limit": 5})
    )
    assert first.samples
    assert all_of_it.samples
    assert [sample.id for sample in first.samples] == [sample.id for sample in all_of_it.samples]
    about = open_run(all_of_it.location).read_about()
    assert about["episodes"] == 5
    told = list(extent_lines(about, scored_strata(count_outcomes(score_run(open_run(all_of_it.location))))))
    assert told[0].endswith("5 of 40 instances are planned, in rotation over sets and categories")


def test_a_game_from_a_file_is_a_task_and_its_log_a_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = str(ROOT / "examples" / "treasure.py")
    log = evaluate(
        "groundling/game", tmp_path, task_args={"game": file, "n": 2, "seats": "giver=gold,seeker=gold"}
    )
    assert means(log)["score"] == 1
    assert main(["score", log.location, "--game", file]) == 0
    assert "planned 2 = played 2" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("drawer", "places"), [("mockllm/model", "words"), ("groundling/codraw/grammar", "numbers")]
)
def test_settings_are_resolved_for_the_models_at_the_table(drawer: str, places: str) -> None:
    from inspect_ai.model import get_model
    from inspect_ai.model._model import init_model_roles

    init_model_roles({"teller": get_model("mockllm/model"), "drawer": get_model(drawer)})
    try:
        task = tasks.codraw(n=1)
    finally:
        init_model_roles({})
    assert task.metadata
    assert task.metadata["settings"]["places"] == places
