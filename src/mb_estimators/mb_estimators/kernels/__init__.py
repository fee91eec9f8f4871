"""Compiled filter steps and their parts: in place, no allocation."""
