"""Compiled kernels of hydraulics, on the records `circuit` and `fluid` of record.hydraulics."""

from mb_model.source_stamp import look_at_imports

look_at_imports()
