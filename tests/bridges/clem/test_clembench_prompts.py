"""Imported instances keep clembench's prompts, and are played with them in their language."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.bridges.clem.examples import PUBLISHED, grid, image, published, reference, write
from tests.bridges.helpers import evaluate, means, mock

from groundling.bridges.clem import source, to_clembench
from groundling.bridges.clem.clembench_table import tally_clembench_runs
from groundling.cli.main import main
from groundling.core.pack import find
from groundling.core.values import Illegal, Instance, Problem
from groundling.games.image.rules import Done, Picture
from groundling.games.reference.rules import Lineup, Pick
from groundling.players.chat.prompts import carried_prompts
from groundling.report.conversation import conversation_text
from groundling.runs.run import open_run

GERMAN = reference(
    ("ausdruck:", "antwort:"),
    "erstes|zweites|drittes",
    lang="de",
    player_1_prompt_header='Zielgitter {x}:\n\nX\n\nBeginne mit "Ausdruck: ".',
    player_2_prompt_header='Drei Gitter.\n\nTARGET_EXPRESSION\nFrage: welches? Beginne mit "Antwort: ".',
)
COMMANDS = image(
    player_1_prompt_header="Describe it.\n\nCommand: DONE\n\nNow this one.",
    player_1_question="What is your next command?",
    player_2_prompt_header="Draw it.\n\nCommand: put an X",
)


def imported(folder: Path, game: str, instance: dict[str, Any]) -> tuple[Instance, Path]:
    """The one instance of a file, read and written as ours."""
    data = write(folder / f"{game}game" / "instances_v1.6_de.json", ("lines", [instance]))
    (collection,) = source.read_collections(data)
    assert main(["data", "import", "clembench", str(data), "-o", str(folder / "in")]) == 0
    return collection.instances[0], folder / "in" / f"v1.6-de-{game}game.jsonl"


def test_a_lineup_is_played_with_its_own_prompts_tags_and_labels(tmp_path: Path) -> None:
    lineup, file = imported(tmp_path, "reference", GERMAN)
    options = {"instances": str(file), "wording": "clembench"}
    log = evaluate(
        "groundling/reference",
        tmp_path,
        task_args=options,
        model_roles={"giver": mock("Ausdruck: die volle Zeile"), "follower": mock("Antwort: zweites")},
    )
    assert means(log)["success"] == means(log)["strict"] == 1
    run = open_run(log.location)
    (transcript,) = run.read_transcripts()
    text = conversation_text(find("reference"), find("reference").new(), transcript)
    assert "Zielgitter {x}:\n\nX\n\nBeginne mit" in text
    assert "Drei Gitter.\n\nAusdruck: die volle Zeile\nFrage: welches?" in text
    (tally,) = [found for key, found in tally_clembench_runs([run]).items() if key[2] == "clembench"]
    assert tally.scores == [100.0]
    assert isinstance(lineup, Lineup)
    assert to_clembench(lineup, carried=True)["target_grid_name"] == ["zweites", "2"]


def test_a_picture_is_played_with_its_own_prompts_and_tag(tmp_path: Path) -> None:
    _, file = imported(tmp_path, "image", COMMANDS)
    log = evaluate(
        "groundling/image",
        tmp_path,
        task_args={"instances": str(file), "wording": "clembench"},
        model_roles={
            "giver": mock("Command: two X in row 1, one in row 2", "Command: DONE"),
            "follower": mock(grid("XX", "X")),
        },
    )
    assert means(log)["f1"] == means(log)["strict"] == 1
    run = open_run(log.location)
    (transcript,) = run.read_transcripts()
    text = conversation_text(find("image"), find("image").new(), transcript)
    assert f"Now this one.\n{grid('XX', 'X')}\nWhat is your next command?" in text
    assert "Draw it.\n\nCommand: put an X\n\nCommand: two X in row 1, one in row 2" in text
    (tally,) = [found for key, found in tally_clembench_runs([run]).items() if key[2] == "clembench"]
    assert tally.scores == [100.0]


def test_our_prompts_remain_the_default(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, file = imported(tmp_path, "reference", GERMAN)
    seats = ["--seat", "giver=gold", "--seat", "follower=mockllm/model", "--dry-run"]
    assert main(["play", "reference", str(file), *seats]) == 0
    assert "Reply with one of these lines" in capsys.readouterr().out
    assert main(["play", "reference", str(file), *seats, "--prompts", "clembench"]) == 0
    assert "Drei Gitter." in capsys.readouterr().out


def test_instances_without_prompts_are_told_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    seats = ["--seat", "giver=gold", "--seat", "follower=mockllm/model", "--prompts", "clembench"]
    assert main(["play", "reference", *seats, "--dry-run"]) == 2
    told = capsys.readouterr().err
    assert "has no prompt 'clembench' for follower in 'en', nor do all instances carry one" in told
    assert told.count("\n") == 1


def test_a_prompt_without_a_place_for_the_expression_is_refused(tmp_path: Path) -> None:
    file = write(
        tmp_path / "instances_v1.6.json", ("lines", [GERMAN | {"player_2_prompt_header": "Welches?"}])
    )
    with pytest.raises(Problem, match="the follower's prompt has no TARGET_EXPRESSION"):
        source.read_collections(file)


@published
def test_replies_to_every_published_prompt_are_read() -> None:
    for part in source.read_collections(PUBLISHED):
        game = find(part.game).new()
        for role in ("giver", "follower"):
            assert carried_prompts(part.instances, role, "clembench")
        one = part.instances[0]
        state = game.start(one)
        if isinstance(one, Picture):
            tag = one.tags.get("giver", "Instruction:")
            assert game.read(state, "giver", f"{tag} DONE", strict=True).moves == (Done(),)
            continue
        assert isinstance(one, Lineup)
        said = game.read(state, "giver", f"{one.tags.get('giver', 'Expression:')} X", strict=True).moves
        state = game.play(state, "giver", said[0])
        tag = one.tags.get("follower", "Answer:")
        for strict in (True, False):
            for place, label in enumerate(one.labels or ("first", "second", "third"), 1):
                for text in (f"{tag} {label}", f"{tag} {place}"):
                    assert game.read(state, "follower", text, strict=strict).moves == (Pick(place),), (
                        part.name
                    )
            with pytest.raises(Illegal):
                game.read(state, "follower", f"{tag} 1, 2", strict=strict)
