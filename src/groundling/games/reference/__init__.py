"""The reference game: say which of these look-alike letter grids is meant."""

from groundling.core.desk import Gallery, Live, Preset, QuizItem
from groundling.core.pack import ArrayHooks, pack_in
from groundling.core.panel import PanelHints
from groundling.core.prompt_hints import Wordings

pack = pack_in(
    __name__,
    name="reference",
    about="say which of these look-alike grids is meant",
    board="letter grid",
    roles=("giver", "follower"),
    game="ReferenceGame",
    recipe="LineupRecipe",
    players={
        "gold": "gold:make_reference_gold",
        "rule": "players.rule:make_reference_rule",
        "random": "players.blind:make_blind_random",
        "fullest": "players.blind:make_blind_fullest",
    },
    panel=PanelHints(clauses=f"{__name__}.players.clause_reader:reference_clauses"),
    prompt_hints=f"{__name__}.draw:prompt_hints",
    wordings=Wordings(
        about={
            "plain": "the whole task in full sentences",
            "brief": "the form and little else",
            "example": "a worked example with # for a letter",
        }
    ),
    choices=f"{__name__}.arrays:choices",
    arrays=ArrayHooks(boards=f"{__name__}.arrays:boards"),
    live=Live(
        title="Reference game",
        desk=f"{__name__}.desk:make_reference_desk",
        compare=f"{__name__}.desk:compare_reference",
        help=f"{__name__}.desk:HELP",
        partners={"giver": "gold", "follower": "rule"},
        quiz=(
            QuizItem("Who knows which grid is meant?", "the giver", ("both", "the follower")),
            QuizItem("Who picks a grid?", "the follower", ("both", "the giver")),
        ),
        presets=(
            Preset(title="Play together", about="One says which grid is meant, the other finds it."),
            Preset(
                title="Describe a grid",
                about="Tell a built-in partner which of the grids is meant.",
                seats=("giver",),
            ),
            Preset(
                title="Find a grid",
                about="Find the grid that a built-in partner describes.",
                seats=("follower",),
            ),
        ),
        minutes=10,
        gallery=Gallery(facts=f"{__name__}.gallery:reference_gallery_facts", by=("grids", "size")),
    ),
)
