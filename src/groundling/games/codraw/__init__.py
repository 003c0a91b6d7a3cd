"""CoDraw: rebuild a park scene of clip art that only your partner sees."""

from groundling.core.desk import Gallery, Live, Preset, QuizItem
from groundling.core.pack import ArrayHooks, DataHooks, ReportHints, pack_in
from groundling.core.panel import PanelHints
from groundling.core.prompt_hints import FormerDefaults, Wordings

pack = pack_in(
    __name__,
    name="codraw",
    about="rebuild a park scene that only your partner sees",
    board="clip-art scene",
    shape="draw",
    roles=("teller", "drawer"),
    game="CodrawGame",
    recipe="SceneRecipe",
    players={
        "gold": "gold:make_codraw_gold",
        "random": "players.random:make_codraw_random",
        "template": "players.template.teller:make_template_teller",
        "grammar": "players.grammar.drawer:make_grammar_drawer",
        "nearest": "players.nearest:make_nearest_player",
        "nearest-scene": "players.nearest:make_nearest_scene_teller",
        "weights": "neural:make_codraw_weights_player",
    },
    panel=PanelHints(clauses=f"{__name__}.players.grammar.phrases:codraw_clauses"),
    resolve=f"{__name__}.rules:resolve_codraw_settings",
    former=FormerDefaults(settings={"places": "numbers"}),
    wordings=Wordings(
        about={
            "plain": "the whole task in full sentences",
            "brief": "the form and little else",
            "example": "a worked example with pieces that are not in the palette",
        }
    ),
    data=DataHooks(
        recorded=f"{__name__}.recorded.transcripts:recorded_replies",
        replays=("replay", "replay,until=peek"),
        prior=f"{__name__}.score:score_other_drawings",
    ),
    report=ReportHints(
        made=f"{__name__}.draw:draw_canvas_alone", target=f"{__name__}.draw:draw_target_alone"
    ),
    arrays=ArrayHooks(boards=f"{__name__}.arrays:boards"),
    live=Live(
        title="CoDraw",
        desk=f"{__name__}.desk:make_codraw_desk",
        compare=f"{__name__}.desk:compare_codraw",
        help=f"{__name__}.desk:codraw_help",
        yields=f"{__name__}.desk:yield_codraw_turn",
        farewell=f"{__name__}.desk:take_codraw_leave",
        partners={"teller": "template", "drawer": "grammar"},
        quiz=(
            QuizItem("Who sees the scene?", "the teller", ("both", "the drawer")),
            QuizItem("May both write messages?", "yes", ("no",)),
        ),
        settings={
            "opens": "either",
            "ends": "both",
            "palette": "twenty",
            "peeks": 1,
            "silent": False,
            "cap": 140,
        },
        presets=(
            Preset(title="Play together", about="One describes a scene, the other rebuilds it; both write."),
            Preset(
                title="Describe a scene",
                about="Describe a scene in messages to a built-in partner who draws it.",
                seats=("teller",),
            ),
            Preset(
                title="Draw by messages",
                about="Draw a scene that a built-in partner describes in messages.",
                seats=("drawer",),
            ),
            Preset(
                title="Silent drawer",
                about="One describes a scene; the other draws and writes nothing.",
                settings={"silent": True, "opens": "teller", "ends": "teller"},
            ),
        ),
        gallery=Gallery(facts=f"{__name__}.gallery:codraw_gallery_facts", by=("pieces",)),
    ),
)
