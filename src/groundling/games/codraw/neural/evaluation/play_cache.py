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
from groundling.boards.scene.batches import Batch, pack_scenes
from groundling.core.values import Problem
from groundling.files import write_whole
from groundling.games.codraw.neural.evaluation.batch_players import BatchDrawer, BatchTeller, Script
from groundling.games.codraw.neural.evaluation.weights_folders import Halves
from groundling.games.codraw.players.nearest.learn import build_memory
from groundling.games.codraw.players.nearest.memory import NearestMemory
from groundling.games.codraw.recorded.corpus import DialogCorpus, cache_folder, load_corpus
from groundling.games.codraw.recorded.dialog_files import DialogRecord, load_records
from groundling.games.codraw.recorded.dialogs import WHOLE, prompt_of_scene
from groundling.games.codraw.recorded.splits import CodrawSplitRecipe, grouped_splits, published_splits
from groundling.games.codraw.rules import one_line
from groundling.train.weights import code_checksum

CODE = ("games/codraw", "boards/scene", "train")
"""The code that players depend on. After a change in it, games are played again."""


class DialogSplits:
    """The published dialogs and their splits."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.corpus = load_corpus(path, "", WHOLE, cache=cache_folder())
        self._row = {name: row for row, name in enumerate(self.corpus.ids)}
        found = [
            DialogRecord(image_id=number, abs_t="", dialog=[], id=name, split=name.partition("_")[0])
            for name, number in zip(self.corpus.ids, self.corpus.numbers.tolist(), strict=True)
        ]
        self._splits: Mapping[Halves, Mapping[str, Sequence[str]]] = {
            "paper": published_splits(found, CodrawSplitRecipe()),
            "grouped": grouped_splits(found, CodrawSplitRecipe()),
        }
        self._memories: dict[tuple[Halves, str], NearestMemory] = {}

    def split_ids(self, halves: Halves, part: str) -> Sequence[str]:
        found = self._splits[halves].get(part, ())
        if not found:
            raise Problem(
                f"{self.path} has no dialogs of {part}: it has {', '.join(sorted(self._splits[halves]))}"
            )
        return found

    def row_numbers(self, ids: Sequence[str]) -> list[int]:
        return [self._row[name] for name in ids]

    def teller_messages(self, halves: Halves, half: str) -> list[str]:
        """Return all messages of the Tellers of a half."""
        rows = self.row_numbers(self.split_ids(halves, f"train_{half}"))
        return [text for script in read_scripts(self.corpus, rows, unaided=False) for text in script]

    def nearest_memory(self, halves: Halves, half: str) -> NearestMemory:
        """Return the memory of the nearest-neighbour players of a half."""
        if (halves, half) not in self._memories:
            wanted = set(self.split_ids(halves, f"train_{half}"))
            self._memories[halves, half] = build_memory(
                [one for one in load_records(self.path) if one.id in wanted], half
            )
        return self._memories[halves, half]


def read_scripts(found: DialogCorpus, rows: Sequence[int], *, unaided: bool) -> Script:
    """Return people's non-empty messages: all of them, or those before the peek."""
    said: Script = []
    for row in rows:
        start, end = int(found.starts[row]), int(found.starts[row + 1])
        peeks = np.flatnonzero(found.peeks[start:end])
        end = start + int(peeks[0]) if unaided and len(peeks) else end
        said.append([text for text in found.teller[start:end] if one_line(text)])
    return said


class PlayTask(Struct, frozen=True):
    """A batch of scenes to describe or of messages to draw, and the file for the result."""

    player: BatchTeller | BatchDrawer
    given: Batch | Script
    file: Path

    def run_task(self) -> str:
        """Play, write the file, and return a line about it."""
        started = time.monotonic()
        if isinstance(self.player, BatchTeller):
            assert isinstance(self.given, np.ndarray)
            write_whole(self.file, msgspec.json.encode(self.player.describe_scenes(self.given)))
        else:
            assert isinstance(self.given, list)
            content = BytesIO()
            np.savez_compressed(content, drawn=self.player.draw_script(self.given))
            write_whole(self.file, content.getvalue())
        player, does = self.player, "tells of" if isinstance(self.player, BatchTeller) else "draws"
        named = " ".join([player.label, *([f"{player.half} {player.seed}"] if player.half else [])])
        return f"{time.monotonic() - started:6.1f} s  {named} {does} {len(self.given):,} scenes"


