"""Known forces on the degrees of freedom of a filter: over a step, and at an instant.

Commands hold over steps, measured forces act on steps by their means.  At a stamp the accelerations
are as the forces of then make them, see filter.Acting.  Where a step begins with the accelerations
that it finds, they have to be those under its forces.
"""

from typing import Any

from numpy.typing import ArrayLike

from mb_estimators.filter import DivergenceError


def begin_under(filter_: Any, inputs: ArrayLike | None) -> None:
    """Let known forces (g) act on the next step of a ModelFilter, from its begin on; None: none."""
    if not filter_._begins_accelerated:
        filter_._hold(inputs)
    elif (filter_._forces_on_z != (0.0 if inputs is None else inputs)).any():
        filter_.act(inputs)


def act(filter_: Any, inputs: ArrayLike | None) -> None:
    """Let known forces (g) act where the state of a ModelFilter is.

    Raises DivergenceError where the mechanism has no accelerations.
    """
    filter_._hold(inputs)
    filter_._forces_on_z += filter_._force
    if not filter_._accelerate():
        raise DivergenceError('the mechanism is in a singular position')
