"""Compiled kernels of the payload estimator."""

from mb_model.source_stamp import look_at_imports

look_at_imports()
