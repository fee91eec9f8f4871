"""Readings of any noise: no absolute bound in a filter calls an exact sensor, or a turn, wrong."""

from dataclasses import replace

import numpy as np
import pytest

from mb_estimators import available_filters, make_filter
from mb_estimators.stream import EstimateStream, StreamSettings
from mb_model import MechanismError, load_mechanism, simulate
from mb_sensors import RecordedSensor, sensors_of

DT, INSTANTS, SETTLED = 0.005, 60, 20
PENDULUM = load_mechanism('pendulum')
FILTERS = pytest.mark.parametrize('name', available_filters(PENDULUM))
# Their covariance is a difference of sums over points, of which rounding leaves some 1e-10 rad.
ROUNDED = 'ckf', 'ssukf', 'ukf'
WRONG = 100.0       # NEES from which the report of a run calls a claim wrong


@pytest.fixture(scope='module')
def truth():
    return simulate(PENDULUM, (INSTANTS - 1) * DT, DT)


def squares(name, truth, sigma):
    """Return squared errors over claimed variances (k, states), and why estimates were lost."""
    sensor, = (one.with_settings(replace(one.settings, sigma=sigma))
               for one in sensors_of(PENDULUM, ['encoder']))
    stamps = [10 ** 9 + round(1e9 * t) for t in truth.t]
    readings = RecordedSensor(sensor, truth, stamps).readings(1)[:, 0].tolist()
    stream = EstimateStream(make_filter(name, PENDULUM, [sensor], DT), (sensor,),
                            (PENDULUM.z0 + 0.02, PENDULUM.zd0), StreamSettings(dt=DT))
    rows, lost = [], []
    for k, (stamp, reading) in enumerate(zip(stamps, readings, strict=True)):
        for step in stream.add_all(stamp, [(sensor.name, [reading])]):
            lost += [step.lost] if step.lost else []
            one, variances = step.estimate, step.estimate.covariance.diagonal()
            errors = np.concatenate([one.z, one.zd, one.zdd]) - np.concatenate(
                [truth.z[k], truth.zd[k], truth.zdd[k]])
            rows.append(errors[:len(variances)] ** 2 / variances)
    return np.array(rows), lost


@pytest.mark.whole
@FILTERS
@pytest.mark.parametrize('sigma', [1e-3, 1e-6, 1e-9, 1e-12])
def test_claims_are_right_however_exact_a_sensor_is(name, truth, sigma):
    """Of what is read, and of velocities and accelerations that nothing reads."""
    rows, lost = squares(name, truth, sigma)
    assert len(rows) == INSTANTS
    assert not lost
    read, *others = rows[SETTLED:].mean(axis=0)
    assert read < 3.0
    assert read > 0.3 or (sigma < 1e-11 and name in ROUNDED)
    assert max(others) < WRONG


@FILTERS
@pytest.mark.parametrize('angle', [1e9, 1e15])
def test_a_start_at_so_many_turns_that_nothing_is_exact_is_refused(name, angle):
    filter_ = make_filter(name, PENDULUM, ['encoder'], DT)
    with pytest.raises(MechanismError, match='cannot be moved to the position at theta'):
        filter_.reset([angle], [0.0])
