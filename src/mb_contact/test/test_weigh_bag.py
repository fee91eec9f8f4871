"""Masses from bags: as the node gives them, by readings of pressures or motors; refusals."""

import re

from crane_states import covariances, crane, pressures, stamps, strokes
from message_bags import read_messages, write_messages
from message_bench import MessageBench
import numpy as np
import pytest
from sensor_msgs.msg import FluidPressure, JointState
import yaml

from mb_contact.arguments import ContactError
from mb_contact.nodes import weigh_bag
from mb_contact.nodes.payload_estimator import PayloadEstimatorNode
from mb_contact.payload.payload_settings import PayloadSettings
from mb_contact.payload.payload_stream import PayloadStream
from mb_interfaces.msg import HydraulicState, MechanismState, PayloadEstimate
from mb_model import load_mechanism
from mb_ros.node_bench import on_bench, spin_until
from mb_ros.stamps import set_stamp
from mb_ros.states import doubles, mechanism_state

DT = 0.005
SETTINGS = {'settling_time': 0.02, 'averaging_time': 0.1, 'time_constant': 0.1}
SET = [word for name, value in SETTINGS.items() for word in ('--set', f'{name}={value}')]
STATE, OIL = '/estimator/state', '/estimator/hydraulics'
PAYLOAD = '/payload_estimator/payload'


def stamped(message, when):
    set_stamp(message.header.stamp, int(when))
    return message


def lifted(load=80.0, rows=80):
    """Return stamps, z, zd, zdd (k, 1), p (k, 2) of the crane with a load."""
    t, z, zd, zdd = (array[:rows] for array in strokes(1.0, DT))
    return stamps(t), z[:, None], zd[:, None], zdd[:, None], pressures(crane(load), z, zd, zdd)


def state_of(mechanism, when, z, zd, zdd):
    covariance = np.diag([1e-10, 1e-6, 1e-2]) if mechanism.g == 1 else 1e-10 * np.eye(
        3 * mechanism.g)
    return mechanism_state(mechanism, int(when), z=z, zd=zd, zdd=zdd, q=mechanism.assemble(z),
                           covariance=covariance.ravel())


def states(when, z, zd, zdd, mechanism=None):
    return [(STATE, state_of(mechanism or crane(), *row))
            for row in zip(when, z, zd, zdd, strict=True)]


def oils(when, p):
    return [(OIL, stamped(HydraulicState(
        mechanism='crane', volume=['v1', 'v2'], pressure=doubles(row), valve=['directional'],
        spool=[0.0], cylinder=['lift'], covariance=doubles(P.ravel())), at))
        for at, row, P in zip(when, p, covariances(len(p)), strict=True)]


def gauges(when, p, later=0):
    """Return readings of both pressure sensors; later [ns]: the second one than the first."""
    return [(f'/pressure{k + 1}', stamped(FluidPressure(fluid_pressure=float(row[k])),
                                          at + k * later))
            for at, row in zip(when, p, strict=True) for k in range(2)]


def payloads(folder):
    """Return the messages of a bag of masses."""
    return [message for _, message in read_messages(folder, {PAYLOAD: PayloadEstimate})]


def weighed(capsys, *asked):
    """Return (exit code, what is printed) of the command."""
    code = weigh_bag.main([*map(str, asked)])
    shown = capsys.readouterr()
    return code, shown.out + shown.err


def bench():
    """Return an estimator with sensors, and who listens to masses."""
    return MessageBench(
        {STATE: MechanismState, OIL: HydraulicState, '/pressure1': FluidPressure,
         '/pressure2': FluidPressure}, {PAYLOAD: PayloadEstimate})


