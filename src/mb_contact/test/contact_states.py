"""States of the 3-RRR robot while known forces from outside act on it."""

from functools import cache

import numpy as np

from mb_model import load_mechanism, make_stepper

MS = 1_000_000


@cache
def robot():
    """Return the robot without dry friction, whose mean two instants of a step do not give."""
    return load_mechanism('three_rrr').replace(parameters={'drive_coulomb': 0.0})


def moving(outside, torques=(0.3, -0.2, 0.1), mechanism=None):
    """Return (stamps, z, zd, zdd, torques), one a row, each 1 ms after the last.

    outside (k, g): force from outside over the step that ends at each row [N or N m]; torques (d).
    """
    mechanism = mechanism or robot()
    stepper = make_stepper(mechanism, 'matrix_r', 'rk4')
    for name, torque in zip(mechanism.drives, torques, strict=True):
        stepper.coordinate_forces[mechanism.coordinates.index(name)] = torque
    states = []
    for force in np.asarray(outside, float):
        stepper.forces[:] = force
        stepper.step(1e-3)
        states.append(np.stack([stepper.z, stepper.zd, stepper.zdd]))
    z, zd, zdd = np.stack(states, axis=1)
    return stamps(len(z)), z, zd, zdd, np.tile(torques, (len(z), 1))


def standing(outside):
    """Return the same of a robot that stands, with the accelerations that forces give it."""
    mechanism = robot()
    rest = np.zeros(mechanism.g)
    zdd = np.array([mechanism.forward_dynamics(mechanism.z0, rest, force) for force in outside])
    rows = np.zeros_like(zdd)
    return stamps(len(zdd)), rows + mechanism.z0, rows, zdd, rows


def stamps(rows):
    """Return stamps of rows that are 1 ms apart [ns]."""
    return MS * np.arange(1, rows + 1)
