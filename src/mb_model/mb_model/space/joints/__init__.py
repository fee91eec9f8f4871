"""Kinds of joints of mechanisms in space, one per file."""
