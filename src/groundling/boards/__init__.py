"""Boards without game rules: for each kind a value type, a text form, a parser and a drawing."""
