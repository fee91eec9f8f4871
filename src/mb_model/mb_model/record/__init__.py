"""The records that compiled kernels work on: the model, and a workspace with the state in it.

Their arrays are as long as a mechanism needs them, and one compilation, kept in numba's cache,
serves every mechanism; see jit.records.

Coordinates q are ordered: x and y of the moving points, then the added coordinates (angles, ...).
Behind these n numbers, arrays over coordinates hold x and y of the fixed points, so that a
constraint or body addresses fixed and moving points alike by the index of its x, and entries that
are driven by time, which prescribed coordinates follow (n_total numbers altogether).  Velocities
of fixed points are zero.  In space x, y, z of nodes, points and unit vectors, stand for
points, and vectors are sums of nodes, see space.vectors.
"""

from mb_model.jit import INTEGER, REAL, RecordType, sizes
from mb_model.space import equation, force

LARGEST_DENSE = 400       # coordinates n_total, or equations, of matrices stored in full
MAX_LOADS = 8             # from outside
FORCE_INDEX = 4           # coordinates that one force may address
FORCE_VALUE = 8           # numbers that one force has
LOAD_INDEX = 4            # coordinates or vectors that one load from outside may address
LOAD_VALUE = 10           # numbers that one load has
INDEX_SLOTS = 6           # coordinates that one constraint may address
VALUE_SLOTS = 4           # numbers that one constraint may carry
MAX_STAGES = 4            # of an explicit integrator
PENALTY = 1e6             # of a violated constraint against the mass of the heaviest body
TOLERANCE = 1e-10         # of the last increment of index3_al over the step, in sizes per second
ITERATIONS = 40           # of index3_al, the most
LENGTH = 48               # operations of one program, see kernels.programs
DEPTH = 12                # of the stack that programs run on

# coordinates: n_total or, if these are more, the equations; independent: degrees of freedom g;
# links: joints of the tree with one coordinate each
N, G, BODIES, LINKS, FORCES, DRIVEN = sizes('coordinates independent bodies links forces driven')
SIZES_IN_SPACE = ('vectors', 'terms', 'spatial_equations', 'solids', 'solid_terms', 'elements',
                  'charts', 'entries', 'listed', 'rolls', 'fills')
(CURVES,) = sizes('curves')      # forces by expressions
(VECTORS, TERMS, EQUATIONS, SOLIDS, SOLID_TERMS, ELEMENTS, CHARTS, ENTRIES, LISTED, ROLLS,
 FILLS) = sizes(' '.join(SIZES_IN_SPACE))
_SLIPS = 2 * ROLLS        # directions in which bodies that roll may not slide
_FLOW = 2 * G + 3         # z, zd, and what drives them

