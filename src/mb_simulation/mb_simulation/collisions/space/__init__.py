"""Collisions in space: where surfaces of bodies are, and obstacles that they meet."""