@pytest.mark.parametrize('source', ['oil', 'gauges'])
def test_the_bag_gets_what_the_node_publishes(tmp_path, capsys, source):
    when, *motion, p = lifted(rows=60)
    forces, chosen = ((oils(when, p), {}) if source == 'oil' else
                      (gauges(when, p), {'pressures': ['pressure1', 'pressure2']}))
    messages = states(when, *motion) + forces
    write_messages(tmp_path / 'bag', messages)
    parameters = {'estimator': {'ros__parameters': {'mechanism': 'crane'}},
                  'payload_estimator': {'ros__parameters': SETTINGS | chosen}}
    (tmp_path / 'parameters.yaml').write_text(yaml.safe_dump(parameters))
    code, _ = weighed(capsys, tmp_path / 'bag', '--output', tmp_path / 'out')
    assert code == 0
    with on_bench(PayloadEstimatorNode, bench, [
            f'{name}:={value}' for name, value in (SETTINGS | chosen).items()]) as (_, around):
        around.publish(messages)
        spin_until(around, lambda: around.count == len(when))
    written = payloads(tmp_path / 'out')
    assert [repr(one) for one in written] == [
        repr(one) for one in around.received[PAYLOAD]]     # all digits
    assert written[-1].updating


def test_a_crane_without_valves_is_weighed_by_readings_of_pressures_between_the_states(
        tmp_path, capsys):
    """Gauges read at stamps of their own, in a bag of their own, at half the rate."""
    when, *motion, p = lifted(rows=120)
    write_messages(tmp_path / 'estimates', states(when, *motion))
    write_messages(tmp_path / 'readings', gauges(when[::2], p[::2], later=1_300_000))
    code, shown = weighed(capsys, tmp_path / 'readings', tmp_path / 'estimates', '--mechanism',
                          'crane', '--pressures', 'pressure1', 'pressure2', *SET,
                          '--output', tmp_path / 'out')
    assert code == 0, shown
    last = payloads(tmp_path / 'out')[-1]
    assert last.mass[0] == pytest.approx(80.0, abs=0.5)
    assert f'{last.mass[0]:.2f}' in shown


def arm(load):
    """Return a six-axis arm with a load in its hand, and a motor on each axis."""
    plain = load_mechanism('six_axis_arm')
    return plain.replace(
        parameters={'load': load},
        bodies={'load': {'mass': 'load', 'centre_of_gravity': [0, 0.1, 0],
                         'inertia': [0.01, 0.01, 0.01]}},
        joints={'grip': {'kind': 'weld', 'bodies': ['wrist3', 'load'],
                         'at': [[0, 0.08, 0], [0, 0, 0]]}},
        sensors={f'motor_{name}': {'kind': 'motor_torque', 'drive': name, 'sigma': 0.5,
                                   'rate': 100.0, 'topic': 'motors'} for name in plain.drives},
        sensor_groups={'motors': [f'motor_{name}' for name in plain.drives]})


def test_a_robot_is_weighed_by_what_its_motors_read(tmp_path, capsys):
    """At rest, 5 kg, torques with the noise of the sensors: the interval holds the truth."""
    true, file = arm(5.0), tmp_path / 'arm.yaml'
    file.write_text(arm(1.0).text)
    z, rest, random = np.array([-0.4, -2.0, -1.7, -1.5, 1.0, 0.4]), np.zeros(6), \
        np.random.default_rng(4)
    torques = true.inverse_dynamics(z, rest, rest)
    when = 1_000_000_000 + 10_000_000 * np.arange(200)
    readings = [('/motors', stamped(JointState(
        name=[f'motor_{name}' for name in true.drives],
        effort=doubles(torques + 0.5 * random.normal(size=6))), at)) for at in when]
    rows = [np.tile(row, (200, 1)) for row in (z, rest, rest)]
    write_messages(tmp_path / 'bag', states(when, *rows, true) + readings)
    asked = (tmp_path / 'bag', '--mechanism', file, '--torque-sensors', 'motors')
    exact = [word for name in ('model_uncertainty', 'friction_uncertainty')
             for word in ('--set', f'{name}=0.0')]
    code, shown = weighed(capsys, *asked, *exact, '--output', tmp_path / 'out')
    assert code == 0, shown
    written = payloads(tmp_path / 'out')
    last, raw = written[-1], [one.raw_mass[0] for one in written]
    assert abs(last.mass[0] - 5.0) < 3.0 * last.deviation[0]
    assert 0.005 < last.deviation[0] < 0.5
    assert np.std(raw) > last.deviation[0]
    code, shown = weighed(capsys, *asked, '--unknown-centre', 'load')
    assert code == 0, shown
    assert re.search(r'load: mass .* (4\.9|5\.0)\d+ .* kg', shown)
    assert shown.count('not determined') == 3        # at rest
    assert shown.count('only known together: mass * ') == 2


