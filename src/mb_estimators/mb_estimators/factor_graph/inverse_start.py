"""Where the graph of inverse dynamics starts: a motion and its forces, instant by instant."""

import numpy as np

from mb_model.command_api import with_progress

_NEAR = 5           # instants that the derivatives at one are taken from


def inverse_start(mechanism, desired, dt, progress=False):
    """Return the nodes (k, 3n + g) of a desired motion, and the forces present in it (g).

    desired (k, g): z at instants dt [s] apart; nodes: q on the branch of the mechanism file, qd,
    qdd, and forces by inverse dynamics.  Present: what moves the mechanism plus what holds it, at
    most, signs left out.  Raises MechanismError.
    """
    nodes, present = [], np.zeros(mechanism.g)
    rates, rest = derivatives(desired, dt), np.zeros(mechanism.g)
    near = mechanism.assemble(desired[0])
    for k in with_progress(len(desired), mechanism.name, progress):
        z, zd, zdd = desired[k], rates[0][k], rates[1][k]
        near = q = mechanism.assemble(z, near)
        qd = mechanism.velocity(q, zd)
        held = mechanism.inverse_dynamics(z, zd, rest, near=q)
        forces = mechanism.inverse_dynamics(z, zd, zdd, near=q)
        nodes.append(np.concatenate([q, qd, mechanism.acceleration(q, qd, zdd), forces]))
        present = np.maximum(present, np.abs(held) + np.abs(forces - held))
    return np.array(nodes), present


def derivatives(values, dt):
    """Return first and second derivatives (k, g) of values at k >= 3 instants, dt [s] apart.

    By the polynomial through the instant and its nearest four, at the ends to one side.
    """
    count = min(_NEAR, len(values))
    found = np.empty((2, *values.shape))
    for k in range(len(values)):
        first = min(max(k - count // 2, 0), len(values) - count)
        powers = np.vander(np.arange(first, first + count) - float(k), increasing=True)
        found[:, k] = np.linalg.inv(powers)[1:3] @ values[first:first + count]
    return found[0] / dt, 2.0 * found[1] / dt ** 2
