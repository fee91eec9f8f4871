"""What of a bag is played, or estimated from; test_replay.py plays one."""

from types import SimpleNamespace

import numpy as np
import pytest
from recorded_four_bar import experiment, write_bag

from mb_bringup.model_files import written, wrong_masses
from mb_bringup.replayed_bag import Replayed
from mb_estimators.nodes import estimate_bag
from mb_model import load_mechanism
from mb_model.file_api import stamp_of, write_recorded
from mb_sensors import NANOSECONDS, open_bag, sensors_of

EXPERIMENT = experiment(1.0)
PARAMETERS = {'mechanism': 'four_bar', 'estimator': 'error_ekf', 'sensors': ['crank_encoder'],
              'model_errors.gravity': -1.0, 'model_errors.z0': np.pi / 16}
GIVEN = {'mechanism': '', 'estimator': '', 'sensors': '', 'config': ''}


def test_a_moved_run_is_estimated_from_as_before(tmp_path):
    """With the mechanism that it had of its own."""
    folder = tmp_path / 'there'
    write_bag(EXPERIMENT, folder / 'bag')
    mechanism = written(wrong_masses(load_mechanism('four_bar'), 0.5), folder / 'model.yaml')
    write_recorded({'estimator': {**PARAMETERS, 'mechanism': mechanism}}, folder)
    assert estimate_bag.main([str(folder / 'bag'), '--output', str(tmp_path / 'before')]) == 0
    moved = folder.rename(tmp_path / 'elsewhere')
    assert estimate_bag.main([str(moved / 'bag'), '--output', str(tmp_path / 'after')]) == 0
    states = []
    for name in ('before', 'after'):
        with open_bag(tmp_path / name) as opened:
            states.append([state.z.tobytes() for _, state in opened.of('/estimator/state')])
    assert states[0] == states[1]
    assert len(states[0]) == len(EXPERIMENT.stamps)


def test_disturbed_readings_are_estimated_from_as_they_were_received(tmp_path):
    write_bag(EXPERIMENT, tmp_path / 'bag', received=['/disturbed/crank_encoder'])
    write_recorded({'estimator': PARAMETERS}, tmp_path)
    assert estimate_bag.main([str(tmp_path / 'bag'), '--output', str(tmp_path / 'new')]) == 0
    with open_bag(tmp_path / 'new') as opened:
        stamps = [stamp_of(state) for _, state in opened.of('/estimator/state')]
    assert stamps == list(EXPERIMENT.stamps[1::2])


@pytest.mark.parametrize(('damaged', 'left_out'), [([50], 1), ([50, 51], 2), (range(50, 60), 0)])
def test_damaged_stamps_are_left_out_also_two_alike(tmp_path, damaged, left_out):
    """But not a second session: two are less than 1 % of the readings, ten are more."""
    made_of = experiment(1.5)
    stamps = [stamp + 2 ** 18 * NANOSECONDS * (k in damaged)
              for k, stamp in enumerate(made_of.stamps)]
    write_bag(SimpleNamespace(stamps=stamps, truth=made_of.truth, readings=made_of.readings),
              tmp_path / 'bag')
    with open_bag(tmp_path / 'bag') as opened:
        found, _ = opened.readings(sensors_of(made_of.prototype, ['crank_encoder']))
    assert len(found) == len(stamps) - left_out


def test_a_bag_that_gives_no_estimates_leaves_nothing_behind(tmp_path, capsys):
    """So that the next try is not in the way of this one."""
    write_bag(EXPERIMENT, tmp_path / 'bag', '/other')
    write_recorded({'estimator': PARAMETERS}, tmp_path)
    before = sorted(tmp_path.iterdir())
    for _ in range(2):
        assert estimate_bag.main([str(tmp_path / 'bag'), '--output', str(tmp_path / 'new')]) == 2
        assert 'crank_encoder: expected one topic of this name' in capsys.readouterr().err
    assert sorted(tmp_path.iterdir()) == before


def test_a_bag_that_is_not_there_is_reported_as_such(tmp_path, capsys):
    words = [str(tmp_path / 'bag'), '--output', str(tmp_path / 'new')]
    assert estimate_bag.main(words) == 2
    assert capsys.readouterr().err == f'{tmp_path / "bag"}: no such bag\n'


def test_what_is_played_of_a_machine_without_a_truth(tmp_path):
    """The recorded estimates are the reference; the time is the bag's."""
    write_bag(EXPERIMENT, tmp_path / 'bag', '/arm/crank_encoder', ['/estimator/state'])
    write_recorded({'estimator': {'checkpoint': '/of/that/run', 'dt': 0.01}}, tmp_path)
    found = Replayed({**GIVEN, 'bag': str(tmp_path / 'bag'), 'sensors': '[crank_encoder]'})
    assert (found.parameters['checkpoint'], found.parameters['dt']) == ('', 0.01)
    assert found.topics == ['/arm/crank_encoder', '/estimator/state']
    assert found.remapped == {'/arm/crank_encoder': '/crank_encoder',
                              '/estimator/state': '/recorded/estimator/state'}
    assert (found.has_clock, found.has_truth) == (False, False)
    assert found.reference == '/recorded/estimator/state'


@pytest.mark.parametrize(('changed', 'error', 'message'), [
    ({'bag': '/nowhere'}, OSError, 'bag: /nowhere: no such bag'),
    ({}, ValueError, 'sensors: missing'),
    ({'sensors': 'crank_gyro'}, ValueError, 'crank_gyro: expected one topic of this name'),
    ({'mechanism': 'crane', 'sensors': 'pressure1'}, ValueError,
     'error_ekf: pressure1: a pressure sensor says nothing about the motion'),
    ({'config': '/nowhere.yaml'}, OSError, '/nowhere.yaml')])
def test_wrong_arguments_are_reported(tmp_path, changed, error, message):
    write_bag(EXPERIMENT, tmp_path / 'bag')
    with pytest.raises(error, match=message):
        Replayed({**GIVEN, 'bag': str(tmp_path / 'bag'), **changed})