class PlayCache:
    """Some scenes of the data, and the cached games played with them."""

    def __init__(
        self,
        data: DialogSplits,
        halves: Halves,
        part: str,
        folder: Path | None = None,
        limit: int | None = None,
        *,
        plays: bool = True,
    ) -> None:
        """With `plays=False`, only cached games are used."""
        self.data, self.halves, self.part, self.plays = data, halves, part, plays
        whole = data.split_ids(halves, part)
        self.ids = list(whole)[:limit]
        rows = data.row_numbers(self.ids)
        self.targets: Batch = data.corpus.targets[rows]
        self.finals, self.unaided = data.corpus.final_canvases[rows], data.corpus.unaided_canvases[rows]
        self.clusters = [f"prompt {prompt_of_scene(int(number))}" for number in data.corpus.numbers[rows]]
        first = "" if len(self.ids) == len(whole) else f"the first {len(self.ids):,} of "
        self.about = f"{first}{len(whole):,} scenes of {part} in {len(set(self.clusters)):,} clusters"
        self._rows = rows
        self._folder = folder or cache_folder() / "codraw-table"
        self._digest = sha256(self.targets.tobytes()).hexdigest()
        self._code = code_checksum(*CODE)
        self._lacking: dict[Path, PlayTask] | None = None

    def people_scripts(self, *, unaided: bool = False) -> Script:
        return read_scripts(self.data.corpus, self._rows, unaided=unaided)

    def can_say(self, voice: BatchTeller) -> bool:
        return self.plays or self._script_file(voice).is_file()

    def can_draw(self, script: Script, hand: BatchDrawer) -> bool:
        return self.plays or self._drawing_file(script, hand).is_file()

    def teller_script(self, voice: BatchTeller) -> Script:
        file = self._script_file(voice)
        if not self._is_cached(PlayTask(voice, self.targets, file)):
            return []
        return msgspec.json.decode(file.read_bytes(), type=Script)

    def drawn_scenes(self, script: Script, hand: BatchDrawer) -> Batch:
        """Return what the Drawer draws. It depends only on the words, not on the Teller."""
        file = self._drawing_file(script, hand)
        if not self._is_cached(PlayTask(hand, script, file)):
            return pack_scenes([Scene()] * len(self.ids))
        with np.load(file) as stored:
            found: Batch = stored["drawn"]
            return found

    def missing_tasks(self, look: Callable[[], object]) -> list[PlayTask]:
        """Return the missing tasks that `look` needs. Drawing tasks appear only after the messages to draw
        are cached."""
        self._lacking = {}
        look()
        found, self._lacking = list(self._lacking.values()), None
        return found

    def _is_cached(self, task: PlayTask) -> bool:
        """Check that the result is cached. Run the task if not, except while missing tasks are collected."""
        if task.file.is_file():
            return True
        if self._lacking is None:
            self.print_line(task.run_task())
            return True
        if len(task.given) == len(self.ids):
            self._lacking[task.file] = task
        return False

    def _script_file(self, voice: BatchTeller) -> Path:
        return self._cache_file(["said", voice.key, self._digest], "json")

    def _drawing_file(self, script: Script, hand: BatchDrawer) -> Path:
        return self._cache_file(["drawn", sha256(msgspec.json.encode(script)).hexdigest(), hand.key], "npz")

    def _cache_file(self, key: Sequence[str], ending: str) -> Path:
        self._folder.mkdir(parents=True, exist_ok=True)
        return self._folder / f"{sha256(msgspec.json.encode([self._code, *key])).hexdigest()[:24]}.{ending}"

    def print_line(self, what: str) -> None:
        print(f"{self.halves} {self.part} {what}", file=sys.stderr, flush=True)
