"""What a recording judges of an estimate: forces, and readings that the filter was not given."""

import json

import numpy as np
from presented import presented
import pytest

from mb_evaluation.report_kinds.recorded_report import (
    REPORT,
    judge_forces,
    judge_readings,
    objections,
    recorded_figures,
)
from mb_evaluation.reports.report import Report
from mb_model import load_mechanism
from mb_sensors import sensors_of

COUNTS = {'used': 4, 'rejected': 0, 'late': 0}
SETTINGS = {'recording': 'drive', 'estimator': 'error_ekf', 'given': 'Nothing.'}


@pytest.fixture(scope='module')
def car():
    """Return a car with two sensors to be withheld."""
    return load_mechanism('racing_car').replace(sensors={
        'level': {'kind': 'accelerometer', 'body': 'car', 'at': 'C', 'sigma': 1.0}})


def states_of(car, count=20):
    """Return samples of a car that slides, at random: stamp, z, zd, zdd, covariance, frames."""
    random = np.random.default_rng(3)
    roots = random.normal(size=(count, 12, 12)) * 0.01
    return [(1000 * (k + 1), random.normal(size=4) * 0.2,
             random.normal([20.0, 2.0, 0.0, 0.0]), np.zeros(4), root @ root.T, None)
            for k, root in enumerate(roots)]


def sideslip(z, zd):
    """Return the angle between heading and velocity, and its derivative by z and zd."""
    square = zd[0] ** 2 + zd[1] ** 2
    return np.arctan2(zd[1], zd[0]) - z[2], np.array(
        [0.0, 0.0, -1.0, 0.0, -zd[1] / square, zd[0] / square, 0.0, 0.0])


def test_a_withheld_reading_is_judged_by_what_the_estimate_expects_of_it(car):
    """By the closed form; the deviation is of the estimate and of the sensor together."""
    sensor, = sensors_of(car, 'sideslip')
    states = states_of(car)
    readings = {stamp: [0.3] for stamp, *_ in states[2:]} | {7: [9.0]}
    one, = judge_readings(car, sensor, readings, states)
    assert (one.name, one.unit, one.constant) == ('sideslip', 'rad', pytest.approx(0.3))
    for k, (stamp, z, zd, _, covariance, _) in enumerate(states[2:]):
        angle, slope = sideslip(z, zd)
        assert (one.stamps[k], one.truth[k]) == (stamp, 0.3)
        assert one.estimate[k] == pytest.approx(angle, abs=1e-12)
        assert one.deviation[k] == pytest.approx(
            np.hypot(np.sqrt(slope @ covariance[:8, :8] @ slope),
                     car.sensors['sideslip']['sigma']), rel=1e-9)


def test_a_reading_that_no_state_determines_is_refused(car):
    sensor, = sensors_of(car, 'level')
    with pytest.raises(ValueError, match='level: reads accelerations'):
        judge_readings(car, sensor, {}, [])


def test_bodies_that_turn_freely_are_refused():
    """Their orientations are relative to references, which states do not name."""
    platform = load_mechanism('stewart')
    with pytest.raises(ValueError, match='stewart: orientations are degrees of freedom'):
        judge_readings(platform, sensors_of(platform, 'encoders')[0], {}, [])


def judged_forces(car, size, deviations):
    truth = {stamp: [1.0, -1.0, 0.5, 0.0] for stamp in range(4)}
    return judge_forces(car, truth, {
        stamp: ([1.0 + size, -1.0, 0.5, 0.0], deviations) for stamp in range(1, 5)})


@pytest.mark.parametrize(('size', 'deviations', 'held'), [
    (0.1, [0.06, 0.1, 0.1, 0.1], 1.0), (0.1, [0.05, 0.1, 0.1, 0.1], 0.0), (0.1, [], None)])
def test_intervals_of_forces_hold_the_truth_or_not(car, size, deviations, held):
    report = recorded_figures(SETTINGS, judged_forces(car, size, deviations), 4, COUNTS)
    first = report['judged'][0]
    assert (first['held'], first['unit'], report['judged'][2]['unit']) == (held, 'N', 'N m')
    assert (first['rmse'], first['constant_rmse']) == (pytest.approx(0.1), pytest.approx(1.0))
    assert (report['instants'], report['without_estimate']) == (3, 1)


def test_objections_name_all_that_is_no_better_than_a_constant(car):
    """And instants and readings that are missing; the force on the last one is zero in truth."""
    found = objections(recorded_figures(SETTINGS, judged_forces(car, 1.5, []), 4,
                                        COUNTS | {'late': 2}))
    assert [text.split(':')[0] for text in found] == [
        'unknown force on C.x', 'unknown force on steer', '2 readings late',
        '1 instants without an estimate']


def test_nothing_to_judge_is_an_error():
    with pytest.raises(ValueError, match='no estimate at an instant whose truth is known'):
        recorded_figures(SETTINGS, [], 4, COUNTS)


def test_table_page_and_figures_say_the_same(car, tmp_path):
    judged = judged_forces(car, 0.1, [0.06, 0.1, 0.1, 0.1])
    report = recorded_figures(SETTINGS, judged, 4, COUNTS)
    shown, page = presented(Report(REPORT, report, judged), tmp_path)
    assert json.loads((tmp_path / 'report.json').read_text()) == json.loads(json.dumps(report))
    assert '| unknown force on C.x | N | 1 | 0.1 | 0.1 | 100.0 |' in page
    assert (tmp_path / 'report.png').read_bytes().startswith(b'\x89PNG')
    assert 'unknown force on C.x' in (tmp_path / 'report.html').read_text('utf-8')
    for text in shown, page:
        assert 'drive: by error_ekf' in text
        assert 'PASSED' in text or 'FAILED' in text
