"""The published dialogs in one small file, with the halves to learn from. A training reads nothing else."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from io import BytesIO
from pathlib import Path
from random import Random

import msgspec
import numpy as np
from msgspec import Struct

from groundling.core.values import Problem
from groundling.files import write_whole_file
from groundling.games.codraw.recorded.corpus import (
    DialogCorpus,
    corpus_from_arrays,
    corpus_to_arrays,
    pack_corpus_records,
)
from groundling.games.codraw.recorded.dialog_files import (
    DialogRecord,
    dialog_files_checksum,
    load_dialog_files,
)
from groundling.games.codraw.recorded.dialogs import WHOLE
from groundling.games.codraw.recorded.splits import CodrawSplitRecipe, grouped_splits, published_splits


class DialogPack(Struct, frozen=True):
    corpus: DialogCorpus
    splits: dict[str, dict[str, list[str]]]
    """Ids by split, of the paper's splits and of grouped ones."""
    data: str
    """The checksum of the dialogs."""

    def training_ids(self, half: str, grouped: bool = False) -> list[str]:
        """Return the ids of the training dialogs of a half, or of all."""
        splits = self.splits["grouped" if grouped else "paper"]
        names = ["train_a", "train_b"] if half == "all" else [f"train_{half}"]
        return sorted(one for name in names for one in splits.get(name, ()))


def pack_dialogs(
    found: Sequence[DialogRecord], splits: Mapping[str, Sequence[str]] | None = None
) -> DialogPack:
    """Pack records, with the paper's splits unless others are given."""
    paper = (
        published_splits(found, CodrawSplitRecipe())
        if splits is None
        else {name: list(ids) for name, ids in splits.items()}
    )
    try:
        corpus = pack_corpus_records(found, WHOLE)
    except ValueError as trouble:
        raise Problem(f"a dialog has an invalid scene ({trouble}): download the data again") from None
    return DialogPack(
        corpus,
        {"paper": paper, "grouped": grouped_splits(found, CodrawSplitRecipe())},
        dialog_files_checksum(found),
    )


def split_packed_dialogs(ids: Sequence[str], seed: int) -> tuple[list[str], list[str]]:
    """Split ids into those to learn from, and a tenth for early stopping."""
    drawn = sorted(ids)
    Random(f"set aside {seed}").shuffle(drawn)
    tenth = max(1, len(drawn) // 10)
    return sorted(drawn[tenth:]), sorted(drawn[:tenth])


def save_dialog_pack(pack: DialogPack, file: Path) -> None:
    meta = np.frombuffer(msgspec.json.encode([pack.splits, pack.data]), np.uint8)
    content = BytesIO()
    np.savez_compressed(content, **{"meta": meta, **corpus_to_arrays(pack.corpus)})  # type: ignore[arg-type]
    write_whole_file(file, content.getvalue())


def load_dialog_pack(file: Path) -> DialogPack:
    with np.load(file) as stored:
        splits, data = msgspec.json.decode(
            stored["meta"].tobytes(), type=tuple[dict[str, dict[str, list[str]]], str]
        )
        return DialogPack(corpus_from_arrays(stored), splits, data)


if __name__ == "__main__":
    source, target = map(Path, sys.argv[1:])
    save_dialog_pack(pack_dialogs(load_dialog_files(source)), target)
