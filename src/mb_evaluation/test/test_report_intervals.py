"""The report of a recording whose readings are nearer to the estimate than the filter claims."""

import json

import pytest
from recorded_four_bar import experiment, write_bag

from mb_evaluation import verdict
from mb_evaluation.nodes import report

OPTIONS = ['--mechanism', 'four_bar', '--sensors', 'crank_encoder', '--estimator', 'error_ekf']


@pytest.fixture(scope='module')
def bag(tmp_path_factory):
    folder = tmp_path_factory.mktemp('run') / 'readings'
    write_bag(experiment(4.0), folder)
    return folder


@pytest.mark.parametrize(('times', 'is_wide'), [(1.0, False), (20.0, True)])
def test_intervals_that_are_far_too_wide_are_said_with_the_verdict(times, is_wide, bag, tmp_path,
                                                                   capsys):
    """Of a sensor that is said to be noisier than it is: its NIS is too small, and it passes."""
    settings = tmp_path / 'noise.yaml'
    settings.write_text('estimator: {ros__parameters: {crank_encoder: '
                        f'{{sigma: {times * 0.0175:.9g}}}}}}}\n')
    assert report.main([str(bag), *OPTIONS, '--config', str(settings), '--output',
                        str(tmp_path / 'report')]) == 0
    shown = capsys.readouterr().out
    figures = json.loads((tmp_path / 'report/report.json').read_text())
    said = ('; intervals are wider than they need be (crank_encoder: NIS '
            f'{figures["consistency"]["crank_encoder"]["nis"]:.2g})')
    assert 'PASSED: innovations are no larger' in shown
    assert (said in ' '.join(shown.split())) == is_wide
    assert ('tune: ros2 run mb_estimators tune' in shown) == is_wide
    assert ('tune' in dict(figures['remedies'])) == is_wide
    with pytest.raises(SystemExit) as ended:
        verdict.main([str(tmp_path / 'report')])
    assert ended.value.code == 0


def test_what_was_tuned_and_passes_is_not_tuned_again(bag, tmp_path):
    settings = tmp_path / 'tuned.yaml'
    settings.write_text('estimator: {ros__parameters: {crank_encoder: {sigma: 0.35}}}\n')
    assert report.main([str(bag), *OPTIONS, '--config', str(settings), '--output',
                        str(tmp_path / 'report')]) == 0
    assert json.loads((tmp_path / 'report/report.json').read_text())['remedies'] == []
