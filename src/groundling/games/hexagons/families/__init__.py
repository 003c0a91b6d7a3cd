"""Families of images, one module for each abstraction mechanism. Each of its IDEAS draws one kind of
image."""
