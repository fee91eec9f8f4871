"""The machines of the benchmark of contacts in space: motions, collisions, sensors, wrong models.

A delta robot, a six-axis arm and a Stewart platform under computed torque follow sums of sines; the
platform with one IMU, with jerks that its motion without contacts makes likely, and with two
accelerometers beside the IMU.
The truth is the model under RK4 at 0.25 ms with its own parameters; something stands in the way of
a place of a body, or is clamped between two, as a spring and a damper with friction.  Of one kind,
MuJoCo is the truth, and bodies run into obstacles there.  Encoders of some 20 bits and ideal IMUs
are read at 1 kHz; torques are those of motor_torque sensors, with errors of gain and offset, noise
and steps.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from benchmarks.contact_cases import motor_torques
from mb_estimators import make_filter, observe
from mb_model import Mechanism, load_mechanism, make_stepper
from mb_sensors import RecordedSensor, sensors_of
from mb_simulation.control import Motion

DT, PIECES = 1e-3, 4                    # s; steps of a simulation with contacts
FRICTIONS = {'delta': 0.05}             # of drives without springs [N m s/rad]
APPROACH = 0.1                          # least speed of a collision [m/s]
KP, KD = 400.0, 40.0                    # of the computed torque [1/s^2], [1/s]
WRONG = 0.05                            # of every mass, inertia and damper
ENCODER = {'sigma': 2e-5, 'rate': 1000.0}
ACCELEROMETER = {'kind': 'accelerometer', 'sigma': 3.9e-2, 'resolution': 3.0e-4, 'rate': 1000.0}
GYROSCOPE = {'kind': 'gyroscope', 'sigma': 2.7e-3, 'resolution': 3.3e-5, 'rate': 1000.0}
GAIN, OFFSET, NOISE, STEP = 0.02, 0.005, 0.002, 0.0005       # the last three of the rated torque


class Case(NamedTuple):
    """A machine: its sensors and rated torques (d) [N m], motions and collisions.

    swing, rates: of z: amplitude (g) of two sines, their range of frequency [Hz]; jerk_psd: of
    lengths, by what some 25 N do in a millisecond [m^2/s^5]; kinds: name of a kind of collisions ->
    bodies that are touched, or pairs that clamp something.
    """

    sensors: tuple[str, ...]
    rated: tuple[float, ...]
    swing: tuple[float, ...]
    rates: tuple[float, float]
    jerk_psd: float
    kinds: dict[str, tuple]


OBSTACLE = 'obstacle'                   # kind of collisions in MuJoCo, of any body
_LEGS = '123'
CASES = {
    'delta': Case(
        ('encoder1', 'encoder2', 'encoder3', 'platform_accelerometer'), (5.0,) * 3,
        (0.06, 0.06, 0.03), (0.5, 1.2), 6e5,
        {'platform': ('platform',), 'arm': tuple(f'arm{leg}' for leg in _LEGS),
         'rod': tuple(f'{side}{leg}' for leg in _LEGS for side in ('left', 'right')),
         'clamped': tuple((f'arm{leg}', f'{side}{leg}') for leg in _LEGS
                          for side in ('left', 'right'))}),
    'six_axis_arm': Case(
        (*(f'encoder{k}' for k in range(1, 7)), 'fore_gyro', 'fore_accelerometer', 'tool_gyro',
         'tool_accelerometer'), (150.0,) * 3 + (28.0,) * 3, (0.3,) * 6, (0.3, 0.8),
        6e5,
        {**{name: (name,) for name in ('upper_arm', 'forearm', 'wrist1', 'wrist2', 'wrist3')},
         'clamped': (('upper_arm', 'forearm'),)}),
    'stewart': Case(
        (*(f'encoder{k}' for k in range(1, 7)), 'platform_gyro', 'platform_accelerometer'),
        (400.0,) * 6, (0.025,) * 6, (0.4, 1.0), 1e3,
        {'platform': ('platform',),
         'leg': tuple(f'{part}{k}' for k in range(1, 7) for part in ('barrel', 'rod'))})}
CASES['stewart_likely'] = CASES['stewart']._replace(jerk_psd=1.0)
CASES['stewart_accelerometers'] = CASES['stewart']._replace(
    sensors=(*CASES['stewart'].sensors, 'platform_accelerometer2', 'platform_accelerometer3'))
for _case in CASES.values():
    _case.kinds[OBSTACLE] = tuple(dict.fromkeys(
        body for bodies in _case.kinds.values() for body in bodies if isinstance(body, str)))


@lru_cache(maxsize=4)
def machine(name):
    """Return a machine whose drives are torque-controlled, with the sensors of the benchmark."""
    if name.startswith('stewart'):
        return load_mechanism('stewart_legs')
    file = load_mechanism(name)
    encoders = {sensor: ENCODER for sensor in CASES[name].sensors if sensor.startswith('encoder')}
    if name in FRICTIONS:
        return file.replace(parameters={'stiffness': 0.0, 'damping': FRICTIONS[name]},
                            sensors=encoders)
    return file.replace(sensors=encoders | {
        'fore_gyro': GYROSCOPE | {'body': 'forearm'},
        'fore_accelerometer': ACCELEROMETER | {'body': 'forearm', 'at': [0.04, 0.0, 0.35]},
        'tool_gyro': {'rate': 1000.0},
        'tool_accelerometer': {'rate': 1000.0, 'at': [0.04, 0.06, 0.0]}})


@lru_cache(maxsize=32)
def wrong_machine(name, seed):
    """Return the machine with every mass, inertia and damper too large or too small at random."""
    random, right = np.random.default_rng(seed), machine(name)

    def wrong(values):
        return (np.asarray(values) * (1.0 + WRONG * random.choice((-1.0, 1.0)))).tolist()

    bodies = {one: {'mass': wrong(body.mass)} | (
        {} if body.slender or body.shaped else {'inertia': wrong(np.diag(body.inertia))})
        for one, body in right.bodies.items()}
    dampers = {one: {'damping': wrong(right.parameters['damping'])}
               for one in right.described.forces}
    return right.replace(bodies=bodies, forces=dampers)


class Sines:
    """A motion: z about the start, sums of two sines with drawn rates and phases."""

    def __init__(self, name, seed):
        random, case = np.random.default_rng((11, seed)), CASES[name]
        self._middle = machine(name).z0
        size = (2, len(case.swing))
        self._rate = 2.0 * np.pi * random.uniform(*case.rates, size)
        self._phase = random.uniform(0.0, 2.0 * np.pi, size)
        self._swing = np.array(case.swing)

    def at(self, t):
        """Return the Motion at a time [s]."""
        angle, rate = self._rate * t + self._phase, self._rate
        return Motion(
            self._middle + self._swing * np.sin(angle).sum(axis=0),
            self._swing * (rate * np.cos(angle)).sum(axis=0),
            -self._swing * (rate ** 2 * np.sin(angle)).sum(axis=0))


@dataclass(frozen=True)
class SpaceRun:
    """A true motion at instants t (k) [s], for RecordedSensor, and what acted on it.

    torques (k, d): of the drives in the step that ends there.  touches (j) [s], touch_forces
    (j, g): forces of contacts on z at every step of the simulation at which something touches.
    """

    mechanism: Mechanism
    t: np.ndarray
    z: np.ndarray
    zd: np.ndarray
    q: np.ndarray
    qd: np.ndarray
    qdd: np.ndarray
    torques: np.ndarray
    touches: np.ndarray
    touch_forces: np.ndarray

    @property
    def stamps(self):
        """Stamps of the instants [ns]."""
        return 1_000_000 * np.arange(1, len(self.t) + 1)

    def first_touch(self, thresholds=0.0):
        """Return when the force of contacts is first beyond a threshold (g or all) [s], or None."""
        beyond = (np.abs(self.touch_forces) > thresholds).any(axis=1)
        return float(self.touches[np.argmax(beyond)]) if beyond.any() else None


def simulate(name, motion, duration, obstacle=None, since=0.0):
    """Return the SpaceRun of a machine that follows a motion and meets an obstacle, or nothing.

    since: when the obstacle appears [s].
    """
    mechanism = machine(name)
    stepper = make_stepper(mechanism, 'matrix_r', 'rk4')
    drives = mechanism.indices(mechanism.drives)
    z, zd, _ = motion.at(0.0)
    stepper.q[:], stepper.z[:], stepper.zd[:] = mechanism.assemble(z), z, zd
    stepper.refresh()
    pieces, work, n, g = 1 if obstacle is None else PIECES, stepper.work[0], mechanism.n, (
        mechanism.g)
    R, still = work['R'][:n, :g], np.zeros(g)
    rows, torque, touches, touch_forces = [], np.zeros(len(drives)), [], []
    for k in range(round(duration / DT) + 1):
        rows.append([array.copy() for array in (stepper.z, stepper.zd, stepper.q, stepper.qd,
                                                stepper.qdd, torque)])
        wanted, speed, push = motion.at((k + 1) * DT)
        command = push + KD * (speed - stepper.zd) + KP * (wanted - stepper.z)
        driving = mechanism.inverse_dynamics(stepper.z, stepper.zd, command, near=stepper.q)
        torque = np.linalg.solve(R[drives].T, driving)
        for piece in range(pieces):
            t = (k + piece / pieces) * DT
            outside = still if obstacle is None or t < since else (
                obstacle.force(stepper.q, R, stepper.zd))
            if outside.any():
                touches.append(t)
                touch_forces.append(outside)
            stepper.forces[:] = R[drives].T @ torque + outside
            stepper.step(DT / pieces)
            stepper.refresh()
    z, zd, q, qd, qdd, torques = (np.array(part) for part in zip(*rows, strict=True))
    return SpaceRun(mechanism, DT * np.arange(len(z)), z, zd, q, qd, qdd, torques,
                    np.array(touches), np.reshape(touch_forces, (-1, g)))


class Read:
    """A SpaceRun as estimators see it: estimates of platform_ekf, differences of encoders."""

    def __init__(self, name, run, seed):
        self.run, self._name, mechanism = run, name, machine(name)
        readings = readings_of(name, run, seed)
        seen, states = observed(name, run, readings), 3 * mechanism.g
        covariance = np.ascontiguousarray(seen.covariance[:, :states, :states])
        self.estimate = seen.z, seen.zd, seen.zdd, covariance
        self._encoders = readings[:, :len(mechanism.drives)]
        self.torques = measured(name, run.torques, seed)

    def differences(self):
        """Return z, zd, zdd (zeros) and no covariance by the encoders alone, without a filter."""
        mechanism = machine(self._name)
        z = self._encoders
        if mechanism.drives != mechanism.independent:
            q, places = [self.run.q[0]], mechanism.indices(mechanism.independent)
            for row in self._encoders:
                q.append(mechanism.forward_kinematics(mechanism.drives, row, near=q[-1]))
            z = np.array(q[1:])[:, places]
        zd = np.vstack([self.run.zd[:1], np.diff(z, axis=0) / DT])
        return z, zd, np.zeros_like(z), None


def readings_of(name, run, seed):
    """Return the readings (k, r) of the sensors of a machine along a SpaceRun."""
    sensors = sensors_of(machine(name), CASES[name].sensors)
    return np.hstack([RecordedSensor(sensor, run, run.stamps.tolist()).readings(seed)
                      for sensor in sensors])


def observed(name, run, readings, **settings):
    """Return what platform_ekf estimates of readings.

    Its settings are the defaults, but for jerks of lengths, which accelerometers read, and those
    given.
    """
    mechanism = machine(name)
    ekf = make_filter('platform_ekf', mechanism, sensors_of(mechanism, CASES[name].sensors), DT,
                      **{'jerk_psd': CASES[name].jerk_psd} | settings)
    ekf.reset(run.z[0], run.zd[0])
    return observe(ekf, run.stamps, readings, DT)


def measured(name, torques, seed):
    """Return what motor_torque sensors read of torques (k, d) [N m]."""
    return motor_torques(machine(name), torques, seed, CASES[name].rated, drawn_scale=GAIN,
                         sigma=NOISE, drawn_bias=OFFSET, resolution=STEP)
