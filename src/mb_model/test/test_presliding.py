"""Friction with bristles and friction by direction, in the plane and in space.

Against the published equations.
"""

from by_differences import by_state
import numpy as np
from planar_machines import MANY_KINDS
import pytest
from scipy.integrate import solve_ivp
from spatial_machines import STRUT

from mb_model import MechanismError, energy_balance, make_stepper, simulate
from mb_model.forces.kinds.directional_friction import force
from mb_model.forces.kinds.lugre import bend
from mb_model.forces.law import force as brown_mcphee
from mb_model.mechanism import Mechanism

INERTIA, WEIGHT = 0.03, 1.4715      # kg m^2 about the pivot, N m of the arm
ARM = {
    'name': 'arm', 'gravity': [0.0, -9.81],
    'points': {'O': {'fixed': [0.0, 0.0]}, 'A': {'start': [0.3, 0.0]}},
    'bodies': {'arm': {'points': ['O', 'A'], 'length': 0.3, 'mass': 1.0}},
    'coordinates': {'turn': {'kind': 'angle', 'body': 'arm'}}, 'independent': ['turn'],
}
ARM_IN_SPACE = {
    'name': 'arm', 'dimension': 3, 'gravity': [0.0, -9.81, 0.0],
    'bodies': {'arm': {'mass': 1.0, 'centre_of_gravity': [0.15, 0.0, 0.0],
                       'inertia': [1e-3, 7.5e-3, 7.5e-3]}},
    'joints': {'hinge': {'kind': 'revolute', 'bodies': ['ground', 'arm'],
                         'at': [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]], 'axis': [0.0, 0.0, 1.0]}},
    'coordinates': {'turn': {'kind': 'angle', 'joint': 'hinge'}}, 'independent': ['turn'],
}
ARMS = {'plane': ARM, 'space': ARM_IN_SPACE}
NUMBERS = {'stiffness': 100.0, 'damping': 0.5, 'viscous': 0.02, 'coulomb': 0.4, 'static': 0.6,
           'stribeck_velocity': 0.1}
S0, S1, S2, FC, FS, VS = NUMBERS.values()
KINDS = ['lugre', 'elastoplastic']


@pytest.fixture(params=ARMS)
def arm(request):
    """Return what makes an arm with friction of a kind and other numbers."""
    def made(kind, **changes):
        rub = {'kind': kind, 'coordinate': 'turn'} | NUMBERS | changes
        return Mechanism(ARMS[request.param] | {'forces': {'rub': rub}}, 'arm.yaml')
    return made


def published(kind, z, v):
    """Return z' as Canudas de Wit et al. 1995 and Dupont et al. 2002 write it."""
    g = FC + (FS - FC) * np.exp(-(v / VS) ** 2)
    if kind == 'lugre':
        return v - S0 * abs(v) / g * z
    largest = g / S0
    least = 0.7 * largest
    if np.sign(z) != np.sign(v) or abs(z) <= least:
        alpha = 0.0
    elif abs(z) >= largest:
        alpha = 1.0
    else:
        alpha = 0.5 * np.sin(np.pi * (abs(z) - 0.5 * (largest + least)) / (largest - least)) + 0.5
    return v * (1.0 - alpha * np.sign(v) * z / largest)


