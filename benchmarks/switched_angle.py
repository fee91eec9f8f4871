"""Does the equation of the crank's angle decide whether the SCKF loses track?

The SCKF as published (Rodriguez et al. 2023, Sec. 6.1), once more in plain numpy, on the four-bar
linkage with the gyroscope on the coupler, with two equations of the crank's angle: `smooth`, the
one of mechanism files, and `switched`, of which there are two by turns (Blanco-Claraco et al. 2021,
Appendix III).  By the first one it is the filter of this project, which runs beside.
"""

import numpy as np

from benchmarks.cases import LOST, SEEDS, STEP, figures, over_cases, wrong_gravity
from benchmarks.figures import Figure
from mb_estimators import SETTLED, make_filter

CRANK, COUPLER, ROCKER = 2.0, 8.0, 5.0              # lengths [m] and masses [kg]
GROUND = np.array([10.0, 0.0])                      # the other end of the rocker [m]
N, M = 5, 4                                         # coordinates x1 y1 x2 y2 theta, constraints
WEAKENING, DECAY, PASSES, TOLERANCE = 0.1, 10.0, 5, 1e-3
OURS = {'as_published': True, 'gate': 0.0}
ANGLES = ('smooth', 'switched')


def measure():
    """Return how many seeds are lost with each equation, and how well the others are."""
    errors = over_cases(_errors, [(seed,) for seed in SEEDS])
    found = {name: np.array([row[name] for row in errors.values()]) for name in errors[0,]}
    lost = {name: ~(values < LOST) for name, values in found.items()}
    told = [figure for name, values in found.items() for figure in (
        Figure(f'{name}: lost, of {len(SEEDS)} seeds', float(lost[name].sum()), ''),
        Figure(f'{name}: position after 2 s, others', values[~lost[name]].mean(), 'rad'))]
    return [*told, Figure('lost with both equations',
                          float((lost['smooth'] & lost['switched']).sum()), ''),
            Figure('smooth: other seeds lost than by our filter',
                   float((lost['smooth'] != lost['ours']).sum()), '', 0.0)]


def _errors(seed):
    """Return {name: position error after 2 s [rad]}; infinite where a filter gives up."""
    experiment = wrong_gravity('coupler_gyro')
    settings = make_filter('sckf', experiment.mechanism, experiment.sensors, STEP, **OURS).settings
    start = experiment.mechanism.assemble(experiment.mechanism.z0)
    settled = experiment.t >= SETTLED
    found = {'ours': np.mean(figures(experiment.run('sckf', seed, **OURS))[
        'position_rmse_after_2s'])}
    for angle in ANGLES:
        plain = Plain(angle, -experiment.mechanism.model['gravity'][0, 1], settings,
                      experiment.sensors[0].settings.sigma)
        try:
            estimated = plain.angles(start, experiment.readings(seed)[:, 0])
            found[angle] = np.sqrt(np.mean(
                (estimated - experiment.truth.z[:, 0])[settled] ** 2))
        except np.linalg.LinAlgError:
            found[angle] = np.inf
    return found


