"""What a room can be called. A store is asked for no other name: a database stumbles over some."""

from __future__ import annotations

import re

from starlette.convertors import Convertor, register_url_convertor

ROOM = re.compile("[0-9A-Za-z]{1,64}")


class RoomName(Convertor[str]):
    """In a path, as {room:room}: an address with another name leads nowhere."""

    regex = ROOM.pattern

    def convert(self, value: str) -> str:
        return value

    def to_string(self, value: str) -> str:
        return value


register_url_convertor("room", RoomName())