MODEL = RecordType(
    'mb_model.record.MODEL', coordinates=[
    ('n', INTEGER),                                    # coordinates q
    ('n_total', INTEGER),                              # and of the fixed points
    ('m', INTEGER),                                    # constraint equations
    ('g', INTEGER),                                    # degrees of freedom, n - m
    ('independent', INTEGER, (G,)),                    # indices of z in q
    ('dependent', INTEGER, (N,)),                      # indices of the other n - g
    ('scale', REAL, (N,)),                             # size of each coordinate [m or rad]
    ('own_inertia', REAL, (N,)),                       # of states of forces, armature of others
], constraints=[
    ('constraints', INTEGER),
    ('constraint_kind', INTEGER, (N,)),                # ConstraintKind, see registry.constraints
    ('constraint_row', INTEGER, (N,)),                 # its first equation
    ('constraint_index', INTEGER, (N, INDEX_SLOTS)),
    ('constraint_value', REAL, (N, VALUE_SLOTS)),
    ('constraint_body', INTEGER, (N,)),                # whose sizes it has in it, -1: none
    ('stiffness', REAL, (N,)),                         # penalty of each equation, see index3_al
], bodies=[
    ('bodies', INTEGER),
    ('body_index', INTEGER, (BODIES, 2)),              # x of its first and of its second point
    ('body_length', REAL, (BODIES,)),                  # between those [m]
    ('body_mass', REAL, (BODIES,)),                    # [kg]
    ('body_centre', REAL, (BODIES, 2)),                # centre of gravity in the body's frame [m]
    ('body_inertia', REAL, (BODIES,)),                 # about the centre of gravity [kg m^2]
    ('body_rod', INTEGER, (BODIES,)),                  # 1: uniform, centre and inertia follow
], forces=[
    ('forces', INTEGER),
    ('force_kind', INTEGER, (FORCES,)),                # ForceElement, see registry.forces
    ('force_index', INTEGER, (FORCES, FORCE_INDEX)),
    ('force_value', REAL, (FORCES, FORCE_VALUE)),
    ('gravity', REAL, (3,)),                           # [m/s^2]
], curves=[     # forces by expressions, see kernels.characteristics
    ('curves', INTEGER),
    ('curve_coordinate', INTEGER, (CURVES,)),
    ('curve_operations', INTEGER, (CURVES, 2, LENGTH)),
    ('curve_numbers', REAL, (CURVES, 2, LENGTH)),
], tree=[     # see spanning_tree: written for the semi-recursive formulation alone
    ('joints', INTEGER), ('cuts', INTEGER), ('loops', INTEGER),
    ('moving', INTEGER),                               # coordinates of moving points and nodes
    ('joint_kind', INTEGER, (LINKS,)),                 # see kernels.joints
    ('joint_body', INTEGER, (LINKS,)),                 # in the plane
    ('joint_parent', INTEGER, (LINKS,)),               # joint of the parent body + 1; 0: ground
    ('joint_offset', REAL, (LINKS, 3)),                 # in the parent's frame [m]
    ('joint_own', REAL, (LINKS, 2)),                   # the same point in the body's frame [m]
    ('joint_axis', REAL, (LINKS, 2)),                  # of a slider, in the parent's frame
    ('joint_angle', REAL, (LINKS,)),                   # of a slider's body in the parent's frame
    ('joint_pitch', REAL, (LINKS,)),                   # of a screw: its travel per radian [m]
    ('joint_size', REAL, (LINKS,)),                    # what counts as a large change [m or rad]
    ('point_joint', INTEGER, (N,)), ('point_offset', REAL, (N, 3)),  # of moving points
    ('point_kind', REAL, (N,)),                        # of a node: 1: point, 0: vector
    ('cut_joint', INTEGER, (N,)), ('cut_offset', REAL, (N, 3)),  # meets a point, or node
    ('cut_point', INTEGER, (N,)),                      # x of that point in q; in space a vector
    ('cut_kind', REAL, (N,)),                          # in space: of a point 1, of a direction 0
    ('loop_constraint', INTEGER, (N,)),                # constraints that close loops
    ('added_constraint', INTEGER, (N,)),               # of each coordinate behind the points
    ('added_choices', INTEGER, (N,)),                  # in space: so many say the same
    ('balls', INTEGER), ('ball_joint', INTEGER, (LINKS,)),  # turns of three or two, its first one
    ('ball_turns', INTEGER, (LINKS,)),
    ('solid_joint', INTEGER, (SOLIDS,)),               # that carries a body in space, -1: ground
    ('solid_turn', REAL, (SOLIDS, 9)), ('solid_offset', REAL, (SOLIDS, 3)),    # its frame there
], driven=[
    ('driven', INTEGER),                               # entries of q driven by time, its last ones
    ('driven_coordinate', INTEGER, (DRIVEN,)),         # which follow them
    ('driven_row', INTEGER, (DRIVEN,)),                # by this equation
    ('driven_operations', INTEGER, (DRIVEN, LENGTH)),  # see kernels.programs
    ('driven_numbers', REAL, (DRIVEN, LENGTH)),
], space=[     # of a mechanism in space, see space.vectors, space.equation and space.force
    ('vector_terms', INTEGER, (VECTORS + 1,)),         # of vector k: from [k] to before [k + 1]
    ('term_node', INTEGER, (TERMS,)), ('term_weight', REAL, (TERMS,)),
    ('spatial_equations', INTEGER),
    ('space_kind', INTEGER, (EQUATIONS,)),             # SpatialEquationNumber
    ('space_row', INTEGER, (EQUATIONS,)),
    ('space_vector', INTEGER, (EQUATIONS, equation.VECTORS)),
    ('space_scalar', INTEGER, (EQUATIONS, equation.SCALARS)),
    ('space_value', REAL, (EQUATIONS, equation.VALUES)),
    ('solids', INTEGER),                               # bodies
    ('solid_mass', REAL, (SOLIDS,)),                   # [kg]
    ('solid_centre', REAL, (SOLIDS, 3)),               # of gravity, in the body's frame [m]
    ('solid_inertia', REAL, (SOLIDS, 6)),              # about it, xx yy zz xy xz yz [kg m^2]
    # what inertia follows from, over the mass, of a body whose shapes give it, else zero [m^2]
    ('solid_gyration', REAL, (SOLIDS, 6)),
    ('solid_line', REAL, (SOLIDS, 3)),                 # direction of a slender body, else zero
    # of each body the vectors of its origin and axes x, y, z; of a slender one origin and line
    ('solid_frame', INTEGER, (SOLIDS, 4)),
    # the position of its offset (x, y, z) is the sum of its nodes times weight (1, x, y, z)
    ('solid_terms', INTEGER, (SOLIDS + 1,)),           # of body k: from [k] to before [k + 1]
    ('solid_node', INTEGER, (SOLID_TERMS,)), ('solid_weight', REAL, (SOLID_TERMS, 4)),
    # where rows of phi_q have entries, moving ones ascending, and where rows of tangents begin
    ('row_entries', INTEGER, (N + 1,)),                # of row k: from [k] to before [k + 1],
    ('row_moving', INTEGER, (N,)),                     # its moving ones to before [k]
    ('entry_column', INTEGER, (ENTRIES,)),
    ('envelope', INTEGER, (LISTED,)),                  # where rows of M begin
    # in which order tangents are eliminated, see kernels.listed_cholesky
    ('eliminated', INTEGER, (LISTED,)),                # order -> coordinate
    ('piece', INTEGER, (LISTED,)),                     # rows at once from a row on
    ('fill_row', INTEGER, (LISTED + 1,)),              # of a row: from [k] to before [k + 1]
    ('fill_column', INTEGER, (FILLS,)),                 # its later columns with entries, ascending
    ('charts', INTEGER),                               # orientations, see kernels.charts
    ('chart_axis', INTEGER, (CHARTS, 3)),              # vectors of the body's axes
    ('chart_node', INTEGER, (CHARTS, 3)),              # of the reference, fixed
    ('chart_coordinate', INTEGER, (CHARTS, 3)),        # indices in q
    ('elements', INTEGER),                             # forces
    ('element_kind', INTEGER, (ELEMENTS,)),            # SpatialElementNumber
    ('element_index', INTEGER, (ELEMENTS, force.INDEX)),
    ('element_value', REAL, (ELEMENTS, force.VALUES)),
    ('rolls', INTEGER),                                # bodies that roll, see kernels.rolling
    ('roll_index', INTEGER, (ROLLS, 5)), ('roll_value', REAL, (ROLLS, 11)),
], fixed=[
    ('fixed', REAL, (N,)),                             # coordinates of fixed points, at n..n_total
])

