"""Mechanisms in space: kinds of their joints, coordinates, equations and forces, one per file."""
