"""Unknown masses of one instant: against closed forms, inverse dynamics and differences."""

from math import cos, sin

from crane_states import P2, START, covariances, crane, pressures
from hypothesis import given, settings as hypothesis_settings, strategies as st
import numpy as np
import pytest

from mb_contact.arguments import ContactError
from mb_contact.payload.estimator import PayloadEstimator
from mb_contact.payload.payload_settings import PayloadSettings
from mb_model import MechanismError, load_mechanism

# Every instant counts at once, alone, and nothing but the state is uncertain.
ALONE = PayloadSettings(averaging_time=0.0, settling_time=0.0, friction_uncertainty=0.0,
                        model_uncertainty=0.0)
RNG = np.random.default_rng(5)


def of_instant(estimator, z, zd, zdd, p=None, **others):
    """Return the Payload of one instant, all others forgotten."""
    estimator.reset()
    return estimator.update(START, *(np.atleast_1d(x).astype(float) for x in (z, zd, zdd)), p,
                            **others)


@pytest.fixture(scope='module')
def estimator():
    return PayloadEstimator(crane(), ['load'], ALONE)


@pytest.mark.parametrize('load', [0.0, 10.0, 200.0])
@pytest.mark.parametrize('lift', [-0.3, 0.1, 0.4])
def test_static_lever_by_hand(estimator, load, lift):
    """A crane at rest: moments about the arm's pin, with the piston's weight shared by hand."""
    c, s = cos(lift), sin(lift)
    pin = np.array([0.5 * c + 0.1 * s, 1.5 + 0.5 * s - 0.1 * c])
    along = pin - [0.12, 0.55]
    length = np.hypot(*along)
    along /= length
    lever = pin[0] * along[1] - (pin[1] - 1.5) * along[0]
    # The piston slides in a barrel that turns about C: its weight acts on the arm along the
    # cylinder, and across it in the share of its distance from C.
    weight, centre = np.array([0.0, -6.0 * 9.81]), length - 0.29
    across = np.array([-along[1], along[0]])
    on_arm = (weight @ along) * along + (weight @ across) * centre / length * across
    moment = -9.81 * c * (40.0 * 0.9 + load * 2.0) + (
        pin[0] * on_arm[1] - (pin[1] - 1.5) * on_arm[0])
    area = crane().circuit.area
    air = 101325.0
    p1 = (-moment / lever + (P2 - air) * area[1]) / area[0] + air
    result = of_instant(estimator, length, 0.0, 0.0, np.array([p1, P2]))
    assert result.raw_mass[0] == pytest.approx(load, abs=1e-6)
    assert not result.updating
    assert result.reason.startswith('lift stands still')


@hypothesis_settings(max_examples=30, deadline=None)
@given(load=st.floats(0.0, 300.0), s=st.floats(0.72, 1.13), sd=st.floats(0.009, 0.12),
       up=st.booleans(), sdd=st.floats(-5.0, 5.0))
def test_inverse_dynamics_gives_the_mass_back(estimator, load, s, sd, up, sdd):
    rate = sd if up else -sd
    p = pressures(crane(load), [s], [rate], [sdd])[0]
    result = of_instant(estimator, s, rate, sdd, p)
    assert result.raw_mass[0] == pytest.approx(load, abs=1e-9 * max(1.0, load))
    assert result.updating
    assert result.reason == ''
    assert result.mass[0] == result.raw_mass[0]


def test_coordinates_save_solving_and_change_nothing(estimator):
    p = pressures(crane(80.0), [0.8], [0.05], [0.3])[0]
    solved = of_instant(estimator, 0.8, 0.05, 0.3, p)
    given_ = of_instant(estimator, 0.8, 0.05, 0.3, p, q=crane().assemble([0.8]))
    open_ = of_instant(estimator, 0.8, 0.05, 0.3, p, q=crane().assemble([0.8]) + 0.01)
    assert solved.raw_mass == pytest.approx(given_.raw_mass, rel=1e-9)
    assert open_.raw_mass == solved.raw_mass


@pytest.mark.parametrize('state', range(5), ids=['z', 'zd', 'zdd', 'p1', 'p2'])
def test_deviation_is_that_of_exact_derivatives(estimator, state):
    """The derivative of the mass by each estimated quantity, against central differences."""
    step = np.array([1e-6, 1e-6, 1e-3, 10.0, 10.0])
    for _ in range(3):
        s, rate, sdd = RNG.uniform(0.75, 1.1), RNG.choice([-1, 1]) * RNG.uniform(
            0.02, 0.1), RNG.normal()
        p = pressures(crane(), [s], [rate], [sdd])[0]
        P = np.zeros((6, 6))
        P[state, state] = step[state] ** 2
        sides = []
        for sign in (-1.0, 1.0):
            x = np.array([s, rate, sdd, *p])
            x[state] += sign * step[state]
            sides.append(of_instant(estimator, x[0], x[1], x[2], x[3:].copy()).raw_mass[0])
        result = of_instant(estimator, s, rate, sdd, p, covariance=P)
        assert result.deviation[0] == pytest.approx(
            0.5 * abs(sides[1] - sides[0]), rel=1e-5)