@pytest.mark.parametrize('kind', KINDS)
def test_a_motion_is_that_of_the_published_equations(arm, kind):
    """A pendulum that swings, sticks and turns back: integrated by scipy, and by us."""
    mechanism = arm(kind)

    def rates(t, y):
        x, v, z = y
        bent = published(kind, z, v)
        return [v, (-WEIGHT * np.cos(x) - S0 * z - S1 * bent - S2 * v) / INERTIA, bent]

    run = simulate(mechanism, 2.0, 1e-4)
    found = solve_ivp(rates, (0.0, 2.0), np.zeros(3), 'Radau', run.t, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(run.z[:, 0], found.y[0], atol=2e-5)
    np.testing.assert_allclose(run.zd[:, 1], found.y[2], atol=2e-6)
    assert run.zd[:, 1].min() < -0.5 * FC / S0


@pytest.mark.parametrize('kind', KINDS)
@pytest.mark.parametrize('state', [(2e-3, 0.03), (5.5e-3, 0.03), (4.6e-3, 0.01), (-5.5e-3, 0.03),
                                   (-4.9e-3, -0.05), (3e-3, -0.2)])
def test_bending_and_its_derivatives(kind, state):
    values = np.array([*NUMBERS.values(), -1.0 if kind == 'lugre' else 0.7, S0])
    rate, by_z, by_v = bend(values, *state)
    assert rate == pytest.approx(published(kind, *state), rel=1e-12)
    h, (z, v) = 1e-7, state
    for exact, up, down in ((by_z, (z + h, v), (z - h, v)), (by_v, (z, v + h), (z, v - h))):
        expected = (published(kind, *up) - published(kind, *down)) / (2.0 * h)
        assert exact == pytest.approx(expected, rel=1e-5, abs=1e-6)


@pytest.mark.parametrize('formulation', ['index3_al', 'lagrange', 'penalty'])
def test_bristles_bend_in_every_formulation(arm, formulation):
    mechanism = arm('elastoplastic')
    reference = simulate(mechanism, 0.3, 2e-4)
    run = simulate(mechanism, 0.3, 2e-4, formulation)
    np.testing.assert_allclose(run.z[:, 0], reference.z[:, 0], atol=1e-5)
    np.testing.assert_allclose(run.zd[:, 1], reference.zd[:, 1], atol=2e-6)
    assert np.ptp(run.zd[:, 1]) > 2e-3


def test_a_small_force_lets_lugre_creep_and_not_the_elastoplastic_arm(arm):
    """Dupont et al. 2002, Sec. II: below break-away, an oscillating load makes LuGre's drift."""
    drift = []
    for kind in KINDS:
        mechanism = arm(kind, static=0.4, coulomb=0.4, damping=2.0)
        mechanism = mechanism.replace(gravity=[0.0] * mechanism.dimension)
        stepper, angles = make_stepper(mechanism), []
        for k in range(40_000):
            stepper.step(1e-4, [0.12 + 0.08 * np.sin(2e-3 * np.pi * k), 0.0])
            angles.append(stepper.z[0])
        periods = np.reshape(angles, (-1, 1000)).mean(axis=1)
        drift.append(periods[-1] - periods[len(periods) // 2])
    assert drift[0] > 1e-4
    assert abs(drift[1]) < 1e-7


@pytest.mark.parametrize('kind', KINDS)
def test_bristles_keep_and_lose_what_the_motion_loses(arm, kind):
    balance = energy_balance(simulate(arm(kind), 2.0, 2e-4))
    assert balance.dissipated[-1] > 0.1
    assert (np.diff(balance.dissipated) > -1e-9).all()
    np.testing.assert_allclose(balance.drift, 0.0, atol=1e-3 * balance.dissipated[-1])


FORCES = {
    'rub': {'kind': 'lugre', 'coordinate': 'place', 'stiffness': 300.0, 'damping': 2.0,
            'viscous': 0.3, 'coulomb': 2.0, 'static': 3.0, 'stribeck_velocity': 0.4},
    'hinge': {'kind': 'elastoplastic', 'bodies': ['crank', 'arm'], 'stiffness': 200.0,
              'coulomb': 1.0, 'breakaway': 0.2, 'viscous': 0.1},
    'rail': {'kind': 'directional_friction', 'coordinate': 'onward', 'coulomb_forward': 2.0,
             'coulomb_backward': 1.0, 'static_backward': 1.5, 'viscous_forward': 0.3,
             'viscous_backward': 0.6, 'transition_velocity': 2.0},
}


IN_SPACE = {
    'rub': FORCES['rub'] | {'coordinate': 'stroke'},
    'hinge': {key: value for key, value in FORCES['hinge'].items() if key != 'bodies'} | {
        'coordinate': 'lift'},
    'rail': {key: value for key, value in FORCES['rail'].items() if key != 'coordinate'} | {
        'bodies': ['ground', 'link'], 'at': [[0.2, 0.5, 0.9], [0.4, 0.1, 0.0]]},
    'line': {key: value for key, value in FORCES['rub'].items() if key != 'coordinate'} | {
        'bodies': ['ground', 'link'], 'at': [[0.1, -0.7, 0.3], [0.9, 0.0, 0.1]]}}
MACHINES = {'plane': FORCES, 'space': IN_SPACE}


def loops(machine):
    """Return a mechanism with loops and all three, and a state in which bristles slip."""
    if machine == 'space':
        mechanism = Mechanism(STRUT | {'forces': IN_SPACE}, 'strut.yaml')
        return mechanism, mechanism.z0, np.array([0.7, 6e-3, 4e-3, 5e-3])
    mechanism = Mechanism(MANY_KINDS, 'many_kinds.yaml').replace(forces=FORCES)
    return mechanism, mechanism.z0, np.array([0.7, -0.4, 6e-3, 4e-3])


@pytest.mark.parametrize(('machine', 'moving', 'units'), [
    ('plane', ('theta', 'turn'), ['m', 'rad']), ('space', ('lift',), ['m', 'rad', 'm'])])
def test_states_of_forces_come_last(machine, moving, units):
    mechanism, _, _ = loops(machine)
    states = tuple(f'{name}.bristles' for name in MACHINES[machine] if name != 'rail')
    assert mechanism.independent == moving + states
    assert mechanism.force_states == states
    assert [mechanism.unit(name) for name in mechanism.force_states] == units


@pytest.mark.parametrize('machine', MACHINES)
def test_linearisation_is_that_of_differences(machine):
    mechanism, z, zd = loops(machine)
    for found, expected in zip(mechanism.linearise(z, zd), by_state(mechanism, z, zd, 1e-6),
                               strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-4)


@pytest.mark.parametrize(('machine', 'name', 'key'), [
    (machine, name, key) for machine, forces in MACHINES.items()
    for name, force in forces.items() for key, value in force.items() if isinstance(value, float)])
def test_parameters_are_those_of_differences(machine, name, key):
    mechanism, z, zd = loops(machine)
    value = MACHINES[machine][name][key]
    exact = mechanism.parameter_jacobian(z, zd, [f'forces.{name}.{key}'])[:, 0]
    up, down = (mechanism.replace(forces={name: {key: value * (1.0 + step)}}).forward_dynamics(
        z, zd) for step in (1e-5, -1e-5))
    np.testing.assert_allclose(exact, (up - down) / (2e-5 * value), rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize('v', [-3.0, -0.4, 0.0, 0.3, 5.0])
def test_friction_by_direction(v):
    """Brown and McPhee's by the numbers of its direction, if fast or both are the same."""
    same = np.array([2.0, 2.0, 3.0, 3.0, 0.4, 0.4, 0.5])
    assert force(same, v)[0] == pytest.approx(
        brown_mcphee(np.array([0.0, 0.0, 0.0, 0.4, 2.0, 3.0, 0.5]), 0.0, v), abs=1e-12)
    ways = np.array([2.0, 1.0, 3.0, 1.5, 0.4, 0.6, 0.5])
    push, damping = force(ways, v)
    step = 1e-6
    assert damping == pytest.approx(
        -(force(ways, v + step)[0] - force(ways, v - step)[0]) / (2.0 * step), rel=1e-6)
    if abs(v) > 2.0:
        chosen = ways[0 if v > 0.0 else 1:6:2]
        expected = brown_mcphee(np.array([0.0, 0.0, 0.0, chosen[2], *chosen[:2], 0.5]), 0.0, v)
        assert push == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize(('change', 'message'), [
    ({'static': 0.1}, 'forces.rub.static: 0.1 must be >= 0.4'),
    ({'bodies': ['ground', 'arm']}, 'forces.rub: must have one of coordinate and bodies'),
    ({'stiffness': 0.0}, 'forces.rub.stiffness: 0.0 must be > 0'),
    ({'breakaway': 1.0}, 'forces.rub.breakaway: 1 must be < 1')])
def test_wrong_friction_is_reported(arm, change, message):
    with pytest.raises(MechanismError) as caught:
        arm('elastoplastic', **change)
    assert message in str(caught.value)


@pytest.mark.parametrize('machine', ARMS)
def test_a_peak_needs_its_velocity(machine):
    raw = {key: value for key, value in NUMBERS.items() if key != 'stribeck_velocity'}
    with pytest.raises(MechanismError) as caught:
        Mechanism(ARMS[machine] | {'forces': {
            'rub': {'kind': 'lugre', 'coordinate': 'turn'} | raw}}, 'a')
    assert 'forces.rub.stribeck_velocity: missing' in str(caught.value)


@pytest.mark.parametrize('machine', ARMS)
def test_what_has_no_states_of_forces_refuses_them(arm, machine):
    with pytest.raises(MechanismError, match=r'semi_recursive: not with states of forces: rub'):
        simulate(arm('lugre'), 0.1, 1e-3, formulation='semi_recursive')
    with pytest.raises(MechanismError, match=r'rub.bristles: a state of a force is for dense'):
        Mechanism(ARMS[machine] | {'forces': {
            'rub': {'kind': 'lugre', 'coordinate': 'turn'} | NUMBERS}}, 'arm.yaml',
                  storage='sparse')
