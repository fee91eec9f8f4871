"""Turns of encoders in all filters: counted, chosen at the start, and never folded away."""

from filter_traits import ACCELERATIONS, HYDRAULIC
import numpy as np
from planar_machines import GEAR, HOIST
import pytest
from streamed import stream_of

from mb_estimators import available_filters
from mb_model import Mechanism, load_mechanism

TURN, DT = 2.0 * np.pi, 0.005
START, STEP = 1_000_000_000, 20_000_000
AT = 0.7                # where the arm rests [rad]
ENCODER = {'kind': 'angle_encoder', 'body': 'rotor', 'sigma': 0.002, 'rate': 50.0}
# Without accelerometers nothing corrects the accelerations that these filters have as states.
# The hydraulic ones need oil.
NEED_MORE = (*ACCELERATIONS, *HYDRAULIC)


def hoist(**keys):
    return Mechanism({**HOIST, 'sensors': {'encoder': {**ENCODER, **keys}}}, 'hoist.yaml')


def shaft(**keys):
    """Return a shaft in space that turns on one joint."""
    arm = load_mechanism('six_axis_arm')
    return arm.replace(sensors={'encoder': {
        'kind': 'angle_encoder', 'coordinate': 'q1', 'sigma': 0.002, 'rate': 50.0, **keys}, **{
            f'other{k}': {'kind': 'angle_encoder', 'coordinate': f'q{k}', 'sigma': 0.002,
                          'rate': 50.0} for k in range(2, 7)}}, sensor_groups=None)


def new_stream(machine, name='error_ekf', **settings):
    said = []
    names = [one for one in machine.sensors if one == 'encoder' or one.startswith('other')]
    return stream_of(machine, names, name, problems=said, **settings), said


def feed(stream, values, first=0, **others):
    """Add readings of the encoder, and at their stamps the same one of others; return Steps."""
    steps = []
    for k, value in enumerate(values):
        steps += stream.add_all(START + (first + k) * STEP, [('encoder', (value,)), *(
            (name, (other,)) for name, other in others.items())])
    return steps


@pytest.mark.parametrize('counts', [None, True])
@pytest.mark.parametrize('name', sorted(set(available_filters()) - {*NEED_MORE}))
def test_every_filter_counts_the_turns_of_a_motor(name, counts):
    machine = hoist() if counts is None else hoist(counts_turns=counts)
    stream, said = new_stream(machine, name)
    steps = feed(stream, [GEAR * AT] * 40)
    assert steps[-1].estimate.z[0] == pytest.approx(AT, abs=1e-3)
    assert any('starts at 17.5 rad by its reading' in line for line in said)
    assert ('taken to count turns' in ' '.join(said)) == (counts is None)
    assert stream.state.counts.rejected == 1      # the first alone decides nothing


@pytest.mark.parametrize('counts', [None, True])
@pytest.mark.parametrize('name', ['error_ekf', 'ukf'])
def test_in_space_turns_are_counted_too(name, counts):
    machine = shaft() if counts is None else shaft(counts_turns=counts)
    stream, _ = new_stream(machine, name)
    others = {f'other{k}': machine.z0[k - 1] for k in range(2, 7)}
    steps = feed(stream, [20.0] * 10, **others)
    assert steps[-1].estimate.z[0] == pytest.approx(20.0, abs=5e-3)


@pytest.mark.parametrize('turns', [-7, -2, -1, 1, 2, 7])
def test_an_angle_turns_off_is_left_out_and_not_folded(turns):
    stream, _ = new_stream(hoist())
    feed(stream, [GEAR * AT] * 20)
    rejected = stream.state.counts.rejected
    step = feed(stream, [GEAR * AT + TURN * turns + 0.1], 20)[-1]
    assert stream.state.counts.rejected == rejected + 1
    assert step.estimate.z[0] == pytest.approx(AT, abs=1e-3)
    assert step.distrust


def test_one_far_reading_at_the_start_decides_nothing():
    stream, said = new_stream(hoist(counts_turns=True))
    steps = feed(stream, [300.0, *[0.01 * GEAR] * 20])
    assert steps[-1].estimate.z[0] == pytest.approx(0.01, abs=1e-3)
    assert not any('starts at' in line for line in said)


def test_a_single_turn_is_folded_and_a_reading_beyond_it_is_left_out():
    machine = hoist(counts_turns=False)
    stream, said = new_stream(machine)
    angles = np.linspace(0.0, AT, 200)
    feed(stream, GEAR * angles - TURN * np.round(GEAR * angles / TURN))
    assert stream.state.counts.rejected == 0
    step = feed(stream, [GEAR * AT], 200)[-1]           # the same angle, but no such device has it
    assert stream.state.counts.rejected == 1
    assert any('beyond a turn, and it counts none' in line for line in said)
    assert step.estimate.z[0] == pytest.approx(AT, abs=5e-3)


@pytest.mark.parametrize(('limits', 'at', 'words'), [
    ([16.0, 20.0], AT, 'starts at 17.5 rad by its limits, 16 to 20 rad'),
    ([10.0, 26.0], 11.216814692820413 / GEAR, 'leave 3 turns open'),
    ([2.0, 3.0], (17.5 - 3 * TURN) / GEAR, 'exclude every turn')])
def test_limits_choose_the_turn_at_the_start(limits, at, words):
    stream, said = new_stream(hoist(counts_turns=False, limits=limits))
    steps = feed(stream, [GEAR * AT - 3 * TURN] * 20)
    assert steps[-1].estimate.z[0] == pytest.approx(at, abs=1e-3)
    assert any(words in line for line in said)


def test_a_turn_that_nothing_decides_is_said():
    stream, said = new_stream(hoist())
    feed(stream, [5.0] * 3)
    assert any('5 rad is taken for -1.283 rad' in line for line in said)


def test_a_restart_finds_the_turn_again():
    stream, _ = new_stream(hoist(counts_turns=True))
    feed(stream, [GEAR * AT] * 20)
    stream.reset()
    steps = feed(stream, [GEAR * 2 * AT] * 20, 100)
    assert steps[-1].estimate.z[0] == pytest.approx(2 * AT, abs=1e-3)


def test_late_readings_give_the_bits_of_those_in_time():
    values = [GEAR * AT] * 30
    in_time, _ = new_stream(hoist(counts_turns=True), history_length=1.0)
    late, _ = new_stream(hoist(counts_turns=True), history_length=1.0)
    expected = feed(in_time, values)[-1]
    order = [*range(1, 6), *range(7, 20), 6, *range(20, 30)]
    found = [step for k in [0, *order] for step in late.add('encoder', START + k * STEP,
                                                          (values[k],))][-1]
    np.testing.assert_array_equal(found.estimate.z, expected.estimate.z)
