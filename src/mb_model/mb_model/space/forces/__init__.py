"""Kinds of forces of mechanisms in space, one per file."""
