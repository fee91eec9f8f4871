"""Filters compared over a bag: figures beside the library's own experiments."""

import json
import time

from hypothesis import given, strategies as st
import numpy as np
import pytest
from recorded_four_bar import SEED, experiment, write_bag

from mb_evaluation import compare
from mb_evaluation.report_kinds.comparison_report import moving_rms
from mb_model.simulation import progress

EXPERIMENT = experiment(3.0)
MODEL = ['--set', 'model_errors.gravity=-1.0', '--set', f'model_errors.z0={np.pi / 16!r}']


@pytest.fixture(scope='module')
def folder(tmp_path_factory):
    """A folder with a bag `whole` of readings and truth, and one `blind` without the truth."""
    folder = tmp_path_factory.mktemp('compared')
    write_bag(EXPERIMENT, folder / 'whole', states=[
        '/prototype/state', '/estimator/state', '/recorded/estimator/state'])
    write_bag(EXPERIMENT, folder / 'blind')
    return folder


def compared(bag, output, *arguments):
    """Return the exit code of a comparison and its report, None if there is none."""
    code = compare.main([str(bag), '--sensors', 'crank_encoder', *MODEL, '--output', str(output),
                         *arguments])
    file = output / 'comparison.json'
    return code, json.loads(file.read_text()) if file.exists() else None


def test_errors_are_those_of_experiments(folder, tmp_path, capsys):
    code, report = compared(folder / 'whole', tmp_path, '--estimators', 'error_ekf', 'dekf',
                            'hydraulic_kinematic_ekf')
    assert code == 0
    assert report['has_truth']
    assert report['estimators']['recorded']['acceleration_rmse'] == [0.0]
    for name in ('error_ekf', 'dekf'):
        result, figures = EXPERIMENT.run(name, SEED), report['estimators'][name]
        for key in ('position_rmse', 'position_rmse_after_2s', 'velocity_rmse',
                    'acceleration_rmse'):
            np.testing.assert_allclose(figures[key], getattr(result, key), rtol=1e-9)
        assert figures['readings']['used'] == len(EXPERIMENT.stamps)
        assert 0.8 < figures['nis']['mean_per_channel'] < 1.25
    assert 'needs a mechanism with hydraulics' in (
        report['estimators']['hydraulic_kinematic_ekf']['problem'])
    printed, page = capsys.readouterr().out, (tmp_path / 'comparison.md').read_text()
    rmse = f'{report["estimators"]["dekf"]["velocity_rmse"][0]:.4g}'
    assert rmse in printed
    assert rmse in page
    assert (tmp_path / 'comparison.png').stat().st_size > 20000


def test_a_filter_that_takes_long_is_named_meanwhile(capsys, monkeypatch):
    monkeypatch.setattr(progress, 'FIRST', 0.05)

    def slow():
        for name in names:
            time.sleep(0.3)
            yield name
    names = ['error_ekf', 'ukf']
    assert list(compare._awaited(slow(), names)) == names
    assert [line.partition(':')[0] for line in capsys.readouterr().err.splitlines()] == [
        'estimating by error_ekf', 'estimating by ukf']


def test_without_a_truth_all_are_compared_with_the_first(folder, tmp_path):
    code, report = compared(folder / 'blind', tmp_path, '--estimators', 'error_ekf', 'ukf',
                            '--processes', '1')
    assert code == 0
    assert not report['has_truth']
    assert report['reference'] == 'error_ekf'
    assert 'position_rmse' not in report['estimators']['error_ekf']     # with itself
    tracks = [EXPERIMENT.run(name, SEED).observer.z for name in ('error_ekf', 'ukf')]
    difference = np.sqrt(np.mean((tracks[0] - tracks[1]) ** 2))
    np.testing.assert_allclose(report['estimators']['ukf']['position_rmse'], [difference],
                               rtol=1e-9)


def test_a_filter_alone_is_compared_with_nothing(folder, tmp_path, capsys):
    """Not with itself: zeros would look like a result; how its readings fit remains."""
    (tmp_path / 'comparison.png').write_text('of another comparison')
    code, report = compared(folder / 'blind', tmp_path, '--estimators', 'error_ekf')
    assert code == 0
    assert report['reference'] is None
    figures = report['estimators']['error_ekf']
    assert not [name for name in figures if 'rmse' in name]
    assert figures['readings']['used'] == len(EXPERIMENT.stamps)
    for text in capsys.readouterr().out, (tmp_path / 'comparison.md').read_text():
        assert 'Nothing to compare with' in text
        assert f'{figures["nis"]["mean_per_channel"]:.2f}' in text
        assert 'position' not in text
        assert 'comparison.png' not in text
    assert not (tmp_path / 'comparison.png').exists()


def test_the_recorded_estimate_is_no_row_of_zeros(folder, tmp_path):
    """Where it is what others are compared with, also where those find nothing."""
    for name, begun in (('dekf', True), ('hydraulic_kinematic_ekf', False)):
        code, report = compared(folder / 'whole', tmp_path, '--truth', '/no/truth',
                                '--estimators', name)
        assert code == 0
        assert report['reference'] == '/estimator/state'
        assert 'position_rmse' not in report['estimators']['recorded']
        assert ('position_rmse' in report['estimators'][name]) is begun
        assert (tmp_path / 'comparison.png').stat().st_size > 20000
    assert '| recorded | theta [rad] | - | - | - | - |' in (
        tmp_path / 'comparison.md').read_text()


@pytest.mark.parametrize(('arguments', 'message'), [
    (['--estimators', 'oracle'], 'oracle: unknown filter'),
    (['--estimators', 'hydraulic_kinematic_ekf'], 'needs a mechanism with hydraulics'),
    (['--estimators', 'ukf', '--truth', '/crank_encoder'], 'expected one topic of this name')])
def test_mistakes_are_reported_in_one_line(folder, tmp_path, arguments, message, capsys):
    assert compared(folder / 'blind', tmp_path, *arguments)[0] == 2
    errors = capsys.readouterr().err.strip()
    assert message in errors
    assert len(errors.splitlines()) == 1


@given(st.lists(st.floats(-1e3, 1e3), min_size=1, max_size=30),
       st.integers(0, 6).map(lambda k: 0.5 * k + 0.25))
def test_moving_rms(values, window):
    """Windows that end between two samples: on one, rounding would decide."""
    time = 0.25 * np.arange(len(values))
    expected = [np.sqrt(np.mean(np.square(values)[np.abs(time - t) <= 0.5 * window]))
                for t in time]
    np.testing.assert_allclose(moving_rms(time, np.array(values), window), expected, atol=1e-2)
