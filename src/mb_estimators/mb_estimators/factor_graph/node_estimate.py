"""The Estimate of a filter from a node of a solved graph."""

import numpy as np

from mb_estimators.filter import Estimate
from mb_estimators.filter.total_covariance import total_covariance


def node_estimate(models, works, orientations, node, vector, covariance, biases, further):
    """Return the Estimate of a node of motion_node.

    works: the workspace of a model that stands at it, see motion_step.stand_at; orientations: of
    the mechanism, see filters.orientations; vector, covariance: its variables and their marginal
    covariance; biases: names of their channels; further: what else an Estimate says, by field.
    """
    g, n, work = int(models['g'][0]), int(models['n'][0]), works[0]
    values = tuple(work[name][:size].copy() for name, size in zip(
        ('z', 'zd', 'zdd', 'q', 'qd', 'qdd'), 3 * (g,) + 3 * (n,), strict=True))
    deviations = np.sqrt(np.diagonal(covariance))
    if biases:
        further = further | {
            name: dict(zip(biases, array[node['bias']].tolist(), strict=True))
            for name, array in (('biases', vector), ('bias_deviations', deviations))}
    motion = slice(0, node['bias'].start)
    forces = ()
    of_motion = covariance[motion, motion]
    if node.count('force'):
        of_motion = _of_motion(g, of_motion, work)
        forces = vector[node['force']], deviations[node['force']]
    if orientations.independent:
        values, of_motion = orientations.in_bodies(models, works, of_motion, values)
        values = tuple(view.copy() for view in values)
    return Estimate(*values, of_motion, *forces, **further)


def _of_motion(g, covariance, work):
    """Return the covariance of z, zd, zdd from the covariance of z, zd, forces."""
    transform = np.eye(3 * g)
    transform[2 * g:, 2 * g:] = work['zdd_force'][:g, :g]
    return total_covariance(transform @ covariance @ transform.T, work['A'][:g, :g],
                            work['B'][:g, :g])
