"""The command identify_dynamics, on a bag."""

from message_bags import write_messages
import numpy as np
import pytest
from robot_drives import ROBOT, motion, torques
from sensor_msgs.msg import JointState

from mb_contact.commands import identify_dynamics
from mb_interfaces.msg import MechanismState
from mb_model import load_mechanism
from mb_ros.stamps import stamp as to_stamp

TRUTH = {'inner_mass': 1.35, 'outer_mass': 0.72, 'platform_mass': 3.4, 'platform_inertia': 0.028,
         'drive_coulomb': 0.41, 'drive_viscous': 0.14}
PERIOD = 2e-3
ENCODERS = [f'drive_encoder{k}' for k in (1, 2, 3)]


@pytest.fixture(scope='module')
def bag(tmp_path_factory):
    """A bag of encoders, states, and torques that hold what the next step needs.

    On drive_torques in the mean; on step_torques at the end, when a simulation's state is noted.
    """
    robot = ROBOT.replace(parameters=TRUTH)
    stamps, *states = motion(6.0, PERIOD)
    needed = torques(robot, *states)
    random, q = np.random.default_rng(1), robot.q0
    sent = []
    for k, stamp in enumerate(stamps[:-1].tolist()):
        z, zd, zdd = (values[k] for values in states)
        q = robot.assemble(z, q)
        angles = q[robot.indices(robot.drives)] + 7e-6 * random.standard_normal(3)
        messages = {'drive_encoders': JointState(name=ENCODERS, position=angles)}
        for name, effort in (('drive_torques', 0.5 * (needed[k] + needed[k + 1])),
                             ('step_torques', needed[k + 1])):
            messages[name] = JointState(name=robot.drives, effort=effort.tolist())
        messages['prototype/state'] = MechanismState(
            mechanism=robot.name, independent=robot.independent, coordinates=robot.coordinates,
            z=z, zd=zd, zdd=zdd)
        for name, message in messages.items():
            message.header.stamp = to_stamp(stamp)
            sent.append((f'/{name}', message))
    return write_messages(tmp_path_factory.mktemp('recorded') / 'bag', sent)


def test_encoders_and_torques_become_a_mechanism(bag, tmp_path, capsys):
    file = tmp_path / 'mine.yaml'
    assert identify_dynamics.main([str(bag), '--sensors', 'drive_encoders', '--parameters', *TRUTH,
                                   '--output', str(file)]) == 0
    assert 'platform_inertia' in capsys.readouterr().out
    mine = load_mechanism(str(file))
    assert {name: mine.parameters[name] for name in TRUTH} == pytest.approx(TRUTH, rel=0.02)
    assert '# inner_mass: ' in file.read_text(encoding='utf-8')


def test_damaged_messages_are_left_out(bag, damaged_copy, tmp_path, said):
    damaged = damaged_copy(bag, tmp_path / 'bag')
    for way in (['--sensors', 'drive_encoders'],
                ['--states', 'prototype/state', '--torques', 'step_torques', '--torques-are',
                 'commands']):
        assert identify_dynamics.main([str(damaged), *way, '--parameters', *TRUTH, '--output',
                                       str(tmp_path / 'mine.yaml')]) == 0
        mine = load_mechanism(str(tmp_path / 'mine.yaml'))
        assert mine.parameters['inner_mass'] == pytest.approx(TRUTH['inner_mass'], rel=0.05)
    for topic in ('drive_torques', 'step_torques', 'drive_encoders', 'prototype/state'):
        assert f'/{topic}: 3 of 2999 messages are damaged and left out' in said()


def test_states_and_a_path_serve_as_well(bag, tmp_path):
    file, names = tmp_path / 'mine.yaml', [*TRUTH, 'bodies.platform.inertia']
    names.remove('platform_inertia')
    assert identify_dynamics.main(
        [str(bag), '--states', 'prototype/state', '--torques', 'step_torques', '--torques-are',
         'commands', '--parameters', *names, '--output', str(file)]) == 0
    mine = load_mechanism(str(file))
    found = {name: mine.parameters[name] for name in TRUTH}
    found['platform_inertia'] = mine.bodies['platform'].inertia
    assert found == pytest.approx(TRUTH, rel=1e-4)


def test_what_is_not_determined_is_written_by_force_only(bag, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr('mb_contact.dynamics.fit._HARDLY', 1e-6)       # nothing is good enough
    monkeypatch.setattr('mb_contact.dynamics.fit._FAR', 1e6)
    file = tmp_path / 'mine.yaml'
    asked = [str(bag), '--sensors', 'drive_encoders', '--parameters', 'inner_mass', '--output',
             str(file)]
    assert identify_dynamics.main(asked) == 1
    assert 'no parameter is determined' in capsys.readouterr().err
    assert not file.exists()
    assert identify_dynamics.main([*asked, '--force']) == 0
    assert '# DISOWNED, written by --force: inner_mass: 1.' in file.read_text(encoding='utf-8')
    assert 'inner_mass' in load_mechanism(str(file)).parameters


@pytest.mark.parametrize(('options', 'words'), [
    (['--torques', 'currents'], 'currents: expected one topic of this name'),
    (['--drives', 'drive1', 'motor'], 'drive_torques: no effort of motor, but of drive1'),
    (['--fit', 'block_time=0'], '--fit block_time: 0.0 must be > 0'),
    (['--mechanism', 'pendulum', '--states', 'prototype/state'], 'but pendulum has theta'),
    (['--output', '/nowhere/a.yaml'], '--output /nowhere/a.yaml: no such folder')])
def test_what_is_wrong_is_reported_in_a_line(bag, options, words, capsys):
    motion = [] if '--states' in options else ['--sensors', 'drive_encoders']
    drives = ['--drives', *ROBOT.drives] if 'pendulum' in options else []
    assert identify_dynamics.main([str(bag), *motion, *drives, '--parameters', 'inner_mass',
                                   *options]) == 2
    assert words in capsys.readouterr().err
