"""The command fit, on a bag."""

from message_bags import write_messages
import numpy as np
import pytest
from robot_drives import ROBOT, motion, torques
from sensor_msgs.msg import JointState

from mb_estimators.commands import fit
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
    assert fit.main([str(bag), '--sensors', 'drive_encoders', '--output', str(file)]) == 0
    out = capsys.readouterr().out
    assert 'platform_inertia' in out
    assert 'drive1, held out' in out
    mine = load_mechanism(str(file))
    assert {name: mine.parameters[name] for name in TRUTH} == pytest.approx(TRUTH, rel=0.02)
    assert '# known: inner_mass = 1.3' in file.read_text(encoding='utf-8')
    page = file.with_suffix('.html').read_text(encoding='utf-8')
    assert '<svg' in page
    assert 'platform_inertia' in page
    assert 'http' not in page.split('</style>')[1].split('<svg')[0]


def test_damaged_messages_are_left_out(bag, damaged_copy, tmp_path, said):
    damaged = damaged_copy(bag, tmp_path / 'bag')
    for way in (['--sensors', 'drive_encoders'],
                ['--states', 'prototype/state', '--torques', 'step_torques', '--torques-are',
                 'commands']):
        assert fit.main([str(damaged), *way, '--output', str(tmp_path / 'mine.yaml')]) == 0
        mine = load_mechanism(str(tmp_path / 'mine.yaml'))
        assert mine.parameters['inner_mass'] == pytest.approx(TRUTH['inner_mass'], rel=0.05)
    for topic in ('drive_torques', 'step_torques', 'drive_encoders', 'prototype/state'):
        assert f'/{topic}: 3 of 2999 messages are damaged and left out' in said()


def test_states_and_a_path_serve_as_well(bag, tmp_path):
    file, names = tmp_path / 'mine.yaml', [*TRUTH, 'bodies.platform.inertia']
    names.remove('platform_inertia')
    assert fit.main(
        [str(bag), '--states', 'prototype/state', '--torques', 'step_torques', '--torques-are',
         'commands', '--free', *names, '--output', str(file)]) == 0
    mine = load_mechanism(str(file))
    found = {name: mine.parameters[name] for name in TRUTH}
    found['platform_inertia'] = mine.bodies['platform'].inertia
    assert found == pytest.approx(TRUTH, rel=1e-4)


@pytest.mark.whole
def test_knots_are_chosen_and_said(bag, tmp_path, capsys):
    file = tmp_path / 'mine.yaml'
    assert fit.main([str(bag), '--sensors', 'drive_encoders', '--free', 'platform_mass', '--fit',
                     'knot_spacing=0', '--output', str(file)]) == 0
    said = capsys.readouterr().out
    assert 's foresee forces best: median residuals of a part left out with ' in said
    assert '0.02 s (' in said
    assert load_mechanism(str(file)).parameters['platform_mass'] == pytest.approx(3.4, rel=0.05)


def test_gains_are_said_for_the_columns_of_the_log(bag, tmp_path, capsys):
    file = tmp_path / 'mine.yaml'
    assert fit.main([str(bag), '--sensors', 'drive_encoders', '--free', 'gains', 'friction',
                     '--known', 'drive_viscous=0.14', '--output', str(file)]) == 0
    assert 'known_forces.drive1.gain' in capsys.readouterr().out
    assert '# drive1.gain of the recorded force: ' in file.read_text(encoding='utf-8')


def test_a_motion_for_the_next_log_is_written(bag, tmp_path, capsys):
    file = tmp_path / 'motion.csv'
    assert fit.main([str(bag), '--sensors', 'drive_encoders', '--output',
                     str(tmp_path / 'mine.yaml'), '--suggest', str(file), '--motion', 'tries=2',
                     '--motion', 'reach=0.03', '--motion', 'duration=4']) == 0
    assert 'with this motion' in capsys.readouterr().out
    assert file.read_text(encoding='utf-8').startswith('t,E.x,E.y,turn,E.x_rate,')


@pytest.mark.parametrize(('options', 'words'), [
    (['--torques', 'currents'], 'currents: expected one topic of this name'),
    (['--drives', 'drive1', 'motor'], 'drive_torques: no effort of motor, but of drive1'),
    (['--fit', 'block_time=0'], '--fit block_time: 0.0 must be > 0'),
    (['--motion', 'tries=0'], '--motion tries: 0 must be >= 1'),
    (['--suggest', '/nowhere/a.csv'], '--suggest /nowhere/a.csv: no such folder'),
    (['--mechanism', 'pendulum', '--states', 'prototype/state'], 'but pendulum has theta'),
    (['--free', 'weights'], '--free weights: expected some of masses'),
    (['--prior', 'inner_mass'], '--prior inner_mass: expected NUMBER=VALUE'),
    (['--known', 'inner_mass=a'], '--known inner_mass=a: expected a number'),
    (['--known', 'inner_mass=1,2'], '--known inner_mass=1,2: 2 values, expected one'),
    (['--known', 'inner_mas=1'], '--known inner_mas: no number of three_rrr'),
    (['--output', '/nowhere/a.yaml'], '--output /nowhere/a.yaml: no such folder'),
    (['--output', '/tmp'], '--output /tmp: is a folder, expected a file'),
    (['--output', '/tmp/a.html'], '--output /tmp/a.html: is its page')])
def test_what_is_wrong_is_reported_in_a_line(bag, options, words, capsys):
    motion = [] if '--states' in options else ['--sensors', 'drive_encoders']
    drives = ['--drives', *ROBOT.drives] if 'pendulum' in options else []
    free = [] if '--free' in options else ['--free', 'inner_mass']
    assert fit.main([str(bag), *motion, *drives, *free, *options]) == 2
    assert words in capsys.readouterr().err
