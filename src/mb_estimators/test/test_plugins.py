"""Filters of other packages, found by their entry points."""

from pathlib import Path

import numpy as np
import pytest

from mb_estimators import Experiment, FilterError, available_filters, make_filter, warm_up
from mb_estimators.commands import filters
from mb_estimators.kernel_api import Smoothable
from mb_model import load_mechanism

ENTRY_POINTS = """\
[mb_estimators.filters]
deadbeat = deadbeat_filters:Deadbeat
lost = filters_that_are_not_there:Lost
unnamed = deadbeat_filters:Unnamed
"""
MODULE = """\
from dataclasses import dataclass

from mb_model import Settings, setting


@dataclass(frozen=True)
class DeadbeatSettings(Settings):
    '''A filter that believes every reading.'''

    trust: float = setting(1.0, at_most=1.0, help='How far')


class Deadbeat:
    Settings = DeadbeatSettings

    def __init__(self, mechanism, sensors, dt, settings):
        self.mechanism, self.sensors, self.dt, self.settings = mechanism, sensors, dt, settings
"""


@pytest.fixture
def other_package(tmp_path, monkeypatch):
    """Install a package with filters."""
    (tmp_path / 'deadbeat_filters.py').write_text(MODULE)
    information = tmp_path / 'deadbeat_filters-1.0.dist-info'
    information.mkdir()
    (information / 'METADATA').write_text('Name: deadbeat-filters\nVersion: 1.0\n')
    (information / 'entry_points.txt').write_text(ENTRY_POINTS)
    monkeypatch.syspath_prepend(str(tmp_path))


@pytest.mark.usefixtures('other_package')
def test_a_filter_of_another_package_is_found_by_name():
    assert {'deadbeat', 'error_ekf'} <= set(available_filters())
    mechanism = load_mechanism('four_bar')
    filter_ = make_filter('deadbeat', mechanism, ['crank_encoder'], 0.01, trust=0.5)
    assert filter_.settings.trust == 0.5
    assert [sensor.name for sensor in filter_.sensors] == ['crank_encoder']
    with pytest.raises(ValueError, match=r'deadbeat: trust: 2\.0 must be <= 1'):
        make_filter('deadbeat', mechanism, ['crank_encoder'], 0.01, trust=2.0)


@pytest.mark.usefixtures('other_package')
@pytest.mark.parametrize('name', ['lost', 'unnamed'])
def test_a_filter_that_cannot_be_loaded_is_reported(name):
    with pytest.raises(FilterError, match=f'{name}: plugin .* cannot be loaded: '):
        make_filter(name, load_mechanism('four_bar'), ['crank_encoder'], 0.01)


@pytest.mark.usefixtures('other_package')
def test_filters_and_their_settings_are_listed(capsys):
    assert filters.main([]) == 0
    listed = capsys.readouterr().out
    assert 'A filter that believes every reading.' in listed
    assert 'filters_that_are_not_there' in listed        # what is broken is reported, not hidden
    assert filters.main(['deadbeat', '--markdown']) == 0
    assert '| `trust` | 1 |  | <= 1 | How far |' in capsys.readouterr().out
    assert filters.main(['kalman']) == 2
    assert capsys.readouterr().err.startswith('kalman: unknown filter, expected one of ')


def test_the_filter_of_the_documentation_agrees_with_error_ekf(tmp_path, monkeypatch):
    """Both integrate by the trapezoidal rule, in independent and in dependent coordinates."""
    file = Path(__file__).parents[3] / 'docs/explanation/adding.md'
    page = file.read_text(encoding='utf-8')
    section = page.partition('### A filter\n')[2].partition('\n### ')[0]
    code = [line[4:] for line in section.splitlines() if line.startswith('    ') or not line]
    (tmp_path / 'trapezoidal_ekf.py').write_text('\n'.join(code))
    information = tmp_path / 'trapezoidal_ekf-1.0.dist-info'
    information.mkdir()
    (information / 'METADATA').write_text('Name: trapezoidal-ekf\nVersion: 1.0\n')
    (information / 'entry_points.txt').write_text(
        '[mb_estimators.filters]\ntrapezoidal_ekf = trapezoidal_ekf:TrapezoidalEkf\n')
    monkeypatch.syspath_prepend(str(tmp_path))
    experiment = Experiment('four_bar', ['crank_encoder'], {'gravity': -1.0, 'z0': 0.1}, 1.0, 5e-3)
    theirs, ours = (experiment.run(name, 1) for name in ('trapezoidal_ekf', 'error_ekf'))
    assert isinstance(make_filter('trapezoidal_ekf', experiment.mechanism, ['crank_encoder'], 5e-3),
                      Smoothable)
    np.testing.assert_allclose(theirs.observer.z, ours.observer.z, atol=1e-4)
    np.testing.assert_allclose(theirs.covariance, ours.covariance, rtol=1e-2)


def test_all_choices_of_filters_are_compiled_ahead(monkeypatch):
    made = []

    def noted(name, mechanism, sensors, dt, **settings):
        filter_ = make_filter(name, mechanism, sensors, dt, **settings)
        made.append((name, settings))
        return filter_

    monkeypatch.setattr(warm_up, 'make_filter', noted)
    for name in ('dekf_exponential', 'sckf', 'adaptive_error_ekf_fe'):
        warm_up.warm_up_choices(name)
    assert made == [
        ('dekf_exponential', {}), *(('dekf_exponential', {'exponential': f'order_{order}'})
                                    for order in range(5)),
        ('sckf', {}), ('sckf', {'as_published': True}),
        ('adaptive_error_ekf_fe', {}), *(('adaptive_error_ekf_fe', settings) for settings in (
            {'method': 'covariance_matching'}, {'method': 'sage_husa'},
            {'method': 'variational_bayes'}, {'adapt': 'sensors'},
            {'adapt': 'both'}))]


@pytest.mark.parametrize('name', ['error_ekf', 'kinematic_kf', 'platform_ekf'])
def test_what_is_compiled_ahead_includes_the_estimate(name):
    """Some filters have a kernel of their own for it: a node would compile it at its start."""
    assert np.isfinite(warm_up.warm_up_filter(name).q).all()
