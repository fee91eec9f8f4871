"""Reactions: the forces that hold the bodies of a mechanism together."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mb_model.arrays import FloatArray, IntArray, RecordArray
from mb_model.constraints.equation import Equation
from mb_model.kernels.constraints import evaluate_one
from mb_model.kernels.force_elements import LOCAL_INDEX, add_force
from mb_model.kernels.programs import run
from mb_model.mechanism_file.description import Body
from mb_model.record import DEPTH, INDEX_SLOTS, VALUE_SLOTS
from mb_model.registry.constraints import number_of
from mb_model.registry.forces import element_kind


def pushes_of(equation: Equation, q: FloatArray, lam: FloatArray
              ) -> list[tuple[FloatArray, FloatArray]]:
    """Return (position (2), force (2)) for each point that an equation addresses, force on it.

    Slots that address the same point are kept apart by giving each one coordinates of its own.
    """
    slots = len(equation.bodies)
    if slots == 0:
        return []
    index = np.full(INDEX_SLOTS, 2 * slots)
    index[:slots] = 2 * np.arange(slots)
    positions = np.array([q[k:k + 2] for k in equation.index[:slots]])
    others = q[list(equation.index[slots:slots + 1])]
    local = np.concatenate([positions.ravel(), others, np.zeros(1)])
    value = np.zeros(VALUE_SLOTS)
    value[:len(equation.value)] = equation.value
    phi, phi_q = np.zeros(equation.rows), np.zeros((equation.rows, len(local)))
    evaluate_one(int(number_of(equation.kind)), index, value, local, phi, phi_q, 0)
    return list(zip(positions, -(lam @ phi_q[:, :2 * slots]).reshape(slots, 2), strict=True))


def pin_at(mechanism: Any, body: str, index: int) -> str:
    """Return the name of the point of a body whose x is at index."""
    return next(point for point in mechanism.bodies[body].points
                if mechanism.point_index(point) == index)


def applied_pushes(mechanism: Any, work: Any) -> Iterator[tuple[str | None, str, FloatArray]]:
    """Yield (body, point, force (2)): on the pin in a point, or with a body on that body alone.

    Of springs between points, friction in joints and loads, those from outside too, in a workspace.
    """
    names = {mechanism.point_index(point): point for point in mechanism.points}
    owners = {mechanism.body_indices(body): body for body in mechanism.bodies}
    for kind, index, values in (*_elements(mechanism.model[0], 'force', 'forces'),
                                *_elements(work, 'load', 'loads')):
        lines = element_kind(kind).lines
        indices = index[:len(lines)]
        pushes = _local_forces(kind, index, values, work).reshape(-1, 2)[:len(lines)]
        for acted, line, push in zip(indices, lines, pushes, strict=True):
            yield (None if line is None else owners[tuple(int(index[k]) for k in line)],
                   names[int(acted)], push)


def forces_on_coordinates(mechanism: Any, work: Any) -> FloatArray:
    """Return forces on single coordinates (n): those from outside too, less armatures' needs."""
    forces = work['coordinate_forces'][:mechanism.n].copy()
    forces -= mechanism.model['own_inertia'][0, :mechanism.n] * work['qdd'][:mechanism.n]
    forces[mechanism.model['independent'][0, :mechanism.g]] += work['forces'][:mechanism.g]
    for kind, index, values in _elements(mechanism.model[0], 'force', 'forces'):
        if not element_kind(kind).lines:
            forces[index[0]] += _local_forces(kind, index, values, work)[0]
    model, stack = mechanism.model[0], np.empty((DEPTH, 3))
    for k in range(int(model['curves'])):
        index = model['curve_coordinate'][k]
        for part, at in enumerate((work['q'][index], work['qd'][index])):
            run(model['curve_operations'][k, part], model['curve_numbers'][k, part], at, stack)
            forces[index] += stack[0, 0]
    return forces


def _elements(record: Any, prefix: str, count: str) -> list[list[Any]]:
    """Return (kind, index, values) of the elements in a record."""
    return [[record[f'{prefix}_{key}'][k] for key in ('kind', 'index', 'value')]
            for k in range(int(record[count]))]


def _local_forces(kind: int, index: IntArray, values: FloatArray, work: Any) -> FloatArray:
    """Return the forces of an element on the coordinates that LOCAL_INDEX says, two of each."""
    last = len(work['q']) - 1
    indices = np.array([min(int(k) + axis, last) for k in index for axis in (0, 1)])
    q, qd = (work[name][indices] for name in ('q', 'qd'))
    forces = np.zeros(len(q))
    add_force(kind, LOCAL_INDEX, np.ascontiguousarray(values), q, qd, forces)
    return forces


_RANK = 1e-9        # of the largest singular value: below it a combination is left open
_SHARE = 1e-7       # of the largest force within: below it a reaction does not feel it


