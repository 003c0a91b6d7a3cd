"""What a nearest-neighbour player remembers, as a file. It holds messages of the data, whose licence it is
under: it is not to be shipped or published with anything of ours."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import msgspec
from msgspec import Struct

from groundling.boards.scene.strings import Placed
from groundling.core.values import Problem

NAME = "codraw-nearest"
FORMAT = 1


class Memory(Struct, frozen=True, kw_only=True, tag=NAME, tag_field="kind"):
    format: int = FORMAT
    version: str
    """Of groundling."""
    half: str
    data: str
    """The checksum of the dialogs."""
    ids: tuple[str, ...]
    """Of all dialogs it was made from."""
    scenes: tuple[tuple[Placed, ...], ...]
    """Dialog by dialog."""
    scripts: tuple[tuple[str, ...], ...]
    """What the Teller said of each of them."""
    pieces: tuple[Placed, ...]
    """What was added in rounds in which the Drawer did nothing but add one piece."""
    messages: tuple[str, ...]
    """And what the Teller had said before each of them."""

    def facts(self, digest: str) -> dict[str, str]:
        """What makes a player with this memory the one it is."""
        ids = sha256("\n".join(sorted(self.ids)).encode()).hexdigest()
        return {"file": digest, "half": self.half, "data": self.data, "learned_from": ids}


class _Head(Struct):
    kind: str
    format: int
    version: str


def encode_memory(memory: Memory) -> bytes:
    return msgspec.msgpack.encode(memory)


def read_memory(path: Path) -> tuple[Memory, str]:
    """What is in a file, and the file's own checksum."""
    content = path.read_bytes()
    try:
        head = msgspec.msgpack.decode(content, type=_Head)
        if head.kind == NAME and head.format > FORMAT:
            raise Problem(
                f"{path} was made by groundling {head.version} (format {head.format}, this one reads up to {FORMAT}): "
                "upgrade groundling, or train it again"
            )
        return msgspec.msgpack.decode(content, type=Memory), sha256(content).hexdigest()
    except msgspec.MsgspecError as trouble:
        raise Problem(
            f"{path} is no memory of {NAME} ({trouble}): make one with groundling train {NAME}"
        ) from None
