"""Mechanisms in space as trees of bodies, and in MuJoCo's model format."""
