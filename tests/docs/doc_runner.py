"""Runs the code blocks of a page in order, in an empty folder."""

from __future__ import annotations

import asyncio
import glob
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tomllib
from collections.abc import Callable, Mapping
from io import StringIO
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest
import tomli_w
import uvicorn
from tests.docs.doc_pages import BLOCKS, ROOT, Block
from tests.web.server_process import Server

from groundling.cli.main import main

SERVER = "http://127.0.0.1:8000"
FILE_NAME = re.compile(r"# (in )?([\w/.-]+\.(?:py|toml))\n")
"""The first line of a block that is a file, or a part of one."""


class Typist(StringIO):
    """A person at the terminal who says yes to everything."""

    def __init__(self) -> None:
        super().__init__("y\n" * 1000)

    def isatty(self) -> bool:
        return True


class PageRunner:
    """`words` are replaced in commands, `shorter` adds options to the commands that a pattern finds, and
    `not_run` has the patterns of commands that are left out."""

    def __init__(
        self,
        monkeypatch: pytest.MonkeyPatch,
        capfd: pytest.CaptureFixture[str],
        words: dict[str, str],
        shorter: Mapping[str, str],
        not_run: Mapping[str, str],
        exits: Mapping[str, int],
    ) -> None:
        self.words, self.shorter, self.not_run, self.exits = words, shorter, not_run, exits
        self.capfd, self.printed = capfd, ""
        self.people_came = False
        """Whether groundling.db has people of the study DIR before the page begins."""
        self.names: dict[str, object] = {}
        monkeypatch.setattr(uvicorn.Server, "main_loop", visit_server)
        monkeypatch.setattr(sys, "stdin", Typist())
        monkeypatch.setenv("COLUMNS", "100")
        monkeypatch.setenv("PATH", f"{ROOT}/.venv/bin:{os.environ['PATH']}")

    def run_page(self, page: str, readers: Mapping[str, Callable[[Block], object]]) -> list[str]:
        """Run every block, and return what was wrong with each; `readers` has what checks a block of another
        language."""
        faults = []
        for block in BLOCKS[page]:
            try:
                self.run_block(block, readers)
            except Exception as fault:
                faults.append(f"{block.place}: {fault}\n{self.collect()[-1200:]}")
        return faults

    def run_block(self, block: Block, readers: Mapping[str, Callable[[Block], object]]) -> None:
        if block.is_shell:
            self.run_commands(block)
        elif named := FILE_NAME.match(block.code):
            write_file(Path(named[2]), self.replace_words(block.code), part=bool(named[1]))
            if named[2].endswith("study.toml"):
                self.run_groundling(f"groundling study check {Path(named[2]).parent}")
        elif block.language in ("py", "python"):
            exec(compile(block.code, block.place, "exec"), self.names)
        else:
            readers[block.language](block)
        self.collect()

    def run_commands(self, block: Block) -> None:
        """Commands of groundling run in this process; a block with others is a script of bash."""
        lines = [line for line in block.commands if not any(re.match(each, line) for each in self.not_run)]
        lines = [*map(self.replace_words, lines)]
        if all(re.match(r"groundling ", line) for line in lines):
            for line in lines:
                for command in line.split(" && "):
                    self.run_groundling(command)
        else:
            self.run_script("\n".join(self.shorten(re.sub(r"\s# .*", "", line)) for line in lines))

    def replace_words(self, text: str) -> str:
        for pattern, word in self.words.items():
            text = re.sub(pattern, word.replace("\\", r"\\"), text)
        return text

    def shorten(self, command: str) -> str:
        added = [more for pattern, more in self.shorter.items() if re.search(pattern, command)]
        return " ".join([command, *added])

    def run_groundling(self, command: str) -> None:
        _, *given = shlex.split(self.shorten(shlex.join(shlex.split(command, comments=True))))
        words = [found for word in given for found in (sorted(glob.glob(word)) or [word])]
        served = words[0] == "serve" and not {"--export", "--erase"} & {*words}
        if served and "--workers" in words:
            serve_in_process(words[1:])
            return
        if served:
            words += ["--port", "0"]
        elsewhere = self.people_came and "DIR" in words and not {"--db", "--preview"} & {*words}
        if served and elsewhere:
            words += ["--db", "served.db"]
        before = signal.getsignal(signal.SIGTERM)
        try:
            status = main(words)
        finally:
            signal.signal(signal.SIGTERM, before)
        if served and not elsewhere:
            let_people_come(words)
        assert status == self.exits.get(command, 0), command

    def run_script(self, script: str) -> None:
        server = Server("groundling.db") if SERVER in script else None
        if server:
            server.start()
            script = script.replace(SERVER, server.url)
        try:
            done = subprocess.run(["bash", "-e", "-o", "pipefail", "-c", script], stdin=subprocess.DEVNULL)
        finally:
            if server:
                server.kill(signal.SIGTERM)
        assert done.returncode == 0, script

    def begin_page(self) -> None:
        self.collect()
        self.printed, self.people_came = "", Path("groundling.db").exists()

    def collect(self) -> str:
        printed, errors = self.capfd.readouterr()
        self.printed += printed
        return printed + errors

    def check_printed(self, block: Block) -> None:
        """The block was printed so far on the page; `…` stands for anything, alone in a line for lines."""
        self.collect()
        shown = [line.rstrip() for line in block.code.splitlines()]
        patterns = [
            r"(?:.*\n)*?" if line == "…" else re.escape(line).replace("…", ".*?") + r" *(?:\n|\Z)"
            for line in shown
        ]
        if not re.search("^" + "".join(patterns), self.printed, re.MULTILINE):
            raise AssertionError(f"it shows\n{block.code}but this was printed:\n{self.printed[-1500:]}")


def let_people_come(words: list[str]) -> None:
    """People take part in a study that is served: the bots of its pilot, where it had one."""
    for option, folder in pairwise(words):
        pilot = Path(folder, "pilot.db")
        if option == "--study" and pilot.exists() and "--preview" not in words:
            for former in Path().glob("groundling.db*"):
                former.unlink()
            shutil.copy(pilot, "groundling.db")


def write_file(file: Path, code: str, part: bool) -> None:
    """Write a file that a block begins with the name of; `# in FILE` has a part of it."""
    if part:
        code = tomli_w.dumps(merge(tomllib.loads(file.read_text(encoding="utf-8")), tomllib.loads(code)))
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(code, encoding="utf-8")


def merge(whole: Any, part: Any) -> Any:
    """The tables of a part are added to those of the whole, or to the first of a list that has them all."""
    if isinstance(whole, list) and isinstance(part, dict):
        at = next(at for at, each in enumerate(whole) if part.keys() <= each.keys())
        return [*whole[:at], merge(whole[at], part), *whole[at + 1 :]]
    if not (isinstance(whole, dict) and isinstance(part, dict)):
        return part
    return {**whole, **{name: merge(whole.get(name), value) for name, value in part.items()}}


async def visit_server(server: uvicorn.Server) -> None:
    """Instead of serving until it is stopped, a server answers one visitor."""
    host, port = server.servers[0].sockets[0].getsockname()[:2]
    answer = await asyncio.to_thread(urlopen, f"http://127.0.0.1:{port}/")
    assert answer.status == 200, host
    answer.close()


def serve_in_process(options: list[str]) -> None:
    """A server with several workers."""
    at = options.index("--db") + 1
    server = Server(options[at], *options[: at - 1], *options[at + 1 :])
    server.start()
    try:
        urlopen(server.url).close()
    finally:
        server.kill(signal.SIGTERM)
    assert server.process is not None
    assert server.process.returncode in (0, -signal.SIGTERM)
