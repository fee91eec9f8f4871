"""More equations of motion than masses: where they contradict each other, that is said."""

from math import pi

import numpy as np
import pytest

from mb_contact.payload.estimator import PayloadEstimator
from mb_contact.payload.payload_settings import PayloadSettings
from mb_model import load_mechanism

DT, COUNT, AIR, LOAD = 0.01, 600, 101325.0, 150.0
BORES = (0.09, 0.05), (0.07, 0.04)      # of pistons and rods [m]
RODS = 6e5, 70e5                        # pressures on the rod sides [Pa]
BOOM = """
name: boom_of_two_cylinders
parameters: {load: 90.0}
points:
  O: {fixed: [0.0, 0.0]}
  G: {fixed: [0.3, -0.8]}
  H: {start: [0.4, -0.05]}
  K: {start: [2.0, 0.0]}
  U: {start: [1.1, 0.3]}
  V: {start: [2.3, 0.2]}
  E: {start: [3.4, -0.5]}
  F: {start: [3.5, -0.55]}
bodies:
  boom: {points: {O: [0, 0], K: [2.0, 0], H: [0.4, -0.05], U: [1.1, 0.3]}, mass: 100.0,
    centre_of_gravity: [0.9, 0.05], inertia: 45.0}
  arm: {points: {K: [0, 0], E: [1.5, 0], V: [0.2, 0.3]}, mass: 40.0,
    centre_of_gravity: [0.6, 0.05], inertia: 8.0}
  load: {points: [E, F], length: 0.1, mass: load, centre_of_gravity: [0, 0], inertia: 0.01 * load}
coordinates:
  s1: {kind: distance, points: [G, H]}
  s2: {kind: distance, points: [U, V]}
constraints:
  grip: {kind: welded_angle, bodies: [arm, load], angle: 0.0}
independent: [s1, s2]
hydraulics:
  supplies: {pump: 150.0e5, tank: 1.0e5}
  volumes: {v1: {volume: 1.0e-4}, v2: {volume: 1.0e-4, start: 6.0e5}, v3: {volume: 1.0e-4},
    v4: {volume: 1.0e-4, start: 70.0e5}}
  cylinders:
    lift: {coordinate: s1, retracted: 0.5, stroke: 0.5, piston_side: v1, rod_side: v2,
      piston_diameter: 0.09, rod_diameter: 0.05}
    tilt: {coordinate: s2, retracted: 0.9, stroke: 0.8, piston_side: v3, rod_side: v4,
      piston_diameter: 0.07, rod_diameter: 0.04}
"""


@pytest.fixture(scope='module')
def boom(tmp_path_factory):
    path = tmp_path_factory.mktemp('machine') / 'boom.yaml'
    path.write_text(BOOM)
    return load_mechanism(str(path))


@pytest.fixture(scope='module')
def motion(boom):
    """Return t, z, zd, zdd, q, and the pressures that carry the load, without friction."""
    true, t = boom.replace(parameters={'load': LOAD}), DT * np.arange(COUNT)
    w, sway = 2.0 * pi / 10.0, np.array([0.06, 0.05])
    z = boom.z0 + sway * np.c_[1.0 - np.cos(w * t), np.sin(w * t)]
    zd = w * sway * np.c_[np.sin(w * t), np.cos(w * t)]
    zdd = w * w * sway * np.c_[np.cos(w * t), -np.sin(w * t)]
    q, p, latest = [], np.empty((COUNT, 4)), boom.assemble(boom.z0)
    for k in range(COUNT):
        latest = boom.assemble(z[k], latest)
        q.append(latest)
        forces = true.inverse_dynamics(z[k], zd[k], zdd[k])
        for c, ((bore, rod), pressure) in enumerate(zip(BORES, RODS, strict=True)):
            piston, ring = pi / 4.0 * bore ** 2, pi / 4.0 * (bore ** 2 - rod ** 2)
            p[k, 2 * c:2 * c + 2] = AIR + (forces[c] + (pressure - AIR) * ring) / piston, pressure
    return z, zd, zdd, np.array(q), p


def weighed(boom, motion, offsets=(0.0,) * 4, noise=1e3, seed=3, **values):
    """Return the Payload (rows) of pressures with offsets and noise [Pa]."""
    z, zd, zdd, q, p = motion
    rng = np.random.default_rng(seed)
    covariance = np.diag([1e-10] * 2 + [1e-8] * 2 + [1e-4] * 2 + [noise ** 2] * 4)
    estimator = PayloadEstimator(boom, ['load'], PayloadSettings(**values), DT)
    return estimator.run(
        (100 + np.arange(COUNT)) * 10_000_000, z, zd, zdd,
        p + rng.normal(0.0, noise, p.shape) + offsets, np.tile(covariance, (COUNT, 1, 1)), q)


METHODS = pytest.mark.parametrize('method', ['low_pass', 'window_least_squares'])


@METHODS
@pytest.mark.parametrize('seed', range(3))
@pytest.mark.parametrize('noise', [1e3, 2e4])
def test_equations_that_agree_are_not_accused(boom, motion, method, noise, seed):
    found = weighed(boom, motion, noise=noise, seed=seed, method=method)
    assert not [text for text in found.reason if 'contradict' in text]
    assert found.updating[-100:].all()
    assert abs(found.mass[-1, 0] - LOAD) <= 2.0 * found.deviation[-1, 0]


@METHODS
@pytest.mark.parametrize(('index', 'offset'), [(0, 1e5), (0, -1e5), (2, 2e5), (1, 3e5)])
def test_the_interval_covers_what_each_equation_says_alone(boom, motion, method, index, offset):
    offsets = np.zeros(4)
    offsets[index] = offset
    both = weighed(boom, motion, offsets, method=method)
    alone = [weighed(boom, motion, offsets, method=method, unknown_forces=(name,)).mass[-1, 0]
             for name in ('s1', 's2')]
    assert abs(alone[0] - alone[1]) > 3.0
    assert both.updating[-1]
    assert both.reason[-1].startswith('the equations of motion contradict each other')
    mass, deviation = both.mass[-1, 0], both.deviation[-1, 0]
    for one in (*alone, LOAD):
        assert abs(mass - one) <= 1.96 * deviation


@METHODS
def test_an_offset_that_noise_hides_at_an_instant_is_found_on_average(boom, motion, method):
    values = {'method': method, 'friction_uncertainty': 0.0, 'model_uncertainty': 0.0}
    right = weighed(boom, motion, noise=2e5, **values)
    wrong = weighed(boom, motion, (2e5, 0.0, 0.0, 0.0), noise=2e5, **values)
    assert not [text for text in right.reason if 'contradict' in text]
    assert any('contradict' in text for text in wrong.reason)


def test_it_is_over_when_the_equations_agree_again(boom, motion):
    z, zd, zdd, q, p = motion
    covariance = np.diag([1e-10] * 2 + [1e-8] * 2 + [1e-4] * 2 + [1e6] * 4)
    estimator, found = PayloadEstimator(boom, ['load'], PayloadSettings(), DT), []
    for k in range(COUNT):
        found.append(estimator.update(
            (100 + k) * 10_000_000, z[k], zd[k], zdd[k],
            p[k] + np.array([1e5 if k < 150 else 0.0, 0.0, 0.0, 0.0]), covariance, q[k]))
    assert 'contradict' in found[140].reason
    assert not found[-1].reason
    assert found[-1].deviation[0] < 0.2 * found[140].deviation[0]
