"""Compiled measurement functions."""
