"""Strain gauges on a beam, against the curvature of its shape."""

import numpy as np
import pytest

from mb_model import Mechanism, load_mechanism
from mb_sensors import SensorError, sensors_of
from mb_sensors.measurement import measure, measurement_jacobian


def rod_with(**sensor):
    machine = load_mechanism('flexible_slider_crank').replace(
        bodies={'rod': {'flexible': {'modes': 2}}}, sensor_groups=None,
        sensors={'probe': {'sigma': 1e-6, **sensor}})
    return machine, sensors_of(machine, 'probe')[0]


def test_it_reads_how_the_upper_side_is_stretched():
    """By second differences of the deflection: -y w''."""
    machine, gauge = rod_with(kind='strain_gauge', body='rod', at=[0.21, 0.0015])
    q = machine.assemble([machine.z0[0], -1e-3, 4e-4])
    x = 0.21 + 1e-3 * np.array([-1.0, 0.0, 1.0])
    w = -1e-3 * np.sin(np.pi * x / 0.6) + 4e-4 * np.sin(2.0 * np.pi * x / 0.6)
    state = [np.r_[q, np.zeros(4)] for _ in range(3)]
    reading = np.empty(1)
    measure(gauge.records, *state, reading)
    assert reading[0] == pytest.approx(-0.0015 * (w[0] - 2.0 * w[1] + w[2]) / 1e-6, rel=1e-4)
    rows = [np.zeros(len(state[0])) for _ in range(3)]
    measurement_jacobian(gauge.records[0], *state, *rows)
    assert rows[0] @ state[0] == pytest.approx(reading[0])      # it is linear in q
    assert not rows[1].any()
    assert not rows[2].any()


@pytest.mark.parametrize(('sensor', 'message'), [
    ({'kind': 'strain_gauge', 'body': 'crank', 'at': [0.1, 0.1]}, "'crank' must be one of rod"),
    ({'kind': 'strain_gauge', 'body': 'rod', 'at': [0.7, 0.1]}, '0.7 must be from 0 to 0.6'),
    ({'kind': 'strain_gauge', 'body': 'rod', 'at': [0.3, 0.0]}, 'y must not be 0: the neutral'),
    ({'kind': 'gyroscope', 'body': 'rod'}, 'rod is flexible, its sections turn'),
    ({'kind': 'accelerometer', 'body': 'rod', 'at': 'P1'}, 'rod is flexible'),
    ({'kind': 'position', 'point': {'body': 'rod', 'at': [0.1, 0.0]}}, 'rod is flexible'),
])
def test_what_cannot_be_there_is_reported(sensor, message):
    with pytest.raises(SensorError, match=message):
        rod_with(**sensor)


def test_points_of_a_beam_are_places_to_measure():
    _, tracker = rod_with(kind='position', point='P2')
    assert tracker.channels == ('probe.x', 'probe.y')


def cantilever(torsion=(), **sensor):
    """Return a cantilever in space with the shape of a force at its tip, and a sensor on it."""
    x = [0.0, 0.25, 0.5, 0.75, 1.0]
    machine = Mechanism({
        'name': 'cantilever', 'dimension': 3, 'ground': {'A': [0, 0, 0]},
        'bodies': {'arm': {'points': {'A': [0, 0, 0], 'B': [2, 0, 0]}, 'mass': 3.0, 'flexible': {
            'bending_stiffness': {'about_y': 1.0, 'about_z': 2.0}, 'axial_inertia': 0.01,
            'table': {'x': x, 'deflections': [[3 * at ** 2 - at ** 3 for at in x]]},
            **dict(torsion)}}},
        'joints': {'held': {'kind': 'weld', 'bodies': ['ground', 'arm.A'], 'at': 'A'}},
        'sensors': {'probe': {'sigma': 1e-6, **sensor}}}, 'cantilever.yaml')
    return machine, sensors_of(machine, 'probe')[0]


def test_in_space_bending_in_both_planes_stretches():
    """By the deflection d of the tip: w'' = 3 d (1 - x / L) / L^2."""
    machine, gauge = cantilever(kind='strain_gauge', body='arm', at=[0.5, 0.02, -0.03])
    q = machine.assemble([2e-5, 3e-5])
    state = [np.r_[q, np.zeros(int(machine.model['n_total'][0]) - machine.n)] for _ in range(3)]
    reading = np.empty(1)
    measure(gauge.records, *state, reading)
    tip = machine.body_motion('arm.B', q).position
    assert reading[0] == pytest.approx(-3.0 * 0.75 / 4.0 * (0.02 * tip[1] - 0.03 * tip[2]),
                                       rel=1e-6)
    rows = [np.zeros(len(state[0])) for _ in range(3)]
    measurement_jacobian(gauge.records[0], *state, *rows)
    assert rows[0] @ state[0] == pytest.approx(reading[0])


