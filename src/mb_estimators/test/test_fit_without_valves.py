"""Friction of cylinders without valves in the file: encoders, and a sensor of each pressure."""

from dataclasses import replace

from hydraulic_machines import two_cylinders
from message_bags import write_messages
import numpy as np
import pytest
from sensor_msgs.msg import FluidPressure, JointState

from mb_estimators import FitError, FitRecording, FitSettings, fit, read_oil
from mb_model import Mechanism
from mb_ros.stamps import stamp as to_stamp
from mb_sensors import sensors_of

SETTINGS, ROD = FitSettings(held_out=0.0), (1.6e6, 2.2e6)
ENCODERS, GAUGES = ['encoder1', 'encoder2'], ['piston1', 'rod1', 'piston2', 'rod2']


def blocks():
    """Return two blocks pushed by cylinders, whose order differs from the coordinates'."""
    raw = two_cylinders()[0].raw
    sensors = {f'{side}{k}': {'kind': 'pressure', 'volume': f'{side}{k}', 'sigma': 2e3}
               for k in (1, 2) for side in ('piston', 'rod')}
    encoders = {name: {**raw['sensors'][name], 'sigma': 1e-5} for name in ENCODERS}
    hydraulics = {key: value for key, value in raw['hydraulics'].items() if key != 'valves'}
    return Mechanism({**raw, 'hydraulics': hydraulics, 'sensors': encoders | sensors},
                     'blocks.yaml')


def pressures(mechanism, z, zd, zdd):
    """Return pressures (4) of c1's and c2's volumes that a motion in s2, s1 needs."""
    circuit, p = mechanism.circuit, np.array([5e6, ROD[0], 5e6, ROD[1]])
    needed = mechanism.inverse_dynamics(z, zd, zdd)[::-1]
    for _ in range(60):      # friction depends on the pressures, a little
        p[::2] += (needed - circuit.force(p, zd[::-1])) / circuit.area[::2]
    return p


@pytest.fixture(scope='module')
def bag(tmp_path_factory):
    mechanism, random, sent = blocks(), np.random.default_rng(1), []
    for k in range(4000):
        t = 5e-3 * k
        phase, rates = np.array([0.9, 1.4]) * t, np.array([0.9, 1.4])
        z = mechanism.z0 + 0.05 * (1.0 - np.cos(phase))
        p = pressures(mechanism, z, 0.05 * rates * np.sin(phase),
                      0.05 * rates ** 2 * np.cos(phase)) + 2e3 * random.standard_normal(4)
        messages = {name: JointState(name=[name], position=[one]) for name, one in zip(
            ENCODERS, z[::-1] + 1e-5 * random.standard_normal(2), strict=True)}
        messages |= {name: FluidPressure(fluid_pressure=one)
                     for name, one in zip(GAUGES, p, strict=True)}
        for name, message in messages.items():
            message.header.stamp = to_stamp(int(1e9 * t) + 1_000_000_000)
            sent.append((f'/{name}', message))
    return write_messages(tmp_path_factory.mktemp('recorded') / 'bag', sent)


def test_friction_of_each_cylinder_is_found(bag):
    mechanism = blocks()
    file = mechanism.replace(hydraulics={'cylinders': {name: {'friction': {
        'coulomb': 100.0, 'static': 100.0, 'viscous': 500.0 * k, 'transition_velocity': 0.02 / k}}
        for k, name in ((1, 'c1'), (2, 'c2'))}})
    samples = read_oil(bag, file, sensors_of(file, [*ENCODERS, *GAUGES]), SETTINGS)
    found = fit(file, ['*.coulomb', '*.viscous', '*.transition_velocity'],
                [FitRecording(samples)], ['s1', 's2'], SETTINGS)
    truth = mechanism.raw['hydraulics']['cylinders']
    assert len(found.values) == 8
    for path, value in found.values.items():
        _, _, name, _, key = path.split('.')
        assert value == pytest.approx(truth[name]['friction'][key], rel=0.1), path


def test_forces_of_wild_pressures_count_little_with_a_limit(bag):
    """A fiftieth is off by twice the largest force: without a limit that is said."""
    mechanism, random = blocks(), np.random.default_rng(3)
    samples = read_oil(bag, mechanism, sensors_of(mechanism, [*ENCODERS, *GAUGES]), SETTINGS)
    torques = samples.torques.copy()
    wild = random.random(torques.shape) < 0.02
    torques[wild] += 2.0 * np.abs(torques).max() * random.choice([-1.0, 1.0], wild.sum())
    exact, alike, robust = (
        fit(mechanism, ['*.coulomb', '*.viscous'], [FitRecording(replace(samples, torques=one))],
            ['s1', 's2'], FitSettings(held_out=0.0, outliers=limit))
        for one, limit in ((samples.torques, 0.0), (torques, 0.0), (torques, 2.4)))
    assert any('--fit outliers=2.4 lets them count less' in note for note in alike.notes)
    for path, value in exact.values.items():
        assert robust.values[path] == pytest.approx(value, rel=0.1), path
        assert abs(robust.values[path] - value) < 0.3 * abs(alike.values[path] - value), path


def test_a_pressure_that_nothing_reads_is_said(bag):
    mechanism = blocks()
    with pytest.raises(FitError, match='--sensors: no pressure of rod2, and no valves in blocks'):
        read_oil(bag, mechanism, sensors_of(mechanism, [*ENCODERS, *GAUGES[:3]]), SETTINGS)
