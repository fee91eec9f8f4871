"""Load and digging force of the benchmarks' excavator, by estimated motion and pressures."""

from dataclasses import dataclass

import numpy as np

from benchmarks.excavator_machines import CYLINDERS, LINKS, LOAD_AT, WAYS
from benchmarks.excavator_sensing import PRESSURE_SIGMA
from mb_contact import DirectMethod, PayloadEstimator, PayloadSettings

# Nothing is known of what moves the base and the house, nor of what a stop adds to the pressures of
# the bucket's cylinder: boom and arm weigh.
SETTINGS = PayloadSettings(
    method='window_least_squares', window=10.0, settling_time=0.0, friction_uncertainty=0.3,
    model_uncertainty=0.01, correlation_time=0.1, largest_deviation=2e3,
    unknown_forces=(*WAYS, 'roll', 'pitch', 'slew', 'bucket_angle'))
OPENED, EMPTIED = 0.75, 4.0             # rad, s: a bucket so far open is empty, and so long after
LOAD_SIGMA, FORCE_SIGMA = 1e3, 1e5      # kg, N: before anything is known
MOMENT_SIGMA = np.array([3e3, 2e3, 1e3])            # N m, of the equations of LINKS
SHOWN = 0.5                             # s after which an end of a stop is noticed


@dataclass
class Weighing:
    """One weighing: from when to when [s], whether empty, mass and its deviation [kg]."""

    begin: float
    end: float
    empty: bool
    mass: float
    deviation: float


class Scales:
    """Weighs the load while the bucket is at its stop, curled, and nothing after it was opened."""

    def __init__(self, mechanism, dt):
        """Set up; dt [s]: from one estimate to the next."""
        self._estimator = PayloadEstimator(mechanism, ['load'], SETTINGS, dt)
        self._noise = PRESSURE_SIGMA ** 2 * np.eye(len(mechanism.circuit.volumes))
        self._motion = 3 * mechanism.g
        self._bucket = mechanism.independent.index('bucket_angle')
        self._seen, self._empty, self._begin, self._payload = -np.inf, None, 0.0, None
        self.weighings = []

    def add(self, t, estimate, p, curled):
        """Add an estimate, pressures (v) [Pa] and the reading at the stop, or NaN, at t [s]."""
        opened = estimate.z[self._bucket] > OPENED
        if opened or np.isfinite(curled):
            if self._empty is not opened:
                self._end(t)
                self._empty, self._begin = opened, t
                self._estimator.reset()
            self._seen = t
        if self._empty is None:
            return
        if t - self._seen > (EMPTIED if self._empty else SHOWN):
            self._end(t)
            return
        size, motion = self._motion + len(p), self._motion
        covariance = np.zeros((size, size))
        covariance[:motion, :motion] = estimate.covariance[:motion, :motion]
        covariance[motion:, motion:] = self._noise
        self._payload = self._estimator.update(
            round(1e9 * t), estimate.z, estimate.zd, estimate.zdd, p, covariance, q=estimate.q)

    def _end(self, t):
        """Note the weighing that has just ended."""
        payload = self._payload
        if self._empty is not None and payload is not None and np.isfinite(payload.mass[0]):
            self.weighings.append(Weighing(self._begin, t, self._empty, float(payload.mass[0]),
                                           float(payload.deviation[0])))
        self._empty = self._payload = None


class Edge:
    """The force of the ground at the bucket's edge, in the plane of boom and arm."""

    def __init__(self, mechanism):
        """Set up."""
        self._mechanism = mechanism
        self._method = DirectMethod(mechanism, [f'{name}_length' for name in CYLINDERS])
        circuit = mechanism.circuit.record[0]
        self._areas = circuit['area'][:6].reshape(3, 2) * [1.0, -1.0]
        self._coulomb, self._viscous, self._slow = (
            circuit[name][:3] for name in ('coulomb', 'viscous', 'transition_velocity'))
        self._links = [mechanism.independent.index(name) for name in LINKS]
        self._rates = mechanism.places([f'{name}_length' for name in CYLINDERS])
        gravity = np.array(mechanism.raw['gravity'])
        self._gravity = gravity

    def moments(self, estimate, p):
        """Return the moments from outside about the pins of LINKS (3) [N m], and their arms (3, 3).

        Arms: of a force along x and z of the house at the edge, and of a kilogram of load.
        """
        rate = estimate.qd[self._rates]
        friction = self._coulomb * np.tanh(rate / self._slow) + self._viscous * rate
        force = np.sum(p.reshape(3, 2) * self._areas, axis=1) - friction
        outside = self._method.force(estimate.z, estimate.zd, estimate.zdd, force)[self._links]
        motion = {name: self._mechanism.body_motion(name, estimate.q, estimate.qd, estimate.qdd)
                  for name in ('house', 'boom', 'arm', 'bucket')}
        turn = motion['house'].rotation
        bucket = motion['bucket']
        edge = bucket.position + bucket.rotation @ [1.4, 0.0, 0.0]
        load = bucket.position + bucket.rotation @ LOAD_AT
        arms = np.empty((3, 3))
        for row, name in enumerate(('boom', 'arm', 'bucket')):
            pin = motion[name].position
            for column, (place, pull) in enumerate((
                    (edge, turn[:, 0]), (edge, turn[:, 2]), (load, self._gravity))):
                arms[row, column] = -turn[:, 1] @ np.cross(place - pin, pull)
        return outside, arms

    def force(self, estimate, p):
        """Return the force at the edge along x and z of the house (2) [N]."""
        outside, arms = self.moments(estimate, p)
        white = arms / MOMENT_SIGMA[:, np.newaxis]
        prior = np.diag(1.0 / np.square([FORCE_SIGMA, FORCE_SIGMA, LOAD_SIGMA]))
        found = np.linalg.solve(white.T @ white + prior, white.T @ (outside / MOMENT_SIGMA))
        return found[:2]
