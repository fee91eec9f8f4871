"""Motions of one body in space against closed forms: a body without torque, a heavy top, a disc.

The body: Euler's solution by Jacobi's elliptic functions (Landau and Lifshitz, Mechanics, Sec. 37),
with an inertia of three different moments, near the separatrix, so that it tumbles over all
orientations.  The top: steady precession of a symmetric one (Goldstein, Classical Mechanics,
Sec. 5.7).  The disc: steady turning of a thin disc that rolls without slip (Routh, Advanced Rigid
Dynamics, Sec. 242), held by a joint, and on a stiff tyre, whose slip is part of the error.
"""

import numpy as np
from scipy.integrate import quad
from scipy.spatial.transform import Rotation
from scipy.special import ellipj

from benchmarks.figures import Figure
from mb_model import Mechanism, simulate

GRAVITY = 9.81
INERTIA = np.array([0.1, 0.25, 0.3])       # of the body without torque [kg m^2]
FREE = 1.0, 1.1                            # rad/s about x and z, 0 about y
TOP = {'mass': 1.3, 'length': 0.2, 'across': 0.02 + 1.3 * 0.04, 'along': 0.03, 'tilt': 0.6,
       'precession': 4.0}                  # about the tip; kg, m, kg m^2, rad, rad/s
DISC = {'mass': 2.0, 'radius': 0.25, 'tilt': 0.35, 'path': 1.0}      # kg, m, rad, m
STIFF = 1e8                                # of the tyre that the disc rolls on [N/m]
_JOINT = {'joints': {'contact': {
    'kind': 'rolling_disc', 'bodies': ['ground', 'body'], 'radius': DISC['radius'],
    'at': [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]], 'axes': [[0.0, 0.0, 1.0], [0.0, 1.0, 0.0]]}},
    'independent': ['at.x', 'at.y', 'turn.x', 'turn.y', 'turn.z']}


def of_closed_forms():
    """Return how far three motions are from their closed forms."""
    return [Figure("a body without torque: motion of 100 s at 1 ms, from Euler's",
                   torque_free_error(100.0, 1e-3), '1, rad/s', 1e-8),
            Figure('heavy top: steady precession of 10 s at 250 us', top_error(10.0, 2.5e-4), '1'),
            Figure('disc that rolls: one turn of a circle of 1 m, 4000 steps',
                   rolling_error(4000), 'm, 1'),
            Figure('disc on a stiff tyre: one turn of a circle of 1 m, 16000 steps',
                   tyre_error(16000), 'm, 1')]


def turn(axis, angle):
    """Return the rotation matrix about an axis, 'x', 'y' or 'z'."""
    return Rotation.from_euler(axis, angle).as_matrix()


def free_body(more):
    """Return the mapping of one body that is free to move and to turn."""
    return {'name': 'body', 'dimension': 3, 'coordinates': {
        'at': {'kind': 'position', 'body': 'body'},
        'turn': {'kind': 'orientation', 'body': 'body'}},
        'independent': ['at.x', 'at.y', 'at.z', 'turn.x', 'turn.y', 'turn.z']} | more


def torque_free_error(duration, step):
    """Return the largest error of orientation and rate after a time, whole seconds."""
    mechanism = Mechanism(free_body({
        'gravity': [0.0, 0.0, 0.0],
        'bodies': {'body': {'mass': 2.0, 'centre_of_gravity': [0.0, 0.0, 0.0],
                            'inertia': INERTIA.tolist(), 'pose': {
                                'at': [1.0, 2.0, 3.0], 'turn': [0.3, -0.4, 0.5]}}},
        'start_velocity': {'at.x': 0.3, 'turn.x': FREE[0], 'turn.z': FREE[1]}}), 'free.yaml')
    start = mechanism.body_motion('body', mechanism.q0).rotation
    rates, orientation = torque_free(duration, start)
    return _difference(mechanism, simulate(mechanism, duration, step, 'matrix_r', 'rk4',
                                           estimate_error=False), orientation, rates)


def torque_free(t, start):
    """Return (angular velocity in the body's frame, rotation) of the body at t, from t = 0."""
    first, second, third = INERTIA
    twice_energy = INERTIA @ np.square([FREE[0], 0.0, FREE[1]])
    momentum = np.sqrt(INERTIA ** 2 @ np.square([FREE[0], 0.0, FREE[1]]))
    wide, narrow = twice_energy * third - momentum ** 2, momentum ** 2 - twice_energy * first
    assert momentum ** 2 > twice_energy * second       # it turns about z more than about x
    pace = np.sqrt((third - second) * narrow / INERTIA.prod())
    modulus = (second - first) * wide / ((third - second) * narrow)

    def rates(time):
        sn, cn, dn, _ = ellipj(pace * time, modulus)
        return np.array([FREE[0] * cn, np.sqrt(wide / (second * (third - second))) * sn,
                         FREE[1] * dn])

    def precession(time):
        across = rates(time)[:2]
        return momentum * (INERTIA[:2] @ across ** 2) / (INERTIA[:2] ** 2 @ across ** 2)

    def nutation(time):
        """Turn from the body's axes to those with z along the momentum, but for precession."""
        along = INERTIA * rates(time) / momentum
        return turn('x', np.arccos(along[2])) @ turn('z', np.arctan2(along[0], along[1]))

    turned = sum(quad(precession, a, a + 1.0, epsabs=1e-13, epsrel=1e-13)[0]
                 for a in range(round(t)))
    return rates(t), start @ nutation(0.0).T @ turn('z', turned) @ nutation(t)


