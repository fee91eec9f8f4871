"""Measurements: speed and accuracy beside peers, papers and targets."""
