"""Players that know no game, and how a seat is filled from what the user wrote."""

SHARED = {
    "script": "groundling.players.script:script",
    "replay": "groundling.players.recite:recite",
    "silent": "groundling.players.recite:recite",
    "shuffled": "groundling.players.recite:recite",
    "terminal": "groundling.players.terminal:terminal",
    "gguf": "groundling.players.chat.talk:gguf",
}
"""By name; a game's own players come from its pack."""

CHAT = "groundling.players.chat.talk:chat"
"""Takes every name with a slash in it: a model in Inspect AI's spelling, as openai/gpt-4o."""

CONTROLS = ("silent", "shuffled")
"""What they leave of a score, words did not bring about."""
