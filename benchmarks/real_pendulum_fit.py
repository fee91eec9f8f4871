"""Numbers of the real double pendulum from recordings with known pulses, by regression.

The equations of motion are linear in inertias, friction, gains of the torques, and, for small ones,
in the zeros of the encoders, which every recording has of its own.  All terms pass the same low
pass; products of speeds are formed before.  Pulses last 0.1 s: what is faster does not matter.
Torques count less where the machine is fast, torques are large or jump, and where the residual says
that something else happened (falls, stops).  The unit of torque is that of the shoulder's motor.
"""

from dataclasses import dataclass

import numpy as np

from benchmarks.real_pendulum_terms import UPPER, terms_of
from mb_model import load_mechanism

NAME = 'geared_double_pendulum'
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
