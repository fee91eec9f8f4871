"""A force that depends on a length or angle and its rate: spring, damper, friction, drive.

    F = F0 - k (x - x0) - d v - Fc tanh(4 w) - (Fs - Fc) w / (w^2 / 4 + 3/4)^2,    w = v / vt

Friction grows to about Fs at the transition velocity vt and falls to Fc beyond; with Fs = Fc it is
Coulomb friction, continuous at rest.  Source: Brown and McPhee 2016 (a friction force model for
dynamics, control and real-time simulation), with given friction forces instead of normal forces.
values: F0, k, x0, d, Fc, Fs, vt; N or N m, per m or rad, and so on.
"""

from math import tanh
from typing import Any

from mb_model.jit import entry, kernel

# key of a file -> its slot in values
SLOTS = {'force': 0, 'stiffness': 1, 'rest': 2, 'damping': 3, 'viscous': 3, 'coulomb': 4,
         'static': 5, 'transition_velocity': 6}
POSITIVE = frozenset(SLOTS.values()) - {SLOTS['force'], SLOTS['rest']}


@kernel
def dry(coulomb, static, w):
    """Return dry friction at w = v / vt, its derivative by w, and its parts of Fc and Fs alone."""
    bulge, flat = 0.25 * w * w + 0.75, tanh(4.0 * w)
    excess, peak = static - coulomb, w / (bulge * bulge)
    return (coulomb * flat + excess * w / (bulge * bulge),
            4.0 * coulomb * (1.0 - flat * flat) + excess * 0.75 * (1.0 - w * w) / bulge ** 3,
            flat, peak)


def read_static(entries: Any, name: str, value: dict[str, Any], ending: str = '') -> float:
    """Return the static friction of a force in a file, which is not less than its Coulomb friction.

    ending: of the keys.
    """
    coulomb = value[f'coulomb{ending}']
    static = value.get(f'static{ending}', coulomb)
    if static < coulomb:
        entries.fail(f'forces.{name}.static{ending}', f'{static:g} must be >= {coulomb:g}')
    return static


@entry
def force(values, x, v):
    """Return F [N or N m]."""
    total = values[0] - values[1] * (x - values[2]) - values[3] * v
    coulomb, static = values[4], values[5]
    if static > 0.0:                    # the first of what `dry` returns, without the others
        w = v / values[6]
        bulge = 0.25 * w * w + 0.75
        total -= coulomb * tanh(4.0 * w) + (static - coulomb) * w / (bulge * bulge)
    return total


@entry
def slopes(values, v):
    """Return (-dF/dx, -dF/dv): stiffness and damping."""
    damping = values[3]
    if values[5] > 0.0:
        damping += dry(values[4], values[5], v / values[6])[1] / values[6]
    return values[1], damping


@kernel
def value_change(values, changes, x, v):
    """Return the change of F with the changes of its values."""
    w = v / values[6]
    _, sharpness, flat, peak = dry(values[4], values[5], w)
    return (changes[0] - changes[1] * (x - values[2]) + values[1] * changes[2] - changes[3] * v
            - changes[4] * (flat - peak) - changes[5] * peak
            + sharpness * w / values[6] * changes[6])


@kernel
def energy(values, x):
    """Return the energy of the spring [J]."""
    return 0.5 * values[1] * (x - values[2]) * (x - values[2])


@kernel
def power(values, x, v):
    """Return (power of the constant force, power lost in damper and friction) [W]."""
    spring = values[1] * (x - values[2])
    return values[0] * v, (values[0] - spring - force(values, x, v)) * v
