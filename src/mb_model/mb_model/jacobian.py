"""The Jacobian of the constraints as a matrix, for questions that are seldom asked."""

import numpy as np
from scipy.sparse import csr_array

from mb_model.kernels import entry_points


def constraint_jacobian(model, work):
    """Return phi (m) and phi_q (m, n) at work.q; phi_q is a csr_array if the storage is sparse."""
    entry_points.evaluate_constraints(model, work)
    n, m = int(model['n'][0]), int(model['m'][0])
    phi, phi_q = work['phi'][0, :m].copy(), work['phi_q'][0, :m]
    if 'row_coordinate' not in model.dtype.names:
        return phi, phi_q[:, :n].copy()
    width = model['row_width'][0, :m]
    used = np.arange(phi_q.shape[1]) < width[:, None]
    columns = model['row_coordinate'][0, :m][used]
    return phi, csr_array((phi_q[used], columns, np.r_[0, np.cumsum(width)]), (m, n))
