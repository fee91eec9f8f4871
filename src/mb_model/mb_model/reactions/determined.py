"""Which reactions in the plane rigid bodies leave open: those that forces within them change.

Such forces load bodies and pins without moving anything: multipliers of all constraints, redundant
ones too, whose forces on the coordinates add up to 0.
"""

from typing import Any

import numpy as np

from mb_model.arrays import FloatArray
from mb_model.reactions.acting import pin_at, pushes_of

_RANK = 1e-9        # of the largest singular value: below it a combination is left open
_SHARE = 1e-7       # of the largest force within: below it a reaction does not feel it


def determined_reactions(mechanism: Any, q: FloatArray
                         ) -> tuple[dict[str, dict[str, bool]], dict[str, bool]]:
    """Return body -> point -> whether a pin's force is determined, name -> that of a coupling.

    q (n_total): a closed position.  Of couplings: all constraints and angles that act on bodies.
    """
    pins = {name: dict.fromkeys(body.points, True) for name, body in mechanism.bodies.items()}
    if not mechanism.redundant:
        return pins, {equation.meaning: True for equation in mechanism.equations
                      if not equation.inner and any(equation.bodies)}
    equations, jacobian = mechanism.all_constraints(q[:mechanism.n])
    couplings = {equation.meaning: True for equation in equations
                 if not equation.inner and any(equation.bodies)}
    sizes = np.linalg.norm(jacobian, axis=1)
    left, values, _ = np.linalg.svd(jacobian / sizes[:, None])
    within = left[:, int((values > _RANK * values[0]).sum()):].T / sizes
    for lam in within:
        _mark(mechanism, q, equations, lam, pins, couplings)
    return pins, couplings


def _mark(mechanism, q, equations, lam, pins, couplings):
    """Mark what multipliers lam (m) load."""
    forces, coupled, row = {}, {}, 0
    for equation in equations:
        own = lam[row:row + equation.rows]
        row += equation.rows
        for slot, (_, push) in enumerate(pushes_of(equation, q, own)):
            body = equation.bodies[slot]
            if body is None:
                continue
            pin = body, pin_at(mechanism, body, equation.index[slot])
            forces[pin] = forces.get(pin, 0.0) - push
            if not equation.inner:
                coupled[equation.meaning] = max(coupled.get(equation.meaning, 0.0),
                                                float(np.linalg.norm(push)))
    loads = {pin: float(np.linalg.norm(force)) for pin, force in forces.items()}
    least = _SHARE * max([*loads.values(), *coupled.values()], default=0.0)
    for (body, point), load in loads.items():
        pins[body][point] &= not load > least
    for name, load in coupled.items():
        couplings[name] &= not load > least
