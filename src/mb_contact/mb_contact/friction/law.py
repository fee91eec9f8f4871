"""Laws of friction as a sum of terms, each a coefficient times its factor.

Of a cylinder, in its velocity and gauge pressures:

    F = Fc (flat - bump) + Fs bump + sigma v + (C1 |p_piston - p_rod| + C2 p_rod) flat
    flat = tanh(4 w),  bump = w / (w^2 / 4 + 3/4)^2,  w = v / v_s

as in mb_model.hydraulics.  Source: Pyrhonen et al. 2023b, Eqs. (51)-(53).  Of a coordinate without
the pressures, as in mb_model's `friction`, by direction, as in its `directional_friction`, or with
shares of the load p that its drive carries, as in its `load_friction`: a |p| flat.  All
parameters but the transition velocity v_s enter linearly, which a fit makes use of.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from mb_model.arrays import FloatArray


@dataclass(frozen=True)
class FrictionLaw:
    """A law: the names of its coefficients, and their factors.

    terms(v, w, p_piston, p_rod): the factors (k, c) at velocities v (k), w = v / v_s and pressures
    [Pa], of a coordinate load and effort; slopes: their derivatives by w at constant v; excess:
    name of a static friction -> name of the Coulomb friction it is not less than; slide:
    coefficients that change the force by v, by name, with their factors (v, w) -> (k); what: moves;
    senses: names of both senses of motion; unit: of velocities, units: of coefficients.
    """

    linear: tuple[str, ...]
    terms: Callable[..., FloatArray]
    slopes: Callable[..., FloatArray]
    excess: Mapping[str, str]
    slide: Mapping[str, Callable[..., FloatArray]]
    what: str
    senses: tuple[str, str]
    unit: str
    units: Mapping[str, str]

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names of all parameters."""
        return ('transition_velocity', *self.linear)


def _curves(w: FloatArray) -> tuple[tuple[FloatArray, FloatArray], tuple[FloatArray, FloatArray]]:
    """Return flat and bump (k), and their derivatives."""
    flat, bulge = np.tanh(4.0 * w), 0.25 * w * w + 0.75
    return (flat, w / bulge ** 2), (4.0 * (1.0 - flat ** 2), 0.75 * (1.0 - w * w) / bulge ** 3)


def _cylinder_terms(v: FloatArray, w: FloatArray, piston_pressure: FloatArray,
                    rod_pressure: FloatArray) -> FloatArray:
    (flat, bump), _ = _curves(w)
    return np.stack([flat - bump, bump, v, np.abs(piston_pressure - rod_pressure) * flat,
                     rod_pressure * flat], axis=1)


def _cylinder_slopes(v: FloatArray, w: FloatArray, piston_pressure: FloatArray,
                     rod_pressure: FloatArray) -> FloatArray:
    _, (flat, bump) = _curves(w)
    return np.stack([flat - bump, bump, np.zeros_like(w),
                     np.abs(piston_pressure - rod_pressure) * flat, rod_pressure * flat], axis=1)


def _same(v: FloatArray, w: FloatArray) -> FloatArray:
    return np.ones_like(v)


CYLINDER = FrictionLaw(
    ('coulomb', 'static', 'viscous', 'pressure_difference', 'rod_pressure'), _cylinder_terms,
    _cylinder_slopes, {'static': 'coulomb'}, {'viscous': _same}, 'piston', ('out', 'in'), 'm/s',
    {'transition_velocity': 'm/s', 'coulomb': 'N', 'static': 'N', 'viscous': 'N s/m',
     'pressure_difference': 'm^2', 'rod_pressure': 'm^2'})


def _plain_terms(v: FloatArray, w: FloatArray, *pressures: FloatArray) -> FloatArray:
    return _cylinder_terms(v, w, 0.0 * v, 0.0 * v)[:, :3]


def _plain_slopes(v: FloatArray, w: FloatArray, *pressures: FloatArray) -> FloatArray:
    return _cylinder_slopes(v, w, 0.0 * v, 0.0 * v)[:, :3]


