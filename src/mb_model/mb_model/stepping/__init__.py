"""Mechanisms in motion, step by step, by any formulation and integrator."""
