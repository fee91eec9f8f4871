"""Machines in space that are drawn open, for tests of assembly: bodies at zero, loops anywhere."""

from math import cos, pi, sin

import numpy as np

SMALL = [1e-4, 1e-4, 1e-4]


def body(at=(0.0, 0.0, 0.0), turn=(0.0, 0.0, 0.0), mass=0.5):
    """Return the mapping of a body at a pose."""
    return {'mass': mass, 'centre_of_gravity': [0.0, 0.0, 0.0], 'inertia': SMALL,
            'pose': {'at': [float(value) for value in at],
                     'turn': [float(value) for value in turn]}}


def hinge(first, second, at, axis=(0, 1, 0), kind='revolute', **more):
    """Return the mapping of a joint; at: the point on the first body, its second is the origin."""
    return {'kind': kind, 'bodies': [first, second], 'axis': list(axis),
            'at': [[float(value) for value in at[:3]],
                   [float(value) for value in (at[3:] or (0.0, 0.0, 0.0))]]} | more


def machine(name, bodies, joints, **more):
    """Return the raw mapping of a machine with an angle of each hinge, by its name."""
    return {'name': name, 'dimension': 3, 'gravity': [0.0, 0.0, -9.81], 'bodies': bodies,
            'joints': joints,
            'coordinates': {f'q_{key}': {'kind': 'angle', 'joint': key}
                            for key, joint in joints.items() if joint['kind'] == 'revolute'}} | more


def five_bar():
    """A five-bar linkage, bars of 0.3 and 0.4 m, bases 0.3 m apart, all at zero along x."""
    return machine('five_bar', {
        'a1': body(), 'a2': body((0.3, 0.0, 0.0)),
        'b1': body((0.3, 0.0, 0.0)), 'b2': body((0.6, 0.0, 0.0))}, {
        'a': hinge('ground', 'a1', (0.0, 0.0, 0.0)), 'c': hinge('a1', 'a2', (0.3, 0.0, 0.0)),
        'b': hinge('ground', 'b1', (0.3, 0.0, 0.0)), 'd': hinge('b1', 'b2', (0.3, 0.0, 0.0)),
        'e': hinge('a2', 'b2', (0.4, 0.0, 0.0, 0.4, 0.0, 0.0))})


def delta():
    """A delta robot with forearms as single rods on universal joints, drawn flat."""
    bodies = {'platform': body((0.0, 0.0, -0.3))}
    joints = {}
    for k in range(3):
        angle = 2.0 * pi * k / 3.0
        c, s = cos(angle), sin(angle)
        turn = (0.0, 0.0, angle)
        bodies |= {f'arm{k}': body((0.2 * c, 0.2 * s, 0.0), turn),
                   f'rod{k}': body((0.45 * c, 0.45 * s, 0.0), turn)}
        joints |= {
            f'drive{k}': hinge('ground', f'arm{k}', (0.2 * c, 0.2 * s, 0.0), axis=(0, 0, 1)),
            f'elbow{k}': {'kind': 'universal', 'bodies': [f'arm{k}', f'rod{k}'],
                          'at': [[0.25, 0.0, 0.0], [0.0, 0.0, 0.0]],
                          'axes': [[0, 1, 0], [0, 0, 1]]},
            f'wrist{k}': {'kind': 'universal', 'bodies': [f'rod{k}', 'platform'],
                          'at': [[0.6, 0.0, 0.0], [0.06 * c, 0.06 * s, 0.0]],
                          'axes': [[0, 0, 1], [-s, c, 0.0]]}}
        joints[f'drive{k}'] |= {'axes': [[-s, c, 0.0], [0, 1, 0]],
                                'references': [[c, s, 0.0], [1, 0, 0]]}
        del joints[f'drive{k}']['axis']
    return machine('delta', bodies, joints)


def gripper():
    """A gripper of two parallel fingers, each on a parallelogram, geared; fingers drawn flat."""
    bodies, joints = {}, {}
    for side, sign in (('left', 1.0), ('right', -1.0)):
        bodies |= {f'{side}_crank': body((sign * 0.02, 0.0, 0.0)),
                   f'{side}_rod': body((sign * 0.04, 0.0, 0.02)),
                   f'{side}_finger': body((sign * 0.07, 0.0, 0.0))}
        joints |= {
            f'{side}_drive': hinge('ground', f'{side}_crank', (sign * 0.02, 0.0, 0.0)),
            f'{side}_pin': hinge('ground', f'{side}_rod', (sign * 0.04, 0.0, 0.02)),
            f'{side}_tip': hinge(f'{side}_crank', f'{side}_finger', (sign * 0.05, 0.0, 0.0)),
            f'{side}_end': hinge(f'{side}_rod', f'{side}_finger',
                                 (sign * 0.05, 0.0, 0.0, sign * 0.02, 0.0, 0.02))}
    return machine('gripper', bodies, joints, constraints={'gears': {
        'kind': 'linear', 'terms': {'q_left_drive': 1.0, 'q_right_drive': 1.0}, 'sum': 0.6}})


