"""The report of a run: JSON, table, picture and verdict."""

import json
import re

from matplotlib.image import imread
import numpy as np
from presented import judged as verdict, presented
import pytest

from mb_evaluation.accuracy.rows import Rows
from mb_evaluation.nodes.monitor import progress_line
from mb_evaluation.report_kinds.accuracy_report import (
    REPORT,
    accuracy_figures,
    objections,
    remarks,
)
from mb_evaluation.reports.report import Report
from mb_evaluation.reports.report_file import read_report, write_json
from mb_evaluation.reports.texts import markdown_page
from mb_evaluation.results import new_folder
from mb_evaluation.run_log.accuracy_log import AccuracyLog

ASKED = {'mechanism': 'four_bar', 'estimator': 'error_ekf', 'sensors': ['crank_encoder'], 'seed': 3,
         'prototype': 'mujoco'}


def report_of(run):
    return accuracy_figures(run, ASKED, {'nees': 100.0}, '2026-01-01T00:00:00')


def test_report_has_what_it_promises(filled_run, tmp_path):
    write_json(report_of(filled_run()), tmp_path / 'report.json')
    report = json.loads((tmp_path / 'report.json').read_text())
    assert {'mechanism', 'estimator', 'sensors', 'seed', 'duration', 'real_time_factor',
            'messages_lost', 'model', 'observer'} <= set(report)
    for who, error in (('model', 1.0), ('observer', 0.01)):
        assert report[who]['position_rmse'] == pytest.approx([error])
        assert report[who]['position_rmse_after_2s'] == pytest.approx([error])
        assert report[who]['velocity_rmse'] == pytest.approx([0.0])
        assert report[who]['acceleration_rmse'] == pytest.approx([0.0])
    consistency = report['consistency']
    assert consistency['nees'] == {'states': 2, 'mean_per_state': pytest.approx(0.5),
                                   'inside_95': 1.0}
    encoder = consistency['sensors']['crank_encoder']
    assert encoder['nis'] == pytest.approx(1.0)
    assert encoder['count'] == 101                  # after 2 s
    assert not encoder['consistent']
    assert encoder['lasting'] > 2.0
    assert 'averages of innovations over 4 readings' in encoder['verdict']
    assert report['timing']['step_time']['median'] == pytest.approx(2e-5)


def test_report_says_when_an_estimate_was_latest(filled_run):
    run = filled_run(skip=[70])
    stamp = int(run.expected[70])
    z, covariance = np.zeros(1), np.diag([1e-4, 1e-2])
    run.add_state('observer', 0.7 + 0.25, stamp, ['theta'], z, z, z, covariance)
    latency = report_of(run)['timing']['latency']
    assert latency == pytest.approx(
        {'median': 0.001, 'p99': 0.001, 'largest': 0.25, 'largest_at': 0.7})


def test_report_gives_parameters_beside_the_truth(filled_run, tmp_path):
    run = filled_run()
    for k, stamp in enumerate(run.expected[1:].tolist()):
        run.add_parameter(stamp, 'gravity.y', -8.8 - 0.003 * k, 1.0 / (k + 1))
        run.add_parameter(stamp, 'bodies.crank.mass', 2.0, 0.1)
    run.parameters['gravity.y'].truth = -9.81
    report = report_of(run)
    count = len(run.expected) - 1
    assert report['parameters'] == {
        'gravity.y': {'estimate': pytest.approx(-8.8 - 0.003 * (count - 1)),
                      'deviation': 1.0 / count, 'truth': -9.81},
        'bodies.crank.mass': {'estimate': 2.0, 'deviation': 0.1, 'truth': None}}
    shown, _ = presented(Report(REPORT, report, run), tmp_path / 'with')
    assert 'gravity.y -9.697 +- 0.0033 (truth -9.81)' in shown
    assert 'bodies.crank.mass 2 +- 0.1' in shown
    for k in range(3):
        run.add_parameter(run.end, f'bodies.{k}.mass', 2.0, 0.1)
    presented(Report(REPORT, report_of(run), run), tmp_path / 'with')
    presented(Report(REPORT, report_of(filled_run()), filled_run()), tmp_path / 'without')
    taller, lower = (height_of(tmp_path / name / 'report.png') for name in ('with', 'without'))
    assert taller > lower


def test_report_and_page_have_the_complaints_of_nodes(filled_run):
    run = filled_run()
    run.complaints.add(run.start + 1_000_000_000, '/estimator', 'WARN', 'too slow')
    run.complaints.add(run.start + 2_000_000_000, '/estimator', 'OK', 'well')
    report = report_of(run)
    assert report['complaints'] == [{'node': '/estimator', 'level': 'WARN', 'message': 'too slow',
                                     'from': 1.0, 'to': 2.0}]
    assert report['silent'] == []
    page = markdown_page(Report(REPORT, report, run), 'report.png')
    assert '| 1.00 | 2.00 | /estimator | WARN | too slow |' in page


