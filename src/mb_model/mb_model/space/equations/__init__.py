"""Kinds of equations of mechanisms in space, one per file."""
