"""Steps of filters under hostile readings, forces and step lengths, one after the other."""

from dataclasses import dataclass, field

import numpy as np

from mb_estimators import DivergenceError, ImpossibleReadingError, make_filter
from mb_estimators.filter import needs_hydraulics
from mb_model import load_mechanism
from mb_sensors import sensors_of

MOTION = 400                    # steps from one start on
LOOK_EVERY = 8                  # steps between two looks at the estimate: NaN does not go away
SHORT = 1e-6, 1e-9              # steps that are much shorter than filters are made for [s]
# In the plane, in space, with oil: sensors, longest step [s], a filter that reads them
MACHINES = {
    'four_bar': (['crank_encoder', 'coupler_gyro'], 5e-3, 'error_ekf'),
    'spatial_four_bar': (['crank_encoder'], 5e-3, 'error_ekf'),
    'crane': (['cylinder_encoder', 'pressure1', 'pressure2'], 1e-3, 'hydraulic_ekf')}
WILD = 0.05         # share of the faults of a kind that are any number at all
LARGEST_INPUTS = {False: 1e3, True: 1.0}     # known forces [N or Nm], with oil commands of valves


@dataclass
class Outcome:
    """What came of the steps of a filter on a machine: how many, and words of what was wrong."""

    steps: int = 0
    diverged: int = 0
    impossible: int = 0
    wrong: list[str] = field(default_factory=list)


def fuzzed(machine, name, count, seed):
    """Return the Outcome of a count of steps of a filter on a machine, each a new start after some.

    Where it diverges it is reset, too.
    """
    rng, found = np.random.default_rng(seed), Outcome()
    mechanism, (names, dt, _) = load_mechanism(machine), MACHINES[machine]
    filter_ = make_filter(name, mechanism, names, dt)
    near, sigma = read_at_start(machine)
    has_oil = needs_hydraulics(filter_)
    inputs = len(mechanism.circuit.valves) if has_oil else mechanism.g
    largest = LARGEST_INPUTS[has_oil]
    while found.steps < count and not found.wrong:
        filter_.reset(mechanism.z0, mechanism.zd0)
        rows = hostile(near + sigma * rng.normal(size=(MOTION, len(near))), rng)
        lengths = rng.choice((*[dt] * 4, *SHORT), MOTION).tolist()
        forces = largest * rng.normal(size=(MOTION, inputs)) * 10.0 ** rng.uniform(
            -6, 0, (MOTION, 1))
        with np.errstate(all='ignore'):
            _follow(filter_, rows, lengths, forces, found)
    return found


def read_at_start(machine):
    """Return what the sensors of a machine read at its start (channels), and their deviations."""
    mechanism, (names, dt, reader) = load_mechanism(machine), MACHINES[machine]
    sensors = sensors_of(mechanism, names)
    sigma = np.concatenate([np.broadcast_to(np.sqrt(sensor.settings.variance),
                                            len(sensor.channels)) for sensor in sensors])
    fit = make_filter(reader, mechanism, sensors, dt).correct(np.zeros(len(sigma)))
    near = np.zeros(len(sigma))
    near[fit.channels] = -fit.residual
    return near, sigma


def _follow(filter_, rows, lengths, forces, found):
    """Step along one motion, and count into an Outcome."""
    for k, (row, length, force) in enumerate(zip(rows, lengths, forces, strict=True)):
        found.steps += 1
        try:
            filter_.predict(length, force)
            filter_.correct(row)
            if k % LOOK_EVERY == 0 and not _finite(filter_.estimate):
                found.wrong.append(f'step {k} of a motion: {filter_.estimate} after {row}')
                return
        except ImpossibleReadingError:
            found.impossible += 1
        except DivergenceError:
            found.diverged += 1
            return


def _finite(estimate):
    """Return whether motion and covariance of an Estimate are finite, and variances no less than 0.
    """
    numbers = (estimate.z, estimate.zd, estimate.zdd, estimate.q, estimate.qd, estimate.qdd,
               estimate.covariance)
    return all(np.isfinite(one).all() for one in numbers) and bool(
        (np.diagonal(estimate.covariance) >= 0.0).all())


def hostile(readings, rng):
    """Return readings (k, channels), one instant in five with something wrong."""
    readings = readings.copy()
    count, channels = readings.shape
    for k in np.flatnonzero(rng.random(count) < 0.2):
        which = rng.random(channels) < 0.5
        size = rng.choice((-1.0, 1.0), channels) * 10.0 ** rng.uniform(-3, 3)
        kind = rng.integers(6)
        if kind == 0:
            readings[k, which] = np.nan
        elif kind == 1:
            readings[k, which] = size[which]
        elif kind == 2:
            readings[k:k + 50, which] = size[which]        # stuck
        elif kind == 3:
            readings[k:k + 10] += size * rng.normal(size=readings[k:k + 10].shape)
        elif kind == 4:
            readings[k] = readings[rng.integers(count)]
        elif rng.random() < WILD:
            readings[k, which] = rng.choice((-1.0, 1.0)) * 10.0 ** rng.uniform(-320, 308)
    return readings
