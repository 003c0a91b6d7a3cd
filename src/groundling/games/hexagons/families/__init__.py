"""Families of images, one for each abstraction mechanism. A module has IDEAS, each of which draws one kind of
image."""
