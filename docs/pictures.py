"""Draws the pictures that the documents show: `make pictures`."""

from pathlib import Path

from groundling.boards.picture import png
from groundling.core.pack import find, load
from groundling.core.values import Say

HERE = Path(__file__).parent / "pictures"


def reference() -> str:
    """The follower's view of a built-in lineup, after a description as a person would give it."""
    pack = find("reference")
    game = pack.new()
    lineup = next(instance for instance in load(pack.builtin)() if instance.group == "target-16" and instance.set == "edits-2")
    words = "A heart with nothing missing: two bumps on top, then two full rows, then three, and one V at the bottom."
    state = game.play(game.start(lineup), "giver", Say(words))
    return load(pack.draw)(game.view(state, "follower")).svg


if __name__ == "__main__":
    HERE.mkdir(exist_ok=True)
    (HERE / "reference.png").write_bytes(png(reference()))
