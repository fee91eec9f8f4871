"""Markers of what a mechanism is, does and suffers, one kind in each file."""
