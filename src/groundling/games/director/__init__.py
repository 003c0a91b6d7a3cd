"""The director task: pick what a person behind the shelf means, who cannot see all of it."""

from groundling.core.desk import Gallery, Live, Preset, QuizItem
from groundling.core.pack import ArrayHooks, DataHooks, ReportHints, pack_in
from groundling.core.prompt_hints import FormerDefaults, Wordings
from groundling.games.director.request import Request, answers

__all__ = ["Request", "answers", "pack"]

_WORDINGS = {
    "bare": "only that some cells have a panel at the back and that the director cannot see into those",
    "visible-only": "that the director asks only for what the director can see; to the director, that left "
    "and right are exchanged",
    "visible-only-brief": "the same in two sentences",
    "visible-only-example": "the same with a worked example",
}
_FORMER = ("brief", "example", "plain")

pack = pack_in(
    __name__,
    name="director",
    about="pick the item meant by a person behind the shelf who cannot see all of it",
    board="shelf of items",
    roles=("director", "participant"),
    game="DirectorGame",
    recipe="SampleRecipe",
    category=f"{__name__}.score:category",
    prompt_hints=f"{__name__}.draw:prompt_hints",
    wordings=Wordings(default="bare", about=_WORDINGS, unlisted=_FORMER),
    former=FormerDefaults(wordings=Wordings(default="plain", unlisted=tuple(_WORDINGS))),
    report=ReportHints(
        shown=("kind+rule", "kind+physics", "kind+frame", "kind+fill", "kind+competitors"),
        offsets=("dx", "dy"),
    ),
    data=DataHooks(
        fits=f"{__name__}.rules:check_director_rules_fit", folder=f"{__name__}.folder:write_sample_folder"
    ),
    players={
        "gold": "gold:make_director_gold",
        "template": "players.template:make_template_director",
        "rule": "players.rule:make_director_rule",
        **dict.fromkeys(
            ("perfect", "egocentric", "frame-blind", "superlative-blind"),
            "players.policies:make_policy_player",
        ),
        "random": "players.policies:make_random_policy",
    },
    choices=f"{__name__}.arrays:choices",
    arrays=ArrayHooks(boards=f"{__name__}.arrays:boards"),
    live=Live(
        title="Director task",
        desk=f"{__name__}.desk:make_director_desk",
        compare=f"{__name__}.desk:compare_director",
        help=f"{__name__}.desk:director_help",
        partners={"director": "template", "participant": "rule"},
        quiz=(
            QuizItem("Who sees into all cells of the shelf?", "the participant", ("both", "the director")),
            QuizItem("Whose left is the director's right?", "the participant's", ("the director's",)),
        ),
        settings={"mode": "two-player"},
        presets=(
            Preset(title="Play together", about="One asks for an item, the other picks it."),
            Preset(
                title="Pick what is asked for",
                about="Answer one request of a director who cannot see all of the shelf.",
                settings={"mode": "classic"},
            ),
            Preset(
                title="Find it alone",
                about="Answer one question about the shelf; nobody stands behind it.",
                settings={"mode": "inventory"},
            ),
        ),
        minutes=10,
        gallery=Gallery(
            facts=f"{__name__}.gallery:director_gallery_facts",
            by=("rule", "kind", "physics", "colour", "material"),
            picture=f"{__name__}.gallery:director_gallery_picture",
            also={"items": f"{__name__}.gallery:director_gallery_items"},
        ),
    ),
)
