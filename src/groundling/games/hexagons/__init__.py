"""HEXAGONS: one player describes an image step by step, the other paints it on a board of hexagons."""

from groundling.core.desk import BoardEditor, Canvas, Gallery, Live, Preset, QuizItem
from groundling.core.pack import ArrayHooks, DataHooks, ReportHints, pack_in
from groundling.core.panel import PanelHints
from groundling.core.prompt_hints import Wordings

pack = pack_in(
    __name__,
    name="hexagons",
    about="draw on a board of hexagons what only your partner sees",
    board="hexagons, 10 rows of 18",
    shape="draw",
    roles=("instructor", "executor"),
    game="HexagonsGame",
    recipe="ImageRecipe",
    players={
        "gold": "gold:make_hexagons_gold",
        "random": "players.random:make_hexagons_random",
        "naive": "players.naive:make_naive_executor",
        "narrator": "players.narrator:make_narrator",
        "describer": "players.describer:make_describer",
        "parser": "players.asking:make_parser_executor",
        "reader": "players.asking:make_reader_executor",
        "weights": "neural:make_hexagons_weights_player",
    },
    agreement=f"{__name__}.collected:hexagons_agreement",
    category=f"{__name__}.score:category",
    panel=PanelHints(
        speaker="narrator,level=2",  # which the parser reads without a fault, unlike level 3
        settings={"mode": "live", "context": "predicted+full", "whole": False},
        measure="final_f1",
        clauses=f"{__name__}.players.parser.sentences:split_parser_sentences",
    ),
    prompt_hints=f"{__name__}.draw:prompt_hints",
    wordings=Wordings(
        about={
            "plain": "the whole task in full sentences",
            "brief": "the form and little else",
            "example": "a worked example with colours that the game does not have",
        }
    ),
    report=ReportHints(
        judge=f"{__name__}.judge:draw_hexagons_judge",
        tables={"hexagons-paper": f"{__name__}.paper_tables:hexagons_paper_tables"},
        covariates=("tiles", "step"),
        author="instructor",
    ),
    data=DataHooks(
        recorded=f"{__name__}.recorded:hexagons_recorded_replies",
        made=f"{__name__}.recorded:recorded_image",
        fits=f"{__name__}.fits:check_hexagons_fits",
    ),
    arrays=ArrayHooks(
        boards=f"{__name__}.arrays:boards", sizes=f"{__name__}.arrays:sizes", moves=f"{__name__}.arrays:moves"
    ),
    live=Live(
        title="HEXAGONS",
        desk=f"{__name__}.desk:make_hexagons_desk",
        compare=f"{__name__}.desk:compare_hexagons",
        help=f"{__name__}.desk:hexagons_help",
        partners={"instructor": "narrator", "executor": "parser"},
        bots={
            "instructor": ("narrator", "narrator,level=2", "narrator,level=1", "gold"),
            "executor": ("parser", "gold"),
        },
        quiz=(
            QuizItem("Who sees the image?", "the instructor", ("both", "the executor")),
            QuizItem("Who paints?", "the executor", ("both", "the instructor")),
        ),
        settings={"mode": "live"},
        presets=(
            Preset(title="Play together", about="One describes an image step by step, the other paints it."),
            Preset(
                title="Describe a picture",
                about="Write down how to paint an image, for readers who cannot see it.",
                settings={"mode": "describe"},
            ),
            Preset(
                title="Describe and paint",
                about="Write down how to paint an image, then paint each step as you meant it.",
                settings={"mode": "align"},
            ),
            Preset(
                title="Paint by instructions",
                about="Paint an image that you cannot see, step by step, from ready instructions.",
                settings={"mode": "auto"},
                seats=("executor",),
            ),
        ),
        follow_up=Preset(
            title="Have it carried out by others",
            about="Paint what somebody else has written down, without seeing the image.",
            settings={"mode": "execute"},
            seats=("executor",),
        ),
        minutes=30,
        boards=BoardEditor(
            f"{__name__}.board_editor:draw_edited_board",
            f"{__name__}.board_editor:board_editor_desk",
            f"{__name__}.board_editor:paint_edited_board",
            f"{__name__}.board_editor:board_changes",
        ),
        gallery=Gallery(
            facts=f"{__name__}.gallery:hexagons_gallery_facts",
            by=("level", "mechanism", "round", "highest level"),
            text=f"{__name__}.gallery:gallery_program_source",
            canvas=Canvas(
                f"{__name__}.gallery:empty_gallery_canvas",
                f"{__name__}.gallery:gallery_image_from_moves",
                moves=f"{__name__}.gallery:gallery_moves_from_image",
                copies=f"{__name__}.gallery:is_gallery_copy",
            ),
        ),
    ),
)
