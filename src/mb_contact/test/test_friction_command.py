"""The command identify_friction, on a bag."""

from crane_runs import SENSORS, experiment
import matplotlib.image
from message_bags import write_messages
import numpy as np
import pytest
from sensor_msgs.msg import FluidPressure, JointState
import yaml

from mb_contact.commands import contact_thresholds, identify_friction
from mb_contact.friction.law import CYLINDER
from mb_estimators.commands import fit
from mb_interfaces.msg import ValveCommand
from mb_model import load_mechanism
from mb_ros.stamps import stamp as to_stamp


@pytest.fixture(scope='module')
def run():
    """The crane without a load: out and in again."""
    return experiment(0.0, (0.42, -0.45), rise=3.0, pause=0.5)


@pytest.fixture(scope='module')
def bag(run, tmp_path_factory):
    return write_bag(tmp_path_factory.mktemp('recorded') / 'bag', run)


def write_bag(folder, run, until=np.inf):
    """Write a bag of readings and commands of a run until a time [s]; return its folder."""
    readings, sent = run.readings(0), []
    for k in range(0, int((run.t < until).sum()), 10):
        stamp, row = int(run.stamps[k]), readings[k]
        messages = {'valve_command': ValveCommand(valve=['directional'],
                                                  command=run.truth.U_in[k]),
                    'cylinder_encoder': JointState(name=['cylinder_encoder'], position=row[:1]),
                    'pressure1': FluidPressure(fluid_pressure=row[1]),
                    'pressure2': FluidPressure(fluid_pressure=row[2])}
        for name, message in messages.items():
            message.header.stamp = to_stamp(stamp)
            sent.append((f'/{name}', message))
    return write_messages(folder, sent)


def test_a_bag_becomes_a_mechanism_with_its_friction(bag, tmp_path, capsys):
    file = tmp_path / 'mine.yaml'
    assert identify_friction.main(
        [str(bag), '--sensors', *SENSORS, '--output', str(file)]) == 0
    shown = capsys.readouterr().out
    assert 'load = 0' in shown
    assert 'hardly determined' in shown             # pressures do not suffice without a load
    written = yaml.safe_load(file.read_text())['hydraulics']['cylinders']['lift']['friction']
    assert written
    for line in shown.split('lift: ')[1:]:
        assert line.split(':')[0] not in written    # of what is in doubt nothing is written
    crane, mine = load_mechanism('crane'), load_mechanism(str(file))
    light = crane.replace(parameters={'load': 0.0}).circuit.p0
    for speed in (-0.05, 0.03, 0.05):
        assert mine.circuit.friction(light, [speed]) == pytest.approx(
            crane.circuit.friction(light, [speed]), rel=0.04)
    assert matplotlib.image.imread(tmp_path / 'mine.png').shape[0] > 300


def test_damaged_messages_are_left_out(bag, damaged_copy, tmp_path, said):
    assert identify_friction.main([str(damaged_copy(bag, tmp_path / 'bag')), '--sensors', *SENSORS,
                                   '--output', str(tmp_path / 'mine.yaml')]) == 0
    for topic in ('valve_command', *SENSORS):
        assert f'/{topic}: 3 of' in said()
    assert yaml.safe_load((tmp_path / 'mine.yaml').read_text())


def test_all_is_written_by_force_and_marked(bag, tmp_path):
    file = tmp_path / 'mine.yaml'
    assert identify_friction.main([str(bag), '--sensors', *SENSORS, '--force', '--output',
                                   str(file)]) == 0
    text = file.read_text()
    assert '# DISOWNED, written by --force: lift: ' in text
    assert set(yaml.safe_load(text)['hydraulics']['cylinders']['lift']['friction']) == set(
        CYLINDER.parameters)


def test_a_curve_that_is_not_determined_is_not_written(run, tmp_path, capsys):
    """The piston moves one way: its friction may as well be a weight."""
    one_way, file = write_bag(tmp_path / 'bag', run, until=6.5), tmp_path / 'mine.yaml'
    assert identify_friction.main(
        [str(one_way), '--sensors', *SENSORS, '--output', str(file)]) == 1
    assert 'friction and weight cannot be separated' in capsys.readouterr().err
    assert not file.exists()


@pytest.mark.parametrize(('options', 'words'), [
    (['--loads', '0', '10'], '--loads: 2 values for 1 bags'),
    (['--mass', 'cargo'], '--mass cargo: unknown parameter of crane.yaml, expected one of load'),
    (['--mechanism', 'four_bar', '--sensors', 'crank_encoder'], 'four_bar.yaml: hydraulics: miss'),
    (['--fit', 'averaging_time=-1'], '--fit averaging_time: -1.0 must be >= 0'),
    (['--fit', 'speed=1'], '--fit speed: unknown setting, expected one of'),
    (['--output', '/nowhere/a.yaml'], '--output /nowhere/a.yaml: no such folder')])
def test_what_is_wrong_is_reported_in_a_line(bag, options, words, capsys):
    sensors = [] if '--sensors' in options else ['--sensors', *SENSORS]
    assert identify_friction.main([str(bag), *sensors, *options]) == 2
    assert words in capsys.readouterr().err


@pytest.mark.parametrize(('command', 'options'), [
    (identify_friction, []),
    (fit, ['--sensors', 'imu']),
    (contact_thresholds, [])])
def test_a_bag_that_is_not_there_is_reported_first(tmp_path, command, options, capsys):
    bag = tmp_path / 'none'
    assert command.main([str(bag), *options, '--output', str(tmp_path / 'found.yaml')]) == 2
    assert capsys.readouterr().err == f'{bag}: no such bag\n'
