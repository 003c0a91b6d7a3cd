"""Families of images, a module for each abstraction mechanism, whose IDEAS draw a kind each."""
