"""Flexible bodies in MuJoCo: chains of segments against the closed form, and against modes."""

import numpy as np
import pytest

from mb_model import MechanismError, load_mechanism
from mb_model.mechanism import Mechanism
from mb_simulation.prototypes import make_prototype, segments
from mb_simulation.prototypes.segments import segmented

# A beam on two pins, one of which slides.
BEAM = {
    'name': 'beam', 'gravity': [0.0, 0.0],
    'points': {'A': {'fixed': [0.0, 0.0]}, 'E': {'fixed': [1.0, 0.0]}, 'B': {'start': [2.0, 0.0]}},
    'bodies': {'bar': {'points': ['A', 'B'], 'length': 2.0, 'mass': 3.0,
                       'flexible': {'bending_stiffness': 100.0, 'modes': 2}}},
    'constraints': {'guide': {'kind': 'slider', 'point': 'B', 'along': ['A', 'E']}},
}


@pytest.mark.parametrize('count', [6, 12, 24])
def test_a_chain_vibrates_as_a_beam_does(monkeypatch, count):
    """(k pi)^2 sqrt(EI / (m L^3)), up to the square of k pi over the number of segments."""
    monkeypatch.setattr(segments, 'PIECES', count)
    chain = segmented(Mechanism(BEAM, 'beam.yaml'))
    A, _ = chain.linearise(chain.z0, chain.zd0)
    found = np.sqrt(np.sort(-np.linalg.eigvals(A).real)[:2])
    known = (np.pi * np.array([1.0, 2.0])) ** 2 * np.sqrt(100.0 / (3.0 * 2.0 ** 3))
    error = np.abs(found / known - 1.0)
    assert (error < 0.2 * (np.pi * np.array([1.0, 2.0]) / count) ** 2).all(), error
    assert (error > 0.0).all()


def test_a_chain_starts_as_bent_as_its_beam():
    bent = Mechanism(BEAM, 'beam.yaml').replace(start={'bar.mode1': 0.02, 'bar.mode2': -0.004},
                                                start_velocity={'bar.mode1': 0.3})
    state = make_prototype('mujoco', bent, 1e-3, 1e-3).state
    # But for 1 / N^2: hinges turn by what their pieces bend.
    np.testing.assert_allclose(state.z, bent.z0, atol=2e-4)
    np.testing.assert_allclose(state.zd, bent.zd0, atol=5e-3)


def test_segments_and_modes_move_alike():
    machine = load_mechanism('flexible_slider_crank')
    runs = []
    for engine in ('mujoco', 'multibody'):
        prototype, states = make_prototype(engine, machine, 5e-3, 5e-4), []
        for _ in range(100):
            prototype.advance()
            states.append(prototype.state)
        runs.append([np.array([getattr(state, name) for state in states])
                     for name in ('z', 'zd', 'q', 'qd')])
        assert prototype.loop_residual < 1e-6
    (z, zd, q, qd), (others, other_rates, other_q, other_qd) = runs
    assert np.abs(others[:, 1]).max() > 1e-3
    np.testing.assert_allclose(z[:, 0], others[:, 0], atol=1e-4)
    np.testing.assert_allclose(z[:, 1:], others[:, 1:], atol=2e-5)
    np.testing.assert_allclose(zd[:, :2], other_rates[:, :2], atol=2e-3)
    np.testing.assert_allclose(q, other_q, atol=2e-4)
    np.testing.assert_allclose(qd, other_qd, atol=2e-2)


def test_parameters_change_while_it_runs():
    prototype = make_prototype('mujoco', load_mechanism('flexible_slider_crank'), 5e-3, 5e-4)
    prototype.advance()
    before = prototype.state
    prototype.set_parameters({'young': 100.0e9})
    np.testing.assert_allclose(prototype.state.z, before.z, atol=1e-12)
    assert prototype.parameters['young'] == 100.0e9


