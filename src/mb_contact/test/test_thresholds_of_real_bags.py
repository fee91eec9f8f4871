"""Thresholds from bags of a real robot: encoders and measured torques, without an estimator."""

from message_bags import write_messages
import numpy as np
import pytest
from sensor_msgs.msg import JointState
import yaml

from mb_contact.commands import contact_thresholds
from mb_contact.detection.recorded import Source, read_bag
from mb_model import load_mechanism
from mb_ros.stamps import stamp as to_stamp
from mb_ros.states import doubles, mechanism_state

ARM = load_mechanism('six_axis_arm')
STEP, COUNT = 4_000_000, 500        # ns
RATES, SIZES = 1.5 + 0.3 * np.arange(6), 0.2 * np.ones(6)
UNMODELLED = np.array([3.0, -2.0, 1.5, 0.5, 0.3, 0.2])      # N m


def recorded(folder, unmodelled, drives=ARM.drives):
    """Write encoders and torques of an arm that needs more of them than its model says."""
    sent = []
    for stamp in 1_000_000_000 + STEP * np.arange(COUNT):
        t = 1e-9 * float(stamp)
        wave = RATES * t + np.arange(6)
        z, zd, zdd = (ARM.z0 + SIZES * np.sin(wave), SIZES * RATES * np.cos(wave),
                      -SIZES * RATES ** 2 * np.sin(wave))
        torques = ARM.inverse_dynamics(z, zd, zdd) - unmodelled * np.sin(3.0 * t)
        messages = {
            '/joint_states': JointState(name=[f'encoder{k}' for k in range(1, 7)],
                                        position=doubles(z)),
            '/motors/known_forces': JointState(name=drives, effort=doubles(torques)),
            '/observed': mechanism_state(ARM, int(stamp), z=z, zd=zd, zdd=zdd)}
        for topic, message in messages.items():
            message.header.stamp = to_stamp(int(stamp))
            sent.append((topic, message))
    return str(write_messages(folder, sent))


@pytest.fixture(scope='module')
def bags(tmp_path_factory):
    """Two bags, with more friction in the first axes, and in the last ones."""
    folder = tmp_path_factory.mktemp('recorded')
    first = np.array([1.0, 1.0, 1.0, 0.1, 0.1, 0.1])
    return (recorded(folder / 'one', first * UNMODELLED),
            recorded(folder / 'other', (1.1 - first) * UNMODELLED))


def thresholds(tmp_path, *asked):
    """Return parameters that the command writes."""
    output = tmp_path / 'thresholds.yaml'
    assert contact_thresholds.main([
        *asked, '--mechanism', 'six_axis_arm', '--method', 'direct', '--torques', 'known_forces',
        '--output', str(output)]) == 0
    return yaml.safe_load(output.read_text())['contact_detector']['ros__parameters']


@pytest.mark.parametrize('motion', [['--sensors', 'encoders', '--knot-spacing', '0.05'],
                                    ['--states', 'observed']])
def test_the_largest_forces_of_two_bags_count(bags, tmp_path, motion, capsys):
    found = thresholds(tmp_path, *bags, *motion)
    np.testing.assert_allclose(found['direct_threshold'], 2.0 * np.abs(UNMODELLED), rtol=0.02)
    assert found['torques_are'] == 'readings'
    shown = capsys.readouterr().out
    assert bags[0].rpartition('/')[2] in shown
    text = (tmp_path / 'thresholds.yaml').read_text()
    assert text.count('# 2 times the largest forces in ') == 2
    assert ('a spline through readings' in text) == ('--sensors' in motion)


def test_states_of_a_spline_have_its_covariance(bags):
    """The encoders are exact, and so is nearly the spline."""
    states = read_bag(ARM, ARM.drives, bags[0], Source(
        sensors=('encoders',), knot_spacing=0.05, torques='known_forces')).states
    assert states[0].covariance.shape == (18, 18)
    assert 0.0 < np.sqrt(states[0].covariance[-1, -1]) < 0.05


def test_what_is_missing_is_said_in_a_line(bags, tmp_path, capsys):
    others = recorded(tmp_path / 'bag', UNMODELLED, [f'motor{k}' for k in range(6)])
    for asked, words in (
            ([bags[0], '--torques', 'known_forces'],
             'estimator/state: expected one topic of this name'),
            ([bags[0], '--sensors', 'encoders'],
             'prototype/drive_torques: expected one topic of this name'),
            ([bags[0], '--sensors', 'encoders', '--encoders', 'encoders'], 'not with sensors'),
            ([others, '--sensors', 'encoders', '--torques', 'known_forces'],
             'motor5, expected efforts of q1, q2, q3, q4, q5, q6')):
        assert contact_thresholds.main([*asked, '--mechanism', 'six_axis_arm', '--output',
                                        str(tmp_path / 'thresholds.yaml')]) == 2
        assert words in ' '.join(capsys.readouterr().err.split())
