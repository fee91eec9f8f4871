"""Which law of friction explains torques of a real double pendulum that it was not fitted to.

Numbers of each law are fitted on nine recordings, and judged on the tenth: what the equations of
motion leave of the torques, below 4 Hz.  Laws that change slowly are fitted on the judged recording
itself, in hindsight: the most that a filter could learn while it runs.
"""

from functools import cache
from math import ceil

import numpy as np

from benchmarks.figures import Figure
from benchmarks.real_data import missing, recordings
from benchmarks.real_pendulum_fit import PRIOR, ROBUST, SLOPE, STEP, regression
from mb_model.kind_api import BENDS_ALWAYS, bend

KINDS = ('acrobot', 'pendubot')
UNSURE = 0.3                        # N m, prior of a term of friction
HELD = 1e-9                         # prior deviation of what is not fitted
FINE = 0.1                          # steady deflections that bristles may move by in a step
WINDOW = 1.0                        # s, between which friction may change


def measure():
    """Return the residual of each law: of both kinds and joints, and shares of all."""
    kinds = {kind: recordings(None, 'double_pendulum', kind) for kind in KINDS}
    runs = [run for group in kinds.values() for run in group]
    if not runs:
        return missing(None)
    left, hindsight = {}, {}
    for run in runs:
        others = [other for other in runs if other is not run]
        for law, (count, further) in LAWS.items():
            names = [f'{law} {k}' for k in range(count)]
            priors = PRIOR | dict.fromkeys(names, (0.0, UNSURE))
            found, _ = regression(others, priors, further)
            held = {name: (value, HELD) for name, value in found.values.items()}
            left.setdefault(law, []).append(_judged(run, held, further))
            if law == PLAIN:
                plain = held
        for law, (count, further) in SLOW.items():
            priors = plain | {f'{law} {k}': (0.0, UNSURE) for k in range(count(run))}
            hindsight.setdefault(law, []).append(_judged(run, priors, further))
    figures = []
    for law, squares in (left | hindsight).items():
        for kind, group in kinds.items():
            mine = [one for run, one in zip(runs, squares, strict=True) if run in group]
            plain = [one for run, one in zip(runs, left[PLAIN], strict=True) if run in group]
            figures += [Figure(
                f'{kind}, joint {joint + 1}: {law}', np.sqrt(np.mean(mine, axis=0)[joint]), 'N m',
                peer=PLAIN, peer_value=np.sqrt(np.mean(plain, axis=0)[joint]))
                for joint in range(2)]
    return figures


def _judged(run, priors, further):
    """Return the mean squares of what is left of the torques of both joints (2), weighted.

    As in the fit, falls and stops count little.  The zeros of the encoders are those of the
    recording, in hindsight.
    """
    _, ((residual, weight),) = regression([run], priors, further)
    trusted = weight / (1.0 + weight * (residual / ROBUST) ** 2)
    return (trusted * residual ** 2).sum(axis=1) / trusted.sum(axis=1)


def _each(torque):
    """Return one number for each joint: the torque (2, t) of each, apart."""
    nothing = np.zeros_like(torque[0])
    return [np.array([torque[0], nothing]), np.array([nothing, torque[1]])]


def _direction(run, q, v, u):
    """More of it one way than the other."""
    return _each(np.tanh(v / SLOPE) ** 2)


def _stribeck(velocity):
    """Return a peak at a velocity [rad/s], as of Brown and McPhee."""
    def further(run, q, v, u):
        w = v / velocity
        return _each(w / (0.25 * w * w + 0.75) ** 2)
    return further


def _quadratic(run, q, v, u):
    """Growing with the square of the velocity."""
    return _each(v * abs(v))


def _ripple(run, q, v, u):
    """By the turn of the rotors, which go six times as fast."""
    return [part for wave in (np.sin, np.cos) for part in _each(wave(6.0 * q))]


def _bristles(deflection, breakaway):
    """Return bristles that bend by a deflection [rad] in steady sliding, beside Coulomb's."""
    def further(run, q, v, u):
        return _each(_bent(run.name, deflection, breakaway, v.shape[1], v.tobytes()))
    return further


@cache
def _bent(name, deflection, breakaway, count, speeds):
    """Return the force of bristles, 1 in steady sliding (2, t), driven by recorded speeds."""
    values = np.array([1.0 / deflection, 0.0, 0.0, 1.0, 1.0, 1.0, breakaway, 1.0])
    forces = np.zeros((2, count))
    for joint, speed in enumerate(np.frombuffer(speeds).reshape(2, count)):
        z = 0.0
        for k, v in enumerate(speed):
            parts = ceil(abs(v) * STEP / (FINE * deflection)) or 1
            for _ in range(parts):
                z += bend(values, z, v)[0] * STEP / parts
            forces[joint, k] = z / deflection
    return forces


def _windows(run):
    """Return hats (c, t) over time, one for each WINDOW."""
    t = np.arange(0.0, run['time'][-1], STEP)
    centres = np.arange(0.0, t[-1] + WINDOW, WINDOW)
    return np.maximum(1.0 - abs(t - centres[:, None]) / WINDOW, 0.0)


def _moving(torque_of):
    """Return what changes slowly: hats times a torque, of each joint."""
    def further(run, q, v, u):
        torque = torque_of(v, u)
        return [part for hat in _windows(run) for part in _each(hat * torque)]
    return further


def _twice_windows(run):
    return 2 * len(_windows(run))


PLAIN = 'Coulomb, viscous, gear losses'
LAWS = {
    PLAIN: (0, None), 'by direction': (2, _direction), 'growing with the square': (2, _quadratic),
    'by the turn of the rotor': (4, _ripple)} | {
    f'Stribeck, {v:g} rad/s': (2, _stribeck(v)) for v in (0.1, 0.5, 2.0)} | {
    f'LuGre, {1e3 * d:g} mrad': (2, _bristles(d, BENDS_ALWAYS)) for d in (0.003, 0.01, 0.03)} | {
    f'elastoplastic, {1e3 * d:g} mrad': (2, _bristles(d, 0.7)) for d in (0.01, 0.03)}
SLOW = {
    'Coulomb of the run, in hindsight': (lambda run: 2, lambda run, q, v, u: _each(
        np.tanh(v / SLOPE))),
    'gain of the run, in hindsight': (lambda run: 2, lambda run, q, v, u: _each(u)),
    'Coulomb by the second, in hindsight': (_twice_windows, _moving(
        lambda v, u: np.tanh(v / SLOPE))),
    'gain by the second, in hindsight': (_twice_windows, _moving(lambda v, u: u)),
    'offset by the second, in hindsight': (_twice_windows, _moving(
        lambda v, u: np.ones_like(v)))}
