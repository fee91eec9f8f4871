"""Which body is touched, and where: against contacts drawn without the kernels that find them."""

from drawn_contacts import draw_contact, position_of, rotation
import numpy as np
import pytest

from mb_contact.arguments import ContactError
from mb_contact.detection.contact import Contact, Force
from mb_contact.isolation.candidates import modes_of
from mb_contact.isolation.hypothesis import IsolationSettings
from mb_contact.isolation.isolation import ContactIsolation, Isolation
from mb_contact.isolation.isolation_record import EVIDENCE
from mb_contact.isolation.kernels.explanation import project
from mb_model import load_mechanism

ROBOT = load_mechanism('three_rrr')
METRIC = np.array([1.0, 1.0, 0.1])      # moments over forces [m]
SETTLED = {'lag': 0.0, 'settling': 0.0, 'unforeseen': 0.0}


@pytest.fixture(scope='module')
def judged():
    """Return drawn contacts and the hypotheses of a noisy force of each, at a single instant."""
    rng, isolation = np.random.default_rng(1), Isolation(ROBOT, IsolationSettings(**SETTLED))
    drawn = [draw_contact(ROBOT, rng, rng.uniform(0.0, 0.4)) for _ in range(400)]
    found = []
    for contact in drawn:
        deviation = METRIC * np.hypot(1.0, 0.03 * np.linalg.norm(contact.force[:2]))
        isolation.reset()
        isolation.update(1, contact.zd, contact.force + deviation * rng.normal(size=3),
                         np.diag(METRIC ** 2))
        found.append(isolation.hypotheses(contact.z, contact.q))
    return drawn, found


def test_bodies_are_named(judged):
    drawn, found = judged
    right = [h[0].bodies == contact.bodies for contact, h in zip(drawn, found, strict=True)]
    assert np.mean(right) > 0.88
    for kind in ('platform', 'inner1', 'outer1'):
        assert np.mean([r for r, contact in zip(right, drawn, strict=True)
                        if contact.bodies[0][:5] == kind[:5]]) > 0.75


def test_probabilities_come_true(judged):
    """Of hypotheses with a probability of p, a share of about p is right."""
    drawn, found = judged
    claimed = np.array([h.probability for row in found for h in row])
    true = np.array([h.bodies == contact.bodies
                     for contact, row in zip(drawn, found, strict=True) for h in row])
    assert all(sum(h.probability for h in row) == pytest.approx(1.0, abs=0.01) for row in found)
    for low, high in ((0.0, 0.1), (0.1, 0.4), (0.4, 0.7), (0.7, 0.9), (0.9, 1.0)):
        chosen = (claimed > low) & (claimed <= high)
        assert np.mean(true[chosen]) == pytest.approx(np.mean(claimed[chosen]), abs=0.12)


def test_points_and_their_covariances(judged):
    """Where forces determine the point: on the platform and on outer links."""
    drawn, found = judged
    errors, within = [], []
    for contact, (best, *_) in zip(drawn, found, strict=True):
        if best.bodies == contact.bodies and best.name.startswith(('platform', 'outer')):
            error = best.touches[0].point - contact.point
            covariance = best.touches[0].point_covariance + 0.01 ** 2 * np.eye(2)      # the grid's
            errors.append(np.hypot(*error))
            within.append(error @ np.linalg.solve(covariance, error) < 5.99)
    assert np.median(errors) < 0.02
    assert np.mean(within) > 0.9


def test_what_is_clamped_may_be_carried_along():
    """Forces that are not opposite, as they move what they clamp, are of two bodies still."""
    rng, share = np.random.default_rng(8), 0.15
    isolations = [Isolation(ROBOT, IsolationSettings(**SETTLED, imbalance=believed))
                  for believed in (0.0, share)]
    believed = []           # probabilities of the truth, by the two
    while len(believed) < 80:
        contact = draw_contact(ROBOT, rng, 1.0)
        if len(contact.bodies) == 1:
            continue
        carried = share * contact.size * rng.normal(size=2)
        force = contact.force + jacobian_mean(contact).T @ carried
        believed.append([])
        for isolation in isolations:
            isolation.reset()
            isolation.update(1, contact.zd, force, 0.25 * np.diag(METRIC ** 2))
            found = {one.bodies: one.probability
                     for one in isolation.hypotheses(contact.z, contact.q)}
            believed[-1].append(found.get(contact.bodies, 0.0))
    without, carrying = np.array(believed).T
    assert np.mean(carrying > 0.5) > np.mean(without > 0.5) + 0.3
    assert np.mean(carrying < 0.05) < 0.25 * np.mean(without < 0.05)      # sure, and wrong


def jacobian_mean(contact):
    """Return the mean of the Jacobians (2, g) of what a DrawnContact clamps, at its point."""
    rows = []
    for body in contact.bodies:
        turned = rotation(ROBOT, contact.q, body)
        at = turned.T @ (contact.point - position_of(ROBOT, contact.q, body, (0.0, 0.0)))
        rows.append(ROBOT.contact_jacobian(contact.q, body, tuple(at), reduced=True)[:2])
    return np.mean(rows, axis=0)


