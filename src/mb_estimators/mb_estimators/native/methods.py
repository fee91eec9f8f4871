"""Methods of filters in C: for each that steps or corrects, a Writer says the same in C.

A filter that has another method is not there in C.
"""

from collections.abc import Callable, Iterator
from typing import Any

from mb_estimators.filters.model_filter import ModelFilter
from mb_estimators.native.program import Program

Writer = Callable[[Any, Program, Callable[[], str]], str]
_WRITERS: dict[Any, Writer] = {}


class NotInCError(ValueError):
    """A filter is not there in C."""


def statements(filter_: ModelFilter, program: Program, method: str) -> str:
    """Return the statements in C of a method of a filter, one a line.

    Raises NotInCError where a class of the filter does what is not written here.
    """
    owners = iter([one for one in type(filter_).__mro__ if method in vars(one)])
    return _next(filter_, program, method, owners)


def _next(filter_: Any, program: Program, method: str, owners: Iterator[type]) -> str:
    owner = next(owners)
    writer = _WRITERS.get(vars(owner)[method])
    if writer is None:
        raise NotInCError(f'{owner.__name__}: its {method.strip("_")} is not there in C')
    return writer(filter_, program, lambda: _next(filter_, program, method, owners))


def written(method: Any) -> Callable[[Writer], Writer]:
    """Declare a function to write a method in C; its last argument writes the method's super()."""
    def declare(writer: Writer) -> Writer:
        _WRITERS[method] = writer
        return writer
    return declare


def records(filter_: Any) -> tuple[Any, Any, Any]:
    """Return the arguments that most kernels begin with."""
    return filter_._models, filter_._works, filter_._filters


def or_no_step(program: Program, call: str) -> str:
    """Return the statement that ends a prediction where a call says that the model cannot step."""
    return f'if (!{call})\n  return ended(e, {program.constant}_NO_STEP);'


def parameters_of(filter_: Any) -> tuple[Any, Any]:
    """Return the arguments of kernels that estimate parameters."""
    return filter_._parameters.records, filter_._parameters.estimated


def oil_of(filter_: Any) -> tuple[Any, ...]:
    """Return the arguments that kernels of coupled oil and machine begin with."""
    return (filter_._models, filter_._works, filter_._circuits, filter_._fluids, filter_._filters,
            filter_._hydraulics, filter_._coupleds)
