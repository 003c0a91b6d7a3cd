"""Dialogs of our own in the format of the release, with its traps."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

from tests.boards.scenes import PARK

from groundling.boards.scene import Palette, Piece, Scene

PALETTE = Palette.parse(
    "6,s_3s.png,0,3,0,1,1,0,0,p_8s.png,1,8,1,1,1,0,0,hb0_31s.png,2,31,2,1,1,0,0,hb1_23s.png,3,23,3,1,1,0,0,"
    "c_1s.png,4,1,5,1,1,0,0,t_2s.png,5,2,7,1,1,0,0,"
)
SUN = Scene.of([Piece("sun", 70, 50, 0)])
MORE = PARK.without("crown").put(Piece("sun", 70, 50, 0))


def canvas(scene: Scene) -> str:
    return PALETTE.text(scene)


def said(teller: str, drawer: str, before: str, after: str, **more: Any) -> dict[str, Any]:
    return {
        "msg_t": teller,
        "msg_d": drawer,
        "abs_b": before,
        "abs_d": after,
        "seq_t": 0,
        "score": [],
        **more,
    }


def dialog(number: int, rounds: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    return {"image_id": number, "abs_t": PARK.text(), "socketId": "a/b", "dialog": rounds, **more}


# The Drawer opens; the canvas is stored late; one canvas before is lost; a peek and a correction end it.
LONG = dialog(
    7,
    [
        said("", "ready", "", ""),
        said("big sun in the left corner", "ok", "", canvas(SUN)),
        said("boy , girl , tree and a ball", "where is the ball", "", canvas(MORE)),
        said("a crown on his head", "ok", canvas(MORE), canvas(PARK), peeked=True),
        said("done", "", canvas(PARK), canvas(PARK)),
    ],
)
SHORT = dialog(
    18, [said("sun", "ok", "", canvas(SUN)), said("a tree on the right", "done", canvas(SUN), canvas(SUN))]
)
DIALOGS = {"train_00007": LONG, "val_00018": SHORT}


def lines(folder: Path) -> Path:
    file = folder / "codraw.jsonl.gz"
    rows = ({"id": name, "split": name.partition("_")[0], **found} for name, found in DIALOGS.items())
    file.write_bytes(gzip.compress("\n".join(map(json.dumps, rows)).encode()))
    return file


def single(folder: Path) -> Path:
    file = folder / "CoDraw_1_0.json"
    file.write_text(json.dumps({"data": DIALOGS, "stat": {"whatever": 1}}))
    return file


def folder_of_files(folder: Path) -> Path:
    folder.mkdir(exist_ok=True)
    for name, found in DIALOGS.items():
        (folder / f"{name}.json").write_text(json.dumps(found))
    return folder