def test_texts_with_bars_and_lines_stay_in_their_cells(filled_run):
    report = report_of(filled_run()) | {'complaints': [
        {'node': '/estimator', 'level': 'WARN', 'from': 1.0, 'to': None,
         'message': 'NIS 3 | consistent\nor not'}]}
    page = markdown_page(Report(REPORT, report), '').splitlines()
    row = next(line for line in page if 'WARN' in line)
    assert row == r'| 1.00 |  | /estimator | WARN | NIS 3 \| consistent or not |'


def height_of(path):
    """Return the height of a picture in pixels."""
    return imread(path).shape[0]


def test_report_of_a_diverged_observer_is_strict_json_and_fails(filled_run, tmp_path):
    run = filled_run(observer_error=np.nan)
    write_json(report_of(run), tmp_path / 'report.json')
    json.loads((tmp_path / 'report.json').read_text(), parse_constant=pytest.fail)
    assert any('that is no number' in text for text in objections(read_report(tmp_path)))


@pytest.mark.parametrize(('shape', 'complaint'), [
    ({'observer_error': 2.0}, "is not below the model's"),
    ({'skip': (7,)}, r'1 messages lost \(observer 1\)'),
])
def test_verdict_objects(shape, complaint, filled_run, tmp_path):
    write_json(report_of(filled_run(**shape)), tmp_path / 'report.json')
    judged = verdict(tmp_path)
    assert judged.returncode == 1
    assert re.search(complaint, judged.stderr)


@pytest.mark.parametrize(('ours', 'theirs', 'claimed', 'objected'), [
    (0.1, 0.2, None, False), (0.2, 0.1, None, True), (0.2, 0.1, 0.15, False),
    (0.2, 0.1, 0.09, True), (0.4, 0.1, 0.15, True)])
def test_a_model_as_right_as_the_observer_claims_to_be_need_not_be_beaten(
        ours, theirs, claimed, objected, filled_run):
    report = report_of(filled_run())
    report['observer'] |= {'position_rmse_after_2s': [ours], 'position_claimed_after_2s': [claimed]}
    report['model']['position_rmse_after_2s'] = [theirs]
    assert any('after 2 s' in text for text in objections(report)) == objected


def test_an_observer_that_says_it_does_not_know_is_answered_with_what_would_help(filled_run):
    report = report_of(filled_run())
    for key in ('position_rmse', 'position_rmse_after_2s'):
        report['observer'][key], report['model'][key] = [0.021], [0.02]
    report['observer']['position_claimed_after_2s'] = [0.0019]
    whole, later = objections(report)
    assert "is not below the model's" in whole
    assert "is not below the model's" in later
    report['observer']['position_claimed_after_2s'] = [0.0105]
    text, = objections(report)
    assert 'theta (+- 0.0105); the sensors do not measure it: the command `observability`' in text


def test_verdict_objects_to_an_observer_that_was_lost(filled_run, tmp_path):
    run = filled_run()
    for k, stamp in enumerate(run.expected.tolist()):
        run.lost_estimates.add(stamp, 'it said so' if k > 250 else '')
    run.undetermined = ('theta',)
    report = report_of(run)
    write_json(report, tmp_path / 'report.json')
    assert 'observer was lost in 50 % of the time' in verdict(tmp_path).stderr
    lines = ' '.join(remarks(report))
    assert 'and still at the end: it said so' in lines
    assert 'not determined by the sensors that were on while forces are unknown: theta;' in lines


def test_an_observer_that_was_lost_while_it_settled_passes(filled_run):
    run = filled_run()
    for k, stamp in enumerate(run.expected.tolist()):
        run.lost_estimates.add(stamp, 'it said so' if k < 150 else '')
    assert not objections(report_of(run))


def test_run_that_another_one_published_into_fails(filled_run):
    run = filled_run()
    run.mixed = True
    assert any('ROS_DOMAIN_ID' in text for text in objections(report_of(run)))


@pytest.mark.parametrize(('error', 'passes'), [(0.05, True), (0.14, True), (0.15, False),
                                               (6.4, False), (np.inf, False)])
