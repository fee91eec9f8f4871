"""Which noises of sensors, and which means of them, readings cannot show beside the motion."""

import numpy as np

from mb_model.arrays import BoolArray, FloatArray

_RANK = 1e-6             # what counts as 0 of directions of length 1


def confused(H: FloatArray) -> BoolArray:
    """Return of which readings (k) a covariance of the states could be the variances.

    H (k, l).  Innovations have the covariance H P H^T + R: a diagonal of R is known if no symmetric
    P, in its place, makes the same.
    """
    count = len(H)
    lengths = np.linalg.norm(H, axis=1, keepdims=True)
    H = H / np.where(lengths > 0.0, lengths, 1.0)
    seen, strength, _ = np.linalg.svd(H, full_matrices=False)
    seen = seen[:, strength > _RANK * strength.max(initial=0.0)]
    upper, rank = np.triu_indices(count), seen.shape[1]
    states = [np.outer(seen[:, i], seen[:, j]) + np.outer(seen[:, j], seen[:, i])
              for i in range(rank) for j in range(i + 1)]
    noises = [np.diag(row) for row in np.eye(count)]
    equations = np.array([matrix[upper] for matrix in (*noises, *states)]).T
    _, strength, modes = np.linalg.svd(equations)
    same = modes[np.sum(strength > _RANK * strength[0]):, :count]
    return np.abs(same).max(axis=0, initial=0.0) > _RANK


def confused_means(H: FloatArray, g: int, centred: BoolArray) -> BoolArray:
    """Return of which readings (k) a motion could be the mean noise, among the centred ones.

    H (k, l), of states that begin with z, zd and, if they are states, zdd (g each).  It asks for
    motions with constant acceleration, all else constant, which change the readings as constants
    do: where H or the accelerations change with the motion, a mean can be found nevertheless.
    """
    count, states = H.shape
    lengths = np.linalg.norm(H, axis=1, keepdims=True)
    H = H / np.where(lengths > 0.0, lengths, 1.0)
    means = np.eye(count)[:, centred]
    chain = np.eye(states + means.shape[1])
    for i in range(2 * g):
        if i + g < min(states, 3 * g):
            chain[i, i + g] = 1.0
    rows = [np.hstack([H, means])]
    for _ in range(2):
        rows.append(rows[-1] @ chain)
    _, strength, modes = np.linalg.svd(np.vstack(rows))
    hidden = modes[np.sum(strength > _RANK * strength.max(initial=0.0)):, states:]
    mixed = np.zeros(count, bool)
    mixed[centred] = np.abs(hidden).max(axis=0, initial=0.0) > _RANK
    return mixed
