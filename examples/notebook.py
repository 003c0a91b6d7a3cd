# %% [markdown]
# # Do these players understand each other, or do they guess?
# Cells begin with `# %%`: VS Code, Spyder and Jupyter (with jupytext) open this file as a notebook. Only
# `groundling` is imported; every result is a polars frame.

# %%
import groundling

groundling.list_games()

# %% [markdown]
# New instances: the distractors fill as many cells as the target, so that the fullest grid is no clue.

# %%
instances = groundling.make("reference", "build/notebook/set.jsonl", n=40, seed=7, fill=True)

# %% [markdown]
# Play them with a giver and a follower that know rules of English, then again without the giver's words.

# %%
rule = groundling.play(
    "reference",
    instances,
    seat={"giver": "gold", "follower": "rule"},
    controls=True,
    out="build/notebook/rule",
)
scores = groundling.score(rule)
print(scores.select("set", "players", "control", "mean", "low", "high"))

# %% [markdown]
# What was said, and one episode as both seats saw it.

# %%
replies = groundling.load_replies(rule)
print(replies.select("episode", "role", "text").head(4))
print(groundling.show(rule, replies["episode"][0]))

# %% [markdown]
# A follower that chooses the fullest grid, compared in pairs with the one that listens.

# %%
fullest = groundling.play(
    "reference", instances, seat={"giver": "gold", "follower": "fullest"}, out="build/notebook/fullest"
)
comparison = groundling.compare(rule, fullest)
print(comparison.select("name", "n", "a", "b", "difference", "low", "high", "p"))

# %% [markdown]
# The episodes are rows: group them as you like, or write the report to step through them.

# %%
episodes = groundling.load(rule, fullest).select("run", "control", "success")
print(episodes.group_by("run", "control", maintain_order=True).mean())
print(groundling.write_report(rule, fullest, out="build/notebook/report.html"))
