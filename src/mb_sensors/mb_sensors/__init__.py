"""Measurement functions, noise models and sensor drivers."""
