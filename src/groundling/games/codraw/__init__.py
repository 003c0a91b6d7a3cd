"""CoDraw: rebuild a park scene of clip art that only your partner sees."""

from ...core.pack import pack_in

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
        "nearest": "players.nearest:nearest",
        "nearest-scene": "players.nearest:nearest_scene",
        "weights": "neural:weights",
    },
    recorded=f"{__name__}.recorded.transcripts:recorded",
)
