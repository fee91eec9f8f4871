"""Machines for tests, as readers make them."""

import numpy as np

from mb_import import WORLD, Inertial, Link, LinkJoint, Machine
from mb_model.space_api import Pose, rotation

Y = np.array([0.0, 1.0, 0.0])


def pose(at=(0.0, 0.0, 0.0), turn=(0.0, 0.0, 0.0)):
    return Pose(np.array(at, float), rotation(turn))


def bar(name, length, mass=1.0):
    """Return a uniform bar along x."""
    inertia = mass * length ** 2 / 12.0
    return Link(name, Inertial(mass, np.array([0.5 * length, 0.0, 0.0]),
                               np.diag([1e-3 * inertia, inertia, inertia])))


def hinge(name, parent, child, at, child_at=(0.0, 0.0, 0.0), kind='revolute', axis=Y, **others):
    return LinkJoint(name, kind, (parent, child), (pose(at), pose(child_at)), axis, **others)


def four_bar(**closing):
    """Return a crank of 0.2 m, a coupler and a rocker of 0.5 m on hinges 0.5 m apart, drawn open.

    A flange is welded to the coupler; angles are about y, so that a positive one turns x to -z.
    """
    links = {'crank-1': bar('crank-1', 0.2), 'coupler': bar('coupler', 0.5),
             'flange': Link('flange', Inertial(0.5, np.zeros(3), 1e-3 * np.eye(3))),
             'rocker': bar('rocker', 0.5)}
    joints = [hinge('motor/1', WORLD, 'crank-1', (0.0, 0.0, 0.0), drawn=-0.4, actuated=True,
                    damping=0.1, friction=0.2, lower=-1.0, upper=2.0),
              hinge('pin', 'crank-1', 'coupler', (0.2, 0.0, 0.0)),
              LinkJoint('bolt', 'weld', ('coupler', 'flange'),
                        (pose((0.5, 0.0, 0.0), (0.0, 0.3, 0.0)), pose((0.1, 0.0, 0.0)))),
              hinge('pivot', WORLD, 'rocker', (0.5, 0.0, 0.0), drawn=-1.2)]
    closure = hinge('tip', 'coupler', 'rocker', (0.5, 0.0, 0.0), (0.5, 0.0, 0.0), **closing)
    return Machine('four bar', links, {one.name: one for one in joints}, {'tip': closure})
