"""Why no accelerations are known in a position: for error messages."""

from typing import Any

import numpy as np

from mb_model.arrays import FloatArray, RecordArray
from mb_model.kernels import entry_points
from mb_model.mechanism_file.description import Description
from mb_model.record.sparse import storage_of

_NOTHING = 1e-12        # of the heaviest body: as reduced mass this is rounding
_MOVES = 1e-6           # of the fastest point, in a motion
_ROUNDING = 1e-13       # of a mass, what is left of it where all others are free to move
_MOST = 60              # degrees of freedom of large mechanisms that are looked through


def lacks_mass(reduced_mass: FloatArray) -> bool:
    """Return whether M_bar (g, g) is positive definite by rounding at most: nothing divides by it.

    By the pivots of Cholesky's factor, each against its diagonal: units do not count.
    """
    try:
        pivots = np.linalg.cholesky(reduced_mass).diagonal()
    except np.linalg.LinAlgError:
        return True
    return not (pivots ** 2 > _ROUNDING * reduced_mass.diagonal()).all()


def reduced_motion(model: Any, work: RecordArray) -> tuple[FloatArray, FloatArray] | None:
    """Return R (n, g) and M_bar (g, g) at work.q; None if it is singular, or large by far.

    Where matrices are not at hand: velocities and kinetic energies, one rate or two at a time.
    Overwrites rates.
    """
    n, g = int(model['n'][0]), int(model['g'][0])
    if not g or not entry_points.solve_velocity(model, work):
        return None
    if storage_of(model) == 'dense':
        R = work['R'][0, :n, :g].copy()
        return R, R.T @ work['M'][0, :n, :n] @ R
    if g > _MOST:
        return None
    R, M_bar = np.empty((n, g)), np.empty((g, g))
    for j in range(g):
        for k in range(j, -1, -1):
            work['zd'][0, :g] = 0.0
            work['zd'][0, [j, k]] = 1.0
            entry_points.solve_velocity(model, work)
            if j == k:
                R[:, j] = work['qd'][0, :n]
            energy = entry_points.energies(model, work)[0]
            M_bar[j, k] = M_bar[k, j] = 2.0 * energy if j == k else (
                energy - 0.5 * (M_bar[j, j] + M_bar[k, k]))
    return R, M_bar


def weightless(description: Description, model: RecordArray, work: RecordArray, size: float) -> str:
    """Return in words which bodies move without any mass at work.q; empty if there are none.

    size: of the mechanism [m].  Mechanisms with very many degrees of freedom are not looked
    through.  Overwrites rates.
    """
    n, g = int(model['n'][0]), int(model['g'][0])
    motion = reduced_motion(model, work)
    if motion is None:
        return ''
    scale = model['scale'][0, model['independent'][0, :g]]
    R, M_bar = motion[0] * scale, motion[1] * np.outer(scale, scale)
    masses, motions = np.linalg.eigh(M_bar)
    heaviest = max(body.mass for body in description.bodies.values())
    free = masses <= _NOTHING * heaviest * size ** 2
    if not free.any():
        return ''
    speeds = np.zeros(int(model['n_total'][0]))
    speeds[:n] = np.abs(R @ motions[:, free]).max(axis=1)
    fast = speeds[:n] > _MOVES * speeds.max()
    nodes = _nodes_in_space if description.dimension == 3 else _nodes
    names = [name for k, name in enumerate(description.bodies)
             if any(fast[index] for index in nodes(model[0], k) if index < n)]
    return (f'{", ".join(names)} can move without moving any mass: give '
            f'{"one of them" if len(names) > 1 else "it"} a mass or an inertia')


def _nodes(model: Any, body: int) -> list[int]:
    """Return the indices in arrays of what moves with a body in the plane, by its number."""
    return [index + axis for index in model['body_index'][body] for axis in (0, 1)]


def _nodes_in_space(model: Any, body: int) -> list[int]:
    """Return the same of a body in space."""
    vectors = [k for k in model['solid_frame'][body] if k >= 0]
    return [index + axis for k in vectors for axis in (0, 1, 2)
            for index in model['term_node'][model['vector_terms'][k]:model['vector_terms'][k + 1]]]
