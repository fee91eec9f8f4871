"""Every formulation by its number, and integrators of their equations, compiled."""
