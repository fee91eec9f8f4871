"""Compiled kernels of the payload estimator."""
