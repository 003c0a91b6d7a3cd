"""Generation of park scenes: priors, placement of pieces, and comparison with scenes that people made."""