@pytest.mark.parametrize('angle', [0.0, 0.3, np.pi / 4, -np.pi / 4, np.pi / 2])
def test_torsion_stretches_at_an_angle(angle):
    """By the change of length of a short line on the surface of a tube that is bent and twisted.

    Across the axis bending shortens it by Poisson's ratio.
    """
    machine, gauge = cantilever(
        {'torsion': {'stiffness': 5.0, 'shapes': 'clamped'}}.items(), kind='strain_gauge',
        body='arm', at=[0.5, 0.03, 0.04], angle=angle, poisson=0.28)
    bent, twist, r, h = 2e-6, 3e-5, 0.05, 1e-4
    q = machine.assemble([bent, 0.0, twist])
    state = [np.r_[q, np.zeros(int(machine.model['n_total'][0]) - machine.n)] for _ in range(3)]
    reading = np.empty(1)
    measure(gauge.records, *state, reading)
    bending = -0.03 * float(machine.bodies['arm'].beam.shape.curvature(0.5)[0]) * bent

    def surface(along, round_):
        turned = np.arctan2(0.04, 0.03) + round_ / r + twist * np.sin(
            0.25 * np.pi * (0.5 + along))
        shrunk = -0.28 * bending * round_
        return np.array([along * (1.0 + bending), *r * np.array([
            np.cos(turned), np.sin(turned)])]) + shrunk * np.array([
                0.0, -np.sin(turned), np.cos(turned)])

    ends = [surface(s * np.cos(angle), s * np.sin(angle)) for s in (-h, h)]
    plain = 2.0 * np.hypot(h * np.cos(angle), r * np.sin(h * np.sin(angle) / r))
    strain = np.linalg.norm(ends[1] - ends[0]) / plain - 1.0
    assert reading[0] == pytest.approx(strain, rel=1e-4, abs=1e-11)


def test_two_gauges_across_each_other_read_torsion_alone():
    read = []
    for angle in (np.pi / 4, -np.pi / 4):
        machine, gauge = cantilever(
            {'torsion': {'stiffness': 5.0, 'shapes': 'loaded'}}.items(), kind='strain_gauge',
            body='arm', at=[0.5, 0.05, 0.0], angle=angle)
        q = machine.assemble([2e-4, 1e-4, 0.02])
        state = [np.r_[q, np.zeros(int(machine.model['n_total'][0]) - machine.n)]
                 for _ in range(3)]
        reading = np.empty(1)
        measure(gauge.records, *state, reading)
        read.append(reading[0])
    assert read[0] - read[1] == pytest.approx(0.05 * 0.02 / 2.0)        # r T / (G J)


@pytest.mark.parametrize(('sensor', 'message'), [
    ({'kind': 'strain_gauge', 'body': 'arm', 'at': [0.3, 0.0, 0.0], 'angle': 0.5}, 'beside the'),
    ({'kind': 'strain_gauge', 'body': 'arm.A', 'at': [1, 1, 0]}, "'arm.A' must be one of arm"),
    ({'kind': 'strain_gauge', 'body': 'arm', 'at': [2.1, 0.1, 0.0]}, '2.1 must be from 0 to 2'),
    ({'kind': 'strain_gauge', 'body': 'arm', 'at': [0.3, 0.0, 0.0]}, 'must be beside the axis'),
    ({'kind': 'gyroscope', 'body': 'arm'}, 'arm is flexible: .* sections arm.A, arm.B'),
    ({'kind': 'accelerometer', 'body': 'arm', 'at': 'B'}, 'arm is flexible'),
    ({'kind': 'position', 'point': {'body': 'arm', 'at': 'B'}}, 'arm is flexible'),
])
def test_what_cannot_be_there_in_space_is_reported(sensor, message):
    with pytest.raises(SensorError, match=message):
        cantilever(**sensor)


def test_sections_carry_sensors():
    _, imu = cantilever(kind='gyroscope', body='arm.B')
    assert imu.channels == ('probe.x', 'probe.y', 'probe.z')
