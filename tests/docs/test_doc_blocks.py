"""Every code block of the documents runs, or is named here with the reason why it does not."""

from __future__ import annotations

import re
import shutil
import tomllib
from collections.abc import Iterator, Sequence
from configparser import ConfigParser
from pathlib import Path

import pytest
from _pytest.mark.structures import ParameterSet
from msgspec import convert
from tests.docs.doc_pages import BLOCKS, ROOT, Block
from tests.docs.doc_runner import PageRunner
from tests.docs.doc_stand_ins import (
    StandIn,
    answer_as_model,
    clembench_data,
    codraw_data,
    commands,
    game_of_people,
    hexagons_data,
    study_with_people,
    text_file,
)
from tests.players.chat.provider_server import provider_server
from tests.test_docs import parse_command

from groundling.core.events import event_decoder
from groundling.core.pack import find, load
from groundling.games.hexagons.program import parse_statements, run_program
from groundling.studies.study import StudyStage

PAPERS = "hours, a GPU or published pictures; tests/papers runs them on tiny networks"
NOT_RUN = {
    r"(\S+/)?pip install ": "docs/release_check.py installs the wheel in bare environments",
    r"python3? -m venv ": "the same",
    r"export OPENAI_API_KEY=": "the key of the server that stands in for OpenAI's is set",
    r"git clone ": "the repository is here already",
    r"make ": "the targets of the Makefile run these tests, or take hours",
    r"\.venv/bin/": "tests, which run by themselves",
    r"useradd |sudo |systemctl ": "changes the machine",
    r"pg_dump |createdb ": "needs a PostgreSQL of the system, with its programs",
    r"ray start |.* ray://": "Ray has an environment of its own: tests/bridges/test_ray_workers.py",
    r"python -m groundling\.bridges\.openenv |openenv ": "OpenEnv, too: tests/bridges/test_openenv.py",
    r"build/verifiers/bin/vf-eval ": "verifiers, too: tests/bridges/test_verifiers.py",
    r"curl \S+/admin/": "needs a finished game and an administrator: tests/web/test_procedures.py",
    r"papers/\w+/train\.sh |python -m papers\.codraw ": PAPERS,
    r"python -m papers\.hexagons\.": PAPERS,
    r"groundling (score|compare) RUN --labels ": "needs labels of its run: tests/cli/test_label_facets.py",
    r"groundling study erase DIR --expired": "needs a limit from its beginning: tests/web/test_privacy.py",
    r"groundling study pay DIR --db \S+ --send ": "runs in docs/recruiting.md, with people of the service",
    r"groundling study export levels |groundling play hexagons --data DATA ": "needs annotators",
    r"groundling score runs/parser ": "the same: tests/web/test_annotation_pilot.py",
    r"groundling data publish export --reviewed ": "needs a record of its own: tests/publish/test_folder.py",
    r"[DT]=weights:|groundling cross codraw .*\$[DT]": PAPERS,
    r"groundling train codraw-(drawer --model minilm|teller) |.*weights:reinforced-a": "minutes, "
    "even for two steps, and a pretrained network: tests/games/codraw/test_neural_training.py",
    r"groundling study (simulate|export) hexagons |groundling data (stats|import) hexagons out|"
    r"groundling play hexagons --data out ": "a pilot of minutes; the same commands run for CoDraw",
}
"""Commands that do not run, by how they begin, and why."""
NOT_COMPARED = {
    "docs/architecture.md": "diagrams; tests/test_docs.py compares the packages with the folders",
    "docs/prompts.md": "tests/test_prompts_page.py compares the page with what is sent",
    "docs/agreement.md": "of the published data",
    "docs/annotation.md": "of bots that annotate the published data in real time",
    "docs/studies.md:similarity by partner": "of bots that play in real time",
    "docs/studies.md:81 drawing procedures": "its commands do not run",
    "docs/studies.md:Table 1: size": "its commands do not run",
    "docs/studies.md:                                                                median": "the same",
    'docs/web.md:{"links":{"executor"': "its command does not run",
    "papers/codraw/README.md": "of networks on all of the published data",
    "src/groundling/games/codraw/README.md": "of all of the published data",
    "src/groundling/games/hexagons/GALLERY.md": "of all of the published data",
}
"""Printed text that is not compared, by the page and how the text begins, and why."""
CONFIGURATIONS = ("caddy", "nginx")
"""Languages of other programs, which are not here."""
SHORTER = {
    r"groundling (play|cross) .*\bweights:": "--limit 1",
    r"groundling play hexagons (?!--data)": "--limit 4",
    r"groundling (play director|fresh|tournament) ": "--limit 4",
    r"groundling train codraw-(drawer|teller) ": "--steps 2 --every 2 --batch 4",
    r"groundling study simulate .*--server": "--people 8",
    r"groundling serve .*--workers": "--workers 2",
    r"groundling make director .*--name": "-n 8",
    r"learn_follower": "--episodes 64",
}
"""Options that make long commands short, by what finds the command."""
EXITS = {"groundling data publish runs/first -o published    # writes dataset.toml, to be filled in": 2}
WORDS = {
    "anthropic/claude-sonnet-4-0": "openai/gpt-4o-mini",
    "gguf:SmolLM2-135M.gguf": "random",
    "openai/o3": "openai/gpt-4o",
    "RUN EPISODE": "RUN made-001",
    "scp -r first other:second": "cp -r first second",
    r"\$SLURM_ARRAY_TASK_ID/\$SLURM_ARRAY_TASK_COUNT": "1/8",
    "--drawers weights:DIR": "--drawers weights:weights/bilstm-b-0",
    "--tellers weights:DIR": "--tellers weights:weights/rl-a-0",
}
"""What stands in for a word of a command or a file."""
SLOW = {
    "README.md",
    "docs/abilities.md",
    "docs/annotation.md",
    "docs/environments.md",
    "docs/evaluate.md",
    "docs/privacy.md",
    "docs/publish.md",
    "docs/recruiting.md",
    "docs/scale.md",
    "docs/studies.md",
    "docs/commands.md",
    "docs/bridges.md",
    "docs/tournaments.md",
    "docs/train.md",
    "docs/web.md",
    "examples/README.md",
    "src/groundling/games/codraw/README.md",
    "src/groundling/games/director/README.md",
    "weights/README.md",
}
"""Pages that take more than a few seconds."""
ONLY_PARSED = {
    "docs/papers.md": "tables of published data; tests/papers/test_side_by_side.py",
    "papers/side_by_side/page.md": "the same",
}
"""Pages whose blocks do not run as a whole: tests/test_docs.py parses their commands."""
RULES = "--seat giver=gold --seat follower=rule"
PLAYERS = "".join(f'[[players]]\nplayer = "{name}"\n' for name in ("gold", "rule", "random"))
CODRAW_STUDY = study_with_people("codraw", "--scale 0.001")
STAND_INS: dict[str, Sequence[StandIn]] = {
    "README.md": [
        codraw_data("DIR"),
        game_of_people("codraw"),
        commands(f"play image --limit 2 {RULES} -o runs/mine", "data export runs/mine -o log.eval"),
    ],
    "docs/agreement.md": [hexagons_data("PATH")],
    "docs/annotation.md": [hexagons_data("PATH")],
    "docs/bridges.md": [
        clembench_data("PATH"),
        commands(
            f"play reference --limit 2 {RULES} -o runs/reference",
            f"play image --limit 2 {RULES} -o runs/image",
        ),
    ],
    "docs/commands.md": [
        study_with_people("codraw", "--scale 0.001", folder=False),
        commands(
            "make director -n 4 --columns 5 -o set.jsonl",
            f"play reference --limit 4 {RULES} -o runs/first",
            "play codraw --limit 1 --seat teller=template --seat drawer=grammar -o RUN",
        ),
    ],
    "docs/deploy.md": [game_of_people("codraw")],
    "docs/privacy.md": [CODRAW_STUDY],
    "docs/publish.md": [CODRAW_STUDY],
    "docs/recruiting.md": [CODRAW_STUDY],
    "docs/scale.md": [commands("make hexagons -n 8 -o set.jsonl"), text_file("players.toml", PLAYERS)],
    "docs/studies.md": [
        study_with_people("live", "--game image", folder=False),
        codraw_data("CODRAW"),
        commands("study new live OTHER"),
    ],
    "docs/tournaments.md": [codraw_data("codraw/data")],
    "docs/train.md": [codraw_data("DIR")],
    "docs/web.md": [
        codraw_data("DIR"),
        game_of_people("hexagons", "instructor", db="authors.db", mode="align"),
        game_of_people("codraw"),
        text_file("text.txt", "I agree.\n"),
        commands(
            "study new live mine",
            "make hexagons -n 8 -o mine.jsonl",
            f"play image --limit 2 {RULES} -o runs/mine",
            "data export runs/mine -o log.eval",
        ),
    ],
    "src/groundling/games/codraw/README.md": [codraw_data("PATH")],
    "src/groundling/games/hexagons/README.md": [
        hexagons_data("PATH"),
        game_of_people("hexagons", "instructor", mode="align"),
    ],
    "weights/README.md": [codraw_data("PATH")],
}


