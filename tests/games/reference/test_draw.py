from xml.etree import ElementTree

from groundling.boards.picture import render_png
from groundling.core.values import Say
from groundling.games.reference.draw import draw
from groundling.games.reference.make import builtin
from groundling.games.reference.rules import FOLLOWER, GIVER, Pick, ReferenceGame

game = ReferenceGame(ReferenceGame.Settings())
lineup = builtin()[0]
told = game.play(game.start(lineup), GIVER, Say("<b>full</b> & square"))


def test_the_text_shows_all_grids_and_marks_the_target_for_the_giver_only() -> None:
    assert draw(game.view(game.start(lineup), GIVER)).text.count("(target)") == 1
    assert "target" not in draw(game.view(told, FOLLOWER)).text
    board = draw(game.view(told, FOLLOWER)).board
    assert board == "\n\n".join(
        f"{label}\n{lineup.grids[i].text()}"
        for label, i in zip(("First", "Second", "Third"), lineup.follower, strict=True)
    )


def test_every_cell_of_the_picture_can_be_addressed() -> None:
    svg = ElementTree.fromstring(draw(game.view(told, FOLLOWER)).svg)
    ids = [element.get("id") for element in svg.iter() if element.get("id")]
    assert len(ids) == len(set(ids))
    assert {f"grid-{place}-{r}-{c}" for place in (1, 2, 3) for r in range(1, 6) for c in range(1, 6)} <= set(
        ids
    )


def test_words_never_become_markup() -> None:
    svg = ElementTree.fromstring(draw(game.view(told, FOLLOWER)).svg)
    assert not [element for element in svg.iter() if element.tag.endswith("}b")]


def test_the_picked_grid_is_marked() -> None:
    assert "(picked)" in draw(game.view(game.play(told, FOLLOWER, Pick(2)), FOLLOWER)).text


def test_letters_show_in_the_png() -> None:
    svg = draw(game.view(told, FOLLOWER)).svg
    letter = next(iter(lineup.grids[0].letters_by_cell.values()))
    assert render_png(svg).startswith(b"\x89PNG")
    assert render_png(svg) != render_png(svg.replace(f">{letter}<", "> <"))
