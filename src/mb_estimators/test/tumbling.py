"""A body that tumbles under known forces and moments, by Euler's equations and plain rotations."""

import numpy as np
from scipy.spatial.transform import Rotation
from scipy.stats import chi2
from spatial_machines import TORQUE_FREE

from mb_model import Mechanism

BOX = Mechanism(TORQUE_FREE, 'free.yaml')
MASS, INERTIA = 2.0, np.array([0.1, 0.25, 0.3])
START = Rotation.from_rotvec([0.3, -0.4, 0.5])
DEVIATIONS = np.repeat([0.02, 0.03, 0.1, 0.3], 3)       # place, turn, velocity, angular velocity


class Tumbling:
    """The box: place of its centre, Rotation, velocity, angular velocity in its own frame."""

    def __init__(self):
        self.turn, self.place = START, np.array(BOX.z0[:3])
        self.velocity, self.w = np.array(BOX.zd0[:3]), np.array(BOX.zd0[3:])
        self.force, self.inertia = np.zeros(6), INERTIA.copy()

    def move(self, dt, force=(0.0,) * 6, noise=None, pieces=5):
        """Go on under a force along the axes of the world and a moment along the box's.

        noise: Generator and density of white noise of all accelerations.
        """
        h, self.force = dt / pieces, np.asarray(force)
        for _ in range(pieces):
            before = self.velocity, self.w
            self.velocity = self.velocity + h * self.force[:3] / MASS
            self.w = self.w + h * self.twist(self.w + 0.5 * h * self.twist(self.w))
            if noise:
                kicks = np.sqrt(noise[1] * h) * noise[0].normal(size=(2, 3))
                self.velocity, self.w = self.velocity + kicks[0], self.w + kicks[1]
            self.place = self.place + 0.5 * h * (before[0] + self.velocity)
            self.turn = self.turn * Rotation.from_rotvec(0.5 * h * (before[1] + self.w))

    def twist(self, w):
        """Return the angular acceleration at an angular velocity."""
        return (self.force[3:] - np.cross(w, self.inertia * w)) / self.inertia

    @property
    def readings(self):
        """Its place and two of its axes (9), see place_and_axes."""
        axes = self.turn.as_matrix()
        return np.concatenate([self.place, axes[:, 0], axes[:, 1]])

    def off(self, estimate, accelerations=False):
        """Return the error of an Estimate (12, or 18 with accelerations), in the box's frame."""
        turn = BOX.body_motion('box', estimate.q, estimate.qd).rotation
        found = [self.place - estimate.z[:3],
                 (Rotation.from_matrix(turn).inv() * self.turn).as_rotvec(),
                 self.velocity - estimate.zd[:3], self.w - estimate.zd[3:]]
        if accelerations:
            found += [self.force[:3] / MASS - estimate.zdd[:3],
                      self.twist(self.w) - estimate.zdd[3:]]
        return np.concatenate(found)

    def begin(self, filter_, random, further=(), deviations=DEVIATIONS):
        """Reset a filter to a start that is off by deviations, as it knows; further: variances."""
        error = deviations * random.normal(size=12)
        turned = (START.inv() * self.turn * Rotation.from_rotvec(error[3:6]).inv()).as_matrix()
        sine = np.array([turned[2, 1] - turned[1, 2], turned[0, 2] - turned[2, 0],
                         turned[1, 0] - turned[0, 1]]) / 2.0
        rates = (np.trace(turned) * np.eye(3) - turned.T) / 2.0
        filter_.reset(np.concatenate([self.place - error[:3], BOX.z0[3:] + sine]),
                      np.concatenate([self.velocity - error[6:9], rates @ (self.w - error[9:])]),
                      np.diag(np.concatenate([deviations ** 2, further])))


def is_within(off, covariance):
    """Return whether a normalized error squared is within its interval of 95 %."""
    low, high = chi2.ppf([0.025, 0.975], len(off))
    return bool(low < off @ np.linalg.solve(covariance, off) < high)


def two_wheels(forces):
    """Return Mechanisms of a body on a hinge along its z, and of the same on a ball joint.

    It turns about z alone, with 0.1 rad/s at the start; sensors: gyroscope (z), compass.
    """
    body = {'mass': 2.0, 'centre_of_gravity': [0.0, 0.0, 0.0], 'inertia': INERTIA.tolist()}
    raw = {'name': 'wheel', 'dimension': 3, 'gravity': [0.0, 0.0, 0.0], 'bodies': {'box': body},
           'forces': forces, 'sensors': {
               'gyroscope': {'kind': 'gyroscope', 'body': 'box', 'axes': ['z'], 'sigma': 0.01},
               'compass': {'kind': 'orientation', 'body': 'box', 'sigma': 0.02}}}
    return [Mechanism(raw | {
        'joints': {'pivot': {'bodies': ['ground', 'box'], 'at': [[0.0] * 3] * 2} | joint},
        'coordinates': {'turn': coordinate}, 'independent': [f'turn{axis}' for axis in axes],
        'start_velocity': {f'turn{axes[-1]}': 0.1}}, 'wheel.yaml')
        for joint, coordinate, axes in (
            ({'kind': 'revolute', 'axis': [0.0, 0.0, 1.0]}, {'kind': 'angle', 'joint': 'pivot'},
             ['']),
            ({'kind': 'spherical'}, {'kind': 'orientation', 'body': 'box'}, ['.x', '.y', '.z']))]


def wheel_readings(accelerations, dt, random):
    """Yield what gyroscope and compass read (4) of a wheel from accelerations [rad/s^2]."""
    angle, rate = 0.0, 0.1
    for acceleration in accelerations:
        angle += dt * (rate + 0.5 * dt * acceleration)
        rate += dt * acceleration
        yield np.array([rate, 0.0, 0.0, angle]) + [0.01, 0.0, 0.0, 0.02] * random.normal(size=4)


def two_worlds(raw, turn):
    """Return Mechanisms of a file with the box, and of the same, turned with all of its world."""
    pose = raw['bodies']['box']['pose']
    place = turn @ np.array(pose['at'])
    turned = Rotation.from_matrix(turn) * Rotation.from_rotvec(pose['turn'])
    velocity = turn @ np.array([0.3, 0.0, 0.0])
    other = raw | {
        'gravity': (turn @ raw['gravity']).tolist(),
        'bodies': {'box': raw['bodies']['box'] | {'pose': {
            'at': place.tolist(), 'turn': turned.as_rotvec().tolist()}}},
        'start_velocity': raw['start_velocity'] | dict(
            zip(('at.x', 'at.y', 'at.z'), velocity.tolist(), strict=True))}
    return [Mechanism(each, 'free.yaml') for each in (raw, other)]
