"""Friction by bristles that bend before the surfaces slide: its law, and its element.

The mean deflection z of the bristles is a state.  With s = sigma0 z sgn(v) / g(v), the deflection
as a share of that of steady sliding,

    z' = v (1 - alpha(s) s),   F = -(sigma0 z + sigma1 z' + sigma2 v),
    g(v) = Fc + (Fs - Fc) exp(-(v / vs)^2)

    alpha = 1                                                                      LuGre
    alpha = 0 to the share b (and where z and v differ in sign), 1 from s = 1 on,
            (1 + sin(pi (s - (1 + b) / 2) / (1 - b))) / 2 between                  elastoplastic

Sources: Canudas de Wit, Olsson, Astrom, Lischinsky 1995 (IEEE TAC 40(3)), Eqs. (1)-(4); Dupont,
Hayward, Armstrong, Altpeter 2002 (IEEE TAC 47(5)), Eqs. (10)-(14).

z is the rate of a coordinate of its own, which nothing else touches and whose inertia is sigma0.
So every formulation, integrator and filter has it among its states, and the kinetic energy of that
coordinate is sigma0 z^2 / 2, the energy of the bent bristles.
"""

from math import cos, exp, pi, sin

from mb_model.forces.element import ElementKind
from mb_model.jit import entry, kernel

# values: sigma0, sigma1, sigma2, Fc, Fs, vs, b (negative: LuGre), inertia
SLOTS = {'stiffness': 0, 'damping': 1, 'viscous': 2, 'coulomb': 3, 'static': 4,
         'stribeck_velocity': 5, 'breakaway': 6}
LUGRE = -1.0            # b of a law without a share below which bristles bend alone


@kernel
def sliding(s, b):
    """Return 1 - alpha(s) s, and its derivatives by s and b."""
    if b < 0.0 or s >= 1.0:
        return 1.0 - s, -1.0, 0.0
    if s <= b:
        return 1.0, 0.0, 0.0
    width = 1.0 - b
    angle = pi * (s - 0.5 * (1.0 + b)) / width
    alpha, steep = 0.5 * (1.0 + sin(angle)), 0.5 * pi * cos(angle) / width
    return 1.0 - alpha * s, -alpha - steep * s, steep * s * (1.0 - s) / width


@kernel
def steady(values, v):
    """Return g(v) [N or N m], its derivative by v, and the share of Fs in it."""
    w = v / values[5]
    peak = exp(-w * w)
    excess = (values[4] - values[3]) * peak
    return values[3] + excess, -2.0 * w / values[5] * excess, peak


@entry
def bend(values, z, v):
    """Return z' [m/s or rad/s], and its derivatives by z and by v."""
    sign = 1.0 if v >= 0.0 else -1.0
    g, slope, _ = steady(values, v)
    s = values[0] * z * sign / g
    free, by_s, _ = sliding(s, values[6])
    return v * free, abs(v) * by_s * values[0] / g, free - v * by_s * s * slope / g


@kernel
def add(index, values, q, qd, Q):
    """Add its generalized forces to Q: on the coordinate, and on that of the bristles."""
    x, bristles = index[0], index[1]
    z, v = qd[bristles], qd[x]
    rate, _, _ = bend(values, z, v)
    Q[x] -= values[0] * z + values[1] * rate + values[2] * v
    Q[bristles] += values[7] * rate


@kernel
def change(index, values, q, qd, dq, dqd, e):
    """Return e^T dQ for the changes dq, dqd."""
    x, bristles = index[0], index[1]
    dz, dv = dqd[bristles], dqd[x]
    _, by_z, by_v = bend(values, qd[bristles], qd[x])
    rate = by_z * dz + by_v * dv
    return (values[7] * rate * e[bristles]
            - (values[0] * dz + values[1] * rate + values[2] * dv) * e[x])


@kernel
def value_change(index, values, changes, q, qd, e):
    """Return e^T dQ for changes of its values."""
    x, bristles = index[0], index[1]
    z, v = qd[bristles], qd[x]
    sign, (g, _, peak) = 1.0 if v >= 0.0 else -1.0, steady(values, v)
    s, w = values[0] * z * sign / g, v / values[5]
    free, by_s, by_b = sliding(s, values[6])
    dg = (changes[3] * (1.0 - peak) + changes[4] * peak
          + (values[4] - values[3]) * peak * 2.0 * w * w / values[5] * changes[5])
    ds = s * (changes[0] / values[0] - dg / g)
    rate = v * (by_s * ds + by_b * changes[6])
    return ((values[7] * rate + changes[7] * v * free) * e[bristles]
            - (changes[0] * z + changes[1] * v * free + values[1] * rate + changes[2] * v) * e[x])


@kernel
def add_slopes(index, values, q, qd, stiffness_share, damping_share, out):
    """Add shares of its damping to out: of the motion, and of the bristles that slip."""
    x, bristles = index[0], index[1]
    _, by_z, by_v = bend(values, qd[bristles], qd[x])
    out[x, x] += damping_share * max(values[2] + values[1] * by_v, 0.0)
    out[bristles, bristles] += damping_share * max(-values[7] * by_z, 0.0)


@kernel
def power(index, values, q, qd):
    """Return (driving, lost) power [W]; the energy of bent bristles is kinetic, see above."""
    z, v = qd[index[1]], qd[index[0]]
    rate, _, _ = bend(values, z, v)
    return 0.0, (values[0] * z + values[1] * rate + values[2] * v) * v - values[7] * rate * z


ELEMENT = ElementKind('bristles', add, change, value_change, power, add_slopes,
                      positive=frozenset(SLOTS.values()) - {SLOTS['breakaway']}, is_rare=True)