def test_several_masses_under_known_forces():
    """The two links of a pendulum that motors hold: as many unknown masses as joints."""
    pendulum = load_mechanism('double_pendulum')
    truth = pendulum.replace(bodies={'upper': {'mass': 3.7}, 'lower': {'mass': 0.4}})
    estimator = PayloadEstimator(pendulum, ['bodies.upper.mass', 'bodies.lower.mass'], ALONE)
    for _ in range(5):
        z, zd, zdd = pendulum.z0 + RNG.normal(size=2), RNG.normal(size=2), RNG.normal(size=2)
        result = of_instant(estimator, z, zd, zdd, forces=truth.inverse_dynamics(z, zd, zdd))
        assert result.raw_mass == pytest.approx([3.7, 0.4], rel=1e-8)


def test_fewer_masses_than_degrees_of_freedom_are_weighted():
    """With one joint's force off, its large variance leaves the mass to the other joint."""
    pendulum = load_mechanism('double_pendulum')
    truth = pendulum.bodies['lower'].mass
    estimator = PayloadEstimator(pendulum, ['bodies.lower.mass'], ALONE)
    z, zd, zdd = pendulum.z0 + 0.3, np.array([0.5, -0.2]), np.array([1.0, 2.0])
    forces = pendulum.inverse_dynamics(z, zd, zdd)
    assert of_instant(estimator, z, zd, zdd, forces=forces).raw_mass == pytest.approx(truth)
    # Weighted least squares of the two equations, by the derivative of the force by the mass.
    heavier = pendulum.replace(bodies={'lower': {'mass': truth + 1.0}})
    slope = heavier.inverse_dynamics(z, zd, zdd) - forces
    P = np.zeros((6, 6))
    P[4:, 4:] = [[0.04, 0.01], [0.01, 0.09]]
    step = 1e-3 * np.eye(2)
    M = np.array([pendulum.inverse_dynamics(z, zd, zdd + h) - forces for h in step]).T / 1e-3
    weight = np.linalg.inv(M @ P[4:, 4:] @ M.T)
    off = np.array([0.03, -0.02])       # which the noise explains
    expected = truth + slope @ weight @ off / (slope @ weight @ slope)
    result = of_instant(estimator, z, zd, zdd, forces=forces + off, covariance=P)
    assert result.raw_mass[0] == pytest.approx(expected, rel=1e-6)
    assert result.deviation[0] == pytest.approx((slope @ weight @ slope) ** -0.5, rel=1e-6)


def test_a_mass_that_does_not_matter_is_reported():
    """A mass straight below its joint that does not accelerate adds nothing to its force."""
    estimator = PayloadEstimator(load_mechanism('pendulum'), ['bodies.rod.mass'], ALONE)
    result = of_instant(estimator, -0.5 * np.pi, 0.0, 0.0, forces=np.zeros(1))
    assert not result.updating
    assert 'less well' in result.reason
    assert np.isnan(result.mass[0])
    assert np.isinf(result.deviation[0])


@pytest.mark.parametrize(('spoiled', 'word'), [
    ({'z': [np.nan]}, 'not usable'), ({'p': [np.inf, P2]}, 'not usable'),
    ({'z': [5.0]}, 'no position'), ({'z': [0.8, 0.9]}, 'not usable'), ({'p': None}, 'not usable'),
    ({'covariance': -np.eye(6)}, 'not usable'), ({'covariance': np.eye(9)}, 'not usable'),
    ({'covariance': np.full((6, 6), np.nan)}, 'not usable'),
    ({'covariance': 1e9 * np.eye(6)}, 'less well than'), ({'distrust': 'a test says'}, 'test says'),
])
def test_bad_estimates_are_held_and_reported(estimator, spoiled, word):
    state = {'z': [0.8], 'zd': [0.05], 'zdd': [0.0], 'p': [5e6, P2],
             'covariance': covariances(1)[0]} | spoiled
    arrays = {name: np.asarray(value, float) if isinstance(value, list) else value
              for name, value in state.items()}
    estimator.reset()
    result = estimator.update(START, **arrays)
    assert not result.updating
    assert word in result.reason
    assert np.isnan(result.mass[0])
    arrays |= {'z': np.array([0.8]), 'p': np.array([5e6, P2]), 'distrust': '',
               'covariance': covariances(1)[0]}
    assert estimator.update(START + 1, **arrays).updating      # and goes on


@pytest.mark.parametrize(('masses', 'word'), [
    ([], 'load'), (['load', 'bodies.arm.mass'], 'degrees of freedom'), (['gravity.y'], 'no mass'),
    (['load_radius'], 'no mass'), (['bodies.arm.centre_of_gravity.x'], 'no mass'),
])
def test_what_is_no_unknown_mass_is_refused_in_words(masses, word):
    with pytest.raises(ContactError, match=word):
        PayloadEstimator(crane(), masses)


def test_a_mass_with_an_inertia_out_of_proportion_is_refused_in_words():
    with pytest.raises(ContactError, match='proportion'):
        PayloadEstimator(crane().replace(bodies={'load': {'inertia': '0.001 * load ** 2'}}),
                         ['load'])


def test_unknown_names_are_refused_in_words():
    with pytest.raises(MechanismError, match='cargo'):
        PayloadEstimator(crane(), ['cargo'])
