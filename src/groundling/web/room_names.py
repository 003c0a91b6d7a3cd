"""Valid room names. Stores are queried for no others, as some strings are errors in a database."""

import re

from starlette.convertors import Convertor, register_url_convertor

ROOM_NAME = re.compile("[0-9A-Za-z]{1,64}")


class RoomNameConvertor(Convertor[str]):
    """The path convertor {room:room}; an address with another name is not found."""

    regex = ROOM_NAME.pattern

    def convert(self, value: str) -> str:
        return value

    def to_string(self, value: str) -> str:
        return value


register_url_convertor("room", RoomNameConvertor())
