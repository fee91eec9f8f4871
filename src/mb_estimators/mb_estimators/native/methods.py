"""Methods of filters in C: for each that steps or corrects, a Writer says the same in C.

A filter that has another method is not there in C.
"""

from collections.abc import Callable, Iterator
from typing import Any

from mb_estimators.filters.model_filter import ModelFilter
from mb_estimators.native.c_library import NotInCError
from mb_estimators.native.program import Program, readings


class Own:
    """What a filter keeps to itself, as methods of it in C see it: own.works for self._works."""

    def __init__(self, filter_: ModelFilter) -> None:
        self.filter = filter_
        self.settings, self.mechanism = filter_.settings, filter_.mechanism
        self.sensors, self.dt, self.layout = filter_.sensors, filter_.dt, filter_.layout

    def __getattr__(self, name: str) -> Any:
        return getattr(self.filter, f'_{name}')


Writer = Callable[[Own, Program, Callable[[], str]], str]
_WRITERS: dict[Any, Writer] = {}


def statements(own: Own, program: Program, method: str) -> str:
    """Return the statements in C of a method of a filter, one a line.

    Raises NotInCError where a class of the filter does what is not written here.
    """
    owners = iter([one for one in type(own.filter).__mro__ if method in vars(one)])
    return _next(own, program, method, owners)


def _next(own: Own, program: Program, method: str, owners: Iterator[type]) -> str:
    owner = next(owners)
    writer = _WRITERS.get(vars(owner)[method])
    if writer is None:
        raise NotInCError(f'{owner.__name__}: its {method.strip("_")} is not there in C')
    return writer(own, program, lambda: _next(own, program, method, owners))


def written(method: Any) -> Callable[[Writer], Writer]:
    """Declare a function to write a method in C; its last argument writes the method's super()."""
    def declare(writer: Writer) -> Writer:
        _WRITERS[method] = writer
        return writer
    return declare


def records(own: Own) -> tuple[Any, Any, Any]:
    """Return the arguments that most kernels begin with."""
    return own.models, own.works, own.filters


def or_no_step(program: Program, call: str) -> str:
    """Return the statement that ends a prediction where a call says that the model cannot step."""
    return f'if (!{call})\n  return ended(e, {program.constant}_NO_STEP);'


def parameters_of(own: Own) -> tuple[Any, Any]:
    """Return the arguments of kernels that estimate parameters."""
    return own.parameters.records, own.parameters.estimated


def oil_of(own: Own) -> tuple[Any, ...]:
    """Return the arguments that kernels of coupled oil and machine begin with."""
    return (own.models, own.works, own.circuits, own.fluids, own.filters,
            own.hydraulics, own.coupleds)


def corrected(own: Own) -> tuple[Any, ...]:
    """Return the arguments of a kernel that corrects, the readings last."""
    return own.models, own.works, own.channels, own.filters, readings(len(own.channels))


def status_of(call: str) -> str:
    """Return the statement that keeps what a correction returns."""
    return f'status = {call};'
