"""The image game: draw what you are told, instruction by instruction."""

from ...core.pack import Pack

_here = __name__

pack = Pack(
    name="image",
    about="draw a picture that only your partner sees",
    board="letter grid",
    shape="draw",
    roles=("giver", "follower"),
    speaker="giver",
    measures=f"{_here}.score:MEASURES",
    game=f"{_here}.rules:ImageGame",
    recipe=f"{_here}.make:PictureRecipe",
    make=f"{_here}.make:make",
    builtin=f"{_here}.make:builtin",
    score=f"{_here}.score:score",
    top=f"{_here}.score:top",
    chance=f"{_here}.score:chance",
    cluster=f"{_here}.score:cluster",
    draw=f"{_here}.draw:draw",
    hide=f"{_here}.rules:hide",
    prompts=_here,
    players={
        "gold": f"{_here}.gold:gold",
        "random": f"{_here}.players.random:random",
        "rule": f"{_here}.players.rule:rule",
    },
)
