"""The crane's observer as a stream: commands of valves, lines between readings, faulty sensors."""

from message_bags import write_messages
import numpy as np
import pytest
from sensor_msgs.msg import FluidPressure

from mb_estimators import make_filter
from mb_estimators.nodes import estimate_bag
from mb_estimators.observation import observe
from mb_estimators.stream import EstimateStream, StreamSettings, interpolate, widened
from mb_estimators.timeline import HeldInputs
from mb_interfaces.msg import ValveCommand
from mb_model import WorkCycle, load_mechanism, simulate_hydraulics
from mb_ros import stamps as clock
from mb_ros.states import joint_state
from mb_sensors import sensors_of
from mb_sensors.bag import open_bag
from mb_sensors.recorded import RecordedSensor

NAME, H, MS, START = 'hydraulic_kinematic_ekf', 1e-3, 1_000_000, 1_000_000_000
CRANE = load_mechanism('crane')
SENSORS = sensors_of(CRANE, ['cylinder_encoder', 'pressure1', 'pressure2'])
TIMES = np.arange(0.0, 3.2, 0.02)
OPENING = np.interp(TIMES, [0.0, 0.3, 0.8, 2.6, 3.0], [0.0, 0.0, 0.6, 0.6, 0.0])


@pytest.fixture(scope='module')
def events():
    """Return the readings (sensor, stamp, values) and commands of a lift, and the true motion."""
    run = simulate_hydraulics(CRANE, 3.2, H, WorkCycle(CRANE.circuit, TIMES, OPENING[:, None]))
    stamps = [START + round(1e9 * t) for t in run.t]
    readings = []
    for sensor in SENSORS:
        rows = RecordedSensor(sensor, run, stamps).readings(7)
        readings += [(sensor.name, stamp, tuple(row)) for stamp, row in
                     zip(stamps, rows, strict=True) if np.isfinite(row).all()]
    readings.sort(key=lambda reading: reading[1])
    commands = [(START + round(1e9 * t), (U,)) for t, U in zip(TIMES, OPENING, strict=True)]
    return readings, commands, run


def estimates(arrivals, problems=None, **settings):
    """Return the Steps of a stream by stamp; arrivals: readings and commands as they come."""
    stream_settings = StreamSettings(dt=H, **settings)
    sensors = widened(SENSORS, H) if stream_settings.interpolate else SENSORS
    stream = EstimateStream(
        make_filter(NAME, CRANE, sensors, H), SENSORS, (CRANE.z0, CRANE.zd0), stream_settings,
        (problems if problems is not None else []).append)
    steps = [step for arrival in arrivals for step in (
        stream.add(*arrival) if len(arrival) == 3 else stream.add_input(*arrival))]
    return {step.stamp: step for step in steps}


def bits(steps):
    return {stamp: b''.join(array.tobytes() for array in (
        step.estimate.z, step.estimate.zd, step.estimate.q, *step.estimate.hydraulics))
        for stamp, step in steps.items()}


def arriving(readings, commands, lead):
    """Return all in the order in which they come; commands come a time `lead` [ns] early."""
    return [arrival for _, _, arrival in sorted(
        [(r[1], 1, r) for r in readings] + [(c[0] - lead, 0, c) for c in commands],
        key=lambda entry: entry[:2])]


