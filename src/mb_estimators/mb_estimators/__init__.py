"""Kalman filters on multibody models behind one plugin interface."""
