"""The records of large mechanisms: MODEL and WORK with matrices without zeros.

Lengths of these matrices follow from what acts together, see compilation.sparse_structure.
"""

from mb_model.jit import INTEGER, REAL, RecordType, Size, record_type_of, sizes, sizes_of
from mb_model.record import (
    BODIES,
    ENTRIES,
    INDEX_SLOTS,
    ITERATIONS,
    LINKS,
    MODEL,
    PENALTY,
    TOLERANCE,
    WORK,
    N,
)

LARGEST = {2: 4096, 3: 16384}      # coordinates n_total, or equations, by the dimension
MAX_PROFILE = 1 << 20     # numbers in the profile of the tangent
MAX_BAND = 1 << 21        # numbers in a band matrix
CLUSTER = 32              # joints that loops join to one cluster, the most

# of a mechanism: numbers in the profile of the tangent; in the bands of factor and of large;
# coordinates that one equation may address; pairs of nodes of bodies in space
PROFILE, DEPENDENT_BAND, AUGMENTED_BAND, ROW_SLOTS, PAIRS = sizes(
    'profile dependent_band augmented_band row_slots pairs')


def _without_matrices(record_type):
    """Return the parts of a dense record, without fields that are matrices."""
    return {part: [(name, kind, lengths) if lengths else (name, kind)
                   for name, kind, lengths in (
                       (name, *record_type.fields[name]) for name in names)
                   if sum(isinstance(length, Size) for length in lengths) < 2]
            for part, names in record_type.parts.items()}


SPARSE_MODEL = RecordType(
    'mb_model.record.sparse.SPARSE_MODEL', **_without_matrices(MODEL), structure=[
    # see compilation.sparse_structure, which fills these
    ('local_index', INTEGER, (N, INDEX_SLOTS)),        # constraint_index among the gathered
    ('row_gathered', INTEGER, (N,)),                   # coordinates that an equation addresses,
    ('row_width', INTEGER, (N,)),                      # the first of them moving,
    ('row_coordinate', INTEGER, (N, ROW_SLOTS)),       # by ascending indices in the tangent
    ('tangent_index', INTEGER, (N,)),                  # of a coordinate in the tangent
    ('start', INTEGER, (N,)), ('first', INTEGER, (N,)),      # see kernels.sparse_tangent
    ('dependent_row', INTEGER, (N,)),                  # of an equation, in the position problem
    ('dependent_column', INTEGER, (N,)),               # of a coordinate there, -1: independent
    ('dependent_below', INTEGER), ('dependent_above', INTEGER),     # see kernels.sparse_band
    ('augmented_index', INTEGER, (2 * N,)),            # of coordinates, then multipliers
    ('augmented_width', INTEGER),
], clusters=[     # of joints that loops join, see kernels.clusters: carriers come first
    ('clusters', INTEGER),
    ('cluster_begin', INTEGER, (LINKS + 1,)),          # of cluster c: from [c] to before [c + 1]
    ('cluster_joint', INTEGER, (LINKS,)),              # its joints, ascending
    ('cluster_rows', INTEGER, (LINKS + 1,)),           # the same of
    ('cluster_row', INTEGER, (N,)),                    # its rows of gap
    ('cluster_parent', INTEGER, (LINKS,)),             # joint that carries it + 1; 0: ground
    ('cluster_freedoms', INTEGER, (LINKS,)),
    ('joint_cluster', INTEGER, (LINKS,)), ('joint_slot', INTEGER, (LINKS,)),   # its column there
    ('row_cluster', INTEGER, (N,)),
    # nodes that a cut or, behind cuts, an equation sees on another body, see kernels.held_nodes
    ('held_begin', INTEGER, (N + 1,)),                 # of cut or equation k: from [k] to
    ('held_node', INTEGER, (ENTRIES,)),                # before [k + 1]
    ('held_joint', INTEGER, (ENTRIES,)), ('held_offset', REAL, (ENTRIES, 3)),
], lengths=[     # numbers in SPARSE_WORK
    ('profile', INTEGER), ('dependent_band', INTEGER), ('augmented_band', INTEGER),
    ('pairs', INTEGER),
])

SPARSE_WORK = RecordType(
    'mb_model.record.sparse.SPARSE_WORK', **_without_matrices(WORK), matrices=[
    ('phi_q', REAL, (N, ROW_SLOTS)),                   # over row_coordinate
    ('M', REAL, (BODIES, 4, 4)),                       # of each body on its two points
    ('shares', REAL, (PAIRS,)),                        # M of each pair of nodes of bodies in space
    ('tangent', REAL, (PROFILE,)),
    ('factor', REAL, (DEPENDENT_BAND,)),               # LU of the dependent columns of phi_q
    ('large', REAL, (AUGMENTED_BAND,)),                # LU of Lagrange's equations
    ('ordered', REAL, (2 * N,)),                       # a vector in the order of a matrix
    ('local_q', REAL, (ROW_SLOTS,)), ('local_v', REAL, (ROW_SLOTS,)),
    ('local_matrix', REAL, (ROW_SLOTS, ROW_SLOTS)),
], clusters=[     # see kernels.clusters
    ('gap_s', REAL, (N, CLUSTER)),                     # by the joints of the row's cluster
    ('node_joint', INTEGER, (N,)),                     # that carries a node, as a row sees it
    ('closing_matrix', REAL, (N, CLUSTER)),            # gap_s, while joints are chosen
    ('cluster_order', INTEGER, (LINKS,)),              # dependent joints, then independent ones
    ('closing_factor', REAL, (LINKS, CLUSTER)), ('closing_pivots', INTEGER, (LINKS,)),
    ('closing_sign', REAL, (LINKS,)),
    ('cluster_R', REAL, (LINKS, CLUSTER)),             # sd per rate of its independent joints
    ('cluster_flow', REAL, (CLUSTER, CLUSTER, 6)),     # twist of a joint per such rate
    ('cluster_still', REAL, (CLUSTER, 6)),             # twist_dot of a joint without them
    ('cluster_mass', REAL, (CLUSTER, CLUSTER)),
    ('cluster_response', REAL, (6, CLUSTER)),          # of its rates to each part of a wrench
    ('cluster_push', REAL, (LINKS, 6)), ('cluster_rate', REAL, (LINKS,)),
])


def storage_of(model):
    """Return 'dense' or 'sparse': how the matrices that belong to a model are stored."""
    return 'sparse' if record_type_of(model) is SPARSE_MODEL else 'dense'


def work_for(model):
    """Return a workspace for a model of either storage: the fixed points, everything else zero."""
    lengths = () if storage_of(model) == 'dense' else SPARSE_MODEL.parts['lengths']
    work = (SPARSE_WORK if lengths else WORK).of(
        sizes_of(model) | {size: int(model[size][0]) for size in lengths})
    n, n_total = int(model['n'][0]), int(model['n_total'][0])
    work['penalty'], work['newton_tolerance'] = PENALTY, TOLERANCE
    work['iterations'] = ITERATIONS
    for name in ('q', 'q0'):
        work[name][0, n:n_total] = model['fixed'][0, n:n_total]
    return work
