"""The scenes to play, and a cache of what was said and drawn about them."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from io import BytesIO
from pathlib import Path

import msgspec
import numpy as np
from msgspec import Struct

from groundling.boards.scene import Scene
from groundling.boards.scene.packed import Batch, pack
from groundling.core.values import Problem
from groundling.files import write_whole
from groundling.games.codraw.neural.table.cast import Halves
from groundling.games.codraw.neural.table.players import Hand, Script, Voice
from groundling.games.codraw.players.nearest.learn import remember
from groundling.games.codraw.players.nearest.memory import Memory
from groundling.games.codraw.recorded.corpus import Corpus, cache_folder, corpus
from groundling.games.codraw.recorded.dialogs import WHOLE, group_of
from groundling.games.codraw.recorded.reading import Record, records
from groundling.games.codraw.recorded.splits import SplitRecipe, grouped, published
from groundling.games.codraw.rules import one_line
from groundling.train.weights import code_checksum

CODE = ("games/codraw", "boards/scene", "train")
"""The code that players depend on. After a change in it, games are played again."""


class Data:
    """The published dialogs and their splits."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.corpus = corpus(path, "", WHOLE, cache=cache_folder())
        self._row = {name: row for row, name in enumerate(self.corpus.ids)}
        found = [
            Record(image_id=number, abs_t="", dialog=[], id=name, split=name.partition("_")[0])
            for name, number in zip(self.corpus.ids, self.corpus.numbers.tolist(), strict=True)
        ]
        self._splits: Mapping[Halves, Mapping[str, Sequence[str]]] = {
            "paper": published(found, SplitRecipe()),
            "grouped": grouped(found, SplitRecipe()),
        }
        self._memories: dict[tuple[Halves, str], Memory] = {}

    def ids(self, halves: Halves, part: str) -> Sequence[str]:
        found = self._splits[halves].get(part, ())
        if not found:
            raise Problem(
                f"{self.path} has no dialogs of {part}: it has {', '.join(sorted(self._splits[halves]))}"
            )
        return found

    def rows(self, ids: Sequence[str]) -> list[int]:
        return [self._row[name] for name in ids]

    def messages(self, halves: Halves, half: str) -> list[str]:
        """Return all messages of the Tellers of a half."""
        rows = self.rows(self.ids(halves, f"train_{half}"))
        return [text for script in scripts(self.corpus, rows, unaided=False) for text in script]

    def memory(self, halves: Halves, half: str) -> Memory:
        """Return the memory of the nearest-neighbour players of a half."""
        if (halves, half) not in self._memories:
            wanted = set(self.ids(halves, f"train_{half}"))
            self._memories[halves, half] = remember(
                [one for one in records(self.path) if one.id in wanted], half
            )
        return self._memories[halves, half]


def scripts(found: Corpus, rows: Sequence[int], *, unaided: bool) -> Script:
    """Return people's non-empty messages: all of them, or those before the peek."""
    said: Script = []
    for row in rows:
        start, end = int(found.starts[row]), int(found.starts[row + 1])
        peeks = np.flatnonzero(found.peeks[start:end])
        end = start + int(peeks[0]) if unaided and len(peeks) else end
        said.append([text for text in found.teller[start:end] if one_line(text)])
    return said


class Task(Struct, frozen=True):
    """A batch of scenes to describe or of messages to draw, and the file for the result."""

    player: Voice | Hand
    given: Batch | Script
    file: Path

    def do(self) -> str:
        """Play, write the file, and return a line about it."""
        started = time.monotonic()
        if isinstance(self.player, Voice):
            assert isinstance(self.given, np.ndarray)
            write_whole(self.file, msgspec.json.encode(self.player.say(self.given)))
        else:
            assert isinstance(self.given, list)
            content = BytesIO()
            np.savez_compressed(content, drawn=self.player.draw(self.given))
            write_whole(self.file, content.getvalue())
        player, does = self.player, "tells of" if isinstance(self.player, Voice) else "draws"
        named = " ".join([player.label, *([f"{player.half} {player.seed}"] if player.half else [])])
        return f"{time.monotonic() - started:6.1f} s  {named} {does} {len(self.given):,} scenes"


class Stage:
    """Some scenes of the data, and the cached games played with them."""

    def __init__(
        self,
        data: Data,
        halves: Halves,
        part: str,
        folder: Path | None = None,
        limit: int | None = None,
        *,
        plays: bool = True,
    ) -> None:
        """With `plays=False`, only cached games are used."""
        self.data, self.halves, self.part, self.plays = data, halves, part, plays
        whole = data.ids(halves, part)
        self.ids = list(whole)[:limit]
        rows = data.rows(self.ids)
        self.targets: Batch = data.corpus.targets[rows]
        self.finals, self.unaided = data.corpus.finals[rows], data.corpus.unaided[rows]
        self.clusters = [f"prompt {group_of(int(number))}" for number in data.corpus.numbers[rows]]
        first = "" if len(self.ids) == len(whole) else f"the first {len(self.ids):,} of "
        self.about = f"{first}{len(whole):,} scenes of {part} in {len(set(self.clusters)):,} clusters"
        self._rows = rows
        self._folder = folder or cache_folder() / "codraw-table"
        self._digest = sha256(self.targets.tobytes()).hexdigest()
        self._code = code_checksum(*CODE)
        self._lacking: dict[Path, Task] | None = None

    def people(self, *, unaided: bool = False) -> Script:
        return scripts(self.data.corpus, self._rows, unaided=unaided)

    def can_say(self, voice: Voice) -> bool:
        return self.plays or self._said(voice).is_file()

    def can_draw(self, script: Script, hand: Hand) -> bool:
        return self.plays or self._drawn(script, hand).is_file()

    def said(self, voice: Voice) -> Script:
        file = self._said(voice)
        if not self._there(Task(voice, self.targets, file)):
            return []
        return msgspec.json.decode(file.read_bytes(), type=Script)

    def drawn(self, script: Script, hand: Hand) -> Batch:
        """Return what the Drawer draws. It depends only on the words, not on the Teller."""
        file = self._drawn(script, hand)
        if not self._there(Task(hand, script, file)):
            return pack([Scene()] * len(self.ids))
        with np.load(file) as stored:
            found: Batch = stored["drawn"]
            return found

    def lacks(self, look: Callable[[], object]) -> list[Task]:
        """Return the missing tasks that `look` needs. Drawing tasks appear only after the messages to draw
        are cached."""
        self._lacking = {}
        look()
        found, self._lacking = list(self._lacking.values()), None
        return found

    def _there(self, task: Task) -> bool:
        """Check that the result is cached. Run the task if not, except while missing tasks are collected."""
        if task.file.is_file():
            return True
        if self._lacking is None:
            self.tell(task.do())
            return True
        if len(task.given) == len(self.ids):
            self._lacking[task.file] = task
        return False

    def _said(self, voice: Voice) -> Path:
        return self._file(["said", voice.key, self._digest], "json")

    def _drawn(self, script: Script, hand: Hand) -> Path:
        return self._file(["drawn", sha256(msgspec.json.encode(script)).hexdigest(), hand.key], "npz")

    def _file(self, key: Sequence[str], ending: str) -> Path:
        self._folder.mkdir(parents=True, exist_ok=True)
        return self._folder / f"{sha256(msgspec.json.encode([self._code, *key])).hexdigest()[:24]}.{ending}"

    def tell(self, what: str) -> None:
        print(f"{self.halves} {self.part} {what}", file=sys.stderr, flush=True)
