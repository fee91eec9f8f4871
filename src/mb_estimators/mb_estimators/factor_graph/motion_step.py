"""All factors of a time step of graphs that estimate, as one; see forward_steps."""

import numpy as np

from mb_estimators.factor_graph.factors.linear import equality, force_walk, trapezoidal
from mb_estimators.factor_graph.factors.motion import motion, move_to, see_from, use_parameters
from mb_estimators.factor_graph.factors.reading import reading
from mb_estimators.filter.layout import Layout
from mb_model.arrays import FloatArray
from mb_model.jit import entry
from mb_model.kernel_api import derive_before, force_derivative, linearise, solve_multipliers


def deviations(node: Layout, h: float, acceleration_psd: FloatArray, acceleration_walk: FloatArray,
               bias_walk: FloatArray):
    """Return the standard deviations of the rows of a step of h [s].

    White noise of the density q in the accelerations reaches zd as q h and, beside half a step of
    that, z as q h^3 / 12, uncorrelated with it.  acceleration_psd (g): q; acceleration_walk (g),
    bias_walk (b): growth of the variances of acceleration errors and biases per time.
    """
    parts = [acceleration_psd * h ** 3 / 12.0, acceleration_psd * h]
    if node.count('force'):
        parts.append(acceleration_walk * h)
    return np.sqrt(np.concatenate([*parts, bias_walk * h]))


@entry
def step(models, works, filters, a, b, s, inputs, near, moves, indices, parameters, estimated,
         weights, t, h, e, J_a, J_b, J_s):
    """Write error and Jacobians of a step of h [s] from node a, at t, to node b, with parameters s.

    Rows, in the order of the node: trapezoidal rule of z (g), motion (g), walk of forces (g, if
    there are) and of biases.  Orientations count from references of each node's own; in the first
    two, b is seen from the references of a.  near, moves: see see_from; indices (charts,
    3): of orientations in z.  Returns False where a node has no position.
    """
    model, work, f = models[0], works[0], filters[0]
    g = model.g
    forces = 2 * g if f.motion == 3 * g else -1
    use_parameters(model, work, parameters, estimated[0], s)
    if not see_from(model, work, b, t + h, near, moves, f.x):
        return False
    if model.charts > 0:        # what derive_before has left
        J_b[:g, :2 * g] = 0.0
    trapezoidal(a, f.x, 0, g, g, h, e, J_a, J_b, 0)
    if forces >= 0:
        force_walk(a, b, forces, weights, e, J_a, J_b, forces)
    equality(a, b, f.motion, f.biases, e, J_a, J_b, f.motion)
    if not motion(model, work, a, f.x, forces, inputs, near, parameters, estimated[0], t, h, e,
                  J_a, J_b, J_s, g):
        return False
    derive_before(moves, indices, g, J_b, 2 * g)
    return True


@entry
def read(models, works, channels, filters, a, s, t, inputs, near, ahead, parameters, estimated,
         readings, e, J_a, J_s):
    """Write error and Jacobians of readings; see factors.reading."""
    return reading(models[0], works[0], channels, filters[0], a, s, t, inputs, near, ahead,
                   parameters, estimated[0], readings, e, J_a, J_s, 0)


@entry
def stand_at(models, works, a, s, t, forces, inputs, near, parameters, estimated):
    """Put the model, with parameters s (p), at a node at t [s]: with A, B and zdd_force.

    forces: where they begin in a, -1: none; inputs (g): known ones; near (n_total): see
    factors.motion.move_to.  Returns False where there is no such position.
    """
    model, work = models[0], works[0]
    use_parameters(model, work, parameters, estimated[0], s)
    if not move_to(model, work, a, t, forces, inputs, near):
        return False
    solve_multipliers(model, work)
    linearise(model, work)
    force_derivative(model, work, work.zdd_force)
    return True
