"""The memory of a nearest-neighbour player as a file. It holds messages of the data and falls under the
data's licence: do not ship or publish it."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import msgspec
from msgspec import Struct

from groundling.boards.scene.scene_strings import PlacedPiece
from groundling.core.values import Problem

MEMORY_KIND = "codraw-nearest"
FORMAT = 1


class NearestMemory(Struct, frozen=True, kw_only=True, tag=MEMORY_KIND, tag_field="kind"):
    format: int = FORMAT
    version: str
    """The version of groundling that made it."""
    half: str
    data: str
    """The checksum of the dialogs."""
    ids: tuple[str, ...]
    """The ids of all dialogs it was made from."""
    scenes: tuple[tuple[PlacedPiece, ...], ...]
    """The target scene of each dialog."""
    scripts: tuple[tuple[str, ...], ...]
    """The Teller's messages of each dialog."""
    pieces: tuple[PlacedPiece, ...]
    """The pieces added in rounds that add one piece and change nothing else."""
    messages: tuple[str, ...]
    """The Teller's message before each of these pieces."""

    def identity_facts(self, digest: str) -> dict[str, str]:
        """Return the facts that identify a player with this memory."""
        ids = sha256("\n".join(sorted(self.ids)).encode()).hexdigest()
        return {"file": digest, "half": self.half, "data": self.data, "learned_from": ids}


class _MemoryHeader(Struct):
    kind: str
    format: int
    version: str


def encode_nearest_memory(memory: NearestMemory) -> bytes:
    return msgspec.msgpack.encode(memory)


def read_nearest_memory(path: Path) -> tuple[NearestMemory, str]:
    """Read a memory and the file's checksum."""
    content = path.read_bytes()
    try:
        head = msgspec.msgpack.decode(content, type=_MemoryHeader)
        if head.kind == MEMORY_KIND and head.format > FORMAT:
            raise Problem(
                f"{path} was made by groundling {head.version} "
                f"(format {head.format}, this one reads up to {FORMAT}): "
                "upgrade groundling, or train it again"
            )
        return msgspec.msgpack.decode(content, type=NearestMemory), sha256(content).hexdigest()
    except msgspec.MsgspecError as trouble:
        raise Problem(
            f"{path} is no memory of {MEMORY_KIND} ({trouble}): make one with groundling train {MEMORY_KIND}"
        ) from None
