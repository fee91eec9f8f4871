"""Kernels that are compiled once, apart from their callers.

numba copies the code of every function into each of its callers, theirs too, and optimises it anew
there: a tower of kernels, as a filter step is, takes minutes.  A separate kernel is called by its
name instead, like a function of a C library.  Its callers hold the name alone, in numba's cache
too; so the kernel is compiled, or loaded from the cache, while its module is imported, which is
always before those callers.  That is why functions it uses stand above it in its file.

Large kernels that several others call are worth it; small ones are faster when they are copied.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from copy import copy
from ctypes import c_void_p, cast
import gc
from hashlib import sha256
from typing import Any

from llvmlite.binding import add_symbol
from numba import from_dtype
from numba.core.types import ExternalFunction
import numpy as np

from mb_model.jit.cache_files import compiling_alone
from mb_model.jit.kernel import PLAIN, entry
from mb_model.jit.records import RecordType

_postponed = []      # kernels and the other types to compile them for, in order
_compiled: dict[str, Any] = {}      # by the symbol that callers call, what numba made


class _Needed:
    """Whether a large mechanism has been met."""

    now = False


def separate(*arguments: Any) -> Callable[..., Any]:
    """Compile a kernel for arguments given by RecordTypes, dtypes or numba types, and separately.

    @separate(MODEL, WORK, float64, float64[::1]): records, a number, an array, such as a field of a
    record.  Numbers are converted; the others must be of exactly these types.
    """
    return entry if PLAIN else lambda function: _compile(entry(function), arguments)


def also(*arguments: Any) -> Callable[..., Any]:
    """Compile a separate kernel for other arguments too, but not before compile_postponed."""
    def postpone(kernel: Any) -> Any:
        if not PLAIN:
            _postponed.append((kernel, arguments))
            if _Needed.now:
                compile_postponed()
        return kernel
    return postpone


def compile_postponed() -> None:
    """Compile, or load, what waits for this: kernels for the records of large mechanisms.

    Most processes never meet such a mechanism.  Needed before the first call with its records; from
    then on nothing waits any more.
    """
    _Needed.now = True
    while _postponed:
        _compile(*_postponed.pop(0))


@contextmanager
def uncollected(for_good: bool = False) -> Iterator[None]:
    """Leave garbage alone meanwhile; a decorator, too.

    A compiler makes millions of objects that are all in use: looking through them takes a seventh
    of its time.  for_good: also later, and when Python ends, leave alone what is there then.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if for_good:
            gc.freeze()
        if enabled:
            if not gc.get_freeze_count():
                gc.freeze()         # both: take all for old, or the next look is through all of it
                gc.unfreeze()
            gc.enable()


def external(library: Any, name: str, signature: Any) -> ExternalFunction:
    """Return a function of a library, which ctypes has loaded, for compiled code to call.

    signature: a numba type, such as void(intp, float64).
    """
    add_symbol(name, cast(getattr(library, name), c_void_p).value)
    return ExternalFunction(name, signature)


def numba_type(argument: Any) -> Any:
    """Return numba's type of a RecordType, of a numpy dtype of records, or of itself."""
    if isinstance(argument, RecordType):
        return argument.pointer
    return from_dtype(argument) if isinstance(argument, np.dtype) else argument


def separate_code(symbol: str) -> Any:
    """Return what numba made of the separate kernel of a symbol; None if there is none."""
    return _compiled.get(symbol)


def _compile(kernel: Any, arguments: Iterable[Any]) -> Any:
    """Compile a kernel for arguments, let compiled callers call it by its name; return it."""
    types, function = tuple(map(numba_type, arguments)), kernel.py_func
    compiled = compiled_for(kernel, types)
    digest = sha256(str(types).encode()).hexdigest()[:16]
    symbol = f'{function.__module__}.{function.__qualname__}.{digest}'
    add_symbol(symbol, compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name))
    _compiled[symbol] = compiled
    by_name = copy(compiled.fndesc)
    by_name.mangled_name = symbol
    # From now on compiled callers get a call of the symbol, without the library to copy from.
    context = kernel.targetctx
    context.remove_user_function(compiled.entry_point)
    context.insert_user_function(compiled.entry_point, by_name)
    return kernel


def compiled_for(kernel: Any, types: tuple[Any, ...]) -> Any:
    """Compile a kernel for numba's types; return what numba made."""
    kernel.disable_compile(False)
    with uncollected(), compiling_alone(kernel, types):
        kernel.compile(types)
    kernel.disable_compile()
    return kernel.overloads[types]
