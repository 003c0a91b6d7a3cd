"""How long people wait for a partner, from those who found one."""

from __future__ import annotations

from collections import defaultdict, deque
from statistics import median

from groundling.web.waiting_queue import QueueKey

MOST_WAITS = 20
"""Waits that an expectation is taken from: the last ones."""
LEAST_WAITS = 3
"""With fewer waits there is no expectation."""


class ExpectedWaits:
    """The waits in each queue that ended with a partner at this server."""

    def __init__(self) -> None:
        self._waits: defaultdict[QueueKey, deque[float]] = defaultdict(lambda: deque(maxlen=MOST_WAITS))

    def add_wait(self, key: QueueKey, seconds: float) -> None:
        self._waits[key].append(max(0.0, seconds))

    def expected_seconds(self, key: QueueKey) -> float | None:
        """The median wait of the last people; None where too few have come."""
        waits = self._waits.get(key, ())
        return median(waits) if len(waits) >= LEAST_WAITS else None
