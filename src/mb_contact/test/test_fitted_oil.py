"""Numbers of oil by `fit`, from a bag of commands, an encoder and pressures of the crane."""

from crane_bags import write_bag, write_crane
from crane_runs import SENSORS, ramps
import pytest
import yaml

from mb_contact.experiment import PayloadExperiment
from mb_estimators.commands import fit
from mb_model import load_mechanism

FREE = ['hydraulics.valves.directional.*', 'hydraulics.cylinders.lift.leakage',
        'hydraulics.volumes.*.volume']


@pytest.fixture(scope='module')
def bag(tmp_path_factory):
    """A bag of the crane that lifts and lowers 50 kg twice, in 5 s."""
    crane = load_mechanism('crane').replace(
        hydraulics={'cylinders': {'lift': {'leakage': 2e-13}}})
    run = PayloadExperiment(crane, SENSORS, ramps(crane.circuit, (0.42, -0.45, 0.3, -0.6),
                                                  rise=0.4, pause=0.5))
    return write_bag(tmp_path_factory.mktemp('recorded') / 'bag', run)


@pytest.fixture(scope='module')
def file(tmp_path_factory):
    """A crane whose file is off in what is to be found."""
    return write_crane(
        tmp_path_factory.mktemp('file'),
        '{cylinders: {lift: {leakage: 1.0e-13}}, volumes: {v1: {volume: 0.15e-3}, v2: {volume: '
        '0.3e-3}}, valves: {directional: {flow: 0.8e-4, time_constant: 0.02}}}')


def arguments(bag, file, folder, *options):
    return [str(bag), '--mechanism', file, '--sensors', *SENSORS, '--output',
            str(folder / 'fitted.yaml'), *options]


@pytest.mark.whole
def test_a_bag_becomes_a_mechanism_with_its_oil(bag, file, tmp_path, capsys):
    assert fit.main(arguments(bag, file, tmp_path, '--free', *FREE)) == 0
    said, found = capsys.readouterr().out, yaml.safe_load((tmp_path / 'fitted.yaml').read_text())
    oil = found['hydraulics']
    assert found.keys() == {'extends', 'hydraulics'}
    assert oil['valves']['directional']['flow'] == pytest.approx(1e-4, rel=0.01)
    assert oil['valves']['directional']['time_constant'] == pytest.approx(0.015, rel=0.1)
    assert oil['cylinders']['lift']['leakage'] == pytest.approx(2e-13, rel=0.15)
    for name in ('v1', 'v2'):
        assert oil['volumes'][name]['volume'] == pytest.approx(2e-4, rel=0.1)
    assert 'pressure1, held out' in said
    assert 'not settled' not in said


@pytest.mark.parametrize(('options', 'words'), [
    (['--free', 'oil', '--sensors', 'cylinder_encoder'],
     '--free oil: no sensor of a pressure among cylinder_encoder'),
    (['--free', 'oil', '--prior', 'hydraulics.oil.air=0.1'],
     '--prior hydraulics.oil.air: not free, expected some of hydraulics.oil.bulk_modulus'),
    (['--free', 'oil', '--known', 'load=10'], '--known: not taken by a fit to oil'),
    (['--free', 'oil', '--mechanism', 'four_bar', '--sensors', 'crank_encoder'],
     '--free oil: four_bar has no hydraulics')])
def test_what_is_wrong_is_reported_in_a_line(bag, file, tmp_path, options, words, capsys):
    assert fit.main(arguments(bag, file, tmp_path, *options)) == 2
    assert words in capsys.readouterr().err
