"""The reference game: say which of these look-alike letter grids is meant."""

from ...core.pack import Pack

_here = __name__

pack = Pack(
    name="reference",
    about="say which of these look-alike grids is meant",
    board="letter grid",
    shape="choose",
    roles=("giver", "follower"),
    speaker="giver",
    measures=f"{_here}.score:MEASURES",
    game=f"{_here}.rules:ReferenceGame",
    recipe=f"{_here}.make:LineupRecipe",
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
        "random": f"{_here}.players.blind:random",
        "fullest": f"{_here}.players.blind:fullest",
        "rule": f"{_here}.players.rule:rule",
    },
)