def leg():
    """A leg with two loops like Cassie's: knee and heel by rods with ball joints, all straight."""
    down = (0.0, pi / 2.0, 0.0)
    return machine('leg', {
        'thigh': body((0.0, 0.0, 0.0)), 'shin': body((0.0, 0.0, -0.4)),
        'motor': body((-0.05, 0.0, -0.1)), 'knee_rod': body((0.05, 0.0, -0.1), down, 0.1),
        'foot': body((0.0, 0.0, -0.8)), 'foot_motor': body((0.05, 0.02, -0.1)),
        'foot_rod': body((0.15, 0.02, -0.1), (0.0, 0.0, 0.0), 0.1)}, {
        'hip': hinge('ground', 'thigh', (0.0, 0.0, 0.0)),
        'knee': hinge('thigh', 'shin', (0.0, 0.0, -0.4)),
        'drive': hinge('thigh', 'motor', (-0.05, 0.0, -0.1)),
        'top': {'kind': 'universal', 'bodies': ['motor', 'knee_rod'],
                'at': [[0.1, 0.0, 0.0], [0.0, 0.0, 0.0]], 'axes': [[0, 1, 0], [0, 0, 1]]},
        'bottom': {'kind': 'spherical', 'bodies': ['knee_rod', 'shin'],
                   'at': [[0.32, 0.0, 0.0], [0.08, 0.0, 0.0]]},
        'ankle': hinge('shin', 'foot', (0.0, 0.0, -0.4)),
        'foot_drive': hinge('thigh', 'foot_motor', (0.05, 0.02, -0.1)),
        'foot_top': {'kind': 'universal', 'bodies': ['foot_motor', 'foot_rod'],
                     'at': [[0.1, 0.0, 0.0], [0.0, 0.0, 0.0]], 'axes': [[0, 1, 0], [0, 0, 1]]},
        'foot_bottom': {'kind': 'spherical', 'bodies': ['foot_rod', 'foot'],
                        'at': [[0.68, 0.0, 0.0], [0.1, 0.02, 0.0]]}})


# Jansen's numbers [m]: a, l: base from crank; m: crank; b, d, e and g, h, i: triangles; else bars.
JANSEN = {'a': 0.38, 'b': 0.415, 'c': 0.393, 'd': 0.401, 'e': 0.558, 'f': 0.394, 'g': 0.367,
          'h': 0.657, 'i': 0.49, 'j': 0.5, 'k': 0.619, 'l': 0.078, 'm': 0.15}


def apex(base, left, right):
    """Return where the third corner (2) of a triangle is, whose base is along x from its origin."""
    x = (base ** 2 + left ** 2 - right ** 2) / (2.0 * base)
    return x, float(np.sqrt(left ** 2 - x ** 2))


def walker(legs):
    """Theo Jansen's walking linkage, so many legs on one crank; all bars are drawn along x.

    Every other leg is mirrored; they are in planes 0.1 m apart, on cranks in turn.
    """
    n = JANSEN
    bodies = {'crank': body(mass=2.0)}
    joints = {'axle': hinge('ground', 'crank', (0.0, 0.0, 0.0))}
    for k in range(legs):
        side, y, phase = (-1.0 if k % 2 else 1.0), 0.1 * k, 2.0 * pi * (k // 2) / (legs // 2 or 1)
        pin = n['m'] * cos(phase), y, n['m'] * sin(phase)
        base = -side * n['a'], y, -n['l']
        far, foot = apex(n['b'], n['d'], n['e']), apex(n['g'], n['i'], n['h'])
        bodies |= {f'upper{k}': body(base), f'side{k}': body(base), f'top{k}': body(pin),
                   f'low{k}': body(pin), f'rod{k}': body(base), f'foot{k}': body(base)}
        bodies[f'foot{k}']['points'] = {'tip': [foot[0], 0.0, side * foot[1]]}
        joints |= {
            f'base{k}': hinge('ground', f'upper{k}', base),
            f'root{k}': hinge('ground', f'side{k}', base),
            f'pin{k}': hinge('crank', f'top{k}', pin), f'lower{k}': hinge('crank', f'low{k}', pin),
            f'head{k}': hinge(f'top{k}', f'upper{k}', (n['j'], 0.0, 0.0, n['b'], 0.0, 0.0)),
            f'knee{k}': hinge(f'low{k}', f'foot{k}', (n['k'], 0.0, 0.0)),
            f'rest{k}': hinge(f'side{k}', f'foot{k}', (n['c'], 0.0, 0.0)),
            f'far{k}': hinge(f'upper{k}', f'rod{k}', (far[0], 0.0, side * far[1])),
            f'end{k}': hinge(f'rod{k}', f'foot{k}', (n['f'], 0.0, 0.0, n['g'], 0.0, 0.0))}
    return machine('walker', bodies, joints, independent=['q_axle'])