WORK = RecordType(
    'mb_model.record.WORK', state=[
    ('t', REAL),                                       # [s]
    ('q', REAL, (N,)), ('qd', REAL, (N,)), ('qdd', REAL, (N,)),
    ('z', REAL, (G,)), ('zd', REAL, (G,)), ('zdd', REAL, (G,)),
    ('forces', REAL, (G,)),                            # on the degrees of freedom [N or N m]
    ('forces_used', REAL, (G,)),                       # to which zdd belongs
    ('lam', REAL, (N,)),                               # Lagrange multipliers
], settings=[     # see formulations.stabilisation and formulations.index3_al
    ('natural_frequency', REAL), ('damping_ratio', REAL), ('penalty', REAL),
    ('newton_tolerance', REAL), ('iterations', INTEGER),
], outside=[     # loads from there
    ('coordinate_forces', REAL, (N,)),                 # on any coordinates
    ('coordinate_forces_used', REAL, (N,)), ('loads_changed', INTEGER),
    ('loads', INTEGER), ('load_kind', INTEGER, (MAX_LOADS,)),
    ('load_index', INTEGER, (MAX_LOADS, LOAD_INDEX)),
    ('load_value', REAL, (MAX_LOADS, LOAD_VALUE)),     # see forces.kinds.load, space.forces.wrench
], constraints=[     # at q, qd
    ('phi', REAL, (N,)), ('phi_q', REAL, (N, N)),
    ('phi_q_dot', REAL, (N, N)),                       # of the velocities qd
], kinematics=[      # at q, qd
    ('factor', REAL, (N, N)),                          # LU of the dependent columns of phi_q
    ('pivots', INTEGER, (N,)),
    # in space: where it has entries, see kernels.listed_lu
    ('factor_below', INTEGER, (LISTED, LISTED)), ('factor_above', INTEGER, (LISTED, LISTED)),
    ('sign', REAL),                                    # of its determinant: one per branch
    ('R', REAL, (N, G)), ('R_rows', REAL, (G, N)),     # and its dependent rows, transposed
    ('b', REAL, (N,)), ('sb', REAL, (N,)),             # qd = R zd + sb, sb = S b
    ('c', REAL, (N,)), ('sc', REAL, (N,)),             # qdd = R zdd + sc, sc = S c
    ('violation', REAL, (N,)), ('q_before', REAL, (N,)),             # of the position problem
    ('q_predicted', REAL, (N,)),
    ('z_begin', REAL, (G,)), ('z_change', REAL, (G,)), ('z_target', REAL, (G,)),
], dynamics=[
    ('M', REAL, (N, N)), ('Q', REAL, (N,)),
    ('M_bar', REAL, (G, G)), ('Q_bar', REAL, (G,)), ('M_R', REAL, (N, G)),
    ('M_bar_factor', REAL, (G, G)),                    # Cholesky factor of M_bar
    # Q - M S c, Q - M qdd, M qd; qd, while forces at rest are computed
    ('net_force', REAL, (N,)), ('unbalanced', REAL, (N,)), ('momentum', REAL, (N,)),
    ('moving', REAL, (N,)),
    ('phi_t', REAL, (N,)), ('phi_bias', REAL, (N,)),   # phi_q_dot qd + phi_tt, maybe stabilised
    ('right', REAL, (N,)),                             # side of a system of equations
    ('schur_rows', REAL, (N, N)),                      # see formulations.kinds.closed_form
], rolling=[     # see kernels.rolling
    ('slip_q', REAL, (_SLIPS, N)), ('slip_z', REAL, (_SLIPS, G)),    # its rate by qd, by zd
    ('slip_response', REAL, (_SLIPS, G)),              # M_bar^-1 slip_z^T, transposed
    ('slip_factor', REAL, (_SLIPS, _SLIPS)),           # Cholesky factor of slip_z times that
    ('traction', REAL, (_SLIPS,)), ('slip_change', REAL, (_SLIPS,)),
    ('slip_by_z', REAL, (_SLIPS, G)), ('slip_stop', REAL, (_SLIPS, G)),   # see differentiate_slips
], tree=[     # joint coordinates, of the tree, see kernels.joints and kernels.loops
    ('s', REAL, (LINKS,)), ('sd', REAL, (LINKS,)), ('sdd', REAL, (LINKS,)),
    ('s0', REAL, (LINKS,)), ('sd0', REAL, (LINKS,)), ('sdd0', REAL, (LINKS,)),
    ('turn', REAL, (LINKS, 9)),                        # in space: of a joint's frame in its parent
    ('joint_independent', INTEGER, (LINKS,)), ('joint_dependent', INTEGER, (LINKS,)),
    ('closing_rows', INTEGER, (N,)),                   # as many as dependent joints
    ('gap', REAL, (N,)), ('gap_dd', REAL, (N,)),       # of the loops, and its acceleration
    ('gap_s', REAL, (N, LINKS)), ('gap_column', REAL, (N,)),   # by s, by one independent joint
    ('closing_matrix', REAL, (N, LINKS)),              # gap_s, while joints are chosen
    ('closing_vector', REAL, (N,)),                    # a right side, of closing_rows alone
    ('joint_R', REAL, (LINKS, G)),                     # sd = joint_R sd[independent]
    ('joint_rates', REAL, (LINKS,)),                   # a column of it
    ('joint_change', REAL, (LINKS,)),                  # of dependent joints, which closes loops
    ('independent_rates', REAL, (LINKS,)), ('independent_accelerations', REAL, (G,)),
    ('zdd_wanted', REAL, (G,)),
    ('joint_directions', REAL, (G, N)),                # qd per rate of each independent joint
    ('pose', REAL, (LINKS + 1, 12)),                   # the ground first; in the plane x, y, cos,
                                                       # sin, angle, in space a matrix and a point
    ('axis', REAL, (LINKS, 6)), ('axis_dot', REAL, (LINKS, 6)),      # twist per joint rate
    ('twist', REAL, (LINKS + 1, 6)), ('twist_dot', REAL, (LINKS + 1, 6)),
    ('flow', REAL, (G, LINKS + 1, 6)),                 # twist per independent joint rate
    ('load', REAL, (LINKS + 1, 6)),                    # force and moment about the origin
    # of a tree in space, see kernels.articulated
    ('articulated', REAL, (LINKS + 1, 36)), ('bias', REAL, (LINKS + 1, 6)),
    ('push', REAL, (LINKS, 6)), ('joint_inertia', REAL, (LINKS,)), ('joint_push', REAL, (LINKS,)),
    ('line', REAL, (1, N)), ('line_value', REAL, (1,)),        # one row of phi_q, and of phi
    ('wrench', REAL, (2, 6)),                          # scratch of kernels.space_loops
    ('slopes', REAL, (ENTRIES,)),                      # such rows where they have entries
    ('added_row', INTEGER, (N,)), ('added_slope', REAL, (N,)),  # of added coordinates, see there
], step=[     # its start, its increment, its system of equations
    ('q0', REAL, (N,)), ('qd0', REAL, (N,)), ('qdd0', REAL, (N,)), ('lam0', REAL, (N,)),
    ('z0', REAL, (G,)), ('zd0', REAL, (G,)), ('zdd0', REAL, (G,)), ('t0', REAL),
    ('dq', REAL, (N,)), ('tangent', REAL, (N, N)), ('residual', REAL, (N,)),
    ('inertial', REAL, (N,)), ('dz', REAL, (G,)), ('z_residual', REAL, (G,)),
    # of accelerations that are assumed, and what corrects them; see integration.stiff_correction
    ('assumed_error', REAL, (N,)), ('correction', REAL, (N,)), ('joint_correction', REAL, (G,)),
    # in space: in the order of elimination, see kernels.listed_cholesky
    ('tangent_factor', REAL, (LISTED, LISTED)), ('tangent_vector', REAL, (LISTED,)),
    ('stages', REAL, (MAX_STAGES, N)),                 # accelerations of an explicit integrator
    ('joint_stages', REAL, (MAX_STAGES, LINKS)),
    ('large', REAL, (2 * N, 2 * N)), ('large_vector', REAL, (2 * N,)),  # q and lam together
    ('large_pivots', INTEGER, (2 * N,)),
], linearisation=[     # and Newton's matrix of an implicit step
    ('A', REAL, (G, G)), ('B', REAL, (G, G)),          # dzdd/dz, dzdd/dzd
    ('zdd_force', REAL, (G, G)),                       # dzdd/dforce on z
    ('zdd_parameter', REAL, (G,)),                     # dzdd/dp
    ('qd_z', REAL, (N, G)),                            # dqd/dz
    ('qdd_z', REAL, (N, G)), ('qdd_zd', REAL, (N, G)),  # dqdd/dz, dqdd/dzd
    ('mu', REAL, (N,)), ('S_M_R', REAL, (G, N)),       # see kernels.linearisation
    ('directions', REAL, (G, N)), ('turns', REAL, (G, N)), ('curvature', REAL, (G, G)),
    ('rates', REAL, (G, N)), ('pushes', REAL, (G, N)), ('bent', REAL, (G, N)),
    ('push_rows', REAL, (G, N)), ('qdd_rows', REAL, (G, N)),      # -pushes or -rates, S times it
    ('phi_qq_qdd', REAL, (N, N)), ('phi_q_dot_q_qd', REAL, (N, N)),
    ('phi_q_ddot', REAL, (N, N)),                      # their sum
    # two directions, and none; pushes and rates of one; a change of qdd; a column of A or B
    ('along', REAL, (N,)), ('other', REAL, (N,)), ('still', REAL, (N,)),
    ('push_along', REAL, (N,)), ('rate_along', REAL, (N,)),
    ('dqdd', REAL, (N,)), ('column', REAL, (G,)),
    ('newton', REAL, (G, G)), ('newton_pivots', INTEGER, (G,)),
], exponential=[     # of the linearised equations in z, zd, see integration.exponential_rosenbrock
    ('flow_rates', REAL, (_FLOW, _FLOW)), ('flow_map', REAL, (_FLOW, _FLOW)),
    ('flow_product', REAL, (_FLOW, _FLOW)), ('flow_scale', REAL, (_FLOW,)),
    ('flow_sum', REAL, (_FLOW,)), ('flow_shift', REAL, (_FLOW,)), ('flow_change', REAL, (_FLOW,)),
    ('drift', REAL, (G,)),                             # dzdd/dt
    # what a power of the series adds to z and zd, over h; and A, B times both
    ('series_z', REAL, (G,)), ('series_zd', REAL, (G,)), ('series_zdd', REAL, (G,)),
], change=[     # how the numbers of the model change with a parameter, see kernels.model_change
    ('d_gravity', REAL, (3,)), ('d_fixed', REAL, (N,)),
    ('d_constraint_value', REAL, (N, VALUE_SLOTS)),
    ('d_mass', REAL, (BODIES,)), ('d_centre', REAL, (BODIES, 2)),
    ('d_inertia', REAL, (BODIES,)), ('d_length', REAL, (BODIES,)),
    ('d_force_value', REAL, (FORCES, FORCE_VALUE)),
    ('d_solid_mass', REAL, (SOLIDS,)), ('d_solid_centre', REAL, (SOLIDS, 3)),
    ('d_solid_inertia', REAL, (SOLIDS, 6)),
    ('d_solid_gyration', REAL, (SOLIDS, 6)),
    ('d_element_value', REAL, (ELEMENTS, force.VALUES)), ('d_own_inertia', REAL, (N,)),
    ('moving_points', INTEGER), ('moving_terms', INTEGER),     # whether any does; weights of terms
    ('d_term_weight', REAL, (TERMS,)),
    # see kernels.parameter_derivative: dq/dp, dqd/dp, phi_p or its like, the bracket, phi_qp v
    ('q_p', REAL, (N,)), ('qd_p', REAL, (N,)), ('right_p', REAL, (N,)), ('push_p', REAL, (N,)),
    ('phi_qp_v', REAL, (N,)),
], programs=[
    ('stack', REAL, (DEPTH, 3)),
])

(EFFECTS,) = sizes('effects')      # of the parameter that has most

PARAMETER = RecordType(
    'mb_model.record.PARAMETER', parameter=[
    ('value', REAL),                                   # now
    ('effects', INTEGER),                              # numbers of the model that it changes
    ('kind', INTEGER, (EFFECTS,)),                     # see kernels.parameters
    ('index', INTEGER, (EFFECTS, 2)),
    ('operations', INTEGER, (EFFECTS, LENGTH)),        # see kernels.programs
    ('numbers', REAL, (EFFECTS, LENGTH)),
], scratch=[
    ('stack', REAL, (DEPTH, 3)),                       # scratch
])
