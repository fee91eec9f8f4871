"""Compiled kernels: flat functions of records and arrays."""