def test_what_is_clamped_and_holds_is_the_same_force_as_a_push_on_the_outer_link():
    """At the cosine of the opening along it, with links of one length."""
    rng, length = np.random.default_rng(0), 0.3
    for leg in '123' * 5:
        q = ROBOT.assemble(ROBOT.z0 + rng.uniform(-1.0, 1.0, 3) * [0.08, 0.08, 0.4])
        ends = {'inner': (0.0, 0.0), 'outer': (length, 0.0)}
        elbow = position_of(ROBOT, q, f'outer{leg}', (0.0, 0.0))
        inner, outer = ((position_of(ROBOT, q, body + leg, at) - elbow) / length
                        for body, at in ends.items())
        cosine, apart = inner @ outer, (outer - inner) / np.hypot(*(outer - inner))
        across = cosine * outer - inner
        effects = [ROBOT.contact_jacobian(q, body + leg, (at, 0.0), reduced=True)[:2].T @ force
                   for body, at, force in (('outer', 0.1, apart), ('inner', length - 0.1, -apart),
                                           ('outer', cosine * length, across))]
        pair, push = effects[0] + effects[1], effects[2]
        assert abs(pair @ push) == pytest.approx(np.linalg.norm(pair) * np.linalg.norm(push))
        assert (pair @ push > 0.0) == (cosine > 0.0)      # else that point is beyond the elbow


def test_forces_are_projected_as_dense_algebra_does():
    rng, g, windows, left = np.random.default_rng(4), 3, 2, 4
    n, evidence = windows * g, EVIDENCE.new(
        independent=g, modes=1, windows=windows, stacked=windows * g, unknown=left + windows,
        coordinates=1)
    open_columns, effects = rng.normal(size=(left, n)), rng.normal(size=(windows, n))
    effects[1, :g] = 0.0        # the older window has no part in the latest force
    target = np.array([9.0, 7.0]) @ effects + 0.5 * rng.normal(size=n)
    evidence['target'][0], evidence['columns'][0] = target, np.vstack([open_columns, effects])
    misfit, weight = project(evidence[0], left, windows, g)
    covariance = np.eye(n) + open_columns.T @ open_columns
    inverse = np.linalg.inv(covariance)
    fisher = effects @ inverse @ effects.T
    sizes = np.linalg.solve(fisher, effects @ inverse @ target)
    assert (sizes > 0.0).all()
    np.testing.assert_allclose(evidence['sizes'][0], sizes)
    np.testing.assert_allclose(evidence['moved'][0, :left],
                               open_columns @ inverse @ (target - sizes @ effects))
    assert misfit == pytest.approx(target @ inverse @ target - sizes @ fisher @ sizes)
    deviations = 1.0 / np.diag(np.linalg.cholesky(fisher))       # each beside those before it
    assert weight == pytest.approx(np.prod(1.0 / np.maximum(sizes / deviations, 1.0))
                                   / np.sqrt(np.linalg.det(covariance)), rel=1e-2)


def test_the_model_errs_alike_while_the_force_stays():
    """Covariances of forces in windows against a matrix of independent entries, drawn."""
    rng, g, settings = np.random.default_rng(7), 3, IsolationSettings(lag=0.0)
    isolation, forces = Isolation(ROBOT, settings), [[30.0, 5.0, 1.0], [10.0, 30.0, -2.0]]
    for k, force in enumerate(np.repeat(forces, [2, 4], axis=0)):      # 3 + 1 and 4 times 1 ms
        isolation.update(1_000_000 * (k + 1), np.zeros(g), force, np.diag(METRIC ** 2))
    isolation.hypotheses(ROBOT.z0, ROBOT.q0)
    factor = np.tril(isolation._evidence['factor'][0, :2 * g, :2 * g])
    rest = np.zeros(g)
    mass = np.array([ROBOT.inverse_dynamics(ROBOT.z0, rest, one) for one in np.eye(g)]) - (
        ROBOT.inverse_dynamics(ROBOT.z0, rest, rest))
    root = np.linalg.cholesky(mass)
    errors = 0.05 / np.sqrt(g) * rng.normal(size=(200_000, g, g))
    drawn = np.hstack([np.einsum('ij,djk,k->di', root, errors, np.linalg.solve(root, force))
                       for force in (forces[1], forces[0])])           # the latest one first
    expected = drawn.T @ drawn / len(drawn) + 0.75 * np.diag(np.tile(METRIC ** 2, 2))
    scale = np.sqrt(np.diag(expected))
    np.testing.assert_allclose(factor @ factor.T / np.outer(scale, scale),
                               expected / np.outer(scale, scale), atol=0.02)


@pytest.mark.parametrize('dimension', [2, 3])
def test_velocities_of_surroundings_are_normal_to_the_fifth_degree(dimension):
    _, velocities, priors = modes_of(dimension, 0.5, 0.1)
    tangents = velocities[:, :dimension - 1] / 0.1
    assert priors.sum() == pytest.approx(1.0)
    np.testing.assert_allclose(priors @ tangents, 0.0, atol=1e-12)
    np.testing.assert_allclose((priors * tangents.T) @ tangents, np.eye(dimension - 1), atol=1e-12)
    assert priors @ tangents[:, 0] ** 4 == pytest.approx(3.0)
    assert priors @ (tangents[:, 0] * tangents[:, -1]) ** 2 == pytest.approx(
        3.0 if dimension == 2 else 1.0)


