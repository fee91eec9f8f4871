"""Runs: their inputs, their energy balance, and the same run saved and loaded."""

import dataclasses

import numpy as np
import pytest
from rclpy.serialization import deserialize_message
import rosbag2_py

from mb_interfaces.msg import MechanismState
from mb_model import ForceTable, Run, load_mechanism, simulate
from mb_model.model_errors import apply_model_errors

ARRAYS = ('t', 'z', 'zd', 'zdd', 'q', 'qd', 'qdd', 'forces')


@pytest.fixture(scope='module')
def pushed():
    """A run of a changed mechanism with inputs."""
    mechanism = apply_model_errors(load_mechanism('five_bar'), {'gravity': np.float64(-0.7)})
    return simulate(mechanism.replace(bodies={'left_crank': {'mass': np.float64(3.5)}}),
                    0.3, 1e-3, 'lagrange', 'rk4',
                    inputs=lambda t, z, zd: [5.0 * np.sin(t / 0.03), -0.1 * zd[1]],
                    natural_frequency=12.5)


@pytest.mark.parametrize('storage', ['npz', 'mcap', 'sqlite3'])
def test_a_run_is_loaded_as_it_was_saved(pushed, storage, tmp_path):
    path = tmp_path / ('run.npz' if storage == 'npz' else storage)
    pushed.save(path, **({} if storage == 'npz' else {'storage': storage}))
    loaded = Run.load(path)
    for name in ARRAYS:
        assert getattr(loaded, name).tobytes() == getattr(pushed, name).tobytes(), name
    assert (loaded.formulation, loaded.integrator) == ('lagrange', 'rk4')
    assert loaded.settings == pushed.settings
    assert loaded.settings['natural_frequency'] == 12.5
    # The model in it is the one that was simulated, changes included.
    assert loaded.mechanism.model.tobytes() == pushed.mechanism.model.tobytes()
    again = simulate(loaded.mechanism, 0.3, 1e-3, loaded.formulation, loaded.integrator,
                     inputs=ForceTable(loaded.t, loaded.forces), **loaded.settings)
    assert again.qdd.tobytes() == pushed.qdd.tobytes()


@pytest.mark.parametrize('storage', ['mcap', 'sqlite3'])
def test_ros_reads_the_bag(pushed, storage, tmp_path):
    pushed.save(tmp_path / 'bag', storage=storage)
    reader = rosbag2_py.SequentialReader()
    reader.open(rosbag2_py.StorageOptions(uri=str(tmp_path / 'bag'), storage_id=storage),
                rosbag2_py.ConverterOptions('', ''))
    types = {topic.name: topic.type for topic in reader.get_all_topics_and_types()}
    assert types == {'/model_simulation/state': 'mb_interfaces/msg/MechanismState',
                     '/model_simulation/description': 'std_msgs/msg/String'}
    reader.set_filter(rosbag2_py.StorageFilter(topics=['/model_simulation/state']))
    states = []
    while reader.has_next():
        _, data, stamp = reader.read_next()
        states.append((stamp, deserialize_message(data, MechanismState)))
    assert [stamp for stamp, _ in states] == [round(1e9 * t) for t in pushed.t]
    stamp, state = states[7]
    assert (state.header.stamp.sec, state.header.stamp.nanosec) == (0, stamp)
    assert list(state.qd) == pushed.qd[7].tolist()
    assert list(state.generalized_force) == pushed.forces[7].tolist()
    assert list(state.coordinates) == list(pushed.mechanism.coordinates)


def test_what_cannot_be_saved_or_loaded_is_reported(pushed, tmp_path):
    (tmp_path / 'bag').mkdir()
    with pytest.raises(FileExistsError, match='already exists'):
        pushed.save(tmp_path / 'bag')
    with pytest.raises(ValueError, match='storage: zip: unknown, expected one of mcap, sqlite3'):
        pushed.save(tmp_path / 'other', storage='zip')
    with pytest.raises(FileNotFoundError):
        Run.load(tmp_path / 'nowhere')
    with pytest.raises(ValueError, match='not a readable bag'):
        Run.load(tmp_path / 'bag')
    np.savez(tmp_path / 'other.npz', t=np.zeros(3))
    (tmp_path / 'text.npz').write_text('no archive')
    for name in ('other.npz', 'text.npz'):
        with pytest.raises(ValueError, match='not a saved run'):
            Run.load(tmp_path / name)
    pushed.save(tmp_path / 'run.npz')
    with np.load(tmp_path / 'run.npz') as archive:
        wrong = {**archive, 'qd': archive['qd'][:, 1:]}
    np.savez(tmp_path / 'wrong.npz', **wrong)
    with pytest.raises(ValueError, match='qd: shape'):
        Run.load(tmp_path / 'wrong.npz')


@pytest.mark.parametrize('name', ['four_bar', 'four_bar_spring_damper', 'andrews_squeezer',
                                  'pendulum'])