def test_a_drive_without_a_sensor_has_to_be_an_unknown_force():
    """At the start, and where settings change later."""
    others = [f'motor_{name}' for name in arm(1.0).drives[1:]]
    unknown = PayloadSettings(unknown_forces=arm(1.0).drives[:1])
    stream = PayloadStream(arm(1.0), ['load'], unknown, torque_sensors=others)
    with pytest.raises(ContactError, match=r'torque_sensors: they read q2, .* each of q1, q2'):
        stream.change_to(PayloadSettings())
    assert stream.estimator.settings is unknown
    stream.change_to(PayloadSettings(unknown_forces=arm(1.0).drives[:1], window=3.0))()
    assert stream.estimator.settings.window == 3.0
    with pytest.raises(ContactError, match='torque_sensors: they read q2'):
        PayloadStream(arm(1.0), ['load'], PayloadSettings(), torque_sensors=others)


@pytest.mark.parametrize(('asked', 'words'), [
    ([], '--mechanism: missing'),
    (['--mechanism', 'crane'], 'estimator/hydraulics: expected one topic'),
    (['--mechanism', 'crane', '--pressures', 'pressure1'], 'they read v1, expected one on each of'),
    (['--mechanism', 'crane', '--pressures', 'pressure1', 'lift_encoder'],
     'lift_encoder: angle_encoder must be pressure'),
    (['--mechanism', 'crane', '--pressures', 'pressure1', 'pressure2'],
     'pressure1: expected one topic of this name'),
    (['--mechanism', 'four_bar'], 'has no section hydraulics, expected'),
    (['--mechanism', 'crane', '--set', 'windou=3'], '--set: windou: no such setting')])
def test_what_cannot_be_weighed_is_reported_in_a_line(tmp_path, capsys, asked, words):
    when, *motion, _ = lifted(rows=3)
    write_messages(tmp_path / 'bag', states(when, *motion))
    code, shown = weighed(capsys, tmp_path / 'bag', *asked)
    assert code == 2
    assert words in shown
    assert len(shown.strip().splitlines()) == 1


def test_a_bag_without_states_says_what_makes_them(tmp_path, capsys):
    when, *_, p = lifted(rows=3)
    write_messages(tmp_path / 'bag', oils(when, p))
    code, shown = weighed(capsys, tmp_path / 'bag', '--mechanism', 'crane')
    assert code == 2
    assert '`ros2 run mb_estimators estimate_bag` makes estimates' in shown


def test_stamps_that_no_clock_shows_are_refused_or_repaired(tmp_path, capsys):
    when, *motion, p = lifted()
    messages = states(when, *motion) + oils(when, p)
    write_messages(tmp_path / 'right', messages)
    for _, message in messages:
        message.header.stamp.nanosec += 1_000_000_000
        message.header.stamp.sec -= 1
    write_messages(tmp_path / 'summed', messages)
    assert weighed(capsys, tmp_path / 'right', '--mechanism', 'crane', *SET)[0] == 0
    code, shown = weighed(capsys, tmp_path / 'summed', '--mechanism', 'crane', *SET)
    assert code == 2
    assert 'nanosec' in shown
    assert weighed(capsys, tmp_path / 'summed', '--mechanism', 'crane', *SET,
                   '--set', 'stamps=arrival')[0] == 0


def test_masses_that_are_not_found_are_no_success(tmp_path, capsys):
    """No pair of one stamp; and none that counts."""
    when, *motion, p = lifted(rows=5)
    write_messages(tmp_path / 'apart', states(when, *motion) + oils(when + 1, p))
    code, shown = weighed(capsys, tmp_path / 'apart', '--mechanism', 'crane')
    assert code == 1
    assert 'nothing weighed: expected messages of the same stamps' in shown
    write_messages(tmp_path / 'short', states(when, *motion) + oils(when, p))
    code, shown = weighed(capsys, tmp_path / 'short', '--mechanism', 'crane')
    assert code == 1
    assert 'no mass: has moved for less than 0.1 s' in shown
