"""Compiled kernels: flat functions of records and arrays."""

from mb_model.source_stamp import look_at_imports

look_at_imports()
