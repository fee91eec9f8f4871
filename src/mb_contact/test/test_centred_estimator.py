"""A load with an unknown centre of gravity while it is carried, and from a bag as the node does."""

from geometry_msgs.msg import InertiaStamped
from message_bags import read_messages, write_messages
from message_bench import MessageBench
import numpy as np
import pytest
from sensor_msgs.msg import JointState
from test_centred_load import CENTRE, MASS, MODEL, TRUE
from test_weigh_bag import PAYLOAD, STATE, arm, stamped, states, weighed

from mb_contact.arguments import ContactError
from mb_contact.nodes.payload_estimator import PayloadEstimatorNode
from mb_contact.payload.centred_estimator import CentredEstimator
from mb_contact.payload.centred_load import LoadWithCentre
from mb_contact.payload.payload_settings import PayloadSettings
from mb_interfaces.msg import MechanismState, PayloadEstimate
from mb_ros.node_bench import complaint_of, on_bench, spin_until
from mb_ros.stamps import nanoseconds
from mb_ros.states import doubles

DT, WINDOW, INERTIA = 0.02, 4.0, '/payload_estimator/inertia'
SETTINGS = PayloadSettings(window=WINDOW)
RATES = 0.5 + 0.2 * np.arange(6)


def motion(t, size=0.5):
    """Return z, zd, zdd (6) of a waving arm at time t [s]."""
    return (MODEL.z0 + size * np.sin(RATES * t), size * RATES * np.cos(RATES * t),
            -size * RATES ** 2 * np.sin(RATES * t))


def instants(true, times, size=0.5, sigma=0.5, seed=0):
    """Yield stamp, z, zd, zdd, torques with noise of a deviation [N m]."""
    random = np.random.default_rng(seed)
    for t in times:
        state = motion(t, size)
        yield (round(1e9 * (t + 1.0)), *state,
               true.inverse_dynamics(*state) + random.normal(0.0, sigma, 6))


def carried(estimator, rows):
    """Return the last Payload of instants."""
    for stamp, z, zd, zdd, torques in rows:
        payload = estimator.update(stamp, z, zd, zdd, forces=torques)
    return payload


def test_the_last_window_gives_what_least_squares_over_it_give():
    estimator, times = CentredEstimator(MODEL, 'load', SETTINGS, DT), DT * np.arange(500)
    rows = list(instants(TRUE, times))
    payload = carried(estimator, rows)
    whole = LoadWithCentre(MODEL, 'load')
    for _, z, zd, zdd, torques in rows[-200:]:
        whole.add(z, zd, zdd, None, None, np.zeros((0, 0)), torques)
    expected = whole.load()
    assert payload.load.instants == expected.instants == 200
    assert payload.mass[0] == pytest.approx(expected.mass, rel=1e-6)
    np.testing.assert_allclose(payload.load.centre, expected.centre, atol=1e-7)
    np.testing.assert_allclose(payload.load.centre_deviation, expected.centre_deviation, rtol=1e-3)
    assert abs(payload.mass[0] - MASS) < 4.0 * payload.deviation[0] < 0.2
    assert (np.abs(payload.load.centre - CENTRE) < 4.0 * payload.load.centre_deviation).all()
    assert (payload.updating, payload.reason, payload.event) == (True, '', '')


def test_an_arm_at_rest_says_combinations_until_it_moves():
    estimator, times = CentredEstimator(MODEL, 'load', SETTINGS, DT), DT * np.arange(400)
    first = carried(estimator, instants(TRUE, times[:3]))
    assert first.load is None
    assert first.reason == 'less than 0.25 of the window has instants'
    estimator.reset()
    resting = carried(estimator, instants(TRUE, times[:200], size=0.0))
    assert resting.mass[0] == pytest.approx(MASS, abs=5.0 * resting.deviation[0])
    assert np.isinf(resting.load.centre_deviation).all()
    assert resting.reason.startswith('only known together: mass * ')
    assert resting.updating
    moving = carried(estimator, instants(TRUE, times[200:]))
    assert moving.reason == ''
    assert (moving.load.centre_deviation < 0.02).all()


def test_readings_that_tremble_about_a_rest_do_not_pass_for_a_motion():
    """Noise of a pose makes every combination known a little; the centre is not for all that."""
    estimator, random = CentredEstimator(MODEL, 'load', SETTINGS, DT), np.random.default_rng(3)
    for stamp, z, zd, zdd, torques in instants(TRUE, DT * np.arange(200), size=0.0):
        payload = estimator.update(stamp, z + 1e-4 * random.normal(size=6), zd, zdd,
                                   forces=torques)
    assert payload.reason.startswith('only known together: mass * ')
    assert payload.load.centre_deviation.max() > 0.3


