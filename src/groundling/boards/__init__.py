"""Shapes without rules: a value, its text form, its parser and its drawing for every kind of board."""