def test_an_estimate_ten_times_as_wrong_as_it_claims_fails(filled_run, error, passes):
    """The claim is .01 rad; the velocity is right, so that NEES is half the square of the ratio.

    The model is off by more: 7 rad, a turn and some, which RMSE alone would let pass.
    """
    run = filled_run(observer_error=error)
    run._samples['model'] = Rows((stamp, z + 6.0, *others)
                                 for stamp, z, *others in run._samples['model'])
    found = objections(report_of(run))
    assert (not found) == passes, found
    assert passes or error == np.inf or 'NEES' in ' '.join(found)


@pytest.mark.parametrize(('stamps', 'complaint'), [
    ([0.5], 'time has stepped back 1 times, first from 1.000 s to -0.500 s'),
    ([0.5, 2.01, 2e9, 2.02], 'time has stepped back 2 times'),
    ([0.1 + 0.01 * k for k in range(12)], 'time has stepped back 1 times'),
    ([2.01, 2.02, 2.02], '')])
def test_a_run_whose_time_stepped_fails(filled_run, stamps, complaint):
    run = filled_run()
    for stamp in [1.0, 1.5, 2.0, *stamps, 2.03, 2.04]:
        run.time.tick(round(1e9 * stamp))
    found = ' '.join(objections(report_of(run)))
    assert complaint in found
    assert bool(found) == bool(complaint)


def test_a_second_publisher_of_time_fails_a_run(filled_run):
    run = filled_run()
    run.time.publishers = '2 publish /clock: prototype, stranger'
    assert any('2 publish /clock: prototype, stranger' in text
               for text in objections(report_of(run)))


def test_messages_of_another_time_fail_a_run_and_are_not_noted(filled_run):
    run = filled_run()
    assert not objections(report_of(run))
    for stamp in (0, run.start - 1, 2**62, run.end + 2 * 10**9):
        assert not run.admits(stamp)
    assert '4 messages were stamped outside of the run' in objections(report_of(run))


def test_run_without_messages_fails():
    assert 'no message came from the observer' in objections(
        report_of(AccuracyLog(0, 1.0, 100.0)))


def test_verdict_agrees(filled_run, tmp_path):
    report = report_of(filled_run())
    write_json(report, tmp_path / 'report.json')
    assert verdict(tmp_path).returncode == 0
    assert Report(REPORT, report).verdict == (
        'PASSED: the observer beat the model and nothing was lost')


@pytest.mark.parametrize('content', [None, 'no json', '{}', '[]'])
def test_verdict_without_a_report_is_reported_without_traceback(content, tmp_path):
    if content is not None:
        (tmp_path / 'report.json').write_text(content)
    judged = verdict(tmp_path)
    assert judged.returncode == 2
    assert 'report.json' in judged.stderr
    assert 'Traceback' not in judged.stderr


@pytest.mark.parametrize(('name', 'hint'), [
    ('bag', '`ros2 run mb_evaluation report {}` makes'),
    ('parameters', 'expected the results folder of a run')])
def test_verdict_without_a_report_says_what_makes_one(name, hint, tmp_path):
    (tmp_path / name).mkdir()
    said = verdict(tmp_path).stderr
    assert said.count('\n') == 1
    assert hint.format(tmp_path) in said
    assert 'mb_bringup three_simulation.launch.py' in said or name == 'bag'


def test_table_shows_both_and_what_was_lost(filled_run, tmp_path):
    run = filled_run(skip=(5,))
    text, _ = presented(Report(REPORT, report_of(run), run), tmp_path)
    for part in ('four_bar', 'crank_encoder', 'theta position', '0.01', '100', 'messages lost 1',
                 'real-time factor 1.00', 'NEES 0.50', 'crank_encoder: averages of innovations'):
        assert part in text


def test_progress_line():
    line = progress_line(5.0, 10.0, 0.98, {'model': [0.5], 'observer': [-0.004]}, 2)
    for part in ('5.00 / 10 s', '0.98 x', 'lost 2', 'observer off by -0.0040'):
        assert part in line
    progress_line(0.0, 10.0, None, {'model': None}, 0)


@pytest.mark.parametrize('shape', [{}, {'observer_error': np.nan}, {'duration': 0.05}])
def test_picture_is_drawn_of_any_run(shape, filled_run, tmp_path):
    run = filled_run(**shape)
    presented(Report(REPORT, report_of(run), run), tmp_path)
    assert (tmp_path / 'report.png').stat().st_size > 20000


def test_folders_of_one_second_differ(tmp_path):
    first, second = new_folder(tmp_path / 'results'), new_folder(tmp_path / 'results')
    assert first != second
    assert (tmp_path / 'results' / 'latest').resolve() == second


def test_folder_that_cannot_be_made_is_reported(tmp_path):
    (tmp_path / 'file').write_text('')
    with pytest.raises(ValueError, match=r'results: .*file'):
        new_folder(tmp_path / 'file')
