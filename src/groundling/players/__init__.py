"""Players for any game, and how they are made from what the user wrote."""

SHARED = {
    "script": "groundling.players.script:make_script_player",
    "replay": "groundling.players.replay_player:make_replay_player",
    "silent": "groundling.players.replay_player:make_replay_player",
    "shuffled": "groundling.players.replay_player:make_replay_player",
    "terminal": "groundling.players.terminal:make_terminal_player",
    "gguf": "groundling.players.chat.chat_player:make_gguf_player",
}
"""Factories by name; a game's own players come from its pack."""

GROUP = "groundling.players"
"""The entry-point group of players that other packages bring; each is a class with `act`."""

CHAT = "groundling.players.chat.chat_player:make_hosted_player"
"""The factory for names with a slash: models as Inspect AI writes them, such as openai/gpt-4o."""

USAGE_SOURCE, ESTIMATED = "usage_source", "estimated"
"""The detail of a reply whose provider reported no usage."""

CONTROLS = ("silent", "shuffled")
"""What a partner still scores with these does not come from words."""
