"""Compiled kernels of the contact detector."""

from mb_model.source_stamp import look_at_imports

look_at_imports()
