"""Kernels of what most programs never meet, which are compiled when it is met.

A separate kernel is there before its callers, so all kinds of forces and constraints are compiled
for a machine that has one of them.  A kernel of a Rare thing is called by an address in a cell that
its name stands for.  The cell is empty until the thing is met; to call it before is an error.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from ctypes import addressof, c_void_p
from hashlib import sha256
from threading import RLock
from typing import Any

from llvmlite import ir
from llvmlite.binding import add_symbol
from numba.core import cgutils, types
from numba.core.registry import cpu_target
from numba.core.typing import make_concrete_template, signature

from mb_model.jit.kernel import PLAIN, entry
from mb_model.jit.separate import compiled_for, numba_type


class Rare:
    """Something with kernels that are compiled, or loaded, once it is met."""

    def __init__(self) -> None:
        self._met = self._later = False
        self._kernels, self._lock = [], RLock()

    def separate(self, returns: Any, *arguments: Any, later: Sequence[Any] | None = None) -> Any:
        """Compile a kernel as `separate` does, but not before `met`.

        returns: numba's type, or a tuple of several; later: other arguments, of callers that have
        this thing more rarely still.
        """
        return entry if PLAIN else lambda function: self._postponed(
            _RareKernel(entry(function), returns, arguments, later))

    def met(self, later: bool = False) -> None:
        """Compile the kernels, in modules that are imported later, too.

        later: for these arguments, too.  Before the first call that may need one.
        """
        with self._lock:
            self._met, self._later = True, self._later or later
            for kernel in self._kernels:
                kernel.compile(self._later)

    def _postponed(self, kernel: '_RareKernel') -> '_RareKernel':
        with self._lock:
            self._kernels.append(kernel)
            if self._met:
                kernel.compile(self._later)
        return kernel


class _RareKernel:
    """What numba asks a compiled function, answered without compiling it."""

    is_compiling = False

    def __init__(self, kernel: Any, returns: Any, arguments: Sequence[Any],
                 later: Sequence[Any] | None) -> None:
        self.py_func, self._kernel = kernel.py_func, kernel
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
        for arguments, cell in list(self._cells.items())[:1 + later]:
            if cell.value is None:
                compiled = compiled_for(self._kernel, arguments)
                if compiled.signature.return_type != self._returns:
                    raise TypeError(f'{self._name}: returns {compiled.signature.return_type}, not '
                                    f'{self._returns}')
                cell.value = compiled.library.get_pointer_to_function(
                    compiled.fndesc.llvm_func_name)

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
        address = builder.load(cell)
        with cgutils.if_unlikely(builder, cgutils.is_null(builder, address)):
            convention.return_user_exc(builder, RuntimeError, (
                f'{symbol.rsplit(".", 2)[0]}: called before what it is for was met',))
        status, result = convention.call_function(
            builder, address, sig.return_type, sig.args, arguments)
        with cgutils.if_unlikely(builder, status.is_error):
            convention.return_status_propagate(builder, status)
        return result
    return call
