"""Compiled kernels of the isolation; see mb_model.kernels."""

from mb_model.source_stamp import look_at_imports

look_at_imports()
