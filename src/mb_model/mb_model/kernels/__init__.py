"""Compiled kernels: small, in place, no allocation.

Every kernel takes the compiled `model` and the `work` space of mb_model.record as single records;
Python holds both as arrays of one element, so a function meant to be called from Python takes the
arrays and hands `models[0], works[0]` on (numba accepts an array seven times faster than a record).
What a kernel reads from and leaves in `work` is said in its docstring.

Large kernels that several others call are compiled apart from them, see mb_model.separate.
"""

from mb_model.source_stamp import look_at_imports

look_at_imports()
