"""What every training shares, whatever is learned: steps, checkpoints, curves, early stopping, and weights
with a card. It needs torch, and knows no game."""
