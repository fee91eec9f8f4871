"""Numbers of the real double pendulum from recordings with known pulses, by regression.

The equations of motion are linear in inertias, friction, gains of the torques, and, for small ones,
in the zeros of the encoders, which every recording has of its own.  All terms pass the same low
pass; products of speeds are formed before.  Pulses last 0.1 s: what is faster does not matter.
Torques count less where the machine is fast, torques are large or jump, and where the residual says
that something else happened (falls, stops).  The unit of torque is that of the shoulder's motor.
"""

from dataclasses import dataclass

import numpy as np
from scipy.signal import butter, lfilter, sosfiltfilt

from benchmarks.real_pendulum_run import NAME
from mb_model import load_mechanism

CENTRE = 0.25569305436052964            # m
SIGMA, ROBUST, SHARE = 0.05, 0.12, 0.06  # N m, N m, independent share of the samples
ZERO = 0.05                             # rad, of encoders
# name: prior mean and deviation; inertias and moments as published
PRIOR = {'upper_inertia': (0.05690990852821086, 6e-3), 'lower_inertia': (0.05086984812807257, 5e-3),
         'lower_moment': (0.15995332190996925, 0.016), 'upper_moment': (0.22980560730322, 0.023),
         'rotor': (1e-4, 1e-4),
         'coulomb1': (0.0, 0.3), 'coulomb2': (0.0, 0.3), 'viscous1': (0.0, 0.02),
         'viscous2': (0.0, 0.02), 'loss1': (0.0, 0.3), 'loss2': (0.0, 0.3),
         'gain2': (1.0, 0.2), 'growth2': (0.0, 3e-3),
         'asymmetry1': (0.0, 0.2), 'asymmetry2': (0.0, 0.2),
         'lash1': (0.0, 5e-3), 'lash2': (0.0, 5e-3)}
STEP, CUTOFF = 0.002, 4.0               # s, Hz
UPPER, GRAVITY, RATIO = 0.2, 9.81, 6.0  # m, m/s^2
SLOPE = 0.1                             # rad/s, of Coulomb friction at rest
LASH_FORCE, LASH_TIME = 0.35, 6e-3      # N m, s: lash_force and lash_time of pulse_ekf
LEFT_OUT = (40, 50)                     # samples at the beginning and the end


@dataclass(frozen=True)
class Numbers:
    """Identified numbers by name, and their standard deviations."""

    values: dict[str, float]
    deviations: dict[str, float]

    @property
    def mechanism(self):
        """The mechanism with them."""
        v = self.values
        lower = v['lower_moment'] / CENTRE
        upper = v['upper_moment'] / UPPER - lower
        return load_mechanism(NAME).replace(parameters={
            'upper_mass': upper, 'lower_mass': lower,
            'upper_inertia': v['upper_inertia'] - lower * UPPER ** 2,
            'lower_inertia': v['lower_inertia'], 'rotor_inertia': v['rotor'],
            'shoulder_coulomb': v['coulomb1'], 'elbow_coulomb': v['coulomb2'],
            'shoulder_viscous': max(v['viscous1'], 0.0), 'elbow_viscous': max(v['viscous2'], 0.0)})

    @property
    def settings(self):
        """The settings of pulse_ekf that they are."""
        v = self.values
        return {'force_gains': (1.0, v['gain2']),
                'force_asymmetries': (v['asymmetry1'], v['asymmetry2'] / v['gain2']),
                'force_growths': (0.0, max(v['growth2'], 0.0) / v['gain2']),
                'force_losses': (max(v['loss1'], 0.0), max(v['loss2'], 0.0)),
                'gear_lashes': (max(v['lash1'], 0.0), max(v['lash2'], 0.0))}


def fit(runs):
    """Return the Numbers of recordings."""
    return regression(runs, PRIOR)[0]


def regression(runs, priors, further=None, rounds=6):
    """Return the Numbers of recordings, and of each the residual and its weight, both (2, t) [N m].

    priors: mean and deviation of each number by name, as PRIOR; further(run, q, v, u): torques
    (2, t) against the motion by unit of each number that is not in PRIOR, in their order.
    """
    prior = np.array(list(priors.values()))
    values, zeros, count = prior[:, 0].copy(), np.zeros((len(runs), 2)), len(prior)
    for k in range(rounds):
        precision = np.diag(np.concatenate([prior[:, 1] ** -2, np.full(zeros.size, ZERO ** -2)]))
        right = np.concatenate([prior[:, 0] / prior[:, 1] ** 2, -zeros.ravel() / ZERO ** 2])
        residuals = []
        for run, terms in enumerate(terms_of(one, zero, list(PRIOR), further) for one, zero in zip(
                runs, zeros, strict=True)):
            columns, torque, weight = terms(dict(zip(priors, values, strict=True)))
            places = np.append(np.arange(count), count + 2 * run + np.arange(2))
            known = columns[..., :count] @ values - torque
            trusted = weight / (1.0 + weight * (known / ROBUST) ** 2) if k else weight
            residuals.append((known, weight))
            scaled = trusted * SHARE / SIGMA ** 2 / 3.0
            precision[np.ix_(places, places)] += np.einsum(
                'jti,jtk,jt->ik', columns, columns, scaled)
            right[places] += np.einsum('jti,jt,jt->i', columns, torque, scaled)
        solved = np.linalg.solve(precision, right)
        values, zeros = solved[:count], zeros + solved[count:].reshape(-1, 2)
    deviations = np.sqrt(np.linalg.inv(precision).diagonal()[:count])
    return Numbers(*(dict(zip(priors, numbers.tolist(), strict=True))
                     for numbers in (values, deviations))), residuals


