"""What entries of sensors of each kind have of their own: on a four-bar linkage, on an arm."""

_CRANK = {'body': 'crank'}
KEYS = {'angle_encoder': _CRANK, 'gyroscope': _CRANK,
        'relative_angle_encoder': {'bodies': ['crank', 'coupler']},
        'linear_encoder': {'coordinate': 'P2.x'},
        'accelerometer': {**_CRANK, 'at': 'P1', 'axes': ['y', 'z']},
        'distance': {'points': ['A', 'P2']}, 'position': {'point': 'P2'}, 'pressure': {},
        'speed': {**_CRANK, 'at': 'P1'}, 'sideslip_angle': {**_CRANK, 'at': 'P1'},
        'tachometer': {'coordinate': 'theta'},
        'inclinometer': _CRANK, 'magnetometer': {**_CRANK, 'axes': ['y']},
        'motor_torque': {'drive': 'theta'}, 'strain_gauge': {'body': 'rocker', 'at': [1.0, 0.1]}}
# What the linkage has for them.
MACHINE = {'drives': ['theta'], 'bodies': {'rocker': {'flexible': {'bending_stiffness': 1e4}}}}

_WRIST = {'body': 'wrist3'}
_TOOL = {**_WRIST, 'at': 'tool'}
KEYS_IN_SPACE = {
    'angle_encoder': {'coordinate': 'q1'}, 'gyroscope': _WRIST,
    'relative_angle_encoder': {'joint': 'elbow'}, 'linear_encoder': {'coordinate': 'wire.distance'},
    'accelerometer': {**_TOOL, 'axes': ['y', 'z']},
    'distance': {'points': [_TOOL, {'body': 'ground', 'at': [0.0, 0.0, 0.0]}]},
    'position': {'point': _TOOL}, 'pressure': {}, 'speed': _TOOL,
    'sideslip_angle': _TOOL,
    'tachometer': {'coordinate': 'q1'}, 'inclinometer': _WRIST, 'magnetometer': _WRIST,
    'motor_torque': {'drive': 'q1'}, 'force_torque': {'joint': 'last'},
    'orientation': _WRIST, 'strain_gauge': {'body': 'whip', 'at': [0.1, 0.02, 0.0]}}
# What the arm has for them.
MACHINE_IN_SPACE = {
    'forces': {'wire': {'kind': 'spring_damper', 'bodies': ['ground', 'wrist3'],
                        'at': ['base', 'tool'], 'stiffness': 1.0}},
    'bodies': {'whip': {'points': {'A': [0, 0, 0], 'B': [0.3, 0, 0]}, 'mass': 0.1, 'flexible': {
        'bending_stiffness': {'about_z': 1.0}, 'axial_inertia': 1e-5}}},
    'joints': {'whip': {'kind': 'weld', 'bodies': ['wrist3', 'whip.A'], 'at': ['tool', 'A']}}}
