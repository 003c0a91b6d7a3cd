"""HEXAGONS: one player describes an image step by step, the other paints it on a board of hexagons."""

from groundling.core.desk import Canvas, Gallery, Live
from groundling.core.pack import DataHooks, ReportHints, pack_in

pack = pack_in(
    __name__,
    name="hexagons",
    about="draw on a board of hexagons what only your partner sees",
    board="hexagons, 10 rows of 18",
    shape="draw",
    roles=("instructor", "executor"),
    speaker="instructor",
    game="HexagonsGame",
    recipe="ImageRecipe",
    players={
        "gold": "gold:gold",
        "random": "players.random:random",
        "naive": "players.naive:naive",
        "narrator": "players.narrator:narrator",
        "parser": "players.parser:parser",
        "weights": "neural:weights",
    },
    prompt_hints=f"{__name__}.draw:prompt_hints",
    report=ReportHints(judge=f"{__name__}.judge:judge"),
    data=DataHooks(recorded=f"{__name__}.recorded:recorded", fits=f"{__name__}.fits:fits"),
    live=Live(
        title="HEXAGONS",
        desk=f"{__name__}.desk:desk",
        help=f"{__name__}.desk:HELP",
        partners={"instructor": "narrator", "executor": "parser"},
        settings={"mode": "live"},
        minutes=30,
        gallery=Gallery(
            facts=f"{__name__}.gallery:image_facts",
            by=("level", "mechanism", "round", "highest level"),
            text=f"{__name__}.gallery:program_source",
            canvas=Canvas(f"{__name__}.gallery:empty_canvas", f"{__name__}.gallery:image_from_moves"),
        ),
    ),
)
