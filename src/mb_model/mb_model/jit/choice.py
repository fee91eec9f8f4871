"""Choices between compiled functions: at run time, or by types when callers are compiled.

by_number is always copied into its callers, where a switch between the functions is left of it.
Eight functions at a time: a compiled function for each would take numba five times as long.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from numba.core import types
from numba.extending import overload

from mb_model.jit.kernel import PLAIN, copied_always

_AT_ONCE = 8


def by_type(choose: Callable[[tuple[Any, ...]], Any], name: str) -> Any:
    """Return a function for kernels that stands for the compiled function choose(types) returns.

    choose: of the tuple of numba's types of the arguments.  Costs nothing in compiled code.
    """
    return (_overloaded if PLAIN else _ByType)(choose, name)


def _overloaded(choose: Callable[[tuple[Any, ...]], Any], name: str) -> Any:
    """Return by_type's function made by numba's public means alone."""
    calls = {2: lambda kernel: lambda a, b: kernel(a, b),
             3: lambda kernel: lambda a, b, c: kernel(a, b, c),
             4: lambda kernel: lambda a, b, c, d: kernel(a, b, c, d),
             5: lambda kernel: lambda a, b, c, d, e: kernel(a, b, c, d, e)}

    def function(*_):
        raise TypeError(f'{name} is called by compiled functions only')

    @overload(function, strict=False)
    def call(*arguments):
        return calls[len(arguments)](choose(arguments))

    return function


class _ByType:
    """What numba asks a compiled function, answered by the one that is chosen."""

    is_compiling = False

    def __init__(self, choose: Callable[[tuple[Any, ...]], Any], name: str) -> None:
        self._choose, self._name = choose, name
        self._numba_type_ = types.Dispatcher(self)

    def __call__(self, *_: Any) -> None:
        raise TypeError(f'{self._name} is called by compiled functions only')

    def __repr__(self) -> str:
        return f'by_type({self._name})'

    def get_call_template(self, arguments: tuple[Any, ...], keywords: Mapping[str, Any]) -> Any:
        return self._choose(arguments).get_call_template(arguments, keywords)

    def get_overload(self, types_: tuple[Any, ...]) -> Any:
        return self._choose(types_).get_overload(types_)


def by_number(functions: Sequence[Any]) -> Any:
    """Return a compiled function (number, *arguments) that calls functions[number](*arguments).

    functions: compiled ones, of the same arguments.  The one that occurs most often is called for
    all numbers that no other one belongs to.
    """
    usual, _ = Counter(functions).most_common(1)[0]
    return _choice([(number, function) for number, function in enumerate(functions)
                    if function is not usual], usual)


def by_condition(holds: Any, one: Any, other: Any) -> Any:
    """Return a compiled function (first, *arguments) that calls `one` if holds(first), or `other`.

    All three: compiled ones.
    """
    def choice(first, *arguments):
        if holds(first):
            return one(first, *arguments)
        return other(first, *arguments)

    _name_after(choice, (holds, one, other))
    return copied_always(choice)


def _name_after(choice: Any, functions: Iterable[Any]) -> None:
    """Name a function after others: numba finds compiled functions by their names."""
    choice.__qualname__ += ''.join(f'.{function.py_func.__module__}.{function.py_func.__name__}'
                                   for function in functions)


def _choice(numbered: list[tuple[int, Any]], usual: Any) -> Any:
    """Return the choice between (number, function) pairs and the usual function.

    numba leaves out branches for functions that are None.
    """
    here, rest = numbered[:_AT_ONCE], numbered[_AT_ONCE:]
    others = _choice(rest, usual) if rest else None
    missing = [(-1, None)] * (_AT_ONCE - len(here))
    (n0, f0), (n1, f1), (n2, f2), (n3, f3), (n4, f4), (n5, f5), (n6, f6), (n7, f7) = *here, *missing

    def choice(number, *arguments):
        if f0 is not None and number == n0:
            return f0(*arguments)
        if f1 is not None and number == n1:
            return f1(*arguments)
        if f2 is not None and number == n2:
            return f2(*arguments)
        if f3 is not None and number == n3:
            return f3(*arguments)
        if f4 is not None and number == n4:
            return f4(*arguments)
        if f5 is not None and number == n5:
            return f5(*arguments)
        if f6 is not None and number == n6:
            return f6(*arguments)
        if f7 is not None and number == n7:
            return f7(*arguments)
        if others is not None:
            return others(number, *arguments)
        return usual(*arguments)

    _name_after(choice, [function for _, function in (*here, (-1, usual))])
    return copied_always(choice)
