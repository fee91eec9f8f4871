"""The load in the bucket of an excavator in space, against inverse dynamics."""

import numpy as np
import pytest

from mb_contact.arguments import ContactError
from mb_contact.payload.estimator import PayloadEstimator
from mb_contact.payload.payload_settings import PayloadSettings
from mb_model import load_mechanism

LOAD, AIR, RETURN = 800.0, 101325.0, 2.0e6      # kg, Pa
RUBBING = {'friction': {'coulomb': 0.0, 'static': 0.0, 'viscous': 2.0e4}}
EXCAVATOR = load_mechanism('excavator').replace(
    parameters={'load': 300.0},
    bodies={'load': {'points': {'G': [0.0, 0.0, 0.0]}, 'mass': 'load',
                     'shapes': [{'kind': 'sphere', 'radius': 0.4}]}},
    joints={'in_bucket': {'kind': 'weld', 'bodies': ['bucket', 'load'],
                          'at': [[0.65, 0.0, 0.4], [0.0, 0.0, 0.0]]}},
    hydraulics={'cylinders': dict.fromkeys(('boom', 'arm', 'bucket'), RUBBING)})
LOADED = EXCAVATOR.replace(parameters={'load': LOAD})
ALONE = {'averaging_time': 0.0, 'settling_time': 0.0, 'friction_uncertainty': 0.0,
         'model_uncertainty': 0.0}


def instant(seed):
    """Return z, zd, zdd in which all cylinders move, and the pressures that move them so."""
    random = np.random.default_rng(seed)
    z = LOADED.z0 + random.uniform(-1.0, 1.0, 4) * [1.0, 0.2, 0.2, 0.2]
    zd = random.choice([-1.0, 1.0], 4) * random.uniform(0.05, 0.3, 4)
    zdd = random.uniform(-0.5, 0.5, 4)
    force = LOADED.inverse_dynamics(z, zd, zdd)[1:] + 2.0e4 * zd[1:]      # of pressures
    areas = np.reshape(LOADED.circuit.area, (3, 2))
    p = np.full((3, 2), RETURN)
    p[:, 0] = AIR + (force + (RETURN - AIR) * areas[:, 1]) / areas[:, 0]
    return z, zd, zdd, p.ravel()


def test_of_one_instant():
    """The drive of the slewing ring is unknown: its equation is left out."""
    estimator = PayloadEstimator(EXCAVATOR, ['load'], PayloadSettings(
        unknown_forces=('slew',), **ALONE))
    for seed in range(8):
        estimator.reset()
        result = estimator.update(1_000_000, *instant(seed))
        assert result.raw_mass[0] == pytest.approx(LOAD, abs=1e-3), result.reason


def test_an_equation_that_is_not_left_out_counts():
    estimator = PayloadEstimator(EXCAVATOR, ['load'], PayloadSettings(**ALONE))
    off = []
    for seed in range(8):
        estimator.reset()
        off.append(abs(estimator.update(1_000_000, *instant(seed)).raw_mass[0] - LOAD))
    assert max(off) > 50.0


def test_a_load_is_found_by_many_instants():
    """Least squares over a window, with friction of the cylinders that is a third off."""
    wrong = EXCAVATOR.replace(hydraulics={'cylinders': {
        name: {'friction': {'viscous': 2.6e4}} for name in ('boom', 'arm', 'bucket')}})
    estimator = PayloadEstimator(wrong, ['load'], PayloadSettings(
        method='window_least_squares', unknown_forces=('slew',), settling_time=0.0,
        friction_uncertainty=0.3), 0.01)
    covariance = 1e-6 * np.eye(12)
    for seed in range(60):
        result = estimator.update(10_000_000 * (seed + 1), *instant(seed), covariance)
    assert abs(result.mass[0] - LOAD) < min(3.0 * result.deviation[0], 0.02 * LOAD)


def test_other_unknown_forces_start_anew():
    estimator = PayloadEstimator(EXCAVATOR, ['load'], PayloadSettings(**ALONE))
    estimator.update(1_000_000, *instant(0))
    other = estimator.with_settings(PayloadSettings(unknown_forces=('slew',), **ALONE))
    result = other.update(2_000_000, *instant(1))
    assert result.raw_mass[0] == pytest.approx(LOAD, abs=1e-3)


@pytest.mark.parametrize(('names', 'message'), [
    (('swing',), 'unknown_forces: swing: expected some of slew, boom_length'),
    (('slew', 'boom_length', 'arm_length', 'bucket_length'), 'leave too few for 1 masses')])
def test_wrong_names_are_refused(names, message):
    with pytest.raises(ContactError, match=message):
        PayloadEstimator(EXCAVATOR, ['load'], PayloadSettings(unknown_forces=names))
