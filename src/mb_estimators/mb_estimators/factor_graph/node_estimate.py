"""The Estimate of a filter from a node of a solved graph."""

import numpy as np

from mb_estimators.filter import Estimate
from mb_estimators.filter.total_covariance import total_covariance


def node_estimate(mechanism, node, work, vector, covariance, biases, further):
    """Return the Estimate of a node of motion_node.

    work: the workspace of a model that stands at it, see motion_step.stand_at; vector, covariance:
    its variables and their marginal covariance; biases: names of their channels; further: what
    else an Estimate says, by field.
    """
    g, n = mechanism.g, mechanism.n
    values = [*(work[name][:g].copy() for name in ('z', 'zd', 'zdd')),
              *(work[name][:n].copy() for name in ('q', 'qd', 'qdd'))]
    deviations = np.sqrt(np.diagonal(covariance))
    if biases:
        further = further | {
            name: dict(zip(biases, array[node['bias']].tolist(), strict=True))
            for name, array in (('biases', vector), ('bias_deviations', deviations))}
    motion = slice(0, node['bias'].start)
    if not node.count('force'):
        return Estimate(*values, covariance[motion, motion], **further)
    return Estimate(*values, _of_motion(g, covariance[motion, motion], work),
                    vector[node['force']], deviations[node['force']], **further)


def _of_motion(g, covariance, work):
    """Return the covariance of z, zd, zdd from the covariance of z, zd, forces."""
    transform = np.eye(3 * g)
    transform[2 * g:, 2 * g:] = work['zdd_force'][:g, :g]
    return total_covariance(transform @ covariance @ transform.T, work['A'][:g, :g],
                            work['B'][:g, :g])
