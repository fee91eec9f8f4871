"""Valves of hydraulic circuits: what one is, and what a kind of them consists of."""
