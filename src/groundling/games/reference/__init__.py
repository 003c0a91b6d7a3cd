"""The reference game: say which of these look-alike letter grids is meant."""

from ...core.pack import pack_in

pack = pack_in(
    __name__,
    name="reference",
    about="say which of these look-alike grids is meant",
    board="letter grid",
    shape="choose",
    roles=("giver", "follower"),
    speaker="giver",
    game="ReferenceGame",
    recipe="LineupRecipe",
    players={
        "gold": "gold:gold",
        "rule": "players.rule:rule",
        "random": "players.blind:random",
        "fullest": "players.blind:fullest",
    },
)
