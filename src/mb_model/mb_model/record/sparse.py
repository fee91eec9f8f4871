"""The records of large mechanisms: MODEL and WORK with more room, and matrices without zeros.

Sizes are fixed here too, so that one compilation serves all; memory that a mechanism does not fill
is never touched, and costs nothing.
"""

import numpy as np

from mb_model import record

MAX_COORDINATES = 4096    # n_total, and equations
MAX_INDEPENDENT = MAX_COORDINATES
MAX_BODIES = 2048
MAX_FORCES = 2048
ROW_SLOTS = 12            # coordinates that one equation may address: x and y of six points
MAX_PROFILE = 1 << 20     # numbers in the profile of the tangent
MAX_BAND = 1 << 21        # numbers in a band matrix

_LARGER = {record.MAX_COORDINATES: MAX_COORDINATES, record.MAX_INDEPENDENT: MAX_INDEPENDENT,
           record.MAX_BODIES: MAX_BODIES, record.MAX_FORCES: MAX_FORCES,
           2 * record.MAX_COORDINATES: 2 * MAX_COORDINATES}
_N = MAX_COORDINATES
_integer, _real = np.int64, np.float64


def _with_more_room(dtype):
    """Return the fields of a dense record, larger; those that are matrices are left out."""
    fields = []
    for name in dtype.names:
        field = dtype[name]
        if sum(size in _LARGER for size in field.shape) < 2:
            fields.append((name, field.base, tuple(_LARGER.get(k, k) for k in field.shape)))
    return fields


SPARSE_MODEL = np.dtype([
    *_with_more_room(record.MODEL),
    # see compilation.sparse_structure, which fills these
    ('local_index', _integer, (_N, record.INDEX_SLOTS)),     # constraint_index among the gathered
    ('row_gathered', _integer, (_N,)),                 # coordinates that an equation addresses,
    ('row_width', _integer, (_N,)),                    # the first of them moving,
    ('row_coordinate', _integer, (_N, ROW_SLOTS)),     # in ascending places
    ('place', _integer, (_N,)),                        # of a coordinate in the tangent
    ('start', _integer, (_N,)), ('first', _integer, (_N,)),      # see kernels.sparse_profile
    ('dependent_row', _integer, (_N,)),                # of an equation, in the position problem
    ('dependent_column', _integer, (_N,)),             # of a coordinate there, -1: independent
    ('dependent_below', _integer), ('dependent_above', _integer),     # see kernels.sparse_band
    ('augmented_place', _integer, (2 * _N,)),          # of coordinates, then multipliers
    ('augmented_width', _integer),
])

SPARSE_WORK = np.dtype([
    *_with_more_room(record.WORK),
    ('phi_q', _real, (_N, ROW_SLOTS)),                 # over row_coordinate
    ('M', _real, (MAX_BODIES, 4, 4)),                  # of each body on its two points
    ('tangent', _real, (MAX_PROFILE,)),
    ('factor', _real, (MAX_BAND,)),                    # LU of the dependent columns of phi_q
    ('large', _real, (MAX_BAND,)),                     # LU of Lagrange's equations
    ('ordered', _real, (2 * _N,)),                     # a vector in the order of a matrix
    ('local_q', _real, (ROW_SLOTS,)), ('local_v', _real, (ROW_SLOTS,)),
    ('local_matrix', _real, (ROW_SLOTS, ROW_SLOTS)),
])


def storage_of(model):
    """Return 'dense' or 'sparse': how the matrices that belong to a model are stored."""
    return 'sparse' if model.dtype == SPARSE_MODEL else 'dense'


def work_for(model):
    """Return a workspace for a model of either storage, see record.new_work."""
    return record.new_work(model, SPARSE_WORK if storage_of(model) == 'sparse' else record.WORK)