def test_energy_is_balanced(name):
    """The balance closes as the steps get smaller, at the order of the integrator."""
    mechanism = load_mechanism(name)
    duration = 0.01 if name == 'andrews_squeezer' else 1.0
    theta = mechanism.independent[0]
    drifts, swings = [], []
    for steps in (500, 1000):
        push = 0.01 * mechanism.energy(mechanism.z0, [10.0])[0]

        def pulse(t, z, zd, push=push):
            return push * np.cos(20.0 * round(t / duration, 9)) * np.ones(mechanism.g)

        energy = simulate(mechanism, duration, duration / steps, 'matrix_r', 'rk4',
                          inputs={theta: lambda t, z, zd, f=pulse: f(t, z, zd)[0]}).energy()
        assert np.abs(energy.input_work).max() > 0.0
        swings.append(max(np.ptp(energy.kinetic), 1e-300))
        drifts.append(np.abs(energy.drift).max())
    assert drifts[1] < 1e-5 * swings[1]
    assert drifts[1] < drifts[0] / 3.0 + 1e-13 * swings[0]


def test_a_damper_takes_what_is_lost():
    mechanism = load_mechanism('four_bar_spring_damper')
    energy = simulate(mechanism, 5.0, 1e-3).energy()
    assert (np.diff(energy.dissipated) > -1e-9).all()
    assert energy.dissipated[-1] > 10.0
    kinetic, potential = mechanism.energy(mechanism.z0, mechanism.zd0)
    assert energy.total[0] == pytest.approx(kinetic + potential, abs=1e-9)


def test_prescribed_coordinates_bring_energy(tmp_path):
    driven = load_mechanism('four_bar').replace(
        independent=[], start=None, constraints={'drive': {
            'kind': 'prescribed', 'coordinate': 'theta', 'motion': 'pi / 3 + sin(2 * t)'}})
    run = simulate(driven, 1.0, 1e-3)
    energy = run.energy()
    assert np.ptp(energy.input_work) > 10.0
    assert np.abs(energy.drift).max() < 1e-4 * np.ptp(energy.total)
    assert run.main_coordinates == ('theta',)
    np.testing.assert_allclose(run.values('theta', 'qd'), 2.0 * np.cos(2.0 * run.t), atol=1e-9)
    run.save(tmp_path / 'bag')
    assert Run.load(tmp_path / 'bag').q.tobytes() == run.q.tobytes()


def test_inputs_of_all_kinds_agree(five_bar):
    left, right = five_bar.independent
    runs = [simulate(five_bar, 0.2, 1e-3, inputs=inputs) for inputs in (
        [3.0, 0.0], lambda t, z, zd: [3.0, 0.0], {left: 3.0}, {left: lambda t, z, zd: 3.0},
        ForceTable([0.0], [[3.0, 0.0]]))]
    for run in runs[1:]:
        assert run.qdd.tobytes() == runs[0].qdd.tobytes()
    with pytest.raises(ValueError, match='inputs: elbow: unknown degree of freedom, expected one '
                                         f'of {left}, {right}'):
        simulate(five_bar, 0.1, 1e-3, inputs={'elbow': 1.0})
    with pytest.raises(ValueError, match='must be 2 numbers'):
        simulate(five_bar, 0.1, 1e-3, inputs=[1.0])


def test_a_table_holds_or_draws_lines(tmp_path):
    file = tmp_path / 'forces.csv'
    file.write_text('t, b\n0.1, 1.0\n0.3, 5.0\n\n')
    held = ForceTable.load(file, ('a', 'b'))
    straight = dataclasses.replace(held, linear=True)
    for t, step, line in ((0.0, 0.0, 0.0), (0.1, 1.0, 1.0), (0.2, 1.0, 3.0),
                          (3 * 0.1, 5.0, 5.0), (0.3 - 1e-12, 5.0, 5.0), (9.0, 5.0, 5.0)):
        assert held(t, None, None).tolist() == [0.0, step]
        assert straight(t, None, None)[1] == pytest.approx(line)


@pytest.mark.parametrize(('text', 'message'), [
    ('', 'line 1: must name the columns: t,a,b'),
    ('time,a\n0,1\n', 'line 1: must name the columns'),
    ('t,c\n0,1\n', 'line 1: c: expected t, then each at most once of a, b'),
    ('t,a\n', 'line 2: must have numbers'),
    ('t,a\n0,1\n1,x\n', "line 3: '1,x' must be 2 numbers"),
    ('t,a\n0,1\n0,2\n', 'times must increase'),
    ('t,a\n0,nan\n', 'must be finite')])
def test_wrong_tables_are_reported_with_their_line(tmp_path, text, message):
    (tmp_path / 'forces.csv').write_text(text)
    with pytest.raises(ValueError, match=r'forces\.csv') as caught:
        ForceTable.load(tmp_path / 'forces.csv', ('a', 'b'))
    assert message in str(caught.value)
