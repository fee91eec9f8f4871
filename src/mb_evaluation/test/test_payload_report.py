"""The report of a run with a payload, on a run whose errors are known."""

import numpy as np
from presented import judged, presented
import pytest

from mb_evaluation.report_kinds.payload_figures import payload_figures
from mb_evaluation.report_kinds.payload_report import (
    REPORT,
    captions,
    mass_rows,
    objections,
    observer_rows,
    remarks,
)
from mb_evaluation.reports.report import Report
from mb_evaluation.reports.report_file import write_json
from mb_evaluation.run_log.diagnostics import LEFT_OUT, BadLine
from mb_evaluation.run_log.payload_log import PayloadLayout, PayloadLog
from mb_evaluation.run_log.run_log import Counters

START = 1_000_000_000       # [ns]
LAYOUT = PayloadLayout(('s',), ('m',), ('v1', 'v2'), ('directional',), ('load',), np.array([0.01]))
ASKED = {'mechanism': 'crane', 'estimator': 'hydraulic_kinematic_ekf', 'prototype': 'mujoco',
         'cycle': 'crane', 'seed': 3}
BOUNDS = {'mass': 0.5, 'mass_share': 0.01, 'coverage_low': 0.90, 'coverage_high': 0.99,
          'complaints': 0.3}
SIGMA = np.array([1e-4, 1e-3, 1e-2, 2e4, 2e4, 1e-2])


def filled_run(mass_error=0.3, duration=12.0, skip=(), honest=True, change=None):
    """Return a run at 100 Hz whose cylinder moves from 1 s on; skip: numbers of lost estimates.

    change: (time [s], mass [kg]) of another load, found 2 s later.
    """
    rng = np.random.default_rng(1)
    run = PayloadLog(START, duration, 100.0, LAYOUT)
    covariance = np.diag(SIGMA ** 2).ravel()
    run.true_masses.add(START, [50.0])
    if change:
        run.true_masses.add(START + round(change[0] * 1e9), [change[1]])
    for k, stamp in enumerate(run.expected.tolist()):
        t = 0.01 * k
        wave = max(0.0, t - 1.0)
        z, zd, zdd = 0.8 + 0.05 * (1 - np.cos(wave)), 0.05 * np.sin(wave), 0.05 * np.cos(wave)
        p, U = np.array([6e6, 2e6 + 1e5 * np.sin(t)]), np.array([np.sin(wave)])
        run.truth.add(stamp, z, zd, zdd, zd)
        run.true_oil.add(stamp, p, U)
        run.published[stamp] = 0.5 * t
        run.commands.add(stamp, U)
        if k in skip:
            continue
        error = rng.normal(size=6) * SIGMA * (1.0 if honest else 3.0)
        run.estimate.add(stamp, z + error[0], zd + error[1], zdd + error[2], zd + error[1])
        run.add_covariance(stamp, p + error[3:5], U + error[5], covariance)
        slow = abs(zd + error[1]) < 0.01
        true = 50.0 if change is None or t < change[0] + 2.0 else change[1]
        run.add_payload(stamp, true + mass_error, true + 5.0 * rng.normal(), 0.4, not slow,
                        'below the transition velocity', '')
        run.counters = Counters(stamp, used=k)
    return run


def report_of(run, **bounds):
    return payload_figures(run, ASKED, {**BOUNDS, **bounds}, '2026-01-01T00:00:00')


def test_figures_are_those_of_the_errors():
    report = report_of(filled_run())
    assert objections(report) == []
    load = report['masses']['load']
    assert load['truth'] == 50.0
    assert load['error_largest'] == pytest.approx(0.3)
    assert load['coverage_95'] == 1.0
    # 0.05 sin(t - 1) exceeds 0.01 for the first time here.
    assert report['first_motion'] == pytest.approx(1.0 + np.arcsin(0.2), abs=0.011)
    assert report['observer']['v1 pressure']['rmse'] == pytest.approx(2e4, rel=0.1)
    assert report['observer']['s velocity']['coverage_95'] == pytest.approx(0.95, abs=0.02)
    assert 0.7 < report['updating']['share'] < 0.95
    assert report['updating']['reasons']['below the transition velocity'] == pytest.approx(
        1.0 - report['updating']['share'])
    assert report['real_time_factor'] == pytest.approx(2.0)


