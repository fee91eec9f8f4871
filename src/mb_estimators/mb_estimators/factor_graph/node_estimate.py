"""The Estimate of a filter from a node of a solved graph."""

import numpy as np

from mb_estimators.filter import Estimate
from mb_estimators.filter.total_covariance import total_covariance


def node_estimate(mechanism, node, vector, covariance, position, inputs, biases):
    """Return the Estimate of a node of motion_node.

    vector, covariance: its variables and their marginal covariance; position (n): on the branch;
    inputs (g): known forces; biases: names of their channels.
    """
    z, zd, forces = (vector[node[name]] for name in ('position', 'velocity', 'force'))
    known = len(forces) == 0
    q = mechanism.assemble(z, near=position)
    qd = mechanism.velocity(q, zd)
    acting = inputs if known else forces + inputs
    zdd = mechanism.forward_dynamics(z, zd, acting, near=q)
    values = (z, zd, zdd, q, qd, mechanism.acceleration(q, qd, zdd))
    deviations = np.sqrt(np.diagonal(covariance))
    biased = {}
    if biases:
        biased = {name: dict(zip(biases, array[node['bias']].tolist(), strict=True))
                  for name, array in (('biases', vector), ('bias_deviations', deviations))}
    motion = slice(0, node['bias'].start)
    if known:
        return Estimate(*values, covariance[motion, motion], **biased)
    return Estimate(*values, _of_motion(mechanism, covariance[motion, motion], z, zd, acting, q),
                    forces, deviations[node['force']], **biased)


def _of_motion(mechanism, covariance, z, zd, forces, q):
    """Return the covariance of z, zd, zdd from the covariance of z, zd, forces."""
    g = mechanism.g
    independent = [mechanism.coordinates.index(name) for name in mechanism.independent]
    transform = np.eye(3 * g)
    transform[2 * g:, 2 * g:] = mechanism.force_jacobian(z, zd, near=q)[:, independent]
    return total_covariance(transform @ covariance @ transform.T,
                            *mechanism.linearise(z, zd, forces, near=q))
