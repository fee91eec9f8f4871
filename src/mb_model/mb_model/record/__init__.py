"""The records that compiled kernels work on: the model, and a workspace with the state in it.

Both have fixed maximum sizes, so one compilation, kept in numba's cache, serves every mechanism.
A mechanism that is larger is refused when it is compiled.

Coordinates q are ordered: x and y of the moving points, then the added coordinates (angles, ...).
Behind these n numbers, arrays over coordinates hold x and y of the fixed points, so that a
constraint or body addresses fixed and moving points alike by the index of its x, and entries that
are driven by time, which prescribed coordinates follow (n_total numbers altogether).  Velocities
of fixed points are zero.
"""

import numpy as np

MAX_COORDINATES = 40      # n_total
MAX_INDEPENDENT = 8       # g
MAX_BODIES = 24
MAX_FORCES = 16
MAX_LOADS = 8             # from outside
MAX_DRIVEN = 6            # prescribed coordinates
FORCE_INDEX = 4           # coordinates that one force may address
FORCE_VALUE = 7           # numbers that one force has
INDEX_SLOTS = 6           # coordinates that one constraint may address
VALUE_SLOTS = 4           # numbers that one constraint may carry
MAX_STAGES = 4            # of an explicit integrator
PENALTY = 1e6             # of a violated constraint against the mass of the heaviest body
MAX_EFFECTS = 16          # numbers of a model that one parameter changes
TOLERANCE = 1e-10         # of the last increment of index3_al over the step, in sizes per second
ITERATIONS = 40           # of index3_al, the most
LENGTH = 48               # operations of one program, see kernels.programs
DEPTH = 12                # of the stack that programs run on

_N, _G, _B = MAX_COORDINATES, MAX_INDEPENDENT, MAX_BODIES
_integer, _real = np.int64, np.float64

MODEL = np.dtype([
    ('n', _integer),                                   # coordinates q
    ('n_total', _integer),                             # and those of the fixed points
    ('m', _integer),                                   # constraint equations
    ('g', _integer),                                   # degrees of freedom, n - m
    ('independent', _integer, (_G,)),                  # indices of z in q
    ('dependent', _integer, (_N,)),                    # indices of the other n - g
    ('scale', _real, (_N,)),                           # size of each coordinate [m or rad]
    ('constraints', _integer),
    ('constraint_kind', _integer, (_N,)),              # ConstraintKind, see registry.constraints
    ('constraint_row', _integer, (_N,)),               # its first equation
    ('constraint_index', _integer, (_N, INDEX_SLOTS)),
    ('constraint_value', _real, (_N, VALUE_SLOTS)),
    ('constraint_body', _integer, (_N,)),              # whose sizes it has in it, -1: none
    ('stiffness', _real, (_N,)),                       # penalty of each equation, see index3_al
    ('bodies', _integer),
    ('body_index', _integer, (MAX_BODIES, 2)),         # x of its first and of its second point
    ('body_length', _real, (MAX_BODIES,)),             # between those [m]
    ('body_mass', _real, (MAX_BODIES,)),               # [kg]
    ('body_centre', _real, (MAX_BODIES, 2)),           # centre of gravity in the body's frame [m]
    ('body_inertia', _real, (MAX_BODIES,)),            # about the centre of gravity [kg m^2]
    ('body_rod', _integer, (MAX_BODIES,)),             # 1: uniform, centre and inertia follow
    ('forces', _integer),
    ('force_kind', _integer, (MAX_FORCES,)),           # ForceElement, see registry.forces
    ('force_index', _integer, (MAX_FORCES, FORCE_INDEX)),
    ('force_value', _real, (MAX_FORCES, FORCE_VALUE)),
    ('gravity', _real, (2,)),                          # [m/s^2]
    # spanning tree, see spanning_tree: written for the semi-recursive formulation alone
    ('joints', _integer), ('moving', _integer), ('cuts', _integer), ('loops', _integer),
    ('joint_kind', _integer, (_B,)),                   # see kernels.joints
    ('joint_body', _integer, (_B,)),
    ('joint_parent', _integer, (_B,)),                 # joint of the parent body + 1; 0: ground
    ('joint_place', _real, (_B, 2)),                   # in the parent's frame [m]
    ('joint_own', _real, (_B, 2)),                     # the same place in the body's frame [m]
    ('joint_axis', _real, (_B, 2)),                    # of a slider, in the parent's frame
    ('joint_angle', _real, (_B,)),                     # of a slider's body in the parent's frame
    ('joint_size', _real, (_B,)),                      # what counts as a large change [m or rad]
    ('point_joint', _integer, (_N,)), ('point_place', _real, (_N, 2)),     # of moving points
    ('cut_joint', _integer, (_N,)), ('cut_place', _real, (_N, 2)),         # meets a point
    ('cut_point', _integer, (_N,)),                    # x of that point in q
    ('loop_constraint', _integer, (_N,)),              # constraints that close loops
    ('added_constraint', _integer, (_N,)),             # that of each coordinate behind the points
    ('driven', _integer),                              # entries of q driven by time, its last ones
    ('driven_coordinate', _integer, (MAX_DRIVEN,)),    # which follow them
    ('driven_row', _integer, (MAX_DRIVEN,)),           # by this equation
    ('driven_operations', _integer, (MAX_DRIVEN, LENGTH)),         # see kernels.programs
    ('driven_numbers', _real, (MAX_DRIVEN, LENGTH)),
    ('fixed', _real, (_N,)),                           # coordinates of fixed points, at n..n_total
])

