"""Forces by laws of a file: springs, dampers, constant forces, expressions, and dry friction.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from mb_model import Mechanism
from mb_model.jit import kernel
from mb_model.kernel_api import DEPTH, run_program
from mb_simulation.prototypes.oil import ATMOSPHERE

FRICTION = 'friction/'      # prefix of the names of tendons that rub
STOP = 'stop'               # kind of forces at the limits of coordinates
CURVES = 'characteristic', 'backlash'       # kinds of forces by expressions
_NO_LAW = 'load', STOP, *CURVES             # kinds that are no spring, damper or constant force


class Laws(NamedTuple):
    """Forces (e) on coordinates: constant - stiffness (x - rest) - viscous v; stops (s) at limits.

    Curves (c): f(x) + g(v), programs of the model, see mb_model.kernels.programs.
    """

    row: np.ndarray         # index of the coordinate in q (e)
    values: np.ndarray      # constant, stiffness, rest, viscous (e, 4)
    stop_row: np.ndarray    # index of the coordinate in q (s)
    stops: np.ndarray       # lower, upper limit, stiffness, damping (s, 4)
    curve_row: np.ndarray   # index of the coordinate in q (c)
    operations: np.ndarray  # of f and g (c, 2, length)
    numbers: np.ndarray     # of f and g (c, 2, length)
    stack: np.ndarray       # of a program that runs (depth, 3); scratch


def laws_of(mechanism: Mechanism, row_of: Callable[[Any], int]) -> Laws:
    """Return the Laws of a mechanism; row_of(force): the row of the coordinate that a force is on.
    """
    forces = [one for one in mechanism.described.forces.values() if one.kind not in _NO_LAW]
    stops = [one for one in mechanism.described.forces.values() if one.kind == STOP]
    model, curves = mechanism.model[0], int(mechanism.model[0]['curves'])
    values = [(one.constant, one.stiffness, one.rest, one.viscous) for one in forces]
    return Laws(np.array(list(map(row_of, forces)), int), np.array(values, float).reshape(-1, 4),
                np.array(list(map(row_of, stops)), int),
                np.array([one.values for one in stops], float).reshape(-1, 4),
                *(model[key][:curves].copy() for key in (
                    'curve_coordinate', 'curve_operations', 'curve_numbers')), np.zeros((DEPTH, 3)))


@kernel
def add_laws(laws, q, qd, total):
    """Add springs, dampers, constant forces, curves, and stops, which never pull."""
    for e in range(len(laws.row)):
        k = laws.row[e]
        constant, stiffness, rest, viscous = laws.values[e]
        total[k] += constant - stiffness * (q[k] - rest) - viscous * qd[k]
    for e in range(len(laws.stop_row)):
        k = laws.stop_row[e]
        lower, upper, stiffness, damping = laws.stops[e]
        if q[k] < lower:
            total[k] += max(stiffness * (lower - q[k]) - damping * qd[k], 0.0)
        elif q[k] > upper:
            total[k] -= max(stiffness * (q[k] - upper) + damping * qd[k], 0.0)
    for e in range(len(laws.curve_row)):
        k = laws.curve_row[e]
        for part in range(2):
            run_program(laws.operations[e, part], laws.numbers[e, part],
                        q[k] if part == 0 else qd[k], laws.stack)
            total[k] += laws.stack[0, 0]


@kernel
def friction_loss(values, rate, p, side):
    """Return how large dry friction is at a rate, at pressures p of oil nodes `side` [N or N m]."""
    coulomb, static, transition, by_difference, by_rod = values
    w, loss = abs(rate) / transition, static
    if w > 1.0:
        loss = coulomb + (static - coulomb) * w / (0.25 * w * w + 0.75) ** 2
    if by_difference > 0.0 or by_rod > 0.0:
        piston, rod = p[side[0]], p[side[1]]
        loss += by_difference * abs(piston - rod) + by_rod * (rod - ATMOSPHERE)
    return max(loss, 0.0)


def rubbing_parts(mechanism: Mechanism) -> dict[str, tuple[float, ...]]:
    """Return the names of dry friction in a mechanism, and (F_c, F_s, v_t, C1, C2) of each."""
    described, parts = mechanism.described, {}
    for name, force in described.forces.items():
        if force.kind not in _NO_LAW and force.static > 0.0:
            parts[FRICTION + name] = (force.coulomb, force.static, force.transition_velocity,
                                      0.0, 0.0)
    cylinders = described.hydraulics.cylinders if described.hydraulics else {}
    for name, cylinder in cylinders.items():
        rub = cylinder.friction
        values = (rub.coulomb, rub.static, rub.transition_velocity, rub.pressure_difference,
                  rub.rod_pressure)
        if rub.static + rub.pressure_difference + rub.rod_pressure > 0.0:
            parts[f'{FRICTION}cylinders/{name}'] = values
    return parts
