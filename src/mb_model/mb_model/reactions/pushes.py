"""What equations and forces in the plane do to pins and bodies, and what rigid bodies leave open.

Forces within bodies load them and pins without moving anything: multipliers of all constraints,
redundant ones too, whose forces on the coordinates add up to 0.
"""

from typing import Any

import numpy as np

from mb_model.arrays import FloatArray
from mb_model.kernels.constraints import evaluate_one
from mb_model.kernels.force_elements import LOCAL_INDEX, add_force
from mb_model.kernels.programs import run
from mb_model.record import DEPTH, INDEX_SLOTS, VALUE_SLOTS
from mb_model.registry.constraints import number_of
from mb_model.registry.forces import element_kind


def pushes_of(equation, q, lam):
    """Return (place (2), force (2)) for each point that an equation addresses, force on it.

    Slots that address the same point are told apart by giving each one coordinates of its own.
    """
    slots = len(equation.bodies)
    if slots == 0:
        return []
    index = np.full(INDEX_SLOTS, 2 * slots)
    index[:slots] = 2 * np.arange(slots)
    places = np.array([q[k:k + 2] for k in equation.index[:slots]])
    others = q[list(equation.index[slots:slots + 1])]
    local = np.concatenate([places.ravel(), others, np.zeros(1)])
    value = np.zeros(VALUE_SLOTS)
    value[:len(equation.value)] = equation.value
    phi, phi_q = np.zeros(equation.rows), np.zeros((equation.rows, len(local)))
    evaluate_one(int(number_of(equation.kind)), index, value, local, phi, phi_q, 0)
    return list(zip(places, -(lam @ phi_q[:, :2 * slots]).reshape(slots, 2), strict=True))


def pin_at(mechanism, body, index):
    """Return the name of the point of a body whose x is at index."""
    return next(point for point in mechanism.bodies[body].points
                if mechanism.point_index(point) == index)


def applied_pushes(mechanism, work):
    """Yield (body, point, force (2)): on the pin in a point, or with a body on that body alone.

    Of springs between points, friction in joints and loads, those from outside too, in a workspace.
    """
    names = {mechanism.point_index(point): point for point in mechanism.points}
    owners = {mechanism.body_indices(body): body for body in mechanism.bodies}
    for kind, index, values in (*_elements(mechanism.model[0], 'force', 'forces'),
                                *_elements(work, 'load', 'loads')):
        lines = element_kind(kind).lines
        places = index[:len(lines)]
        pushes = _local_forces(kind, index, values, work).reshape(-1, 2)[:len(lines)]
        for place, line, push in zip(places, lines, pushes, strict=True):
            yield (None if line is None else owners[tuple(int(index[k]) for k in line)],
                   names[int(place)], push)


def forces_on_coordinates(mechanism, work):
    """Return the forces on single coordinates (n), those from outside too."""
    forces = work['coordinate_forces'][:mechanism.n].copy()
    forces[mechanism.model['independent'][0, :mechanism.g]] += work['forces'][:mechanism.g]
    for kind, index, values in _elements(mechanism.model[0], 'force', 'forces'):
        if not element_kind(kind).lines:
            forces[index[0]] += _local_forces(kind, index, values, work)[0]
    model, stack = mechanism.model[0], np.empty((DEPTH, 3))
    for k in range(int(model['curves'])):
        place = model['curve_coordinate'][k]
        for part, at in enumerate((work['q'][place], work['qd'][place])):
            run(model['curve_operations'][k, part], model['curve_numbers'][k, part], at, stack)
            forces[place] += stack[0, 0]
    return forces


def _elements(record, prefix, count):
    """Return (kind, index, values) of the elements in a record."""
    return [[record[f'{prefix}_{key}'][k] for key in ('kind', 'index', 'value')]
            for k in range(int(record[count]))]


def _local_forces(kind, index, values, work):
    """Return the forces of an element on the coordinates that LOCAL_INDEX says, two of each."""
    last = len(work['q']) - 1
    places = np.array([min(int(k) + axis, last) for k in index for axis in (0, 1)])
    q, qd = (work[name][places] for name in ('q', 'qd'))
    forces = np.zeros(len(q))
    add_force(kind, LOCAL_INDEX, np.ascontiguousarray(values), q, qd, forces)
    return forces


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
