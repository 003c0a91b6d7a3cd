"""The records of one open room: queued in order, then written in one go."""

from __future__ import annotations

import asyncio

from groundling.web.store import RoomRecord, Store


class RoomRecorder:
    def __init__(self, store: Store, room: str, count: int) -> None:
        """`count`: the number of records that the store already has."""
        self._store, self._room, self.saved_count = store, room, count
        self._unsaved: list[RoomRecord] = []
        self.lock = asyncio.Lock()
        """Held while records are written."""
        self.failure: BaseException | None = None
        """The error of a failed write, after which memory and store may differ."""

    @property
    def has_unsaved(self) -> bool:
        """Whether something has happened that is not yet known to be in the store."""
        return bool(self._unsaved) or self.lock.locked()

    def queue_record(self, record: RoomRecord) -> None:
        self._unsaved.append(record)

    async def save_records(self) -> None:
        """Write all queued records. Without any it does not wait for writes in progress."""
        if self._unsaved or self.failure:
            async with self.lock:
                await self.write_records()

    async def write_records(self) -> None:
        """The same for a caller that holds the lock."""
        if self.failure is not None:
            raise RuntimeError("what happened here could not be saved") from self.failure
        records, self._unsaved = self._unsaved, []
        if records:
            try:
                await self._store.append_records(self._room, self.saved_count, records)
            except BaseException as trouble:
                self.failure = trouble
                raise
            self.saved_count += len(records)

    async def is_outdated(self) -> bool:
        """Whether the store has other records than this room."""
        async with self.lock:  # wait for writes in progress
            sizes = await self._store.count_records([self._room])
        return sizes.get(self._room, 0) != self.saved_count
