"""groundling: a testbed for grounded instruction giving and following."""

__version__ = "0.2.0"
