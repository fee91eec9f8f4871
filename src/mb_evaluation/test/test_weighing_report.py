"""The report of a run with a tool that weighs, on a run whose errors are known."""

import json

import numpy as np
from presented import judged, presented
import pytest

from mb_evaluation.report_kinds.weighing_report import REPORT, misses, objections, weighing_figures
from mb_evaluation.reports.report import Report
from mb_evaluation.run_log.run_log import Counters
from mb_evaluation.run_log.weighing_log import Weighed, WeighingLog

START, RATE, DURATION = 1_000_000_000, 20.0, 40.0
ASKED = {'mechanism': 'excavator_afloat', 'estimator': 'kinematic_kf', 'prototype': 'mujoco',
         'cycle': 'excavator_afloat', 'seed': 1, 'sensors': []}
BOUNDS = {'learning': 5.0, 'full_scale': 2000.0, 'angle_goal': 0.3, 'drift_goal': 0.1,
          'load_goal': 1.0, 'force_goal': 5.0, 'angle_bound': 2.0, 'load_bound': 2.0,
          'force_bound': 10.0, 'coverage_goal': 0.90}
SIGMA = np.radians(0.5)


def filled_run(off=0.2, drift=0.0, load_off=10.0, force_off=200.0, sigma=SIGMA, masses=True):
    """Return a run that works for 20 s; errors: off [deg], drift [deg/min], kg, N."""
    run = WeighingLog(START, DURATION, RATE, {'boom_angle': 0, 'arm_angle': 1})
    run.true_load.add(START, [800.0])
    turn = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])     # slewed by 90 deg
    for k, stamp in enumerate(run.expected.tolist()):
        t = k / RATE
        truth = [0.3 * np.sin(min(t, 20.0)), 0.1]
        run.truth.add(stamp, truth, [0.3 * np.cos(t) * (t < 20.0), 0.0], turn)
        wrong = np.radians([off + drift * max(0.0, t - 25.0) / 60.0, 0.0])
        run.estimate.add(stamp, truth + wrong, [sigma, SIGMA])
        push = 1e4 * (8.0 < t < 12.0)
        run.true_forces.add(stamp, [push, 2e3 * (push > 0.0)])
        run.forces.add(stamp, [0.0 + force_off, 2e3 * (push > 0.0)])
        if masses:
            run.masses.add(stamp, [800.0 + load_off], [810.0], [12.0])
        run.published[stamp] = t
    run.weighings = [Weighed(START + 3_000_000_000, 0.0, 0.0, 1.0),      # while it still learns
                     Weighed(START + 15_000_000_000, 800.0 + load_off, 810.0, 12.0),
                     Weighed(START + 16_000_000_000, np.nan, 810.0, 12.0)]
    run.counters = Counters(run.end, 5, 0, 0, 0)
    return run


def report_of(**errors):
    return weighing_figures(filled_run(**errors), ASKED, BOUNDS, '2026-01-01T00:00:00')


def test_runs_with_the_same_truth_have_the_same_digest():
    digests = [report_of(off=off)['truth_digest'] for off in (0.1, 0.2)]
    other = filled_run()
    stamp = START + 500_000_000
    angles, rates, turn = other.truth.columns(np.array([stamp]))
    other.truth.add(stamp, np.nextafter(angles, 1.0), rates, turn)
    assert digests[0] == digests[1] != weighing_figures(other, ASKED, BOUNDS, '')['truth_digest']


def test_figures_are_the_errors_that_were_made():
    report = report_of(drift=0.6)
    boom, arm = report['angles'].values()
    assert boom['rmse'] == pytest.approx(0.2)
    assert arm['rmse'] == pytest.approx(0.0, abs=1e-12)
    assert boom['drift'] == pytest.approx(0.6, rel=1e-3)
    assert boom['coverage_95'] == 1.0
    loads = report['loads']
    assert [one['time'] for one in loads['weighings']] == [pytest.approx(15.0)]
    assert loads['rmse'] == loads['largest'] == pytest.approx(0.5)
    assert loads['deviation'] == pytest.approx(0.6, rel=1e-3)
    # Along x of the ground, which is -y of the house: along x of the house there is nothing.
    assert report['edge']['peak'] == pytest.approx(2e3)
    assert report['edge']['rmse'] == pytest.approx(10.0)


def test_what_misses_a_goal_is_shown_and_passes():
    assert objections(report_of(force_off=50.0)) == misses(report_of(force_off=50.0)) == []
    report = report_of(off=0.8, load_off=30.0, force_off=150.0)
    assert objections(report) == []
    assert [one.partition(' 0')[0].partition(' 1.')[0].partition(' 7')[0]
            for one in misses(report)] == ['boom_angle: RMSE', 'load: RMSE', 'load: largest error',
                                           'force at the edge: RMSE']


@pytest.mark.parametrize(('errors', 'words'), [
    ({'off': 2.5, 'sigma': 1.0}, 'boom_angle: RMSE 2.5 deg, expected 2 or less'),
    ({'load_off': 60.0}, 'load: RMSE 3 % of full scale, expected 2 or less'),
    ({'force_off': 300.0}, 'force at the edge: RMSE 15 % of its peak, expected 10 or less'),
    ({'masses': False}, 'no message came from the scales')])
def test_what_is_beyond_its_bound_fails(errors, words):
    assert any(one.startswith(words) for one in objections(report_of(**errors)))


def test_what_is_wrong_beyond_its_own_interval_fails():
    assert objections(report_of(sigma=1e-4)) == [
        'boom_angle: 95 % intervals hold the truth 0.0% of the time, expected 90% or more']
    one = filled_run(load_off=30.0)                 # 2.5 deviations: may be chance once
    assert objections(weighing_figures(one, ASKED, BOUNDS, '')) == []
    one.weighings.append(one.weighings[1])
    assert objections(weighing_figures(one, ASKED, BOUNDS, '')) == [
        'load: 95 % intervals hold the truth 0.0% of the weighings, expected 90% or more']


def test_table_picture_pages_and_verdict(tmp_path):
    run = filled_run(off=0.8)
    figures = weighing_figures(run, ASKED, BOUNDS, '2026-01-01T00:00:00')
    text, page = presented(Report(REPORT, figures, run), tmp_path)
    for words in 'boom_angle [deg]', 'weighed 810 ± 12 kg, truth 800 kg', 'goal missed: boom_angle':
        assert words in text
    assert '**FAILED: force at the edge' not in page
    assert '| boom_angle [deg] | 0.8 |' in page
    for name in 'report.png', 'report.html':
        assert (tmp_path / name).stat().st_size > 20_000
    assert json.loads((tmp_path / 'report.json').read_text())['kind'] == 'weighing'
    assert judged(tmp_path).returncode == 0
