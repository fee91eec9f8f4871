"""Isolation of contacts in space by the history of their force."""

from dataclasses import replace

from contacts_in_space import draw_offset, push, pushed
import numpy as np
import pytest

from mb_contact.isolation.hypothesis import IsolationSettings
from mb_contact.isolation.isolation import Isolation
from mb_model import load_mechanism

ARM, DELTA = (load_mechanism(name) for name in ('six_axis_arm', 'delta'))
MS = 1_000_000
SETTLED = IsolationSettings(lag=0.0, settling=0.0, unforeseen=0.0)


def test_one_point_has_to_explain_the_forces_of_a_contact_while_its_sliding_turns():
    """Three numbers of a force fit points of many bodies; the forces of 20 ms fit fewer."""
    rng, isolation, named = np.random.default_rng(9), Isolation(DELTA, SETTLED), []
    bodies = ('platform', 'arm1', 'arm2', 'arm3')      # that are no lines
    while len(named) < 30:
        z, zd = DELTA.z0 + 0.05 * rng.uniform(-1.0, 1.0, 3), 0.4 * rng.normal(size=3)
        name, turned = bodies[rng.integers(len(bodies))], 0.3 * rng.normal(size=3)
        at, outward = draw_offset(DELTA.bodies[name].shapes[0], rng)
        friction, size = rng.uniform(0.1, 0.4), rng.uniform(30.0, 60.0)
        if pushed(DELTA, DELTA.assemble(z), zd, name, at, outward, friction) is None:
            continue
        instants = []
        for k in range(20):
            speed = zd + turned * k / 20
            q = DELTA.assemble(z + 1e-3 * k * zd)
            _, force, _ = push(DELTA, q, speed, name, at, outward, friction)
            instants.append((speed, size * force + 0.3 * rng.normal(size=3), q))
        found = []
        for count in (1, 20):
            isolation.reset()
            for k, (speed, force, q) in enumerate(instants[-count:]):
                isolation.update(MS * (k + 1), speed, force, 0.09 * np.eye(3), zd, q)
            shares = {}
            for one in isolation.hypotheses(z + 0.019 * zd, q):
                one_of = one.name.replace('right', 'left')
                shares[one_of] = shares.get(one_of, 0.0) + one.probability
            found.append(shares.get(name, 0.0))
        named.append(found)
    once, along = np.array(named).T
    assert np.mean(along > 0.5) > 0.6
    assert np.mean(np.log(along + 1e-3)) > np.mean(np.log(once + 1e-3)) + 0.2


@pytest.mark.parametrize('friction', [0.0, 0.2])
def test_the_same_force_again_shows_nothing_new(friction):
    """Windows of an arm at rest, alike but for errors of the model that are alike, too."""
    isolation = Isolation(ARM, IsolationSettings(lag=0.0, unforeseen=0.0, clamping_probability=0.0))
    rest, motion = np.zeros(6), ARM.body_motion('forearm', ARM.q0)
    jacobian = ARM.contact_jacobian(ARM.q0, 'forearm', (0.04, 0.0, 0.25), reduced=True)[:3]
    force = jacobian.T @ motion.rotation @ [-80.0, 80.0 * friction, 0.0]
    found = []
    for count in (4, 20):
        isolation.reset()
        for k in range(count):
            isolation.update(MS * (k + 1), rest, force, 1e-4 * np.eye(6), rest, ARM.q0)
        found.append({one.name: one.probability for one in isolation.hypotheses(ARM.z0, ARM.q0)})
    once, again = found
    assert once['forearm'] > 0.2
    assert again == pytest.approx(once, abs=0.04)


def test_only_the_latest_windows_count():
    """As many as `windows` says, also where it is set while there are more; their age does."""
    rest, two = np.zeros(6), replace(SETTLED, windows=2)
    jacobian = ARM.contact_jacobian(ARM.q0, 'forearm', (0.04, 0.0, 0.25), reduced=True)[:3]
    before, now = jacobian.T @ [30.0, 50.0, 20.0], jacobian.T @ [-80.0, 10.0, 0.0]

    def fed(isolation, forces, since=0):
        for k, force in enumerate(forces, start=since + 1):
            isolation.update(MS * k, rest, force, 1e-4 * np.eye(6), rest, ARM.q0)
        return isolation

    def named(isolation):
        return {one.name: one.probability for one in isolation.hypotheses(ARM.z0, ARM.q0)}
    alone = named(fed(Isolation(ARM, SETTLED), 8 * [now]))
    every = named(fed(Isolation(ARM, SETTLED), 8 * [before] + 8 * [now]))
    few = fed(Isolation(ARM, two), 8 * [before] + 8 * [now])
    later = fed(Isolation(ARM, SETTLED), 8 * [before] + 4 * [now]).with_settings(two)
    for isolation in few, fed(later, 4 * [now], since=12):
        assert named(isolation) == pytest.approx(alone, abs=5e-3)
    assert every != pytest.approx(alone, abs=0.02)