def test_another_load_is_known_after_a_window():
    estimator, times = CentredEstimator(MODEL, 'load', SETTINGS, DT), DT * np.arange(600)
    carried(estimator, instants(TRUE, times[:300]))
    light = TRUE.replace(bodies={'load': {'mass': 2.0, 'centre_of_gravity': [0.0, 0.15, 0.0]}})
    payload = carried(estimator, instants(light, times[300:]))
    assert payload.mass[0] == pytest.approx(2.0, abs=4.0 * payload.deviation[0])
    assert (np.abs(payload.load.centre - [0.0, 0.15, 0.0])
            < 4.0 * payload.load.centre_deviation).all()


def test_what_does_not_count_keeps_the_load():
    estimator, times = CentredEstimator(MODEL, 'load', SETTINGS, DT), DT * np.arange(100)
    rows = list(instants(TRUE, times))
    known = carried(estimator, rows)
    stamp, z, zd, zdd, torques = rows[-1]
    for given, reason in (((stamp, z, zd, zdd), 'the stamp is not after the last one'),
                          ((stamp + 1, z * np.nan, zd, zdd), 'the estimated state is not usable')):
        held = estimator.update(*given, forces=torques)
        assert (held.updating, held.reason, held.mass[0]) == (False, reason, known.mass[0])
    held = estimator.update(stamp + 2, z, zd, zdd, forces=torques, distrust='gauge is silent')
    assert (held.updating, held.reason) == (False, 'gauge is silent')
    on = estimator.with_settings(PayloadSettings(window=WINDOW, longest_gap=0.5))
    assert on.update(stamp + 3, z, zd, zdd, forces=torques).load.instants == 101
    anew = estimator.with_settings(PayloadSettings(window=1.0))
    assert anew.update(stamp + 3, z, zd, zdd, forces=torques).load is None


def test_the_node_and_a_bag_of_its_inputs_give_the_same(tmp_path, capsys):
    """To the last digit; the model of the file lacks the centre, and says another mass."""
    model, file = arm(1.0), tmp_path / 'arm.yaml'
    file.write_text(model.text)
    true = model.replace(parameters={'load': 5.0}, bodies={'load': {'centre_of_gravity': CENTRE}})
    times = DT * np.arange(250)
    rows = list(instants(true, times))
    when = [row[0] for row in rows]
    messages = states(when, *(np.array([row[k] for row in rows]) for k in (1, 2, 3)), model)
    messages += [('/motors', stamped(JointState(
        name=[f'motor_{name}' for name in model.drives], effort=doubles(row[4])), row[0]))
        for row in rows]
    messages.sort(key=lambda one: nanoseconds(one[1].header.stamp))
    write_messages(tmp_path / 'bag', messages)
    code, shown = weighed(capsys, tmp_path / 'bag', '--mechanism', file, '--torque-sensors',
                          'motors', '--unknown-centre', 'load', '--set', f'window={WINDOW}',
                          '--output', tmp_path / 'out')
    assert code == 0, shown
    assert 'load: centre of gravity, z' in shown
    kinds = {PAYLOAD: PayloadEstimate, INERTIA: InertiaStamped}

    def around():
        return MessageBench({STATE: MechanismState, '/motors': JointState}, kinds)

    with on_bench(PayloadEstimatorNode, around, [
            f'mechanism:={file}', 'torque_sensors:=[motors]', 'unknown_centre:=load',
            f'window:={WINDOW}']) as (node, bench):
        bench.publish(messages)
        spin_until(bench, lambda: len(bench.received[PAYLOAD]) == len(when))
        health = node.health()
    out = read_messages(tmp_path / 'out', kinds)
    for topic, received in bench.received.items():
        assert [repr(one) for name, one in out if name == topic] == [*map(repr, received)]
    last, payload = bench.received[INERTIA][-1], bench.received[PAYLOAD][-1]
    assert last.header.frame_id == 'load'
    assert last.inertia.m == payload.mass[0] == pytest.approx(5.0, abs=4.0 * payload.deviation[0])
    assert [last.inertia.com.x, last.inertia.com.y, last.inertia.com.z] == pytest.approx(
        CENTRE, abs=0.02)
    assert payload.parameter == ['bodies.load.mass']
    assert health.message == 'estimating'
    assert health.values['centre of gravity, x [m]'].startswith('0.0')


def test_a_body_that_is_not_there_is_refused(capfd):
    with pytest.raises(ContactError, match='hook: no body, expected one of shoulder'):
        CentredEstimator(MODEL, 'hook')
    assert 'hook: no body' in complaint_of(
        PayloadEstimatorNode, ['mechanism:=crane', 'unknown_centre:=hook'], capfd)
