"""Training with torch, independent of any game: steps, checkpoints, curves, early stopping, and saved
weights."""
