"""States and torques as they come, and thresholds of a bag."""

from contact_states import MS, moving, robot, stamps
from hypothesis import given, settings, strategies as st
from message_bags import write_messages
import numpy as np
import pytest
from sensor_msgs.msg import JointState
import yaml

from mb_contact.commands import contact_thresholds
from mb_contact.detection.contact import DetectionSettings
from mb_contact.detection.detector import ContactDetector
from mb_contact.detection.state import State
from mb_contact.detection.stream import ContactStream
from mb_contact.detection.thresholds import contact_free_thresholds
from mb_interfaces.msg import BodyContact, BodyContacts
from mb_ros.stamps import stamp as to_stamp
from mb_ros.states import doubles, mechanism_state

TORQUES = 0.3, -0.2, 0.1


def stream_of(**chosen):
    return ContactStream(ContactDetector(robot(), settings=DetectionSettings(**chosen)))


def states(outside):
    when, z, zd, zdd, _ = moving(outside)
    return [State(int(t), *row, None) for t, *row in zip(when, z, zd, zdd, strict=True)]


@settings(deadline=None, max_examples=20)
@given(data=st.data())
def test_contacts_do_not_depend_on_which_topic_comes_first(data):
    """Torques change twice a step here, so that their mean over it counts."""
    outside = np.outer(np.arange(25) >= 10, [9.0, 0.0, 0.0])
    waiting = [[('add_state', (state,)) for state in states(outside)],
               [('add_torques', (k * MS // 2, TORQUES + np.array([0.5, 0.0, -0.5]) * (-1) ** k))
                for k in range(53)]]
    stream, judged = stream_of(), []
    while any(waiting):
        some = waiting[data.draw(st.integers(0, 1))] or max(waiting)
        name, arguments = some.pop(0)
        judged += getattr(stream, name)(*arguments)
    assert [state.stamp for state, _ in judged] == stamps(25).tolist()
    assert stream.without_torques == 0
    assert [contact.detected for _, contact in judged] == [k >= 10 for k in range(25)]
    observed = [contact.forces[1].force[0] for _, contact in judged[1:]]
    expected = 9.0 * -np.expm1(-0.1 * np.maximum(0, np.arange(1, 25) - 9))
    np.testing.assert_allclose(observed, expected, atol=2e-3)


def test_a_bag_that_is_played_again_is_judged_again():
    """But for the ten torques that show it."""
    outside = np.outer(np.arange(60) >= 40, [9.0, 0.0, 0.0])
    stream, passes = stream_of(longest_gap=0.01), []
    for _ in range(2):
        judged = []
        for k, state in enumerate(states(outside)):
            judged += stream.add_torques(k * MS, TORQUES) + stream.add_state(state)
        passes.append({state.stamp: contact.detected for state, contact in judged})
    first, second = passes
    assert list(second) == list(first)[9:]
    assert second == {stamp: first[stamp] for stamp in second}
    assert any(second.values())


def test_what_has_no_torques_is_counted():
    stream, some = stream_of(), states(np.zeros((12, 3)))
    for state in some[:4]:
        assert stream.add_state(state) == []
    assert [state.stamp for state, _ in stream.add_torques(2 * MS, TORQUES)] == []
    assert stream.without_torques == 2           # the first torques act from 2 ms on
    judged = stream.add_torques(4 * MS, TORQUES)
    assert [state.stamp for state, _ in judged] == [3 * MS, 4 * MS]
    assert stream.add_torques(3 * MS, TORQUES) == []        # of the past
    for k in range(1010):
        stream.add_state(some[0]._replace(stamp=(5 + k) * MS))
    assert stream.without_torques == 12


def test_a_corrected_state_is_judged_with_the_torques_of_its_instant():
    stream, some = stream_of(method='direct'), states(np.zeros((8, 3)))
    for k, state in enumerate(some):
        stream.add_torques(k * MS, np.array(TORQUES) * (1.0 if k < 4 else 20.0))
        stream.add_state(state)
    stream.add_torques(9 * MS, TORQUES)
    (_, first), = stream.add_state(some[2])
    np.testing.assert_allclose(first.forces[0].force, 0.0, atol=1e-8)
    (_, last), = stream.add_state(some[6])
    assert np.abs(last.forces[0].force).max() > 1.0


def write_bag(folder, touches, every=1, covariance=None, size=1.0):
    """Write a bag of a motion on which a force of a known size acts, with its truth or without.

    every: of so many states one gets its torques; covariance (3g, 3g): of all states; size: factor
    on the force.
    """
    outside = size * np.outer(np.sin(0.1 * np.arange(100)), [3.0, -1.0, 0.2])
    sent = []
    for state in states(outside):
        torques = JointState(name=robot().drives, effort=doubles(TORQUES))
        torques.header.stamp = to_stamp(state.stamp - MS)
        message = mechanism_state(robot(), state.stamp, z=state.z, zd=state.zd, zdd=state.zdd,
                                  covariance=covariance)
        sent += [('/estimator/state', message, state.stamp)] * (state.stamp // MS % every == 0)
        sent.append(('/prototype/drive_torques', torques, state.stamp))
    if touches:
        contacts = BodyContacts(contacts=[BodyContact(body='outer1')])
        sent.append(('/prototype/contacts', contacts, state.stamp))
    write_messages(folder, sent)
    return outside


def test_thresholds_of_a_bag_are_a_factor_on_its_largest_forces(tmp_path, capsys):
    outside = write_bag(tmp_path / 'bag', touches=False)
    mechanism, output = tmp_path / 'robot.yaml', tmp_path / 'thresholds.yaml'
    mechanism.write_text('extends: three_rrr\nparameters: {drive_coulomb: 0.0}\n')
    assert contact_thresholds.main(
        [str(tmp_path / 'bag'), '--mechanism', str(mechanism), '--factor', '3', '--set',
         'gain=[200.0]', '--output', str(output)]) == 0
    assert 'warning' not in capsys.readouterr().out
    parameters = yaml.safe_load(output.read_text())['contact_detector']['ros__parameters']
    when, *motion, torques = moving(outside)
    track = ContactDetector(robot(), settings=DetectionSettings(gain=(200.0,))).run(
        when[:-1], *(array[:-1] for array in motion), None, torques[:-1])
    assert parameters == {
        'mechanism': str(mechanism), 'method': 'both', 'gain': [200.0]} | {
        f'{name}_threshold': pytest.approx(contact_free_thresholds(track, 3.0)[method], rel=1e-3)
        for name, method in (('direct', 'direct'), ('momentum', 'momentum_observer'))}
    assert parameters['direct_threshold'] == pytest.approx([9.0, 3.0, 0.6], rel=1e-2)


def test_thresholds_leave_out_damaged_messages(tmp_path, damaged_copy, said):
    write_bag(tmp_path / 'whole', touches=False)
    found = {}
    for name in ('whole', 'damaged'):
        if name == 'damaged':
            damaged_copy(tmp_path / 'whole', tmp_path / name)
        output = tmp_path / f'{name}.yaml'
        assert contact_thresholds.main([str(tmp_path / name), '--output', str(output)]) == 0
        found[name] = yaml.safe_load(output.read_text())['contact_detector']['ros__parameters']
    assert found['damaged']['direct_threshold'] == pytest.approx(
        found['whole']['direct_threshold'], rel=0.05)
    assert 'messages are damaged and left out' in said()


def test_a_bag_of_uncertain_states_gives_no_thresholds_and_the_reason(tmp_path, capsys):
    write_bag(tmp_path / 'bag', touches=False, covariance=1e4 * np.eye(9))
    assert contact_thresholds.main([str(tmp_path / 'bag'), '--set', 'largest_deviation=0.2',
                                    '--output', str(tmp_path / 'thresholds.yaml')]) == 2
    shown = ' '.join(capsys.readouterr().err.split())
    assert 'direct: no state is certain enough: by its covariance a force deviates by' in shown
    assert 'of 2 times the largest force, more than largest_deviation, 0.2; expected' in shown


@pytest.mark.parametrize('size', [0.2, 5.0])
def test_states_count_by_the_thresholds_that_are_found(tmp_path, size):
    """What a force deviates by is a share of its threshold, of small ones and of large ones.

    It is allowed for if the limit is a bit above that share, and not below: default thresholds,
    7.5 N and 0.5 N m, do not matter.
    """
    largest = size * np.array([3.0, 1.0, 0.2])
    _, z, zd, *_ = moving(np.zeros((100, 3)))
    turning = np.array([0.0, 0.0, 1.0])
    inertia = np.array([robot().inverse_dynamics(*row, turning)
                        - robot().inverse_dynamics(*row, 0.0 * turning)
                        for row in zip(z, zd, strict=True)])
    share = (np.abs(inertia) / (2.0 * largest)).max()      # of 1 rad/s^2
    covariance = np.diag([0.0] * 8 + [(0.25 / share) ** 2])
    write_bag(tmp_path / 'bag', touches=False, covariance=covariance, size=size)
    robot_file, output = tmp_path / 'robot.yaml', tmp_path / 'thresholds.yaml'
    robot_file.write_text('extends: three_rrr\nparameters: {drive_coulomb: 0.0}\n')
    for limit, code in ((0.3, 0), (0.2, 2)):
        assert contact_thresholds.main([
            str(tmp_path / 'bag'), '--mechanism', str(robot_file), '--method', 'direct', '--set',
            f'largest_deviation={limit}', '--output', str(output)]) == code
    parameters = yaml.safe_load(output.read_text())['contact_detector']['ros__parameters']
    assert parameters['direct_threshold'] == pytest.approx(2.0 * largest, rel=1e-2)


@pytest.mark.parametrize(('touches', 'every', 'words'), [
    (True, 1, '1 messages of prototype/contacts say that something touched'),
    (False, 5, 'only 0.2 states for each instant with torques')])
def test_thresholds_that_are_none_are_written_by_force_only(tmp_path, capsys, touches, every,
                                                            words):
    write_bag(tmp_path / 'bag', touches=touches, every=every)
    output = tmp_path / 'thresholds.yaml'
    asked = [str(tmp_path / 'bag'), '--method', 'direct', '--output', str(output)]
    assert contact_thresholds.main(asked) == 1
    shown = capsys.readouterr().err
    assert words in shown
    assert '--force' in shown
    assert not output.exists()
    assert contact_thresholds.main([*asked, '--force']) == 0
    assert f'# DISOWNED, written by --force: {words}' in output.read_text()
    assert 'direct_threshold' in yaml.safe_load(
        output.read_text())['contact_detector']['ros__parameters']


def test_what_is_wrong_is_reported(tmp_path, capsys):
    write_bag(tmp_path / 'bag', touches=True)
    output = ['--output', str(tmp_path / 'thresholds.yaml')]
    for wrong, word in (([str(tmp_path / 'none')], 'no such bag'),
                        ([str(tmp_path / 'bag'), '--set', 'settling_time=9.0'],
                         'no state gives a force: less than 9 s after the first state'),
                        ([str(tmp_path / 'bag'), '--method', 'touch'], 'method'),
                        ([str(tmp_path / 'bag'), '--mechanism', 'four_bar'], 'drives'),
                        ([str(tmp_path / 'bag'), '--set', 'gian=[3.0]'], 'gian')):
        assert contact_thresholds.main([*wrong, *output]) == 2
        assert word in capsys.readouterr().err