class Plain:
    """The SCKF of the four-bar linkage; states x: q, qd (10), with a factor of their covariance."""

    def __init__(self, angle, gravity, settings, sigma):
        """Set up: angle: one of ANGLES; gravity [m/s^2]; settings of ours; sigma [rad/s]."""
        self.switched = angle == 'switched'
        self.settings, self.noise = settings, np.array([[sigma]])
        self.mass = np.zeros((N, N))
        self.mass[:4, :4] = np.kron(np.array([
            [2.0 * (CRANK + COUPLER), COUPLER], [COUPLER, 2.0 * (COUPLER + ROCKER)]]) / 6.0,
            np.eye(2))
        self.weight = -gravity / 2.0 * np.array([0.0, CRANK + COUPLER, 0.0, COUPLER + ROCKER, 0.0])

    def angles(self, start, readings):
        """Return the estimated crank angle at every instant, from q at rest: readings (k)."""
        x = np.concatenate([start, np.zeros(N)])
        factor, found = np.sqrt(self.settings.initial_variance) * np.eye(2 * N), []
        for k, reading in enumerate(readings):
            if k > 0:
                x, factor = self.predicted(x, factor)
            x, factor = self.observed(x, factor, reading)
            found.append(x[N - 1])
        return np.array(found)

    def predicted(self, x, factor):
        """Return state and factor after Euler's step: Eqs. (56)-(58)."""
        phi_q, phi_q_dot = self.constraints(x)[1:]
        left = np.block([[self.mass, phi_q.T], [phi_q, np.zeros((M, M))]])
        qdd = np.linalg.solve(left, np.concatenate([self.weight, -phi_q_dot @ x[N:]]))[:N]
        R = np.append(-np.linalg.solve(phi_q[:, :M], phi_q[:, M]), 1.0)
        noise = np.zeros((2 * N, 2 * N))
        for first, share in ((0, STEP ** 3 / 3.0), (N, STEP)):
            block = share * self.settings.acceleration_psd * np.outer(R, R)
            block[:M, :M] = self.settings.dependent_variance * np.eye(M)
            noise[first:first + N, first:first + N] = block
        f_x = np.eye(2 * N) + STEP * np.eye(2 * N, k=N)
        return (x + STEP * np.concatenate([x[N:], qdd]),
                lower(np.hstack([f_x @ factor, np.linalg.cholesky(noise)])))

    def observed(self, x, factor, reading):
        """Return both after a reading and the passes of the constraints: Eqs. (59)-(66).

        As they were, if the constraints do not hold after the last pass, or on another branch.
        """
        before = x, factor
        rate, h_x = coupler_rate(x)
        x, factor = corrected(x, factor, h_x, np.array([reading - rate]), self.noise)
        H, misfit = self.linearised(x)
        noise = np.sqrt(WEAKENING) * lower(H @ factor)
        for _ in range(PASSES):
            x, factor = corrected(x, factor, H, misfit, noise)
            H, misfit = self.linearised(x)
            if np.linalg.norm(misfit) <= TOLERANCE:
                return (x, factor) if branch(x) == branch(before[0]) else before
            noise = np.exp(-DECAY / 2.0) * noise
        return before

    def linearised(self, x):
        """Return the Jacobian of constraints and their rates by x, and what they are off by."""
        phi, phi_q, phi_q_dot = self.constraints(x)
        return (np.block([[phi_q, np.zeros((M, N))], [phi_q_dot, phi_q]]),
                -np.concatenate([phi, phi_q @ x[N:]]))

    def constraints(self, x):
        """Return phi, phi_q and phi_q_dot: lengths of the three rods, and the crank's angle."""
        p, v = np.split(x[:4], 2), np.split(x[N:N + 4], 2)
        s, c, rate = np.sin(x[4]), np.cos(x[4]), x[-1]
        phi, phi_q, phi_q_dot = np.zeros(M), np.zeros((M, N)), np.zeros((M, N))
        across = p[1] - p[0], v[1] - v[0]
        phi[:3] = (p[0] @ p[0] - CRANK ** 2, across[0] @ across[0] - COUPLER ** 2,
                   (p[1] - GROUND) @ (p[1] - GROUND) - ROCKER ** 2)
        for matrix, (crank, coupler, rocker) in (
                (phi_q, (p[0], across[0], p[1] - GROUND)), (phi_q_dot, (v[0], across[1], v[1]))):
            matrix[0, :2], matrix[1, :2], matrix[1, 2:4], matrix[2, 2:4] = (
                2.0 * crank, -2.0 * coupler, 2.0 * coupler, 2.0 * rocker)
        if not self.switched:
            (x1, y1), (u1, w1) = p[0], v[0]
            phi[3] = y1 * c - x1 * s
            phi_q[3] = -s, c, 0.0, 0.0, -x1 * c - y1 * s
            phi_q_dot[3] = -c * rate, -s * rate, 0.0, 0.0, (
                -u1 * c - w1 * s + (x1 * s - y1 * c) * rate)
        elif abs(s) > np.sqrt(0.5):
            phi[3], phi_q[3, 0], phi_q[3, 4] = p[0][0] - CRANK * c, 1.0, CRANK * s
            phi_q_dot[3, 4] = CRANK * c * rate
        else:
            phi[3], phi_q[3, 1], phi_q[3, 4] = p[0][1] - CRANK * s, 1.0, -CRANK * c
            phi_q_dot[3, 4] = CRANK * s * rate
        return phi, phi_q, phi_q_dot


def coupler_rate(x):
    """Return the angular rate of the coupler [rad/s] and its derivative by x (1, 10)."""
    d, v = x[2:4] - x[:2], x[N + 2:N + 4] - x[N:N + 2]
    square = d @ d
    rate = (d[0] * v[1] - d[1] * v[0]) / square
    h_x = np.zeros((1, 2 * N))
    h_x[0, 2:4] = np.array([v[1], -v[0]]) / square - 2.0 * d * rate / square
    h_x[0, N + 2:N + 4] = np.array([-d[1], d[0]]) / square
    h_x[0, :2], h_x[0, N:N + 2] = -h_x[0, 2:4], -h_x[0, N + 2:N + 4]
    return rate, h_x


def branch(x):
    """Return on which side of the rocker the coupler is."""
    coupler, rocker = x[2:4] - x[:2], x[2:4] - GROUND
    return np.sign(coupler[0] * rocker[1] - coupler[1] * rocker[0])


def lower(matrix):
    """Return L, lower triangular, with L L^T that of a matrix."""
    return np.linalg.qr(matrix.T, mode='r').T


def corrected(x, factor, H, misfit, noise):
    """Return state and factor after a correction by H, whose noise is of a factor."""
    k = len(misfit)
    whole = lower(np.block([[noise, H @ factor], [np.zeros((len(x), k)), factor]]))
    return x + whole[k:, :k] @ np.linalg.solve(whole[:k, :k], misfit), whole[k:, k:]