@pytest.mark.parametrize('interpolated', [False, True])
def test_estimates_follow_from_stamps_and_are_those_offline(events, interpolated):
    """Commands come early, or late where instants wait for them."""
    readings, commands, _ = events
    settings = {'interpolate': interpolated}
    early = bits(estimates(arriving(readings, commands, 100 * MS), **settings))
    waiting = bits(estimates(arriving(readings, commands, -37 * MS), input_rate=50.0, **settings))
    rows = np.full((len(readings) // 3, 3), np.nan)
    stamps = sorted({stamp for _, stamp, _ in readings})
    for name, stamp, values in readings:
        rows[stamps.index(stamp), [s.name for s in SENSORS].index(name)] = values[0]
    sensors = SENSORS
    if interpolated:
        sensors, (stamps, rows) = widened(SENSORS, H), interpolate(SENSORS, stamps, rows, H)
    observed = observe(make_filter(NAME, CRANE, sensors, H), stamps, rows, H,
                       HeldInputs(*zip(*commands, strict=True)))
    assert len(early) == len(stamps)
    assert len(waiting) > 0.9 * len(early)
    assert all(early[stamp] == found for stamp, found in waiting.items())
    last = early[stamps[-1]]
    assert last.startswith(observed.z[-1].tobytes() + observed.zd[-1].tobytes())
    assert last.endswith(observed.hydraulics.covariance[-1].tobytes())


@pytest.mark.parametrize('interpolated', [False, True])
def test_velocities_are_known_to_a_millimetre_per_second(events, interpolated):
    """At every millisecond with lines between the readings, without them where readings are."""
    readings, commands, run = events
    steps = estimates(arriving(readings, commands, 100 * MS), interpolate=interpolated)
    found = [(step.estimate.zd - run.zd[(stamp - START) // MS])[0]
             for stamp, step in steps.items() if stamp > START + 500 * MS]
    assert len(found) > (2500 if interpolated else 250)
    assert np.sqrt(np.mean(np.square(found))) < 1e-3


def dead(reading, last):
    return [] if reading[0] == 'pressure1' else [reading]


def stuck(reading, last):
    name, stamp, _ = reading
    return [(name, stamp, last[name])] if name == 'cylinder_encoder' else [reading]


def spiking(reading, last):
    name, stamp, (pressure,) = reading
    hit = name == 'pressure2' and stamp // (10 * MS) % 7 == 0
    return [(name, stamp, (pressure + 5e6,))] if hit else [reading]


@pytest.mark.parametrize(('fault', 'begin', 'what', 'repeats'), [
    (dead, 1.2, 'silent: pressure1', True), (stuck, 1.2, 'cylinder_encoder sticks', False),
    (stuck, 1.2, 'cylinder_encoder repeats itself exactly', True),
    (spiking, 1.2, 'pressure2 has sent incredible readings', True)])
def test_faulty_sensors_are_reported_and_got_over(events, fault, begin, what, repeats):
    """For half a second of the lift; reported while it lasts, forgotten soon, no lasting error."""
    readings, commands, run = events
    first, last = START + round(1e9 * begin), START + round(1e9 * (begin + 0.5))
    spoilt, last_values = [], {}
    for reading in readings:
        spoilt += fault(reading, last_values) if first <= reading[1] < last else [reading]
        if reading[1] < first:
            last_values[reading[0]] = reading[2]
    problems = []
    steps = estimates(arriving(spoilt, commands, 100 * MS), problems, reorder_window=0.05,
                      stuck_after=5, leave_out_repeats=repeats)
    distrusted = {stamp: step.distrust for stamp, step in steps.items() if step.distrust}
    assert set(distrusted.values()) == {what}
    assert first <= min(distrusted) < first + 200 * MS
    assert max(distrusted) < last + 300 * MS
    silent = fault is dead
    assert silent or any(what.split()[0] in problem for problem in problems)
    for stamp, step in steps.items():
        if stamp > last + 300 * MS:
            k = (stamp - START) // MS
            assert abs(step.estimate.z - run.z[k])[0] < 2e-3
            assert abs(step.estimate.hydraulics.pressures - run.p[k]).max() < 2e5


def test_inputs_that_cannot_be_used_are_reported(events):
    readings, problems = events[0], []
    estimates([*readings[:30], (START + 5 * MS, (0.1,)), (START + 3600 * START, (0.1,))], problems)
    assert len(problems) == 2
    assert problems[0].startswith('inputs of 1.005000 s came too late')
    assert 'implausibly far ahead' in problems[1]


def test_a_bag_gives_the_same_estimates(events, tmp_path):
    """Commands are fed where they came; an impossible one is left out and reported."""
    readings, commands, _ = events
    arrivals = arriving(readings, commands, 100 * MS)
    write_messages(tmp_path / 'bag', (
        (f'/{arrival[0]}' if len(arrival) == 3 else '/valve_command', message_of(*arrival), k)
        for k, arrival in enumerate([(START, (7.0,)), *arrivals])))
    output = tmp_path / 'again'
    assert estimate_bag.main([
        str(tmp_path / 'bag'), '--output', str(output), '--mechanism', 'crane', '--estimator', NAME,
        '--sensors', *(sensor.name for sensor in SENSORS), '--set', f'dt={H}']) == 0
    expected = estimates(arrivals)
    with open_bag(output, 'HydraulicState') as bag:
        states, oil = dict(bag.of('/estimator/state')), dict(bag.of('/estimator/hydraulics'))
    assert states.keys() == oil.keys() == expected.keys()
    for at, step in expected.items():
        np.testing.assert_array_equal(states[at].zdd, step.estimate.zdd)
        np.testing.assert_array_equal(oil[at].pressure, step.estimate.hydraulics[0])
        np.testing.assert_array_equal(oil[at].spool, step.estimate.hydraulics[1])


def message_of(*arrival):
    """Return the message of a reading or of a command."""
    *sensor, at, values = arrival
    if not sensor:
        message = ValveCommand(valve=list(CRANE.circuit.valves), command=list(values))
    elif sensor == ['cylinder_encoder']:
        return joint_state(at, sensor, values)
    else:
        message = FluidPressure(fluid_pressure=values[0])
    message.header.stamp = clock.stamp(at)
    return message
