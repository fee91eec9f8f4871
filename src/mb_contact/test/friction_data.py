"""Samples of a piston's friction that are made up."""

import numpy as np

from mb_contact.friction.law import friction_force
from mb_contact.friction.samples import FrictionSamples

TRUTH = {'transition_velocity': 5e-3, 'coulomb': 250.0, 'static': 400.0, 'viscous': 2000.0,
         'pressure_difference': 3e-5, 'rod_pressure': 5e-5}
DURATION, PERIOD = 23.5, 0.01                   # s
VELOCITY_DEVIATION, FORCE_DEVIATION = 5e-4, 30.0            # m/s, N
_LASTING = 5                                    # samples that an error lasts


def samples(seed, load_pressure=0.0, fastest=0.06, truth=None):
    """Return FrictionSamples over ups and downs and a rest, with errors that last for a while.

    load_pressure [Pa]: of a weight on the piston; fastest [m/s]; truth: parameters, default TRUTH.
    """
    random = np.random.default_rng(seed)
    t = np.arange(0.0, DURATION, PERIOD)
    velocity = (fastest * np.sin(2.0 * np.pi * t / 8.0) ** 3
                + 0.3 * fastest * np.sin(2.0 * np.pi * t / 3.0)) * (t < 20.0)
    rod = 1e6 + 2e7 * np.abs(velocity) + 1e5 * random.standard_normal(len(t))
    piston = 2e6 + 0.6 * rod + 4e7 * np.maximum(velocity, 0.0) + load_pressure
    force = friction_force(truth or TRUTH, velocity, piston, rod)

    def errors(deviation):
        white = random.standard_normal(len(t) + _LASTING - 1)
        return deviation * np.convolve(white, np.full(_LASTING, _LASTING ** -0.5), 'valid')
    return FrictionSamples(
        t, velocity + errors(VELOCITY_DEVIATION), force + errors(FORCE_DEVIATION), piston, rod,
        np.full(len(t), VELOCITY_DEVIATION), np.full(len(t), FORCE_DEVIATION),
        np.zeros(len(t), dtype=int))
