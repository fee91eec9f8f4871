"""What MJCF of machines in the plane and in space has in common: texts, obstacles, shapes.

Nothing but these pairs touches: a machine's own bodies pass through each other, in the plane on
different levels.  Discs are spheres here: in one plane they touch alike, and MuJoCo finds where in
closed form.

MuJoCo's contacts are soft constraints.  At a constant small impedance d (`solimp`) the normal force
is f = (-K' r - D' v - d a) / ((1 - d) A), for a gap r < 0 and its rates v and a, where A is the
inverse weight that MuJoCo gives the pair: a spring and damper with the mass d / A beside it.  A is
known once the model is compiled; see set_stiffness.  The friction is nearly rigid (`impratio`).
"""

from xml.etree import ElementTree

import numpy as np

CLOSURE_TIME_CONSTANT = 5.0      # in integration steps: shorter ones ring in the accelerations
CLOSURE_IMPEDANCE = 0.9999       # the largest that MuJoCo accepts
FRICTION_TIME_CONSTANT = 2.0     # in integration steps: the shortest that MuJoCo accepts


def text(*numbers):
    """Return numbers as an attribute, without loss."""
    return ' '.join(repr(float(number)) for number in numbers)


def stiffness(step, time=CLOSURE_TIME_CONSTANT, solref='solref', solimp='solimp'):
    """Return how firm a constraint is, as attributes."""
    return {solref: text(time * step, 1.0),
            solimp: text(CLOSURE_IMPEDANCE, CLOSURE_IMPEDANCE, 1e-3)}


OBSTACLE = 'obstacle/'           # prefix of the names of their bodies and joints
IMPEDANCE = 1e-3                # d: makes a spring of a constraint
_FRICTION_RATIO = 1e5            # of impedances: leaves friction 1 % away from rigid
_FRICTION_TIME = 1e-3            # in which friction stops what slides [s]
_PARKED = 1e3                    # where parked obstacles are [m]
_BLACK, _RED = '.2 .2 .2 1', '.8 .2 .1 1'


def parking_place(number, firm=True):
    """Return where the obstacle of a number is parked (3) [m].

    Firm ones far below, too: a plane has no end.
    """
    return np.array([_PARKED, _PARKED + 10.0 * number, -_PARKED if firm else 0.0])


def add_shape(element, name, shape, shift):
    """Add the geom of a BodyShape to a body's element; shift: of its frame from the file's [m]."""
    first, second = (np.subtract(end, shift) for end in shape.ends)
    form = {'type': 'sphere', 'pos': text(*first, 0.0)} if shape.is_disc else {
        'type': 'capsule', 'fromto': text(*first, 0.0, *second, 0.0)}
    ElementTree.SubElement(element, 'geom', name=name, size=text(shape.radius), mass='0',
                           contype='0', conaffinity='0', rgba='.2 .4 .7 .6', **form)


def add_obstacles(root, worldbody, obstacles, geoms, dimension):
    """Add obstacles, and pairs of them with named geoms; the joints of obstacles come last."""
    root.find('option').set('cone', 'elliptic')
    root.find('option').set('impratio', text(_FRICTION_RATIO))
    contact = ElementTree.SubElement(root, 'contact')
    for number, obstacle in enumerate(obstacles):
        name, firm = OBSTACLE + obstacle.name, obstacle.mass == 0.0
        element = ElementTree.SubElement(worldbody, 'body', name=name,
                                         pos=text(*parking_place(number, firm)))
        if firm:
            element.set('mocap', 'true')
        else:
            _let_float(element, name, obstacle, dimension)
        add_obstacle_geom(element, name, obstacle)
        for geom in geoms:
            ElementTree.SubElement(
                contact, 'pair', name=f'{geom}/{obstacle.name}', geom1=name, geom2=geom,
                condim='3', friction=text(*[obstacle.friction] * 2, 0.0, 0.0, 0.0),
                solimp=text(IMPEDANCE, IMPEDANCE, 1.0), solref='-1 -1',
                solreffriction=text(-1.0, -IMPEDANCE / _FRICTION_TIME))


def add_obstacle_geom(element, name, obstacle):
    """Add the geom of an Obstacle to the element of its body."""
    size = {'sphere': (obstacle.radius,), 'cylinder': (obstacle.radius, 0.5 * obstacle.length),
            'box': np.multiply(obstacle.size, 0.5), 'plane': (0.0, 0.0, 1.0)}[obstacle.shape]
    ElementTree.SubElement(element, 'geom', name=name, type=obstacle.shape, mass='0', contype='0',
                           conaffinity='0', size=text(*size),
                           rgba=_RED if obstacle.mass > 0.0 else _BLACK)


def set_stiffness(model, obstacles):
    """Give the pairs of a compiled model the stiffness and damping of their obstacles."""
    for obstacle in obstacles:
        geom = model.geom(OBSTACLE + obstacle.name).id
        for pair in np.flatnonzero((model.pair_geom1 == geom) | (model.pair_geom2 == geom)):
            bodies = model.geom_bodyid[[model.pair_geom1[pair], model.pair_geom2[pair]]]
            weight = (1.0 - IMPEDANCE) * model.body_invweight0[bodies, 0].sum()
            model.pair_solref[pair] = (-weight * obstacle.stiffness, -weight * obstacle.damping)


def _let_float(element, name, obstacle, dimension):
    """Let an obstacle move freely; in the plane an upright cylinder without friction on the ground.

    In space a ball that gravity does not pull.
    """
    if dimension == 2:
        for axis, (kind, direction) in {'x': ('slide', '1 0 0'), 'y': ('slide', '0 1 0'),
                                        'turn': ('hinge', '0 0 1')}.items():
            ElementTree.SubElement(element, 'joint', name=f'{name}/{axis}', type=kind,
                                   axis=direction)
    else:
        element.set('gravcomp', '1')
        ElementTree.SubElement(element, 'joint', name=name, type='free')
    inertia = (0.5 if dimension == 2 else 0.4) * obstacle.mass * obstacle.radius ** 2
    ElementTree.SubElement(element, 'inertial', pos='0 0 0', mass=text(obstacle.mass),
                           diaginertia=text(*[inertia] * 3))
