"""Compiled kernels of hydraulics, on the records `circuit` and `fluid` of hydraulics.record."""

from mb_model.source_stamp import look_at_imports

look_at_imports()
