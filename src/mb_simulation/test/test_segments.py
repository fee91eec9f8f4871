"""Flexible bodies in MuJoCo: chains of segments against the closed form, and against modes."""

import numpy as np
import pytest

from mb_model import MechanismError, load_mechanism
from mb_model.mechanism import Mechanism
from mb_simulation.prototypes import make_prototype, segments
from mb_simulation.prototypes.parts import chain as chain_parts
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
    for module in (chain_parts, segments):
        monkeypatch.setattr(module, 'SEGMENTS', count)
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
    np.testing.assert_allclose(state.z, bent.z0, atol=1e-4)
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