def top_error(duration, step):
    """Return the largest error of orientation of a top that precesses steadily."""
    mass, length, across, along, tilt, precession = TOP.values()
    spin = (mass * GRAVITY * length / precession + across * precession * np.cos(tilt)) / along
    start = turn('x', tilt)
    own = spin - precession * np.cos(tilt)             # against the frame that precesses
    rate = precession * start[2] + [0.0, 0.0, own]     # in the body's frame
    steiner = mass * length ** 2
    mechanism = Mechanism({
        'name': 'top', 'dimension': 3, 'gravity': [0.0, 0.0, -GRAVITY],
        'bodies': {'body': {
            'mass': mass, 'centre_of_gravity': [0.0, 0.0, length], 'points': {'O': [0, 0, 0]},
            'inertia': [across - steiner, across - steiner, along],
            'pose': {'turn': [tilt, 0.0, 0.0]}}},
        'joints': {'tip': {'kind': 'spherical', 'bodies': ['ground', 'body'],
                           'at': [[0, 0, 0], 'O']}},
        'coordinates': {'turn': {'kind': 'orientation', 'body': 'body'}},
        'independent': ['turn.x', 'turn.y', 'turn.z'],
        'start_velocity': dict(zip(('turn.x', 'turn.y', 'turn.z'), rate.tolist(), strict=True))},
        'top.yaml')
    run = simulate(mechanism, duration, step, 'matrix_r', 'rk4', estimate_error=False)
    end = turn('z', precession * duration) @ start @ turn('z', own * duration)
    return np.abs(mechanism.body_motion('body', run.q[-1]).rotation - end).max()


def disc_rates():
    """Return (precession, spin) of the disc that turns steadily [rad/s], see _disc_error."""
    mass, radius, tilt, path = DISC.values()
    along, across = 0.5 * mass * radius ** 2, 0.25 * mass * radius ** 2
    centre = path - radius * np.sin(tilt)
    precession = np.sqrt(mass * radius * GRAVITY * np.tan(tilt) / (
        mass * radius * centre + across * np.sin(tilt) + along * (path / radius - np.sin(tilt))))
    return precession, precession * path / radius


def rolling_error(steps):
    """Return the largest error of the disc that rolls on a joint after one turn."""
    return _disc_error(steps, _JOINT, 'matrix_r', 'rk4')


def tyre_error(steps, stiffness=1e7):
    """Return the same on a tyre of a stiffness of slips [N, N/rad]."""
    return _disc_error(steps, {'forces': {'road': {
        'kind': 'tyre', 'body': 'body', 'radius': DISC['radius'], 'stiffness': STIFF,
        'cornering_stiffness': stiffness, 'slip_stiffness': stiffness}}}, 'index3_al',
        'trapezoidal')


def _disc_error(steps, held, formulation, integrator):
    """Return the largest error of place and orientation of the disc after one turn about z.

    Its contact is on a circle of radius `path`, the disc leans inwards by `tilt`; at t = 0 it is
    at x = path and rolls along y.  held: what its file has for that.
    """
    mass, radius, tilt, path = DISC.values()
    precession, spin = disc_rates()
    along, across = 0.5 * mass * radius ** 2, 0.25 * mass * radius ** 2
    # Axes: y of the disc its axis, to the left of the way ahead, x ahead, z in its plane.
    left = np.array([-np.cos(tilt), 0.0, -np.sin(tilt)])
    ahead = np.array([0.0, 1.0, 0.0])
    start = np.column_stack([ahead, left, np.cross(ahead, left)])
    centre = np.array([path - radius * np.sin(tilt), 0.0, radius * np.cos(tilt)])
    # on a tyre lower by the load
    sunk = mass * GRAVITY * np.cos(tilt) ** 2 / STIFF if 'forces' in held else 0.0
    rate = start.T @ (precession * np.array([0.0, 0.0, 1.0]) + spin * left)
    rates = dict(zip(('at.y', 'turn.x', 'turn.y', 'turn.z'),
                     (float(precession * centre[0]), *rate.tolist()), strict=True))
    raw = free_body({
        'gravity': [0.0, 0.0, -GRAVITY],
        'bodies': {'body': {
            'mass': mass, 'centre_of_gravity': [0.0, 0.0, 0.0], 'inertia': [across, along, across],
            'pose': {'at': (centre - [0.0, 0.0, sunk]).tolist(),
                     'turn': Rotation.from_matrix(start).as_rotvec().tolist()}}},
        'start_velocity': rates} | held)
    mechanism = Mechanism(raw, 'disc.yaml')
    duration = 2.0 * np.pi / precession
    run = simulate(mechanism, duration, duration / steps, formulation, integrator,
                   estimate_error=False)
    assert abs(run.t[-1] - duration) < 1e-9
    end = mechanism.body_motion('body', run.q[-1])
    whole = turn('z', precession * duration)
    own = turn('y', spin * duration)
    return max(np.abs(end.position - whole @ centre).max(),
               np.abs(end.rotation - whole @ start @ own).max())


def _difference(mechanism, run, orientation, rates):
    end = mechanism.body_motion('body', run.q[-1], run.qd[-1])
    return max(np.abs(end.rotation - orientation).max(),
               np.abs(end.rotation.T @ end.angular_velocity - rates).max())
