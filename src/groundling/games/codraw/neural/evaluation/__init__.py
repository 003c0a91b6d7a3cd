"""The paper's table and more, from trained weights."""
