"""Valid room names. Stores are queried for no others, as some strings are errors in a database."""

from __future__ import annotations

import re

from starlette.convertors import StringConvertor, register_url_convertor

ROOM_NAME = re.compile("[0-9A-Za-z]{1,64}")


class RoomNameConvertor(StringConvertor):
    """The path convertor {room:room}; an address with another name is not found."""

    regex = ROOM_NAME.pattern


register_url_convertor("room", RoomNameConvertor())
