"""The IFToMM benchmark A02: a mechanism that passes singular positions at full speed."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from mb_model import MechanismError, load_mechanism, simulate
from mb_model.commands.mechanism_report import report
from mb_model.kernels import entry_points
from mb_model.mechanism import Mechanism


def windows(count):
    """Return the benchmark with `count` windows."""
    return load_mechanism('n_four_bar').replace(parameters={'windows': count})


@pytest.mark.parametrize(('count', 'drift'), [(2, 0.01), (40, 0.1)])
def test_the_windows_stay_parallel_and_keep_their_energy(count, drift):
    """The benchmark, which has 40 windows, allows 0.1 J."""
    mechanism = windows(count)
    run = simulate(mechanism, 10.0, 1e-3, 'index3_al')
    work, energies = mechanism.workspace(), []
    for q, qd in zip(run.q[::10], run.qd[::10], strict=True):
        work['q'][0, :mechanism.n], work['qd'][0, :mechanism.n] = q, qd
        energies.append(sum(entry_points.energies(mechanism.model, work)))
    assert np.ptp(energies) < drift
    assert (run.z[-1, 0] - run.z[0, 0]) / np.pi < -9.0    # ten singular positions behind it
    for k in range(count + 1):
        place = run.q[:, 2 * k:2 * k + 2] - [k, 0.0]
        np.testing.assert_allclose(place, run.q[:, :2], atol=1e-5)


def test_the_rods_turn_like_one_of_their_common_inertia():
    """N + 1 rods (1/3 each, weight at half length), N bars that only translate."""
    mechanism = windows(2)
    run = simulate(mechanism, 3.0, 2.5e-4, 'index3_al')
    inertia, moment = 3 / 3 + 2, (3 * 0.5 + 2) * 9.81
    solution = solve_ivp(lambda t, x: [x[1], -moment / inertia * np.cos(x[0])], (0.0, 3.0),
                         [np.pi / 2, -1.0], 'DOP853', rtol=1e-12, atol=1e-12)
    assert run.z[-1, 0] == pytest.approx(solution.y[0, -1], abs=1e-3)


# A pendulum with a rod at its end that weighs nothing.
WEIGHTLESS = {
    'name': 'weightless',
    'points': {'A': {'fixed': [0.0, 0.0]}, 'B': {'start': [1.0, 0.0]}, 'C': {'start': [2.0, 0.0]}},
    'bodies': {
        'arm': {'points': ['A', 'B'], 'length': 1.0, 'mass': 1.0},
        'tip': {'points': ['B', 'C'], 'length': 1.0, 'mass': 0.0,
                'centre_of_gravity': [0.5, 0.0], 'inertia': 0.0}},
    'coordinates': {'alpha': {'kind': 'angle', 'body': 'arm'},
                    'beta': {'kind': 'angle', 'body': 'tip'}},
    'independent': ['alpha', 'beta']}
# Two bodies with coaxial hinges and, between them, a ring that weighs nothing and can spin alone:
# rounding leaves it a mass of 1e-17.
IDLE = {
    'name': 'idle', 'dimension': 3,
    'bodies': {
        'upper': {'mass': 1.3, 'centre_of_gravity': [0.21, 0.0, 0.013],
                  'inertia': [1e-3, 2e-2, 2.1e-2], 'pose': {}},
        'ring': {'mass': 0.0, 'centre_of_gravity': [0.0, 0.0, 0.0], 'inertia': [0.0, 0.0, 0.0],
                 'pose': {'at': [0.4, 0.0, 0.0]}},
        'fore': {'mass': 0.7, 'centre_of_gravity': [0.17, 0.02, 0.0],
                 'inertia': [1e-3, 1e-2, 1.1e-2], 'pose': {'at': [0.4, 0.0, 0.0]}}},
    'joints': {name: {'kind': 'revolute', 'bodies': bodies, 'axis': [0.0, 1.0, 0.0],
                      'at': [[at, 0.0, 0.0], [0.0, 0.0, 0.0]]} for name, bodies, at in (
        ('shoulder', ['ground', 'upper'], 0.0), ('pin', ['upper', 'ring'], 0.4),
        ('bush', ['ring', 'fore'], 0.0))},
    'coordinates': {f'q{k + 1}': {'kind': 'angle', 'joint': joint}
                    for k, joint in enumerate(('shoulder', 'pin', 'bush'))},
    'independent': ['q1', 'q2', 'q3'], 'start': {'q1': 0.4, 'q2': 0.3, 'q3': 0.2}}
ASKED = {
    'forward': lambda mechanism, *at: mechanism.forward_dynamics(*at),
    'linearise': lambda mechanism, *at: mechanism.linearise(*at),
    'force_jacobian': lambda mechanism, *at: mechanism.force_jacobian(*at),
    'parameters': lambda mechanism, *at: mechanism.parameter_jacobian(*at, ['bodies.upper.mass']),
    'driving_forces': lambda mechanism, *at: mechanism.driving_forces(*at),
    'operational_space': lambda mechanism, *at: mechanism.operational_space(*at),
    'reactions': lambda mechanism, *at: mechanism.reactions(*at)}
SAID = 'tip can move without moving any mass: give it a mass or an inertia'


@pytest.mark.parametrize('ask', [
    lambda mechanism: mechanism.forward_dynamics(mechanism.z0, mechanism.zd0),
    lambda mechanism: mechanism.inverse_dynamics(mechanism.z0, mechanism.zd0, [0.0, 0.0]),
    lambda mechanism: simulate(mechanism, 0.1, 1e-3)])
def test_a_body_that_lacks_mass_is_named(ask):
    mechanism = Mechanism(WEIGHTLESS, 'weightless.yaml')
    with pytest.raises(MechanismError) as caught:
        ask(mechanism)
    assert str(caught.value).startswith('weightless.yaml: singular at ')
    assert str(caught.value).endswith(f': {SAID}')


@pytest.mark.parametrize('ask', ASKED)
@pytest.mark.parametrize('start', [{}, {'q2': 0.3}, {'q1': -1.0, 'q3': 2.0}])
def test_a_mass_by_rounding_is_none(ask, start):
    mechanism = Mechanism(IDLE | {'start': start}, 'idle.yaml')
    with pytest.raises(MechanismError, match=r'idle\.yaml: singular at .*: ring can move without'):
        ASKED[ask](mechanism, mechanism.z0, mechanism.zd0)


@pytest.mark.parametrize('storage', ['dense', 'sparse'])
def test_large_machines_are_looked_through(storage):
    mechanism = Mechanism(IDLE, 'idle.yaml', storage)
    with pytest.raises(MechanismError, match=r'singular at .*: ring can move without'):
        mechanism.forward_dynamics(mechanism.z0, mechanism.zd0)
    with pytest.raises(MechanismError, match=r'singular at .*: ring can move without'):
        simulate(mechanism, 0.01, 1e-3)
    given = IDLE | {'bodies': IDLE['bodies'] | {'ring': IDLE['bodies']['ring'] | {
        'inertia': [1e-9, 1e-9, 1e-9]}}}
    light = Mechanism(given, 'idle.yaml', storage)
    assert abs(light.forward_dynamics(light.z0, light.zd0)).max() < 1e3


def test_the_command_warns_of_it():
    assert f'warning              singular: {SAID}' in report(
        Mechanism(WEIGHTLESS, 'weightless.yaml'))


def test_the_inertia_of_a_body_or_the_mass_of_what_it_moves_will_do():
    heavy = Mechanism(WEIGHTLESS, 'weightless.yaml').replace(bodies={'tip': {'inertia': 0.1}})
    heavy.forward_dynamics(heavy.z0, heavy.zd0)
    moving = load_mechanism('four_bar').replace(bodies={'coupler': {
        'mass': 0.0, 'inertia': 0.0, 'centre_of_gravity': [4.0, 0.0]}})
    for mechanism in (heavy, moving):
        assert not any('warning' in line for line in report(mechanism))