def test_what_is_wrong_is_reported():
    assert 'load: up to 0.7 kg off' in objections(report_of(filled_run(0.7)))[0]
    assert objections(report_of(filled_run(0.7), mass_share=0.15)) == []
    wrong = objections(report_of(filled_run(honest=False)))
    assert any('s position: 95 % intervals hold the truth' in text for text in wrong)
    short = objections(report_of(filled_run(duration=3.0)))
    assert any('too short' in text for text in short)
    run = filled_run()
    run.add_payload(START, [50.0], [50.0], [1.0], True)     # standing still
    assert any('1 updates of the mass below' in text for text in objections(report_of(run)))


def test_a_run_without_any_message_still_makes_a_report(tmp_path):
    silent = report_of(PayloadLog(START, 1.0, 100.0, LAYOUT))
    _, page = presented(Report(REPORT, silent), tmp_path)
    assert 'no message came from the payload estimator' in page


def test_a_change_of_the_mass_has_time_to_be_found():
    assert objections(report_of(filled_run(duration=20.0, change=(9.0, 120.0)))) == []
    # Without the time it takes there is an error of 70 kg.
    late = report_of(filled_run(duration=20.0, change=(9.0, 120.0)))['masses']['load']
    assert late['error_largest'] == pytest.approx(0.3)


def test_losses_are_counted():
    run = filled_run(skip=(700, 701))
    run.masses = filled_run(skip=(700, 701, 800)).masses
    report = report_of(run)
    assert report['lost'] == {'prototype': 0, 'oil of the prototype': 0, 'oil of the observer': 0,
                              'estimates': 2, 'masses': 1, 'readings': 0}
    assert any('3 messages lost' in text for text in objections(report))


def test_estimates_after_the_end_need_no_masses():
    """The bag of a run that was interrupted ends between messages of one instant."""
    run = filled_run()
    run.estimate.add(run.end + 10_000_000, 0.8, 0.0, 0.0, 0.0)
    assert sum(report_of(run)['lost'].values()) == 0


def test_complaints_have_a_beginning_and_an_end():
    run = filled_run()
    for k, (level, text) in enumerate([('OK', 'well'), ('WARN', 'silent'), ('WARN', 'silent'),
                                       ('OK', 'well'), ('ERROR', 'diverged')]):
        run.complaints.add(START + k * 1_000_000_000, '/estimator', level, text)
    assert [(c['message'], c['from'], c['to']) for c in report_of(run)['complaints']] == [
        ('silent', 1.0, 3.0), ('diverged', 4.0, None)]


@pytest.mark.parametrize(('texts', 'lasts'), [
    (['inconsistent: pressure1: 1.3 times', 'inconsistent: pressure1: 1.4 times'], True),
    (['inconsistent: pressure1: 1.3 times', ''], False),
    (['silent: pressure1', 'inconsistent: pressure1: 1.3 times'], False),
    (['', ''], False)])
def test_a_run_does_not_pass_while_a_node_goes_on_complaining(texts, lasts):
    """Twice a fifth of the run, of the same or not: the sum is what counts, not the words."""
    run = filled_run()
    for k, text in enumerate(texts):
        begin = START + round((4 + 4 * k) * 1e9)
        run.complaints.add(begin, '/estimator', 'WARN' if text else 'OK', text)
        run.complaints.add(begin + round(0.2 * 12 * 1e9), '/estimator', 'OK', '')
    found = objections(report_of(run))
    assert found == (['/estimator complained for 40% of the run: inconsistent: pressure1: '
                      '1.4 times'] if lasts else [])


@pytest.mark.parametrize('disturbed', [False, True])
def test_what_was_asked_for_is_no_objection(disturbed):
    """Readings that a bad line is to lose are missed for most of the run."""
    run = filled_run()
    run.bad_line = BadLine({}) if disturbed else None
    run.complaints.add(START + 4_000_000_000, '/estimator', 'WARN', LEFT_OUT)
    assert objections(report_of(run)) == ([] if disturbed else [
        f'/estimator complained for 67% of the run: {LEFT_OUT}'])


