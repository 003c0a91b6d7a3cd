"""The image game: draw what you are told, instruction by instruction."""

from groundling.core.desk import Gallery, Live, Preset, QuizItem
from groundling.core.pack import ArrayHooks, pack_in
from groundling.core.panel import PanelHints
from groundling.core.prompt_hints import Wordings

pack = pack_in(
    __name__,
    name="image",
    about="draw a picture that only your partner sees",
    board="letter grid",
    shape="draw",
    roles=("giver", "follower"),
    game="ImageGame",
    recipe="PictureRecipe",
    players={
        "gold": "gold:make_image_gold",
        "rule": "players.rule:make_image_rule",
        "random": "players.random:make_image_random",
    },
    panel=PanelHints(clauses=f"{__name__}.players.instruction_parser:image_clauses"),
    prompt_hints=f"{__name__}.draw:prompt_hints",
    wordings=Wordings(
        about={
            "plain": "the whole task in full sentences",
            "brief": "the form and little else",
            "example": "a worked example with # for a letter",
        }
    ),
    arrays=ArrayHooks(
        boards=f"{__name__}.arrays:boards", sizes=f"{__name__}.arrays:sizes", moves=f"{__name__}.arrays:moves"
    ),
    live=Live(
        title="Image game",
        desk=f"{__name__}.desk:make_image_desk",
        compare=f"{__name__}.desk:compare_image",
        help=f"{__name__}.desk:HELP",
        partners={"giver": "rule", "follower": "rule"},
        quiz=(
            QuizItem("Who sees the picture?", "the giver", ("both", "the follower")),
            QuizItem("Who draws?", "the follower", ("both", "the giver")),
        ),
        presets=(
            Preset(title="Play together", about="One describes a picture, the other draws it."),
            Preset(
                title="Describe a picture",
                about="Tell a built-in partner step by step what to draw.",
                seats=("giver",),
            ),
            Preset(
                title="Draw by instructions",
                about="Draw what a built-in partner tells you, step by step.",
                seats=("follower",),
            ),
        ),
        gallery=Gallery(facts=f"{__name__}.gallery:image_gallery_facts", by=("size",)),
    ),
)
