"""Compiling: the only package that knows numba's insides.

Nothing else of ours imports more of numba than its types, see docs/explanation/compiling.md.
"""

import mb_model.jit.cache_files
from mb_model.jit.choice import by_condition, by_number, by_type
from mb_model.jit.kernel import entry, inlined, kernel
from mb_model.jit.native_code import Target, native_object
from mb_model.jit.rare import Rare, compile_ahead
import mb_model.jit.record_lowering
from mb_model.jit.records import (
    INTEGER,
    REAL,
    RecordArray,
    RecordPointer,
    RecordType,
    Size,
    poison,
    record_type_of,
    resized,
    sizes,
    sizes_of,
)
from mb_model.jit.separate import also, compile_postponed, external, separate, uncollected
from mb_model.jit.source_stamp import source_stamp

__all__ = ['INTEGER', 'REAL', 'Rare', 'RecordArray', 'RecordPointer', 'RecordType',
           'Size', 'Target', 'also', 'by_condition', 'by_number', 'by_type', 'compile_ahead',
           'compile_postponed', 'entry', 'external', 'inlined', 'kernel',
           'native_object', 'poison', 'record_type_of', 'resized', 'separate', 'sizes', 'sizes_of',
           'source_stamp', 'uncollected']
