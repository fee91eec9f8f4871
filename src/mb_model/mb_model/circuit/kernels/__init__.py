"""Compiled kernels of hydraulics, on the records `circuit` and `fluid` of record.hydraulics."""
