"""The pictures published with the data, read from the user's own copy; we may not ship them."""

from __future__ import annotations

from base64 import b64encode
from functools import lru_cache
from pathlib import Path
from struct import unpack

from groundling.boards.clipart.drawing_keys import check_drawing_key
from groundling.boards.scene.kinds import HEIGHT, WIDTH
from groundling.boards.scene.scene_strings import BY_LOOK
from groundling.core.values import Problem

_PNG = b"\x89PNG\r\n\x1a\n"


def published_piece(folder: str | Path, kind: int | str, pose: int = 0, expression: int = 0) -> str:
    """Embed a published picture at full size around (0, 0), from the user's own folder `Pngs`."""
    meant = check_drawing_key(kind, pose, expression)
    name = BY_LOOK[meant.place, meant.figure].png
    data, width, height = _read_png(str(Path(folder) / name))
    return _embed_png(data, -width / 2, -height / 2, width, height)


def published_background(folder: str | Path) -> str:
    """Embed the published background, as large as the canvas."""
    data, _, _ = _read_png(str(Path(folder) / "background.png"))
    return _embed_png(data, 0, 0, WIDTH, HEIGHT)


def _embed_png(data: str, x: float, y: float, width: float, height: float) -> str:
    place = f'x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"'
    return f'<image {place} href="data:image/png;base64,{data}"/>'


@lru_cache(256)
def _read_png(path: str) -> tuple[str, int, int]:
    file = Path(path)
    try:
        data = file.read_bytes()
    except OSError:
        where = "is not there" if file.parent.is_dir() else f"is not there, nor is the folder {file.parent}"
        raise Problem(f"{file.name} {where}: art names the folder Pngs of the published data") from None
    if not data.startswith(_PNG) or len(data) < 24:
        raise Problem(f"{path} is not a PNG picture: art names the folder Pngs of the published data")
    width, height = unpack(">II", data[16:24])
    return b64encode(data).decode(), width, height
