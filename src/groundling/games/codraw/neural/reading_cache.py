"""Caches the reader's states of dialogs, so that each message is read once."""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Sequence

from groundling.games.codraw.neural.transformer import ReaderState, SceneGuess, TransformerDrawer
from groundling.games.codraw.neural.vocabulary import END

REMEMBERED = 30_000
"""The number of cached words of unfinished dialogs; each takes about 25 kB of memory."""
WordNumbers = tuple[int, ...]


class ReadingCache:
    def __init__(self, drawer: TransformerDrawer, mirror: bool = False) -> None:
        """Read dialogs as they are, or all of them mirrored."""
        self._drawer, self._mirror = drawer, mirror
        self._turned: list[int] = drawer.mirror.tolist() if mirror else []  # type: ignore[operator]
        self._known: OrderedDict[WordNumbers, ReaderState] = OrderedDict()
        self._over: deque[WordNumbers] = deque()
        """Finished dialogs. The reading thread removes them, as dialogs end in other threads."""

    def guess_scenes(self, dialogs: Sequence[WordNumbers]) -> SceneGuess:
        """Return the likelihoods, given all words of each dialog so far."""
        return self._drawer.guess_scenes(
            self._read_dialogs([self._heard_words(words) for words in dialogs]), self._mirror
        )

    def forget_dialog(self, dialog: WordNumbers) -> None:
        """Mark a dialog as finished."""
        self._over.append(self._heard_words(dialog))

    def _heard_words(self, words: WordNumbers) -> WordNumbers:
        """Keep the end of a dialog that is too long."""
        last = words[-self._drawer.longest :]
        return tuple(self._turned[word] for word in last) if self._mirror else last

    def _read_dialogs(self, dialogs: Sequence[WordNumbers]) -> list[ReaderState]:
        while self._over:
            self._known.pop(self._over.popleft(), None)
        done = [self._count_known_words(words) for words in dialogs]
        readings = [
            self._known.get(words[:end], ReaderState()) for words, end in zip(dialogs, done, strict=True)
        ]
        while late := [row for row, words in enumerate(dialogs) if done[row] < len(words)]:
            ends = [_message_end(dialogs[row], done[row]) for row in late]
            new = [dialogs[row][done[row] : end] for row, end in zip(late, ends, strict=True)]
            for row, end, reading in zip(
                late, ends, self._drawer.read_messages([readings[row] for row in late], new), strict=True
            ):
                self._known.pop(dialogs[row][: done[row]], None)
                done[row], readings[row] = end, reading
        for words, reading in zip(dialogs, readings, strict=True):
            self._known[words] = reading
            self._known.move_to_end(words)
        while sum(map(len, self._known)) > REMEMBERED:
            self._known.popitem(last=False)
        return readings

    def _count_known_words(self, words: WordNumbers) -> int:
        """Count the first words that were read before."""
        ends = (place + 1 for place in reversed(range(len(words))) if words[place] == END)
        return next((end for end in ends if words[:end] in self._known), 0)


def _message_end(words: WordNumbers, start: int) -> int:
    """Return where the message that begins at `start` ends; a dialog without messages ends at its length."""
    return words.index(END, start) + 1 if END in words[start:] else len(words)