def test_no_body_is_ever_sure():
    """Bodies that cannot explain a force known to 0.01 N keep their share of what is unforeseen."""
    rng, isolation = np.random.default_rng(3), Isolation(ROBOT, IsolationSettings(lag=0.0))
    for _ in range(30):
        contact = draw_contact(ROBOT, rng, 0.2)
        isolation.reset()
        for k in range(20):
            isolation.update(1_000_000 * (k + 1), contact.zd, contact.force,
                             1e-4 * np.diag(METRIC ** 2))
        found = isolation.hypotheses(contact.z, contact.q)
        assert found[0].probability < 0.98
        assert len(found) > 5
        assert all(np.isfinite(touch.point).all() for one in found for touch in one.touches)


def test_many_instants_determine_more_than_one():
    rng = np.random.default_rng(2)
    settings = IsolationSettings(correlation_time=1e-3, settling=0.0)
    isolation, right = Isolation(ROBOT, settings), []
    for _ in range(100):
        contact = draw_contact(ROBOT, rng, 0.2)
        isolation.reset()
        for k in range(20):
            noise = 4.0 * METRIC * rng.normal(size=3)
            isolation.update(1_000_000 * k, contact.zd, contact.force + noise,
                             np.diag(16.0 * METRIC ** 2))
            if k in (0, 19):
                best = isolation.hypotheses(contact.z, contact.q)[0]
                right.append(best.bodies == contact.bodies)
    assert np.mean(right[1::2]) > max(0.85, np.mean(right[::2]) + 0.05)


def test_serial_chain():
    """A force that turns only the first of two links acts on it, or on the joint it ends at."""
    shape = {'kind': 'capsule', 'radius': 0.02}
    pendulum = load_mechanism('double_pendulum')
    pendulum = pendulum.replace(bodies={name: {'shape': shape} for name in pendulum.bodies})
    first, second = pendulum.bodies
    isolation, q = Isolation(pendulum), pendulum.q0
    push = {body: pendulum.contact_jacobian(q, body, (0.3, 0.0), reduced=True)[:2] for body in
            (first, second)}
    for body in (first, second):
        zd = -0.5 * np.linalg.solve(push[second] @ push[second].T + 1e-3 * np.eye(2), [1.0, 1.0])
        force = push[body].T @ (-20.0 * push[body] @ zd / np.hypot(*(push[body] @ zd)))
        isolation.reset()
        isolation.update(1, zd, force, 0.01 * np.eye(2))
        assert isolation.hypotheses(pendulum.z0)[0].bodies == (body,)


def test_without_evidence_or_shapes():
    isolation = Isolation(ROBOT)
    assert isolation.hypotheses(ROBOT.z0) == []
    isolation.update(1, np.zeros(3), np.array([20.0, 0.0, 0.0]), np.eye(3))
    first = isolation.hypotheses(ROBOT.z0)
    isolation.update(1, np.zeros(3), np.array([0.0, 90.0, 9.0]), np.eye(3))      # late
    assert isolation.hypotheses(ROBOT.z0)[0].probability == first[0].probability
    with pytest.raises(ContactError, match=r'five_bar: .*: no body has a shape'):
        Isolation(load_mechanism('five_bar'))


def test_contacts_of_a_detector_begin_and_end():
    """A contact after another one is judged alone, by the motion that led to it."""
    rng, stamp = np.random.default_rng(5), 0
    settings = IsolationSettings(**SETTLED)
    follower, alone = ContactIsolation(ROBOT, settings), Isolation(ROBOT, settings)
    free = Contact(False, 0, '', (), '')
    for _ in range(3):
        drawn = draw_contact(ROBOT, rng, 0.2)
        alone.reset()
        for k in range(30):
            stamp += 1_000_000
            zd = drawn.zd if k < 20 else -drawn.zd      # it bounces back
            forces = tuple(Force(method, force, np.eye(3), np.ones(3), True) for method, force in
                           (('direct', drawn.force), ('momentum_observer', np.zeros(3))))
            contact = free if k < 20 else Contact(True, stamp - 1_000_000 * (k - 20), 'direct',
                                                  forces, '')
            follower.update(stamp, zd, contact)
            if k == 25:     # the same settings once more: it goes on
                follower = follower.with_settings(settings)
            assert bool(follower.hypotheses(drawn.z, drawn.q)) == contact.detected
            if contact.detected:
                alone.update(stamp, zd, drawn.force, np.eye(3), drawn.zd)
                follower.update(stamp + 1, zd, contact._replace(forces=(
                    Force('direct', -drawn.force, np.zeros((0, 0)), np.ones(3), True),)))
        found, expected = (i.hypotheses(drawn.z, drawn.q) for i in (follower, alone))
        assert [h[:2] for h in found] == [h[:2] for h in expected]
