"""Compiled kernels of the contact detector."""
