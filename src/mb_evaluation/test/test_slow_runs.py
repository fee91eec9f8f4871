"""What reports say of runs that did not keep up with real time."""

from presented import presented
import pytest

from mb_evaluation.report_kinds.accuracy_report import REPORT, accuracy_figures, remarks
from mb_evaluation.reports.report import Report

ASKED = {'mechanism': 'four_bar', 'estimator': 'error_ekf', 'sensors': ['crank_encoder'], 'seed': 3,
         'prototype': 'mujoco'}


def report_of(run):
    return accuracy_figures(run, ASKED, {'nees': 100.0}, '2026-01-01T00:00:00')


@pytest.mark.parametrize(('factor', 'asked', 'latency', 'parts'), [
    (0.86, 1.0, 3.55, ('at 86 % of the speed', '3.55 s after the truth',
                       'real_time_factor:=0.4')),
    (0.4, 0.5, 0.002, ('at 80 % of the speed', 'real_time_factor:=0.2')),
    (1.0, 1.0, 0.2, ('0.2 s after the truth', 'real_time_factor:=0.5'))])
def test_a_run_that_did_not_keep_up_says_so_and_passes(
        factor, asked, latency, parts, filled_run, tmp_path):
    run = filled_run()
    report = report_of(run) | {'real_time_factor': factor, 'real_time_factor_asked': asked}
    report['timing']['latency']['median'] = latency
    shown, page = presented(Report(REPORT, report, run), tmp_path)
    assert 'PASSED: ' in shown
    for text in (' '.join(shown.split()), page):
        assert 'this computer was too slow or too busy for the run: ' in text
        assert all(part in text for part in (*parts, 'make setup')), text


@pytest.mark.parametrize(('factor', 'asked', 'latency'), [
    (0.96, 1.0, 0.09), (0.29, 0.3, 0.002), (None, 1.0, 0.002)])
def test_a_run_that_kept_up_says_nothing_of_it(factor, asked, latency, filled_run):
    report = report_of(filled_run()) | {'real_time_factor': factor,
                                        'real_time_factor_asked': asked}
    report['timing']['latency']['median'] = latency
    assert not any('too slow' in text for text in remarks(report))
