"""Compiling: the only package that knows numba's insides.

Nothing else of ours imports more of numba than its types.  See docs/compiling.md for the reasons.
"""

from mb_model.jit.choice import by_number, by_type
from mb_model.jit.kernel import entry, inlined, kernel
from mb_model.jit.separate import also, compile_postponed, external, separate, uncollected
from mb_model.jit.source_stamp import source_stamp

__all__ = ['also', 'by_number', 'by_type', 'compile_postponed', 'entry', 'external', 'inlined',
           'kernel', 'separate', 'source_stamp', 'uncollected']
