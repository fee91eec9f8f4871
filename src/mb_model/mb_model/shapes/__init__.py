"""Shapes of bodies: what one is, and what a kind of them consists of."""