def test_a_complaint_that_never_ends_counts_to_the_end_of_the_run():
    run = filled_run()
    run.complaints.add(START + 8_000_000_000, '/payload_estimator', 'WARN', 'held')
    assert objections(report_of(run)) == ['/payload_estimator complained for 33% of the run: held']


def test_intervals_that_are_too_wide_are_remarked_but_no_objection():
    """A filter that claims less than it knows is cautious, not wrong."""
    report = report_of(filled_run())
    assert remarks(report) == []
    report['observer']['s velocity']['coverage_95'] = 0.998
    assert objections(report) == []
    assert remarks(report) == [
        's velocity: 95 % intervals hold the truth 99.8% of the time, wider than needed']
    assert remarks(report)[0] in captions(report)


def test_intervals_that_hold_only_while_the_machine_stands_are_reported():
    """Three times too small while it moves, twice too wide while it stands: right on average."""
    run, rng = filled_run(skip=range(1201)), np.random.default_rng(2)
    for k, stamp in enumerate(run.expected.tolist()):
        z, zd, zdd, rate = (column[k] for column in run.truth.columns())
        p, U = (column[k] for column in run.true_oil.columns())
        error = rng.normal(size=6) * SIGMA * (1.6 if abs(rate[0]) > 0.01 else 0.1)
        run.estimate.add(stamp, z + error[0], zd + error[1], zdd + error[2], zd + error[1])
        run.add_covariance(stamp, p + error[3:5], U + error[5], np.diag(SIGMA ** 2).ravel())
        run.add_payload(stamp, [50.0], [50.0], [0.4], abs(zd[0] + error[1]) > 0.01)
    report = report_of(run, coverage_low=0.8)
    assert report['observer']['s velocity']['coverage_95'] > 0.8
    assert any('s velocity: 95 % intervals hold the truth 7' in text and 'while cylinders move'
               in text for text in objections(report))


def test_table_page_picture_and_verdict_of_the_command(tmp_path):
    run = filled_run()
    run.complaints.add(START, '/estimator', 'WARN', 'silent: pressure1')
    shown, page = presented(Report(REPORT, report_of(run), run), tmp_path)
    assert '50.3 ± 0.4' in shown
    assert (tmp_path / 'report.png').stat().st_size > 50_000
    assert '| load [kg] | 50 | 50.3 ± 0.4 | 0.3 | 100.0% |' in page
    assert 'silent: pressure1' in page
    for error, code in ((0.3, 0), (0.7, 1)):
        write_json(report_of(filled_run(error)), tmp_path / 'report.json')
        ended = judged(tmp_path)
        assert ended.returncode == code
    assert 'load: up to 0.7 kg off' in ended.stderr


@pytest.mark.parametrize('sizes', [(2, 1, 1, 1), (1, 1, 1, 0)])
def test_rows_of_other_sizes_are_refused(sizes):
    run = filled_run(duration=0.1)
    with pytest.raises(ValueError, match='1, 1, 1, 1 are expected'):
        run.truth.add(START, *(np.zeros(size) for size in sizes))


def test_a_page_fits_a_telephone(tmp_path, opened):
    """Of 375 pixels; only tables and figures of the run may be scrolled, within themselves."""
    run = filled_run()
    presented(Report(REPORT, report_of(run), run), tmp_path)
    text = (tmp_path / 'report.html').read_text('utf-8')
    # A headless window is 500 pixels wide or more, for which the same rules hold.
    (tmp_path / 'report.html').write_text(text.replace(
        '</style>', 'body { width: 375px; overflow-x: auto; }</style>', 1), 'utf-8')
    page = opened(tmp_path / 'report.html', 'document.body.dataset.width = '
                  'document.body.scrollWidth', size='500,800')
    assert page.console == []
    assert page.body['data-width'] == '375'


def test_a_browser_shows_masses_motion_and_pressures(tmp_path, opened):
    run = filled_run(change=(7.0, 80.0))
    report = report_of(run)
    presented(Report(REPORT, report, run), tmp_path)
    page = opened(tmp_path / 'report.html')
    assert page.console == []
    assert page.requests == []
    mass, valve, motion, pressures = 4, 3, 3 * 3, 2 * 3
    assert page.traces == mass + valve + motion + pressures
    for row in (*mass_rows(report), *observer_rows(report)):
        assert list(row) in page.rows