WORK = np.dtype([
    # state
    ('t', _real),                                      # [s]
    ('q', _real, (_N,)), ('qd', _real, (_N,)), ('qdd', _real, (_N,)),
    ('z', _real, (_G,)), ('zd', _real, (_G,)), ('zdd', _real, (_G,)),
    ('forces', _real, (_G,)),                          # on the degrees of freedom [N or N m]
    ('forces_used', _real, (_G,)),                     # those that zdd belongs to
    ('lam', _real, (_N,)),                             # Lagrange multipliers
    # settings, see formulations.stabilisation and formulations.index3_al
    ('natural_frequency', _real), ('damping_ratio', _real), ('penalty', _real),
    ('newton_tolerance', _real), ('iterations', _integer),
    # loads from outside
    ('coordinate_forces', _real, (_N,)),               # on any coordinates
    ('coordinate_forces_used', _real, (_N,)), ('loads_changed', _integer),
    ('loads', _integer), ('load_kind', _integer, (MAX_LOADS,)),
    ('load_index', _integer, (MAX_LOADS, FORCE_INDEX)),
    ('load_value', _real, (MAX_LOADS, FORCE_VALUE)),   # see forces.kinds.load
    # constraints at q, qd
    ('phi', _real, (_N,)), ('phi_q', _real, (_N, _N)),
    ('phi_q_dot', _real, (_N, _N)),                    # of the velocities qd
    # kinematics at q, qd
    ('factor', _real, (_N, _N)),                       # LU of the dependent columns of phi_q
    ('pivots', _integer, (_N,)),
    ('sign', _real),                                   # of its determinant: tells branches apart
    ('R', _real, (_N, _G)), ('sc', _real, (_N,)),      # qdd = R zdd + sc
    # dynamics
    ('M', _real, (_N, _N)), ('Q', _real, (_N,)),
    ('M_bar', _real, (_G, _G)), ('Q_bar', _real, (_G,)),
    ('M_R', _real, (_N, _G)),
    ('M_bar_factor', _real, (_G, _G)),                 # Cholesky factor of M_bar
    # joint coordinates, those of the tree, see kernels.joints and kernels.loops
    ('s', _real, (_B,)), ('sd', _real, (_B,)), ('sdd', _real, (_B,)),
    ('s0', _real, (_B,)), ('sd0', _real, (_B,)), ('sdd0', _real, (_B,)),
    ('joint_independent', _integer, (_B,)), ('joint_dependent', _integer, (_B,)),
    ('closing_rows', _integer, (_N,)),                 # as many as dependent joints
    ('gap', _real, (_N,)), ('gap_s', _real, (_N, _B)),      # of the loops, and its derivative
    ('joint_R', _real, (_B, _G)),                      # sd = joint_R sd[independent]
    ('pose', _real, (_B + 1, 5)),                      # x, y, cos, sin, angle; the ground first
    ('axis', _real, (_B, 3)), ('axis_dot', _real, (_B, 3)),      # twist per joint rate
    ('twist', _real, (_B + 1, 3)), ('twist_dot', _real, (_B + 1, 3)),
    ('flow', _real, (_G, _B + 1, 3)),                  # twist per independent joint rate
    ('load', _real, (_B + 1, 3)),                      # force and moment about the origin
    # a step: its start, its increment, its system of equations
    ('q0', _real, (_N,)), ('qd0', _real, (_N,)), ('qdd0', _real, (_N,)), ('lam0', _real, (_N,)),
    ('z0', _real, (_G,)), ('zd0', _real, (_G,)), ('zdd0', _real, (_G,)), ('t0', _real),
    ('dq', _real, (_N,)), ('tangent', _real, (_N, _N)), ('residual', _real, (_N,)),
    ('stages', _real, (MAX_STAGES, _N)),               # accelerations of an explicit integrator
    ('joint_stages', _real, (MAX_STAGES, _B)),
    ('large', _real, (2 * _N, 2 * _N)), ('large_vector', _real, (2 * _N,)),    # q and lam together
    ('large_pivots', _integer, (2 * _N,)),
    # linearisation, Newton's matrix of an implicit step
    ('A', _real, (_G, _G)), ('B', _real, (_G, _G)),    # dzdd/dz, dzdd/dzd
    ('zdd_force', _real, (_G, _G)),                    # dzdd/dforce on z
    ('zdd_parameter', _real, (_G,)),                   # dzdd/dp
    ('qd_z', _real, (_N, _G)),                         # dqd/dz
    ('qdd_z', _real, (_N, _G)), ('qdd_zd', _real, (_N, _G)),       # dqdd/dz, dqdd/dzd
    ('mu', _real, (_N,)), ('S_M_R', _real, (_G, _N)),  # see kernels.linearisation
    ('directions', _real, (_G, _N)), ('turns', _real, (_G, _N)), ('curvature', _real, (_G, _G)),
    ('rates', _real, (_G, _N)), ('pushes', _real, (_G, _N)),
    # how the numbers of the model change with a parameter, see kernels.model_change
    ('d_gravity', _real, (2,)), ('d_fixed', _real, (_N,)),
    ('d_constraint_value', _real, (_N, VALUE_SLOTS)),
    ('d_mass', _real, (MAX_BODIES,)), ('d_centre', _real, (MAX_BODIES, 2)),
    ('d_inertia', _real, (MAX_BODIES,)), ('d_length', _real, (MAX_BODIES,)),
    ('d_force_value', _real, (MAX_FORCES, FORCE_VALUE)),
    ('newton', _real, (_G, _G)), ('newton_pivots', _integer, (_G,)),
    # scratch of one kernel at a time
    ('vector1', _real, (_N,)), ('vector2', _real, (_N,)),
    ('vector3', _real, (_N,)), ('vector4', _real, (_N,)), ('vector5', _real, (_N,)),
    ('stack', _real, (DEPTH, 3)),                      # of a program
    ('matrix1', _real, (_N, _N)), ('matrix2', _real, (_N, _N)),
    ('columns', _real, (_G, _N)),
    ('small1', _real, (_G,)), ('small2', _real, (_G,)), ('small3', _real, (_G,)),
])


PARAMETER = np.dtype([
    ('value', _real),                                  # now
    ('effects', _integer),                             # numbers of the model that it changes
    ('kind', _integer, (MAX_EFFECTS,)),                # see kernels.parameters
    ('index', _integer, (MAX_EFFECTS, 2)),
    ('operations', _integer, (MAX_EFFECTS, LENGTH)),   # see kernels.programs
    ('numbers', _real, (MAX_EFFECTS, LENGTH)),
    ('stack', _real, (DEPTH, 3)),                      # scratch
])


def new_work(model, dtype=WORK):
    """Return a workspace for a model: the fixed points in place, everything else zero."""
    work = np.zeros(1, dtype)
    n, n_total = int(model['n'][0]), int(model['n_total'][0])
    work['penalty'], work['newton_tolerance'] = PENALTY, TOLERANCE
    work['iterations'] = ITERATIONS
    for name in ('q', 'q0'):
        work[name][0, n:n_total] = model['fixed'][0, n:n_total]
    return work
