"""Kinds of joints of mechanisms in space, those with common equations in one file."""
