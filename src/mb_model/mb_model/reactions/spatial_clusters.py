"""Clusters of joints of a large tree in space, see kernels.clusters: what loops join."""

import numpy as np

from mb_model.assembly.freedom import rank
from mb_model.kernels import entry_points
from mb_model.kernels.clustered_motion import CLUSTERED
from mb_model.kernels.space_loops import CUT
from mb_model.mechanism_file.description import MechanismError, SingularPositionError
from mb_model.reactions.held_nodes import hold_nodes
from mb_model.reactions.spatial_start import enter_tree
from mb_model.record.sparse import CLUSTER

_RANK = 1e-9         # of the largest singular value: rows that others imply are below it


def write_clusters(mechanism, plan, model):
    """Write the clusters after cuts and loops.

    Raises MechanismError for one that is too large, SingularPositionError where the loops leave
    other freedoms in the start position.
    """
    CLUSTERED.met()
    record = model[0]
    between = hold_nodes(mechanism, record, plan.tree)
    cuts = int(record['cuts'])
    joined = [joints for joints in between[:cuts] for _ in range(CUT)] + between[cuts:]
    clusters = _merged(joined, plan.tree.links)
    for cluster in clusters:
        if len(cluster) > CLUSTER:
            groups = [hinge.group for hinge in plan.tree.hinges
                      if hinge.motions and hinge.last in cluster]
            raise MechanismError(
                f'{mechanism.file}: semi_recursive: with sparse storage, loops may join at most '
                f'{CLUSTER} joint coordinates; those that share bodies with others join '
                f'{len(cluster)} here: {", ".join(groups[:3])}, ...')
    _write(record, clusters, joined)
    _write_freedoms(mechanism, plan, model, clusters)


def _merged(joined, links):
    """Return lists of joints (ascending): those of rows that share some, others alone."""
    cluster = [{k} for k in range(links)]
    for joints in joined:
        if joints and not joints <= cluster[min(joints)]:
            whole = set().union(*(cluster[k] for k in joints))
            for k in whole:
                cluster[k] = whole
    return [sorted(one) for k, one in enumerate(cluster) if k == min(one)]


def _write(record, clusters, joined):
    """Write clusters and which rows of gap are theirs."""
    record['clusters'] = len(clusters)
    record['cluster_begin'][:len(clusters) + 1] = np.cumsum([0, *map(len, clusters)])
    record['cluster_joint'][:sum(map(len, clusters))] = np.concatenate(clusters)
    for c, joints in enumerate(clusters):
        record['cluster_parent'][c] = record['joint_parent'][joints[0]]
        record['joint_cluster'][joints] = c
        record['joint_slot'][joints] = range(len(joints))
    of_row = np.array([record['joint_cluster'][min(joints)] for joints in joined], dtype=int)
    record['row_cluster'][:len(joined)] = of_row
    record['cluster_row'][:len(joined)] = np.argsort(of_row, kind='stable')
    record['cluster_rows'][:len(clusters) + 1] = np.searchsorted(
        np.sort(of_row), np.arange(len(clusters) + 1))


def _write_freedoms(mechanism, plan, model, clusters):
    """Write how many freedoms the loops leave each cluster, in the start position."""
    record, works = model[0], mechanism.workspace()
    works['q'][0, :mechanism.n] = mechanism.q0
    enter_tree(mechanism, plan, model, works)
    entry_points.slope_loops(model, works)
    for c, joints in enumerate(clusters):
        rows = record['cluster_row'][slice(*record['cluster_rows'][c:c + 2])]
        slopes = works['gap_s'][0, rows, :len(joints)] * record['joint_size'][joints]
        record['cluster_freedoms'][c] = len(joints) - rank(slopes, _RANK)
    freedoms = int(record['cluster_freedoms'][:len(clusters)].sum())
    if freedoms != mechanism.g:
        raise SingularPositionError(
            f'{mechanism.file}: semi_recursive: in the start position the loops leave the joints '
            f'{freedoms} degrees of freedom, the mechanism has {mechanism.g}')
