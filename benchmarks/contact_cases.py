"""The 3-RRR robot of the benchmarks of contacts: its runs, wrong models of it, thresholds.

Ways to find forces from outside: the direct method on estimates of platform_ekf, with an IMU
that is 3 to 4 ms late as the paper's; the direct method as in the paper, with the estimated
accelerations, pose and velocity by encoders alone; the momentum observer as in the paper, on
encoders alone, their differences being the velocities; and the observer on the estimates that the
direct method has.
"""

from copy import copy
from dataclasses import replace
from functools import lru_cache
from itertools import product

import numpy as np

from mb_bringup.arguments import config_files
from mb_contact import DetectionSettings, IsolationSettings
from mb_model import load_mechanism
from mb_model.file_api import GivenParameters, read_parameters
from mb_sensors import SensorNoise, sensors_of
from mb_simulation.contact_experiment import LATE_IMU, ContactExperiment, simulate_robot
from mb_simulation.control import ControlSettings, TrajectorySettings, plan

GAINS = (20.0, 100.0, 135.0, 200.0, 500.0)         # of the momentum observer, of the paper [1/s]
DIRECT, OBSERVER, ON_ESTIMATE = 'direct', 'observer', 'observer on the estimate'
ON_ENCODERS = 'direct, motion by encoders'
METHODS = (DIRECT, ON_ENCODERS, *(f'{name}, {gain:g} /s' for name, gain in product(
    (OBSERVER, ON_ESTIMATE), GAINS)))
WRONG = 0.05                                        # of every parameter of the dynamics
PARAMETERS = ('inner_mass', 'outer_mass', 'platform_mass', 'platform_inertia', 'drive_coulomb',
              'drive_viscous')
SETTLED = 0.1                                       # estimates have by then [s]
SAFETY = 2.0                                        # factor of thresholds on a contact-free run
ON_AND_ON = ControlSettings(reaction='none')
_NO_LIMIT = 1e9


@lru_cache(maxsize=1)
def robot():
    """Return the robot."""
    return load_mechanism('three_rrr')


@lru_cache(maxsize=32)
def wrong_robot(seed):
    """Return the robot with every parameter of its dynamics too large or too small at random."""
    signs = np.random.default_rng(seed).choice((-1.0, 1.0), len(PARAMETERS))
    return robot().replace(parameters={
        name: robot().parameters[name] * (1.0 + WRONG * sign)
        for name, sign in zip(PARAMETERS, signs, strict=True)})


def isolation_settings():
    """Return the IsolationSettings of the robot as it is launched."""
    given = GivenParameters(read_parameters(config_files(robot(), ''), 'contact_detector'))
    return given.settings_of(IsolationSettings, 'isolation.')


class Read:
    """A RobotRun as estimators see it; late: whether the IMU is the paper's, else ideal.

    observed: the estimates of platform_ekf.
    """

    def __init__(self, run, seed, late=True, stream=None):
        """Set up; stream: settings of the EstimateStream."""
        self.run, self._seed, self._late = run, seed, late
        self.experiment = ContactExperiment(run, noise=LATE_IMU if late else None)
        self.observed = self.experiment.observe(seed, *([stream] if stream else []))
        self._differences = None

    def detections(self, method, model, limits=None):
        """Return the Detections by one of METHODS.

        model: Mechanism; limits: thresholds (g), default the settings'.
        """
        name, _, gain = method.partition(', ')
        settings, observed = {'method': DIRECT}, self.observed
        if method == ON_ENCODERS:
            observed = self.with_encoders()
        if name != DIRECT:      # by the uncertainty of its state it would not judge at high gains
            settings = {'method': 'momentum_observer', 'gain': (float(gain.split()[0]),),
                        'largest_deviation': _NO_LIMIT}
        if name == OBSERVER:
            observed = self.differences()
        if limits is not None:
            key = 'direct_threshold' if name == DIRECT else 'momentum_threshold'
            settings[key] = tuple(limits)
        return self.experiment.detect(observed, DetectionSettings(**settings), model)

    def with_torques(self, torques):
        """Return the same with other torques (k, d) that were read; estimates have none of them."""
        other = copy(self)
        other.run = replace(self.run, torques=torques)
        other.experiment = ContactExperiment(other.run, noise=LATE_IMU if self._late else None)
        return other

    def largest(self, method, model):
        """Return the largest force of a method once settled (g) [N or N m]."""
        detections = self.detections(method, model)
        force, = detections.track.force.values()
        return np.nanmax(np.abs(force[detections.known > SETTLED]), axis=0)

    def with_encoders(self):
        """Return what is Observed, with pose and velocity by the encoders alone."""
        read = self.differences()
        rows = np.searchsorted(read.stamps, self.observed.stamps)
        return self.observed._replace(z=read.z[rows], zd=read.zd[rows], q=read.q[rows])

    def differences(self):
        """Return what is Observed by the encoders alone."""
        if self._differences is None:
            self._differences = self.experiment.differentiate(self._seed)
        return self._differences


@lru_cache(maxsize=1)
def rectangle():
    """Return the contact-free rectangle at 1.41 m/s and 12.4 m/s^2, two and a half rounds, Read."""
    trajectory = plan(robot(), TrajectorySettings(kind='rectangle'))
    return Read(simulate_robot(robot(), trajectory, 4.0, control=ON_AND_ON), seed=0)


@lru_cache(maxsize=1)
def peak():
    """Return the largest torque of each drive on the rectangle (d) [N m]."""
    return np.abs(rectangle().run.torques).max(axis=0)


def measured(read, seed, **torques):
    """Return what is Read, with measured torques; torques: of motor_torques, as shares of peak."""
    return read.with_torques(motor_torques(robot(), read.run.torques, seed, peak(), **torques))


@lru_cache(maxsize=32 * len(METHODS))
def thresholds(seed, method):
    """Return thresholds (g): twice the largest force of the rectangle, with a wrong model."""
    return SAFETY * rectangle().largest(method, wrong_robot(seed))


def motor_torques(mechanism, torques, seed, rated, drawn_scale, **of_rated):
    """Return readings (k, d) of torques (k, d) [N m].

    rated: of each drive (d) [N m]; drawn_scale: deviation of the gain; of_rated: sigma, drawn_bias
    and the like, as shares of the rated torque.
    """
    numbers, found = np.arange(len(torques)), []
    for drive, largest, column in zip(mechanism.drives, rated, torques.T, strict=True):
        motor = mechanism.replace(sensors={'motor': {
            'kind': 'motor_torque', 'drive': drive, 'rate': 1000.0, 'drawn_scale': drawn_scale,
            **{name: share * largest for name, share in of_rated.items()}}})
        settings = sensors_of(motor, ['motor'])[0].settings
        found.append(SensorNoise(settings, seed, f'motor of {drive}').readings(
            numbers, column[:, None]))
    return np.hstack(found)
