"""Kernels of what most programs never meet, which are compiled when it is met.

A separate kernel is there before its callers, so all kinds of forces and constraints are compiled
for a machine that has one of them.  A kernel of a Rare thing is called by an address in a cell that
its name stands for.  The cell is empty until the thing is met; to call it before is an error.

Commands call few of these kernels: there a cell stays empty until its kernel is called, which
compiles it.  A node must not wait in the middle of a run: it compiles, or loads, all of them ahead.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from ctypes import CFUNCTYPE, addressof, c_int64, c_void_p, cast
from hashlib import sha256
import os
from threading import RLock
from typing import Any

from llvmlite import ir
from llvmlite.binding import add_symbol
from numba.core import cgutils, types
from numba.core.registry import cpu_target
from numba.core.typing import make_concrete_template, signature

from mb_model.jit.kernel import PLAIN, entry
from mb_model.jit.separate import compiled_for, numba_type

AHEAD = 'MB_COMPILE_AHEAD'      # environment variable, set in nodes and by warm_up
COMPILE = 'mb_model.jit.rare.compile'       # called by compiled code for an empty cell
_FAILED, _READY, UNMET, _INTERRUPTED = range(4)     # what it returns, 0 after an exception
_kernels: dict[int, tuple['Rare', '_RareKernel', Any]] = {}     # by the address of a cell


def compile_ahead() -> None:
    """Let this process, and those it starts, compile all kernels of what it meets at once."""
    os.environ[AHEAD] = '1'


class Rare:
    """Something with kernels that are compiled, or loaded, once it is met, see AHEAD."""

    def __init__(self) -> None:
        self._met = self._later = False
        self._kernels, self._lock = [], RLock()

    def separate(self, returns: Any, *arguments: Any, later: Sequence[Any] | None = None) -> Any:
        """Compile a kernel as `separate` does, but not before `met`.

        returns: numba's type, or a tuple of several; later: other arguments, of callers that have
        this thing more rarely still.
        """
        return entry if PLAIN else lambda function: self._postponed(
            _RareKernel(self, entry(function), returns, arguments, later))

    def met(self, later: bool = False) -> None:
        """Compile the kernels, in modules that are imported later, too; or let calls do that.

        later: for these arguments, too.  Before the first call that may need one.
        """
        with self._lock:
            self._met, self._later = True, self._later or later
            for kernel in self._kernels if os.environ.get(AHEAD) else ():
                kernel.compile(self._later)

    @property
    def is_met(self) -> bool:
        """Whether its kernels may be called."""
        return self._met

    def _postponed(self, kernel: '_RareKernel') -> '_RareKernel':
        with self._lock:
            self._kernels.append(kernel)
            if self._met and os.environ.get(AHEAD):
                kernel.compile(self._later)
        return kernel


class _RareKernel:
    """What numba asks a compiled function, answered without compiling it."""

    is_compiling = False

    def __init__(self, thing: Rare, kernel: Any, returns: Any, arguments: Sequence[Any],
                 later: Sequence[Any] | None) -> None:
        self.py_func, self._kernel, self._thing = kernel.py_func, kernel, thing
        self._returns = (types.BaseTuple.from_types(returns) if isinstance(returns, tuple)
                         else returns)
        self._name = f'{self.py_func.__module__}.{self.py_func.__qualname__}'
        self._numba_type_ = types.Dispatcher(self)
        self._signatures, self._cells = [], {}
        for one in (arguments, later) if later else (arguments,):
            self._add_cell(tuple(map(numba_type, one)))

    def __repr__(self) -> str:
        return f'rare({self._name})'

    def __call__(self, *arguments: Any) -> Any:
        return self._kernel(*arguments)

    @property
    def signatures(self) -> list[Any]:
        """Return the types that it is compiled for."""
        return self._kernel.signatures

    @property
    def nopython_signatures(self) -> list[Any]:
        """Return the types that callers may have: numba names them when others call."""
        return self._signatures

    def compile(self, later: bool) -> None:
        """Compile the kernel, and write its address to its cells, of later arguments too if so."""
        for arguments in list(self._cells)[:1 + later]:
            self.compile_for(arguments)

    def compile_for(self, arguments: tuple[Any, ...]) -> None:
        """Compile the kernel, and write its address to the cell for arguments of these types."""
        cell = self._cells[arguments]
        if cell.value is None:
            compiled = compiled_for(self._kernel, arguments)
            if compiled.signature.return_type != self._returns:
                raise TypeError(f'{self._name}: returns {compiled.signature.return_type}, not '
                                f'{self._returns}')
            cell.value = compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name)

    def code_for(self, arguments: tuple[Any, ...]) -> Any:
        """Return what numba makes of the kernel for arguments of these types."""
        self.compile_for(arguments)
        return self._kernel.overloads[arguments]

    def get_call_template(self, arguments: tuple[Any, ...], keywords: Mapping[str, Any]
                          ) -> tuple[Any, ...]:
        template = make_concrete_template(self._name, self._name, self._signatures)
        return template, None, arguments, keywords

    def get_overload(self, arguments: tuple[Any, ...]) -> str:
        return _symbol(self._name, arguments)

    def _add_cell(self, arguments: tuple[Any, ...]) -> None:
        """Give callers with arguments of these types an empty cell."""
        symbol, cell = _symbol(self._name, arguments), c_void_p()
        add_symbol(symbol, addressof(cell))
        cpu_target.target_context.insert_func_defn([(_call_by(symbol), symbol, arguments)])
        self._signatures.append(signature(self._returns, *arguments))
        self._cells[arguments] = cell
        _kernels[addressof(cell)] = self._thing, self, arguments


@CFUNCTYPE(c_int64, c_void_p)
def _compile(cell: int) -> int:
    """Compile the kernel of a cell, by its address, for compiled code that calls it first."""
    thing, kernel, arguments = _kernels[cell]
    if not thing.is_met:
        return UNMET
    try:
        kernel.compile_for(arguments)
    except KeyboardInterrupt:       # compiled code has to pass it on
        return _INTERRUPTED
    return _READY


add_symbol(COMPILE, cast(_compile, c_void_p).value)


def rare_code(cell: str) -> Any:
    """Return what numba made of the kernel of a cell, by its name; compile it if needed.

    None where what the kernel is for was not met.  Raises KeyError if there is no such cell.
    """
    for thing, kernel, arguments in _kernels.values():
        if kernel.get_overload(arguments) == cell:
            return kernel.code_for(arguments) if thing.is_met else None
    raise KeyError(cell)


def _symbol(name: str, arguments: Iterable[Any]) -> str:
    """Return the name of the cell for arguments of these types."""
    return f'{name}.{sha256(str(tuple(arguments)).encode()).hexdigest()[:16]}.cell'


def _call_by(symbol: str) -> Callable[..., Any]:
    """Return how numba makes a call of the address in the cell of this name."""
    def call(context, builder, sig, arguments):
        convention = context.call_conv
        function = convention.get_function_type(sig.return_type, sig.args).as_pointer()
        cell = (builder.module.globals.get(symbol)
                or ir.GlobalVariable(builder.module, function, symbol))
        with cgutils.if_unlikely(builder, cgutils.is_null(builder, builder.load(cell))):
            _build_compiling(convention, builder, cell, symbol)
        address = builder.load(cell)
        status, result = convention.call_function(
            builder, address, sig.return_type, sig.args, arguments)
        with cgutils.if_unlikely(builder, status.is_error):
            convention.return_status_propagate(builder, status)
        return result
    return call


def _build_compiling(convention: Any, builder: Any, cell: Any, symbol: str) -> None:
    """Let compiled code fill an empty cell, or raise an error."""
    pointer, number = ir.IntType(8).as_pointer(), ir.IntType(64)
    compiling = cgutils.get_or_insert_function(
        builder.module, ir.FunctionType(number, [pointer]), COMPILE)
    done = builder.call(compiling, [builder.bitcast(cell, pointer)])
    name = symbol.rsplit('.', 2)[0]
    for outcome, error, words in (
            (_INTERRUPTED, KeyboardInterrupt, ()),
            (UNMET, RuntimeError, (f'{name}: called before what it is for was met',)),
            (_FAILED, RuntimeError, (f'{name}: could not be compiled, see above',))):
        with cgutils.if_unlikely(builder, builder.icmp_signed('==', done, number(outcome))):
            convention.return_user_exc(builder, error, words)