def _shares(w: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the shares of moving forward and backward (k), and the first one's derivative."""
    flat = np.tanh(4.0 * w)
    return 0.5 * (1.0 + flat), 0.5 * (1.0 - flat), 2.0 * (1.0 - flat ** 2)


def _by_sense(v: FloatArray, w: FloatArray, *pressures: FloatArray) -> FloatArray:
    columns, (forward, backward, _) = _plain_terms(v, w), _shares(w)
    return np.stack([share * column for column in columns.T for share in (forward, backward)],
                    axis=1)


def _slopes_by_sense(v: FloatArray, w: FloatArray, *pressures: FloatArray) -> FloatArray:
    columns, slopes, (forward, backward, change) = (
        _plain_terms(v, w), _plain_slopes(v, w), _shares(w))
    return np.stack([share * slope + sign * change * column
                     for column, slope in zip(columns.T, slopes.T, strict=True)
                     for share, sign in ((forward, 1.0), (backward, -1.0))], axis=1)


def _loads(flat: FloatArray, load: FloatArray, driven: bool) -> list[FloatArray]:
    """Return the factors of load_share and, if there is one, of load_share_driven, a list."""
    whole = np.abs(load) * flat
    return [whole * (load * flat >= 0.0), whole * (load * flat < 0.0)] if driven else [whole]


def _by_load(driven: bool) -> tuple[Callable[..., FloatArray], Callable[..., FloatArray]]:
    """Return terms and slopes of friction by load; driven: whether the load has its own share."""
    def terms(v: FloatArray, w: FloatArray, load: FloatArray, nothing: FloatArray) -> FloatArray:
        return np.column_stack([_plain_terms(v, w), *_loads(np.tanh(4.0 * w), load, driven)])

    def slopes(v: FloatArray, w: FloatArray, load: FloatArray, nothing: FloatArray) -> FloatArray:
        (flat, _), (steep, _) = _curves(w)
        sides = _loads(np.sign(flat), load, driven)
        return np.column_stack([_plain_slopes(v, w), *(
            np.sign(flat) * side * steep for side in sides)])

    return terms, slopes


SENSES = ('forward', 'backward')
LOAD_SHARES = ('load_share', 'load_share_driven')


def coordinate_law(angle: bool, directional: bool) -> FrictionLaw:
    """Return the law of friction on an angle or a length, by sense or alike in both."""
    unit, force, viscous = (('rad/s', 'N m', 'N m s/rad') if angle else ('m/s', 'N', 'N s/m'))
    keys = {'coulomb': force, 'static': force, 'viscous': viscous}
    if not directional:
        return FrictionLaw(tuple(keys), _plain_terms, _plain_slopes, {'static': 'coulomb'},
                           {'viscous': _same}, 'coordinate', SENSES, unit,
                           {'transition_velocity': unit} | keys)
    names = {f'{key}_{sense}': of for key, of in keys.items() for sense in SENSES}
    return FrictionLaw(
        tuple(names), _by_sense, _slopes_by_sense,
        {f'static_{sense}': f'coulomb_{sense}' for sense in SENSES},
        {f'viscous_{sense}': lambda v, w, side=side: _shares(w)[side]
         for side, sense in enumerate(SENSES)}, 'coordinate', SENSES, unit,
        {'transition_velocity': unit} | names)


def load_law(angle: bool, driven: bool) -> FrictionLaw:
    """Return the law of friction by load on an angle or a length.

    driven: whether the share is another one where the load moves the drive.
    """
    plain, shares = coordinate_law(angle, directional=False), LOAD_SHARES[:1 + driven]
    terms, slopes = _by_load(driven)
    return replace(plain, linear=(*plain.linear, *shares), terms=terms, slopes=slopes,
                   units={**plain.units, **dict.fromkeys(shares, '1')})


def friction_force(parameters: Mapping[str, float], velocity: FloatArray,
                   piston_pressure: FloatArray, rod_pressure: FloatArray,
                   law: FrictionLaw = CYLINDER) -> FloatArray:
    """Return the friction force against the motion (k) [N]; parameters: of the law, by name."""
    coefficients = np.array([parameters[name] for name in law.linear])
    return law.terms(velocity, velocity / parameters['transition_velocity'], piston_pressure,
                     rod_pressure) @ coefficients