def test_what_turns_with_a_flexible_body_is_refused():
    turning = Mechanism(BEAM, 'beam.yaml').replace(coordinates={
        'turn': {'kind': 'angle', 'body': 'bar'}})
    with pytest.raises(MechanismError, match=r'beam.yaml: coordinates.turn: bar is flexible: the'):
        make_prototype('mujoco', turning, 1e-3, 1e-3)


# A beam that is clamped in a heavy post, which a very stiff spring holds.
CANTILEVER = {
    'name': 'cantilever', 'gravity': [0.0, 0.0],
    'points': {'A': {'fixed': [0.0, 0.0]}, 'O': {'start': [-1.0, 0.0]}, 'B': {'start': [2.0, 0.0]}},
    'bodies': {'post': {'points': ['O', 'A'], 'length': 1.0, 'mass': 1.0, 'inertia': 1e6,
                        'centre_of_gravity': [0.0, 0.0]},
               'bar': {'points': ['A', 'B'], 'length': 2.0, 'mass': 3.0, 'flexible': {
                   'bending_stiffness': 100.0, 'shapes': 'clamped', 'modes': 2}}},
    'coordinates': {'turn': {'kind': 'angle', 'body': 'post'}},
    'constraints': {'clamp': {'kind': 'welded_angle', 'bodies': ['post', 'bar'], 'angle': 0.0}},
    'forces': {'hold': {'kind': 'spring_damper', 'coordinate': 'turn', 'stiffness': 1e10}},
    'independent': ['turn'],
}


@pytest.mark.parametrize('count', [6, 12, 24])
def test_a_clamped_chain_bends_as_a_cantilever_does(monkeypatch, count):
    """F L^3 / 3EI at the tip, but for 1 / (4 N^2); first frequencies, cos b cosh b = -1."""
    monkeypatch.setattr(segments, 'PIECES', count)
    chain = segmented(Mechanism(CANTILEVER, 'cantilever.yaml'))
    still, step = np.zeros(chain.g), 1e-6
    stiffness = np.array([chain.inverse_dynamics(chain.z0 + step * row, still, still)
                          for row in np.eye(chain.g)]) / step
    tip = chain.R(chain.q0)[chain.point_index('B') + 1]
    deflection = tip @ np.linalg.solve(stiffness, tip)
    assert deflection == pytest.approx((1.0 - 0.25 / count ** 2) * 2.0 ** 3 / 300.0, rel=1e-4)
    A, _ = chain.linearise(chain.z0, chain.zd0)
    found = np.sqrt(np.sort(-np.linalg.eigvals(A).real)[:3])
    known = np.array([1.8751041, 4.6940911]) ** 2 * np.sqrt(100.0 / (3.0 * 2.0 ** 3))
    error = np.abs(found[:2] / known - 1.0)
    assert (error < [0.3 / count ** 2, 1.0 / count ** 2]).all(), error


def test_no_rate_of_a_chain_is_faster_than_said():
    """Both ends free, E I = m = L = 1, as the eigenvalues of bars with springs between them."""
    x, n = segments.point_shares(), len(segments.point_shares())
    mass, stiffness = np.zeros((2, n, n))
    for k, size in enumerate(np.diff(x)):
        mass[k:k + 2, k:k + 2] += size / 6.0 * np.array([[2.0, 1.0], [1.0, 2.0]])
    for k in range(1, n - 1):
        before, after = 1.0 / np.diff(x)[k - 1:k + 1]
        turn = np.zeros(n)
        turn[k - 1:k + 2] = before, -before - after, after
        stiffness += segments.PIECES * np.outer(turn, turn)
    for damping in (0.0, 1e-4, 1e-2):
        rates = np.block([[np.zeros((n, n)), np.eye(n)],
                          [-np.linalg.solve(mass, stiffness),
                           -damping * np.linalg.solve(mass, stiffness)]])
        known = np.abs(np.linalg.eigvals(rates)).max()
        assert known < segments.fastest_rate(1.0, 1.0, 1.0, damping) < 1.02 * known