def needs_database(request: pytest.FixtureRequest) -> bool:
    blocks = BLOCKS[request.node.callspec.params["page"]] if hasattr(request.node, "callspec") else []
    return any("postgresql://" in line for block in blocks for line in block.commands)


@pytest.fixture(scope="module")
def provider_url() -> Iterator[str]:
    """One server for all pages: clients of a provider are kept as long as the process."""
    with provider_server() as provider:
        provider.otherwise = lambda handler: answer_as_model(provider.requests[-1])(handler)
        yield provider.url


@pytest.fixture
def runner(
    request: pytest.FixtureRequest,
    provider_url: str,
    code_folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> PageRunner:
    for name in ("weights", "examples"):
        (code_folder / name).symlink_to(ROOT / name)
    shutil.copytree(ROOT / "papers", "papers")
    request.getfixturevalue("fake")
    monkeypatch.setenv("INSPECT_EVAL_LIMIT", "2")
    monkeypatch.setenv("INSPECT_DISPLAY", "none")
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    monkeypatch.setenv("OPENAI_BASE_URL", provider_url)
    words = {**WORDS}
    if needs_database(request):
        words[r"postgresql://\S+"] = request.getfixturevalue("database")
    return PageRunner(monkeypatch, capfd, words, SHORTER, NOT_RUN, EXITS)


def is_compared(block: Block) -> bool:
    return not any(
        f"{block.page}:{block.code}".startswith(named if ":" in named else f"{named}:")
        for named in NOT_COMPARED
    )


def read_service(block: Block) -> None:
    """The command that a unit of systemd starts is one."""
    unit = ConfigParser(interpolation=None)
    unit.read_string(block.code)
    parse_command(unit["Service"]["ExecStart"].split()[1:])


def pages() -> Iterator[ParameterSet]:
    for page, blocks in BLOCKS.items():
        if blocks and page not in ONLY_PARSED:
            yield pytest.param(page, marks=[pytest.mark.slow] if page in SLOW else [])


@pytest.mark.parametrize("page", [*pages()])
def test_every_block_of_a_page_runs(page: str, runner: PageRunner) -> None:
    for put in STAND_INS.get(page, ()):
        runner.words |= put() or {}
    runner.begin_page()
    faults = runner.run_page(
        page,
        {
            "text": lambda block: runner.check_printed(block) if is_compared(block) else None,
            "toml": lambda block: convert(tomllib.loads(block.code)["stages"], list[StudyStage]),
            "json": lambda block: event_decoder(load(find("reference").game)).decode(block.code),
            "program": lambda block: run_program(parse_statements(block.code)),
            "ini": read_service,
            **dict.fromkeys(CONFIGURATIONS, lambda block: None),
        },
    )
    assert not faults, "\n\n".join(faults)


@pytest.mark.parametrize("pattern", [*NOT_RUN, *SHORTER])
def test_what_is_said_about_a_command_is_about_one_that_a_page_has(pattern: str) -> None:
    lines = [line for blocks in BLOCKS.values() for block in blocks for line in block.commands]
    assert any(re.search(pattern, line) for line in lines)


@pytest.mark.parametrize("named", NOT_COMPARED)
def test_what_is_not_compared_is_on_a_page(named: str) -> None:
    page, _, start = named.partition(":")
    assert any(block.language == "text" and block.code.startswith(start) for block in BLOCKS[page])


def test_every_page_that_has_stand_ins_or_is_slow_is_there() -> None:
    assert {*STAND_INS, *SLOW, *ONLY_PARSED} <= {*BLOCKS}


def test_a_command_that_fails_and_text_that_was_not_printed_are_noticed(runner: PageRunner) -> None:
    with pytest.raises(AssertionError, match="no-such-run"):
        runner.run_commands(Block("page", 1, "", "groundling score no-such-run\n"))
    with pytest.raises(AssertionError, match="false"):
        runner.run_commands(Block("page", 1, "sh", "true\nfalse\n"))
    runner.run_commands(Block("page", 1, "", "echo one two three\n"))
    runner.check_printed(Block("page", 1, "text", "one … three\n"))
    with pytest.raises(AssertionError, match="four"):
        runner.check_printed(Block("page", 1, "text", "one … four\n"))
