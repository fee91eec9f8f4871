"""Putting a mechanism into positions."""