def terms_of(run, zero, names, further=None):
    """Return a function: values by name -> (columns (2, t, k), torque (2, t), weight (2, t)).

    names: of the columns, before those of further(run, q, v, u) and of the zeros of both encoders.
    """
    time = run['time']
    t = np.arange(0.0, time[-1], STEP)
    low_pass = butter(4, 2.0 * CUTOFF * STEP, output='sos')

    def at(column, later=0.0):
        return np.array([np.interp(t + later, time, run[f'{column}{joint}']) for joint in (1, 2)])

    def filtered(x):
        return sosfiltfilt(low_pass, x)

    def rate(x):
        return np.gradient(filtered(x), STEP)

    (q1, q2), (v1, v2) = at('pos_meas') + zero[:, None], at('vel_meas', STEP / 2.0)
    u1, u2 = u = at('tau_meas', STEP)       # a motor reports what it did until then
    nothing, c, s = np.zeros_like(q1), np.cos(q2), np.sin(q2)
    hanging = filtered(np.sin(q1 + q2))
    rubs = [np.tanh(v / SLOPE) for v in (v1, v2)]

    def inertia(w1, w2, square):
        """Return terms of velocities w1, w2, and of their products, v1 (v1 + v2)."""
        return {'upper_inertia': (rate(w1), nothing), 'lower_inertia': 2 * (rate(w1 + w2),),
                'lower_moment': [UPPER * rate(c * (2.0 * w1 + w2)),
                                 UPPER * (rate(c * w1) + filtered(s * square))],
                'rotor': (rate(w1) + RATIO * rate(w2), RATIO * rate(w1) + RATIO ** 2 * rate(w2))}

    pairs = inertia(v1, v2, v1 * (v1 + v2)) | {
        'upper_moment': (GRAVITY * filtered(np.sin(q1)), nothing),
        'coulomb1': (filtered(rubs[0]), nothing), 'coulomb2': (nothing, filtered(rubs[1])),
        'viscous1': (filtered(v1), nothing), 'viscous2': (nothing, filtered(v2)),
        'loss1': (filtered(rubs[0] * abs(u1)), nothing),
        'loss2': (nothing, filtered(rubs[1] * abs(u2))),
        'gain2': (nothing, -filtered(u2)), 'growth2': (nothing, -filtered(u2 * v2 ** 2)),
        'asymmetry1': (-filtered(abs(u1)), nothing), 'asymmetry2': (nothing, -filtered(abs(u2)))}
    pairs['lower_moment'] = [part + GRAVITY * hanging for part in pairs['lower_moment']]
    more = further(run, np.array([q1, q2]), np.array([v1, v2]), u) if further else ()
    fixed = np.array([*(pairs.get(name, (nothing, nothing)) for name in names),
                      *(filtered(torques) for torques in more)]).transpose(1, 2, 0)
    torque = np.array([filtered(u1), nothing])

    def weights(d1, d2):
        """Return terms of the links' weight, turned by d1, d2."""
        turned = GRAVITY * filtered(np.cos(q1 + q2) * (d1 + d2))
        return {'upper_moment': (GRAVITY * filtered(np.cos(q1) * d1), nothing),
                'lower_moment': (turned, turned)}

    bent = rate(-s * (2.0 * v1 + v2)), rate(-s * v1) + filtered(c * v1 * (v1 + v2))
    one = np.ones_like(q1)
    zeros = [[weights(one, nothing)],
             [weights(nothing, one), {'lower_moment': [UPPER * part for part in bent]}]]
    kept = np.exp(-STEP / LASH_TIME)
    loaded = lfilter([1.0 - kept], [1.0, -kept], u, zi=kept * u[:, :1])[0]
    # The motor leads, so that the joint is behind what its encoder reads.
    d1, d2 = -np.tanh(loaded / LASH_FORCE)
    w1, w2 = np.gradient([d1, d2], STEP, axis=1)
    lashes = [[weights(d1, nothing), inertia(w1, nothing, w1 * (2.0 * v1 + v2))],
              [weights(nothing, d2), inertia(nothing, w2, w2 * v1)]]
    slow = np.array([np.convolve(x, np.ones(50) / 50.0, 'same') for x in u])
    doubt = 1.0 + (v1 ** 2 + v2 ** 2) / 32.0 ** 2 + (u / 2.3) ** 2 + ((u - slow) / 1.05) ** 2
    weight = np.clip([filtered(x) for x in 1.0 / doubt], 1e-3, 1.0)
    used = slice(LEFT_OUT[0], len(t) - LEFT_OUT[1], 3)

    def terms(values):
        columns = fixed.copy()
        for name, parts in zip(('lash1', 'lash2'), lashes, strict=True):
            columns[..., names.index(name)] = _torque(parts, values)
        moved = np.array([_torque(parts, values) for parts in zeros]).transpose(1, 2, 0)
        return (np.concatenate([columns, moved], axis=2)[:, used], torque[:, used],
                weight[:, used])

    return terms


def _torque(parts, values):
    """Return the sum of terms (2, t), with the numbers that they are of."""
    return sum(values[name] * np.array(pair) for part in parts for name, pair in part.items())
