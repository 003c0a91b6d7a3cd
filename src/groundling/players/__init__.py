"""Players for any game, and how they are made from what the user wrote."""

SHARED = {
    "script": "groundling.players.script:script",
    "replay": "groundling.players.recite:recite",
    "silent": "groundling.players.recite:recite",
    "shuffled": "groundling.players.recite:recite",
    "terminal": "groundling.players.terminal:terminal",
    "gguf": "groundling.players.chat.talk:gguf",
}
"""Factories by name; a game's own players come from its pack."""

CHAT = "groundling.players.chat.talk:chat"
"""The factory for names with a slash: models as Inspect AI writes them, such as openai/gpt-4o."""

CONTROLS = ("silent", "shuffled")
"""What a partner still scores with these does not come from words."""