def determined_reactions(mechanism: Any, q: FloatArray
                         ) -> tuple[dict[str, dict[str, bool]], dict[str, bool]]:
    """Return body -> point -> whether a pin's force is determined, name -> whether a coupling is.

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


def _mark(mechanism: Any, q: FloatArray, equations: Sequence[Equation], lam: FloatArray,
          pins: dict[str, dict[str, bool]], couplings: dict[str, bool]) -> None:
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


@dataclass(frozen=True)
class Reactions:
    """Forces between the bodies in one state, in global axes [N, N m].

    forces: body -> point -> force (2) of the pin in that point on the body.  A pin has no mass:
    what its bodies get, springs between points and forces on coordinates of points add up to 0;
    in a fixed point the rest is the ground's.
    couplings: name of a coordinate or constraint -> body -> (force (2), moment about the centre of
    gravity): what sliders, welded angles and forces on angles do to bodies.
    multipliers: name of a body, coordinate or constraint -> Lagrange multipliers.
    Redundant constraints share forces as rigid bodies do not decide: constraints that are left
    out carry nothing, and the semi-recursive formulation takes the smallest forces at its cuts.
    determined: body -> point -> whether rigid bodies decide the force; couplings_determined: name
    of a coupling, one left out too -> the same.
    """

    forces: dict[str, dict[str, np.ndarray]]
    couplings: dict[str, dict[str, tuple[np.ndarray, float]]]
    multipliers: dict[str, np.ndarray]
    determined: dict[str, dict[str, bool]]
    couplings_determined: dict[str, bool]


def reactions_of(mechanism: Any, work: RecordArray) -> Reactions:
    """Return the Reactions in a workspace with q, qdd and the multipliers lam that belong to it.

    A body's own equations of motion, in the coordinates of its points, say what its pins do:
    pins = M qdd + (phi_q)^T lam - Q, with those constraints and forces that act on it directly.
    """
    q, qdd = work['q'][0], work['qdd'][0]
    pins = {name: _inertia(mechanism, name, q, qdd) for name in mechanism.bodies}
    for body, point, push in applied_pushes(mechanism, work[0]):
        if body is not None:
            pins[body][point] = pins[body][point] - push
    couplings, multipliers, row = {}, {}, 0
    for equation in mechanism.equations:
        lam = work['lam'][0, row:row + equation.rows]
        row += equation.rows
        multipliers[equation.meaning] = lam.copy()
        for slot, (position, push) in enumerate(pushes_of(equation, q, lam)):
            body = equation.bodies[slot]
            if body is not None:
                point = pin_at(mechanism, body, equation.index[slot])
                pins[body][point] = pins[body][point] - push
                if not equation.inner:
                    couple(mechanism, q, couplings.setdefault(equation.meaning, {}), body, push,
                           position)
    return Reactions(pins, couplings, multipliers, *determined_reactions(mechanism, q))


def _inertia(mechanism: Any, name: str, q: FloatArray, qdd: FloatArray) -> dict[str, FloatArray]:
    """Return point -> M qdd - Q of a body (2); only its first two points have a part in it."""
    body = mechanism.bodies[name]
    if body.beam is not None:
        return _inertia_of_beam(mechanism, body, qdd)
    i, j = mechanism.body_indices(name)
    x, y = np.array(body.centre_of_gravity) / body.length
    turn = np.array([[x, -y], [y, x]])
    first, second = qdd[i:i + 2], qdd[j:j + 2]
    weight = body.mass * (first + turn @ (second - first) - mechanism.gravity)
    swing = body.inertia / body.length ** 2 * (second - first)
    shares = dict.fromkeys(body.points, np.zeros(2))
    one, other = list(body.points)[:2]
    shares[one] = weight - turn.T @ weight - swing
    shares[other] = turn.T @ weight + swing
    return shares


def _inertia_of_beam(mechanism: Any, body: Body, qdd: FloatArray) -> dict[str, FloatArray]:
    """Return the same of a flexible body; the points of its modes have no pins."""
    ends = list(body.points)[:2]
    index = [mechanism.point_index(point) for point in (*ends, *body.mode_points)]
    accelerations = np.array([qdd[k:k + 2] for k in index]) - mechanism.gravity
    needed = body.beam.mass_matrix[:2] @ accelerations
    return dict.fromkeys(body.points, np.zeros(2)) | dict(zip(ends, needed, strict=True))


def couple(mechanism: Any, q: FloatArray, bodies: dict[str, tuple[FloatArray, float]], body: str,
           force: FloatArray, position: FloatArray) -> None:
    """Add a force at a position to what a body gets."""
    total, moment = bodies.get(body, (np.zeros(2), 0.0))
    arm = position - _centre(mechanism, body, q)
    bodies[body] = total + force, moment + float(arm[0] * force[1] - arm[1] * force[0])


def _centre(mechanism: Any, name: str, q: FloatArray) -> FloatArray:
    """Return where the centre of gravity of a body is (2)."""
    body = mechanism.bodies[name]
    i, j = mechanism.body_indices(name)
    along = (q[j:j + 2] - q[i:i + 2]) / body.length
    x, y = body.centre_of_gravity
    return q[i:i + 2] + x * along + y * np.array([-along[1], along[0]])
