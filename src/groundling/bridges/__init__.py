"""Conversion to and from other frameworks, one package each; no other package imports a bridge."""
