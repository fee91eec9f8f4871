"""Compiled kernels of the isolation; see mb_model.kernels."""
