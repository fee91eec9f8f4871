"""Reactions: the forces that hold the bodies of a mechanism together."""

from dataclasses import dataclass

import numpy as np

from mb_model.reactions.pushes import applied_pushes, determined_reactions, pin_at, pushes_of


@dataclass(frozen=True)
class Reactions:
    """Forces between the bodies in one state, in global axes [N, N m].

    forces: body -> point -> force (2) of the pin in that point on the body.  A pin has no mass:
    what its bodies get, springs between points and forces on coordinates of points add up to 0;
    in a fixed point the rest is the ground's.
    couplings: name of a coordinate or constraint -> body -> (force (2), moment about the centre of
    gravity): what sliders, welded angles and forces on angles do to bodies.
    multipliers: name of a body, coordinate or constraint -> Lagrange multipliers.
    Redundant constraints share forces in a way that rigid bodies do not tell: those that are left
    out carry nothing, and the semi-recursive formulation takes the smallest forces at its cuts.
    determined: body -> point -> whether rigid bodies tell the force; couplings_determined: name of
    a coupling, one left out too -> the same.
    """

    forces: dict[str, dict[str, np.ndarray]]
    couplings: dict[str, dict[str, tuple[np.ndarray, float]]]
    multipliers: dict[str, np.ndarray]
    determined: dict[str, dict[str, bool]]
    couplings_determined: dict[str, bool]


def reactions_of(mechanism, work):
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
        for slot, (place, push) in enumerate(pushes_of(equation, q, lam)):
            body = equation.bodies[slot]
            if body is not None:
                point = pin_at(mechanism, body, equation.index[slot])
                pins[body][point] = pins[body][point] - push
                if not equation.inner:
                    couple(mechanism, q, couplings.setdefault(equation.meaning, {}), body, push,
                           place)
    return Reactions(pins, couplings, multipliers, *determined_reactions(mechanism, q))


def _inertia(mechanism, name, q, qdd):
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


def _inertia_of_beam(mechanism, body, qdd):
    """Return the same of a flexible body; the points of its modes have no pins."""
    ends = list(body.points)[:2]
    index = [mechanism.point_index(point) for point in (*ends, *body.mode_points)]
    accelerations = np.array([qdd[k:k + 2] for k in index]) - mechanism.gravity
    needed = body.beam.mass_matrix[:2] @ accelerations
    return dict.fromkeys(body.points, np.zeros(2)) | dict(zip(ends, needed, strict=True))


def couple(mechanism, q, bodies, body, force, place):
    """Add a force at a place to what a body gets."""
    total, moment = bodies.get(body, (np.zeros(2), 0.0))
    arm = place - _centre(mechanism, body, q)
    bodies[body] = total + force, moment + float(arm[0] * force[1] - arm[1] * force[0])


def _centre(mechanism, name, q):
    """Return where the centre of gravity of a body is (2)."""
    body = mechanism.bodies[name]
    i, j = mechanism.body_indices(name)
    along = (q[j:j + 2] - q[i:i + 2]) / body.length
    x, y = body.centre_of_gravity
    return q[i:i + 2] + x * along + y * np.array([-along[1], along[0]])
