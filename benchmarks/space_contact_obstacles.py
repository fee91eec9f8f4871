"""What stands in the way in the benchmark of contacts in space: a spring, a damper, friction."""

import numpy as np

STIFFNESS, DAMPING = (1e4, 5e4), 50.0   # [N/m], [N s/m]
FRICTION, STICKS = 0.4, 0.05            # largest coefficient; sliding with less of it below [m/s]


def place_motion(mechanism, terms, q, R):
    """Return where a place is (3) [m], and its Jacobian by z (3, g); terms: of place_terms."""
    nodes, weights = (np.array(part) for part in zip(*terms, strict=True))
    whole = np.concatenate([q, mechanism.model['fixed'][0, mechanism.n:]])
    rows = (nodes[:, None] + np.arange(3)).ravel()
    padded = np.vstack([R, np.zeros((len(whole) - len(q), R.shape[1]))])
    return (weights @ whole[rows].reshape(-1, 3),
            np.einsum('t,tcg->cg', weights, padded[rows].reshape(len(nodes), 3, -1)))


class Obstacle:
    """Something that stands at a place that a body comes to, with a plane surface."""

    def __init__(self, mechanism, body, at, begin, normal, random):
        """Set up; begin: where the place of the body is when they meet; normal: away from it."""
        self.bodies, self._mechanism = (body,), mechanism
        self._terms, self._begin, self._normal = mechanism.place_terms(body, at), begin, normal
        self._stiffness, self._friction = np.exp(random.uniform(*np.log(STIFFNESS))), (
            random.uniform(0.0, FRICTION))

    def force(self, q, R, zd):
        """Return the force on z (g)."""
        point, jacobian = place_motion(self._mechanism, self._terms, q, R)
        depth, velocity = (self._begin - point) @ self._normal, jacobian @ zd
        push = self._stiffness * depth - DAMPING * velocity @ self._normal
        if depth <= 0.0 or push <= 0.0:
            return np.zeros(len(zd))
        sliding = velocity - (velocity @ self._normal) * self._normal
        rub = self._friction * sliding / max(np.linalg.norm(sliding), STICKS)
        return jacobian.T @ (push * (self._normal - rub))


class Clamped:
    """Something that holds between places of two bodies that come nearer."""

    def __init__(self, mechanism, bodies, places, length, random):
        """Set up; length: from place to place when both touch it [m]."""
        self.bodies, self._mechanism, self._length = bodies, mechanism, length
        self._terms = [mechanism.place_terms(body, at)
                       for body, at in zip(bodies, places, strict=True)]
        self._stiffness = np.exp(random.uniform(*np.log(STIFFNESS)))

    def force(self, q, R, zd):
        """Return the force on z (g)."""
        (first, by_first), (second, by_second) = (
            place_motion(self._mechanism, terms, q, R) for terms in self._terms)
        along = (second - first) / np.linalg.norm(second - first)
        depth = self._length - np.linalg.norm(second - first)
        jacobian = along @ (by_second - by_first)
        push = self._stiffness * depth - DAMPING * jacobian @ zd
        return jacobian * push if depth > 0.0 and push > 0.0 else np.zeros(len(zd))
