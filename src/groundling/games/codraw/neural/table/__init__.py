"""The paper's table and more, from trained weights: who says what, what is drawn of it, and how it is
measured."""
