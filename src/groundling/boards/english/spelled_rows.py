"""Rows spelled out cell by cell: "X ▢ ▢ X", "E, blank, blank, E", "four X's followed by an empty cell"."""

from __future__ import annotations

from groundling.boards.english.lexicon import WordToken

_STOP = WordToken("stop")


def fold_spelled_rows(words: list[WordToken], size: int) -> list[WordToken]:
    """Replace every spelled-out row by one word whose text is that row, with `.` for an empty cell."""
    found: list[WordToken] = []
    i = 0
    while i < len(words):
        run, after = _read_cells(words, i, size)
        if run and len(run) % size == 0 and len(run) // size in (1, size):
            found += [WordToken("drawn", run[start : start + size]) for start in range(0, len(run), size)]
            i = after
        elif len(run) > 2 * size:
            # too long for a row or a grid: trying again from each of its cells would be slow
            found += words[i:after]
            i = after
        else:
            found.append(words[i])
            i += 1
    return found


def _read_cells(words: list[WordToken], i: int, size: int) -> tuple[str, int]:
    """Read the cells spelled out from here on; nothing where it is a single item."""
    run, items, i_after = "", 0, i
    while len(run) <= size * size:
        cells, after = _read_item(words, i)
        if not cells:
            break
        run, items, i_after = run + cells, items + 1, after
        i = after
        if len(run) == size and items > 1 and _word_at(words, i).kind not in ("letter", "void"):
            break
        joint = [_word_at(words, i + ahead).kind for ahead in range(2)]
        if joint[0] == "comma":
            i += 1 + (joint[1] in ("and", "then"))
        elif joint[0] == "then" or (joint[0] == "and" and items > 1):
            i += 1 + (joint == ["and", "then"])
        elif joint == ["and", "then"]:
            i += 2
    return (run, i_after) if items > 1 else ("", i_after)


def _read_item(words: list[WordToken], i: int) -> tuple[str, int]:
    count = 1
    if _word_at(words, i).kind == "num" and 0 < _word_at(words, i).value <= 12:
        count = _word_at(words, i).value
        i += 1
    word = _word_at(words, i)
    if word.kind == "letter":
        return word.text * count, i + 1
    if word.kind == "void":
        return "." * count, i + 1
    if word.kind == "empty" and word.text in ("empty", "blank", "blanks", "gap", "gaps", "missing", "hole"):
        return "." * count, i + 1 + (_word_at(words, i + 1).kind == "cell")
    return "", i


def _word_at(words: list[WordToken], i: int) -> WordToken:
    return words[i] if i < len(words) else _STOP
