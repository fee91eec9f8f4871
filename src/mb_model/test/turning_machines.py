"""Machines that turn about one axis: an arm with a geared motor, and a flap on a hinge in space."""

GEAR = 25
HOIST = {
    'name': 'hoist', 'gravity': [0, 0],
    'points': {'A': {'fixed': [0, 0]}, 'P': {'start': [1, 0]}, 'R': {'start': [0.1, 0]}},
    'bodies': {
        'arm': {'points': {'A': [0, 0], 'P': [1, 0]}, 'mass': 2.0, 'inertia': 0.2,
                'centre_of_gravity': [0.5, 0]},
        'rotor': {'points': {'A': [0, 0], 'R': [0.1, 0]}, 'mass': 0.02, 'inertia': 1e-4,
                  'centre_of_gravity': [0, 0]}},
    'coordinates': {'q': {'kind': 'angle', 'body': 'arm'},
                    'motor': {'kind': 'angle', 'body': 'rotor'},
                    'between': {'kind': 'relative_angle', 'bodies': ['arm', 'rotor']}},
    'constraints': {'gear': {'kind': 'linear', 'terms': {'motor': 1, 'q': -GEAR}}},
    'independent': ['q'], 'start': {'q': 0}}


def flap(sensors: str, mass: float = 2.0, inertia: float = 1.0, more: str = '') -> str:
    """Return the text of the file of a flap; sensors: lines of their section; more: lines."""
    return f"""
name: flap
dimension: 3
gravity: [0, 0, -9.81]
ground: {{O: [0, 0, 0]}}
bodies:
  flap: {{mass: {mass}, centre_of_gravity: [0, 0, 0], inertia: [{inertia}, {inertia}, {inertia}],
    points: {{O: [0, 0, 0]}}}}
joints: {{hinge: {{kind: revolute, bodies: [ground, flap], at: O, axis: [0, 1, 0]}}}}
coordinates: {{pitch: {{kind: angle, joint: hinge}}}}
independent: [pitch]
{more}
sensors:{sensors}"""
