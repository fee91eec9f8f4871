"""What entries of sensors of each kind have of their own, on the four-bar linkage."""

_CRANK = {'body': 'crank'}
KEYS = {'angle_encoder': _CRANK, 'gyroscope': _CRANK,
        'relative_angle_encoder': {'bodies': ['crank', 'coupler']},
        'linear_encoder': {'coordinate': 'P2.x'},
        'accelerometer': {**_CRANK, 'at': 'P1', 'axes': ['y', 'z']},
        'distance': {'points': ['A', 'P2']}, 'position': {'point': 'P2'}, 'pressure': {},
        'speed': {**_CRANK, 'at': 'P1'}}
