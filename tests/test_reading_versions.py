"""A version reads texts in one way. Where a log was recorded by another version, its texts are not read
again, so a change of reading needs a new version: without one, earlier logs would count as damaged."""

from __future__ import annotations

from hashlib import sha256

import msgspec
import pytest

from groundling import __version__
from groundling.core.game import AnyGame
from groundling.core.pack import find, load
from groundling.core.values import Illegal

RECORDED = {
    "codraw": "f824bd590b42e827",
    "director": "82c4ad6b2af81584",
    "hexagons": "5b2a64962d15ea1f",
    "image": "24bd01be6593a375",
    "reference": "da99b0c54970dd81",
}
"""Of version 0.2.0, by game."""
TEXTS = ["", " "] + [
    line.replace("|", "\n")
    for line in """
nonsense
OK
ok.
Say: ok
Say:
**Say:** the small one
FINISH
PEEK
Finish.
Answer: first
answer: Second
**Answer:** third
Answer: 9
Answer: the third grid
first
A1
Answer: A1
Answer: a 1
B 2
cell b2
Which one?
Say: Which one?
Expression: an X
X
Instruction: Put an A in row 1
**Instruction:** Fill row 2 with B
Instruction: DONE
DONE
Done.
```|Instruction: DONE|```
**DONE**
Instruction: Put A in row 1. Instruction: DONE
UNDO
Instruction: one|Instruction: two
Instruction: one|DONE
1. Paint it red
Tiles: 1,1 red
1,1 red
(1, 2, red)
red: (1,1), (2,3)
[[1, 1, 'red']]
row 1, column 2: red
none
No tiles
[]
{}
▢ ▢ ▢ ▢ ▢|▢ ▢ ▢ ▢ ▢|▢ ▢ ▢ ▢ ▢|▢ ▢ ▢ ▢ ▢|▢ ▢ ▢ ▢ ▢
```|A ▢ ▢ ▢ B|A ▢ ▢ ▢ B|A ▢ ▢ ▢ B|A ▢ ▢ ▢ B|A ▢ ▢ ▢ B|```
.....|.....|.....|.....|.....
[{"put": "sun", "x": 100, "y": 50}]
{"put": [], "say": "ok"}
put sun 100 50
put: sun at 100, 50
""".strip().splitlines()
]


@pytest.mark.parametrize("name", RECORDED)
def test_texts_are_read_as_this_version_always_read_them(name: str) -> None:
    pack = find(name)
    game = pack.new()
    outcomes = [
        (
            read_outcome(game, state, role, text, strict=True),
            read_outcome(game, state, role, text, strict=False),
        )
        for state, role in first_states(game, load(pack.builtin)()[:3])
        for text in TEXTS
    ]
    digest = sha256(msgspec.json.encode(outcomes)).hexdigest()[:16]
    assert digest == RECORDED[name], (
        f"{name} reads some texts in another way: give groundling another version than {__version__}, and "
        f"record {digest} here"
    )


def first_states(game: AnyGame, instances: list[msgspec.Struct]) -> list[tuple[object, str]]:
    return [(game.start(one), role) for one in instances for role in game.seats(one)]


def read_outcome(game: AnyGame, state: object, role: str, text: str, *, strict: bool) -> object:
    """Return the moves that a text is read as; None if it cannot be read."""
    try:
        return game.read(state, role, text, strict=strict).moves
    except Illegal:
        return None
