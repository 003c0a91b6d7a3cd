"""CoDraw: rebuild a park scene of clip art that only your partner sees."""

from groundling.core.desk import Gallery, Live
from groundling.core.pack import DataHooks, pack_in

pack = pack_in(
    __name__,
    name="codraw",
    about="rebuild a park scene that only your partner sees",
    board="clip-art scene",
    shape="draw",
    roles=("teller", "drawer"),
    speaker="teller",
    game="CodrawGame",
    recipe="SceneRecipe",
    players={
        "gold": "gold:gold",
        "random": "players.random:random",
        "template": "players.template.teller:template",
        "grammar": "players.grammar.drawer:grammar",
        "nearest": "players.nearest:nearest",
        "nearest-scene": "players.nearest:nearest_scene",
        "weights": "neural:weights",
    },
    data=DataHooks(recorded=f"{__name__}.recorded.transcripts:recorded_replies"),
    live=Live(
        title="CoDraw",
        desk=f"{__name__}.desk:desk",
        help=f"{__name__}.desk:HELP",
        partners={"teller": "template", "drawer": "grammar"},
        settings={"palette": "twenty", "peeks": 1, "silent": False, "cap": 140},
        gallery=Gallery(facts=f"{__name__}.gallery:facts", by=("pieces",)),
    ),
)
