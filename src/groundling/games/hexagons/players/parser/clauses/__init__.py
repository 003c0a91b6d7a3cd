"""Phrases put together to targets, clause by clause."""

from .build import Builder

__all__ = ["Builder"]
