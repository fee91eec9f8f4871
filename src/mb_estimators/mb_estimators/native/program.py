"""A program in C of calls of compiled kernels, and the memory that they work on."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from numba import boolean, float64, int64, typeof, void

from mb_model.arrays import FloatArray
from mb_model.jit import RecordArray

_ALIGNMENT = 64             # bytes, of each part of the memory
_WORD = 8                   # bytes of a number
_RESULTS = {boolean: 'int8_t', int64: 'int64_t', float64: 'double', void: 'void *'}
_ARRAYS = float64[::1], float64[:, ::1]         # by their dimensions


def padded(size: int) -> int:
    """Return what a part of the memory, or a structure in C with it, takes up [bytes]."""
    return -(-size // _ALIGNMENT) * _ALIGNMENT


@dataclass(frozen=True)
class Variable:
    """An argument of a kernel that the program has: its text in C, its type for numba.

    shape: of an array, whose rows stand one behind the other: numbers, or texts in C.
    """

    text: str
    kind: Any
    shape: tuple[int | str, ...] = ()


DT = Variable('dt', float64)


def numbers_at(text: str, *shape: int | str) -> Variable:
    """Return an array of one or two dimensions that the program has."""
    return Variable(text, _ARRAYS[len(shape) - 1], shape)


def readings(channels: int) -> Variable:
    """Return the argument for the readings of so many channels."""
    return numbers_at('e->readings', channels)


class Program:
    """Memory and functions of a program.

    functions: symbol -> what numba compiled; size: of the memory [bytes].
    """

    def __init__(self, name: str) -> None:
        self.name, self.constant = name, name.upper()       # of constants in C
        self.functions: dict[str, Any] = {}
        self._arrays: list[Any] = []
        self._offsets: list[int] = []
        self.size = 0

    def offset(self, array: Any, field: str = '') -> int:
        """Return where an array begins in the memory [bytes], or a field of the first record."""
        start = next((offset for own, offset in zip(self._arrays, self._offsets, strict=True)
                      if own is array), self.size)
        if start == self.size:
            self._arrays.append(array)
            self._offsets.append(start)
            self.size += padded(array.nbytes)
        return start + (array.dtype.fields[field][1] if field else 0)

    def image(self) -> bytes:
        """Return what the memory holds now."""
        memory = bytearray(self.size)
        for array, offset in zip(self._arrays, self._offsets, strict=True):
            memory[offset:offset + array.nbytes] = array.tobytes()
        return bytes(memory)

    def number(self, array: FloatArray, field: str = '', kind: str = 'double') -> str:
        """Return a pointer in C to the numbers of an array in the memory, or of a field."""
        return f'(({kind} *)(e->memory + {self.offset(array, field)}))'

    def call(self, kernel: Any, *arguments: Any) -> str:
        """Return the call of a kernel in C, which is its result.

        arguments: arrays of the memory, Variables, and numbers, which stay as they are.
        """
        kinds = tuple(one.kind if isinstance(one, Variable) else typeof(one) for one in arguments)
        if kinds not in kernel.overloads:
            kernel.compile(kinds)
        compiled = kernel.overloads[kinds]
        symbol = next((own for own, other in self.functions.items() if other is compiled), '')
        if not symbol:
            symbol = f'{self.name}_kernel_{len(self.functions)}'
            self.functions[symbol] = compiled
        texts = [text for one, kind in zip(arguments, kinds, strict=True)
                 for text in self._arguments(one, kind)]
        return f'{symbol}_({", ".join(["e", *texts])})'

    def _arguments(self, one: Any, kind: Any) -> list[str]:
        """Return the arguments in C of one of a kernel."""
        if isinstance(kind, RecordArray):
            return [self.number(one, kind='char'), str(len(one)), str(one.dtype.itemsize)]
        if isinstance(kind, type(_ARRAYS[0])):
            if isinstance(one, Variable):
                shape = [*map(str, one.shape)]
                strides = [' * '.join([str(_WORD), *shape[k + 1:]]) for k in range(len(shape))]
                return ['0', '0', ' * '.join(shape), str(_WORD), one.text, *shape, *strides]
            if not one.flags.c_contiguous:
                raise NotImplementedError('an array with gaps')
            return ['0', '0', str(one.size), str(one.itemsize), self.number(one, kind='char'),
                    *map(str, one.shape), *map(str, one.strides)]
        if isinstance(one, Variable):
            return [one.text]
        return [repr(float(one)) if kind == float64 else str(int(one))]

    def declarations(self) -> str:
        """Return the functions of kernels in C, each with one that returns its result."""
        return '\n\n'.join(_declaration(self.name, symbol, compiled)
                           for symbol, compiled in self.functions.items())


def _declaration(name: str, symbol: str, compiled: Any) -> str:
    """Return the declaration of a kernel as numba calls it, and a function that returns its result.
    """
    result = compiled.signature.return_type
    if result not in _RESULTS:
        raise NotImplementedError(f'{symbol}: a kernel that returns {result}')
    kinds = [kind for argument in compiled.signature.args for kind in _c_types(argument)]
    named = [f'{kind} a{k}' for k, kind in enumerate(kinds)]
    c = _RESULTS[result]
    return (f'int32_t {symbol}({", ".join(["void *", "void **", *kinds])});\n'
            f'static {c} {symbol}_({", ".join([f"struct {name} *e", *named])}) {{\n'
            f'  {c} result = 0;\n  void *error = 0;\n'
            f'  if ({symbol}({", ".join(["&result", "&error", *_names(len(kinds))])}))\n'
            f'    e->fault = 1;\n  return result;\n}}')


def _names(count: int) -> list[str]:
    return [f'a{k}' for k in range(count)]


def _c_types(kind: Any) -> Sequence[str]:
    """Return the types in C of an argument of a kernel."""
    if isinstance(kind, RecordArray):
        return 'void *', 'int64_t', 'int64_t'
    if isinstance(kind, type(_ARRAYS[0])):
        return ('void *', 'void *', 'int64_t', 'int64_t', 'void *',
                *(2 * kind.ndim * ('int64_t',)))
    return (_RESULTS[kind],)
