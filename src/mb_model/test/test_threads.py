"""A mechanism that several threads use at once gives each what it gives one alone, to the bit."""

from concurrent.futures import ThreadPoolExecutor
from copy import copy, deepcopy
import pickle
import sys
from threading import Barrier

import numpy as np
import pytest

from mb_model import load_mechanism

THREADS, ROUNDS = 4, 30


@pytest.fixture(autouse=True)
def quick_switches():
    """Let threads take turns within a query."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def kinematics(mechanism, z, zd, t):
    """Return what the queries say of positions and velocities."""
    q = mechanism.assemble(z, t=t)
    qd = mechanism.velocity(q, zd, t)
    yield from (q, qd, mechanism.acceleration(q, qd, zd, t), mechanism.closing_error(q, t))
    if mechanism.is_sparse:
        return
    yield from (mechanism.R(q), mechanism.S(q), mechanism.constraint_terms(q, qd, t=t).phi_q_dot)
    if mechanism.drives:
        yield mechanism.forward_kinematics(mechanism.drives, q[mechanism.indices(mechanism.drives)])


def dynamics(mechanism, z, zd, t):
    """Return what the queries say of accelerations and forces."""
    yield mechanism.forward_dynamics(z, zd, 3.0 * zd, t=t)
    yield mechanism.inverse_dynamics(z, zd, zd, t=t)
    yield from mechanism.energy(z, zd, t=t)
    yield from (force for forces in mechanism.reactions(z, zd, zd, t=t).forces.values()
                for force in forces.values())
    if not mechanism.is_sparse:
        yield from mechanism.linearise(z, zd, t=t)
        yield mechanism.parameter_jacobian(z, zd, ['gravity.y'], t=t)
        yield mechanism.force_jacobian(z, zd, t=t)


def oil(mechanism, z, zd, t):
    """Return what the queries say of the circuit."""
    circuit = mechanism.circuit
    s = mechanism.assemble(z)[circuit.cylinder_coordinates]
    p, U = circuit.p0 * (1.0 + t), circuit.U0 + 0.1 * t
    yield from circuit.rates(s, zd, p, U, U)
    yield from (circuit.force(p, zd), circuit.flows(p, U), circuit.stop_force(s, zd))
    yield circuit.derivatives(s, zd, p, U).pd_p


def answers(mechanism, queries, k):
    """Return all that queries say at the state of a number, as bytes."""
    turn = 0.02 * (k + 1)
    z, zd = mechanism.z0 + turn, mechanism.zd0 + np.cos(k + np.arange(mechanism.g))
    return [np.asarray(value).tobytes() for value in queries(mechanism, z, zd, turn)]


@pytest.mark.parametrize(('name', 'storage', 'queries'), [
    ('five_bar', None, kinematics), ('five_bar', None, dynamics),
    ('four_bar', 'sparse', kinematics), ('four_bar', 'sparse', dynamics),
    ('crane', None, oil)])
def test_threads_get_the_answers_of_one(name, storage, queries):
    mechanism = load_mechanism(name, storage)
    alone = [answers(mechanism, queries, k) for k in range(THREADS)]
    assert len({*map(tuple, alone)}) == THREADS
    together = Barrier(THREADS)

    def ask(k):
        together.wait()
        return [answers(mechanism, queries, k) for _ in range(ROUNDS)]

    with ThreadPoolExecutor(THREADS) as threads:
        for k, rounds in enumerate(threads.map(ask, range(THREADS))):
            assert rounds == ROUNDS * [alone[k]]


@pytest.mark.parametrize('copied', [copy, deepcopy, lambda one: pickle.loads(pickle.dumps(one))])
def test_copies_answer_alike_in_another_thread(copied):
    mechanism = load_mechanism('crane')
    expected = answers(mechanism, dynamics, 0) + answers(mechanism, oil, 0)
    other = copied(mechanism)
    with ThreadPoolExecutor(1) as thread:
        assert thread.submit(answers, other, dynamics, 0).result() + thread.submit(
            answers, other, oil, 0).result() == expected


def test_a_mechanism_does_not_change():
    mechanism = load_mechanism('five_bar')
    for one in (mechanism, pickle.loads(pickle.dumps(mechanism))):
        with pytest.raises(AttributeError, match='z0: a Mechanism does not change; replace'):
            one.z0 = np.zeros(2)
        with pytest.raises(AttributeError, match='other: a Mechanism does not change'):
            one.other = 1
        with pytest.raises(AttributeError, match='model: a Mechanism does not change'):
            del one.model
    assert mechanism.circuit is None


def test_workspaces_are_apart():
    mechanism = load_mechanism('five_bar')
    one, other = mechanism.workspace(), mechanism.workspace()
    one['q'][:] = np.nan
    assert np.isfinite(other['q']).all()
    assert (other['M'] == mechanism.workspace()['M']).all()
    assert other['M'].any()
