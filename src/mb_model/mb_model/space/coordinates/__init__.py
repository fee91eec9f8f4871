"""Kinds of coordinates of mechanisms in space, one per file."""
