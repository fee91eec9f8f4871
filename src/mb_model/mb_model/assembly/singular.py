"""Why no accelerations are known in a position: for error messages."""

import numpy as np

from mb_model.kernels import entry_points
from mb_model.record.sparse import storage_of

_NOTHING = 1e-12        # of the heaviest body: as reduced mass this is rounding
_MOVES = 1e-6           # of the fastest point, in a motion


def weightless(description, model, work, size):
    """Return in words which bodies move without any mass at work.q; empty if there are none.

    size: of the mechanism [m].  Large mechanisms, with sparse storage, are not looked through.
    """
    n, g = int(model['n'][0]), int(model['g'][0])
    if storage_of(model) == 'sparse' or not g or not entry_points.solve_velocity(model, work):
        return ''
    scale = model['scale'][0, model['independent'][0, :g]]
    R = work['R'][0, :n, :g] * scale
    masses, motions = np.linalg.eigh(R.T @ work['M'][0, :n, :n] @ R)
    heaviest = max(body.mass for body in description.bodies.values())
    free = masses <= _NOTHING * heaviest * size ** 2
    if not free.any():
        return ''
    speeds = np.zeros(int(model['n_total'][0]))
    speeds[:n] = np.abs(R @ motions[:, free]).max(axis=1)
    fast = speeds[:n] > _MOVES * speeds.max()
    nodes = _nodes_in_space if description.dimension == 3 else _nodes
    names = [name for k, name in enumerate(description.bodies)
             if any(fast[place] for place in nodes(model[0], k) if place < n)]
    return (f'{", ".join(names)} can move without moving any mass: give '
            f'{"one of them" if len(names) > 1 else "it"} a mass or an inertia')


def _nodes(model, body):
    """Return the places in arrays of what moves with a body in the plane, by its number."""
    return [place + axis for place in model['body_index'][body] for axis in (0, 1)]


def _nodes_in_space(model, body):
    """Return the same of a body in space."""
    vectors = [k for k in model['solid_frame'][body] if k >= 0]
    return [place + axis for k in vectors for axis in (0, 1, 2)
            for place in model['term_node'][model['vector_terms'][k]:model['vector_terms'][k + 1]]]
