"""Mechanisms in space as robot software knows machines."""
