"""Branches of a mechanism in space: its closed positions at the degrees of freedom of its start.

What Flips finds is no branch: vectors of frames allow it, no machine does.
"""

from typing import Any

import numpy as np

from mb_model.arrays import BoolArray, FloatArray
from mb_model.assembly.body_motion import body_poses, frame_equations
from mb_model.assembly.comparable_motion import independent_orientations, orientation_indices
from mb_model.assembly.flips import Flips
from mb_model.assembly.requirements import require_space
from mb_model.compilation.spatial.layout import size_of
from mb_model.kernels.spatial_constraints import rest_spatial
from mb_model.mechanism_file.description import MechanismError

_SAME = 1e-3             # of sizes and of unit vectors
_MOST = 1.5              # share of bodies that are thrown, the most; above 1: then all of them
_THROWS = 20             # the most, until no body is mirrored
_ITERATIONS = 60         # from one throw to a closed position, the most; most need 10 to 30


def branches_in_space(mechanism: Any, tries: int) -> list[FloatArray]:
    """Return positions (n) at the start of a Mechanism in space on different branches.

    The file's is the first, the nearest to it follow.  Others are what Levenberg and Marquardt's
    iteration finds from `tries` random poses of all bodies.  No branches are positions with a body
    that is mirrored, a joint or an angle that points backwards, or a strut of two slender bodies
    that is shorter than 0.  A body whose orientation is independent is turned as at the start, on
    all branches.  Raises MechanismError for a mechanism in the plane, and for an orientation that
    is independent in part.
    """
    require_space(mechanism, 'branches_in_space')
    orientation_indices(mechanism)       # raises
    equations, random = frame_equations(mechanism), np.random.default_rng(0)
    nodes, branches = slice(0, 3 * equations[0].shape[1]), [mechanism.q0]
    scale = mechanism.model['scale'][0, nodes]
    flips = Flips(mechanism.model, mechanism.bodies, mechanism.joints)
    for _ in range(tries):
        try:
            thrown = _thrown(mechanism, flips, branches, equations, random)
            closed = mechanism.closed_from(thrown, _ITERATIONS)
            q = _rested(mechanism, flips, closed[nodes])
        except MechanismError:
            continue
        if q is not None and all((np.abs(q - other)[nodes] > _SAME * scale).any()
                                 for other in branches):
            branches.append(q)
    return sorted(branches, key=lambda q: float(
        (np.abs(q - mechanism.q0)[nodes] / scale).max(initial=0.0)))


def _thrown(mechanism: Any, flips: Flips, branches: list[FloatArray],
            equations: tuple[FloatArray, FloatArray], random: np.random.Generator) -> FloatArray:
    """Return a position (n), not closed: a branch with some bodies anywhere; z is the start's.

    How many is random, too: a few lead to other branches than all.  Nodes that several bodies share
    are where these are least off, by squares, but for axes of bodies whose orientations are known.
    That may mirror bodies, and a mirrored one stays so: then they are thrown again.
    """
    weights, rest = equations
    size, known = size_of(mechanism.described), independent_orientations(mechanism)
    poses = body_poses(mechanism, branches[random.integers(len(branches))])
    for _ in range(_THROWS):
        targets, kept, share = [], [], _MOST * random.random()
        for name, body in mechanism.bodies.items():
            (at,), (turn,) = poses[name]
            if random.random() < share:
                at = at + size * random.normal(size=3)
                if name not in known:
                    turn = _any_rotation(random)
            axes = [turn @ body.line] if body.slender else list(turn.T)
            targets += [at, *axes]
            kept += [False, *len(axes) * [name in known]]
        q = _at_nodes(mechanism, _least_off(weights, np.array(targets) - rest, np.array(kept)))
        if not flips.mirrored(q):
            break
    q[mechanism.indices(mechanism.independent)] = mechanism.z0
    return q


def _least_off(weights: FloatArray, targets: FloatArray, kept: BoolArray) -> Any:
    """Return nodes (flat) that are least off targets (k, 3), and not at all off those kept (k).

    By the equations of Lagrange's multipliers.
    """
    if not kept.any():
        return np.linalg.lstsq(weights, targets, rcond=None)[0].ravel()
    size, rows = weights.shape[1], weights[kept]
    equations = np.zeros(2 * [size + len(rows)])
    equations[:size, :size] = weights.T @ weights
    equations[size:, :size], equations[:size, size:] = rows, rows.T
    return np.linalg.lstsq(equations, np.vstack([weights.T @ targets, targets[kept]]),
                           rcond=None)[0][:size].ravel()


def _any_rotation(random: np.random.Generator) -> FloatArray:
    """Return a rotation matrix (3, 3), all equally likely: Haar's measure by QR."""
    turn, upper = np.linalg.qr(random.normal(size=(3, 3)))
    turn = turn * np.sign(upper.diagonal())
    return turn * np.linalg.det(turn)


def _at_nodes(mechanism: Any, nodes: FloatArray) -> FloatArray:
    """Return q (n) with added coordinates that follow from nodes, angles next to the start's."""
    work, n = mechanism.workspace(), mechanism.n
    work['q'][0, :n] = mechanism.q0
    work['q'][0, :len(nodes)] = nodes
    rest_spatial(mechanism.model, work)
    return work['q'][0, :n].copy()


def _rested(mechanism: Any, flips: Flips, nodes: FloatArray) -> FloatArray | None:
    """Return the position (n) at closed nodes, in the turns of the start; None: no branch."""
    q = _at_nodes(mechanism, nodes)
    struts = [one.scalars[0] for one in mechanism.equations if one.kind == 'along']
    known = mechanism.indices(mechanism.independent)
    if (flips.at(q) or (q[struts] < 0.0).any()
            or (np.abs(q[known] - mechanism.z0) > _SAME).any()):
        return None
    named = mechanism.described.coordinates
    q[[k for k, name in enumerate(mechanism.coordinates)
       if name in named and named[name].kind == 'orientation'
       and name not in mechanism.independent]] = 0.0
    return mechanism.assemble(mechanism.z0, q)
