"""The friction of a cylinder as a sum of terms, each a coefficient times its factor.

    F = Fc (flat - bump) + Fs bump + sigma v + (C1 |p_piston - p_rod| + C2 p_rod) flat
    flat = tanh(4 w),  bump = w / (w^2 / 4 + 3/4)^2,  w = v / v_s

as in mb_model.hydraulics, with gauge pressures.  Five of its six parameters enter linearly,
which a fit makes use of.  Source: Pyrhonen et al. 2023b, Eqs. (51)-(53).
"""

import numpy as np

LINEAR = ('coulomb', 'static', 'viscous', 'pressure_difference', 'rod_pressure')
PARAMETERS = ('transition_velocity', *LINEAR)
UNITS = {'transition_velocity': 'm/s', 'coulomb': 'N', 'static': 'N', 'viscous': 'N s/m',
         'pressure_difference': 'm^2', 'rod_pressure': 'm^2'}


def terms(velocity, piston_pressure, rod_pressure, transition_velocity):
    """Return the factors of the coefficients LINEAR (k, 5).

    velocity [m/s] and pressures [Pa] (k); transition_velocity [m/s].
    """
    w = velocity / transition_velocity
    flat, bump = np.tanh(4.0 * w), w / (0.25 * w * w + 0.75) ** 2
    return np.stack([flat - bump, bump, velocity, np.abs(piston_pressure - rod_pressure) * flat,
                     rod_pressure * flat], axis=1)


def term_slopes(velocity, piston_pressure, rod_pressure, transition_velocity):
    """Return the derivatives of terms() by w = v / v_s (k, 5), without viscous friction."""
    w = velocity / transition_velocity
    flat = 4.0 * (1.0 - np.tanh(4.0 * w) ** 2)
    bump = 0.75 * (1.0 - w * w) / (0.25 * w * w + 0.75) ** 3
    return np.stack([flat - bump, bump, np.zeros_like(w),
                     np.abs(piston_pressure - rod_pressure) * flat, rod_pressure * flat], axis=1)


def friction_force(parameters, velocity, piston_pressure, rod_pressure):
    """Return the friction force against the motion (k) [N]; parameters: by name, PARAMETERS."""
    coefficients = np.array([parameters[name] for name in LINEAR])
    columns = terms(velocity, piston_pressure, rod_pressure, parameters['transition_velocity'])
    return columns @ coefficients
