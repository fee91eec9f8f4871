"""What a mechanism file may say, and a run will refuse: prototype, filters, steps of some ms.

By numbers alone, without the equations of motion: what a step does beyond that, a run says.
"""

from collections.abc import Iterator, Sequence
from math import pi, sqrt

import numpy as np

from mb_model.arrays import FloatArray
from mb_model.forces.acting import Stop
from mb_model.mechanism.analysis import analyse
from mb_model.mechanism.mechanism import Mechanism

_STEP = 5e-3            # s, of filters by default
_TURN = pi              # of its size, that a degree of freedom moves by in a step, most
_FASTEST = 1e4          # 1/s, of what settles or swings: a tenth of a millisecond
_STEEL = 7800.0         # kg/m^3
_MULTIBODY = 'the launch argument prototype:=multibody takes another'


def doubtful_runs(mechanism: Mechanism) -> Iterator[str]:
    """Yield a text for each number of a Mechanism that a run will refuse, which names its key."""
    unweighed = mechanism.described.unweighed
    yield from ([_unweighed(unweighed)] if unweighed else _weightless(mechanism))
    yield from _sensors(mechanism)
    yield from (f'start: {text}' for text in mechanism.beyond_limits(mechanism.q0))
    if mechanism.g:
        yield from _velocities(mechanism)
        if not unweighed:
            yield from _rates(mechanism)


def _unweighed(names: Sequence[str]) -> str:
    """Return a text about bodies whose mass the file does not say."""
    return (f'bodies.{", bodies.".join(names)}: no mass, so there are kinematics, readings and '
            'kinematic_kf alone; prototypes and all other filters refuse the file')


def _weightless(mechanism: Mechanism) -> Iterator[str]:
    """Yield texts about bodies without mass or inertia, which MuJoCo does not move."""
    sections = {section for body in mechanism.bodies.values()
                for section in getattr(body, 'sections', ())}
    for name, body in mechanism.bodies.items():
        line = getattr(body, 'slender', False) and body.mass > 0.0
        if line or body.beam is not None or name in sections:
            continue
        least = float(np.min(np.linalg.eigvalsh(body.inertia) if mechanism.dimension == 3
                             else body.inertia))
        if not (body.mass > 0.0 and least > 0.0):
            also = ', or slender: true' if mechanism.dimension == 3 and body.mass > 0.0 else ''
            ball = f', as {_inertia_of_ball(body.mass):.2g} of a ball of steel' * (body.mass > 0.0)
            yield (f'bodies.{name}: mass {body.mass:g} kg, inertia {least:g} kg m^2: the MuJoCo '
                   f'prototype needs both > 0{ball}{also}; {_MULTIBODY}')


def _inertia_of_ball(mass: float) -> float:
    """Return the moment of inertia of a ball of steel [kg m^2]."""
    return 0.4 * mass * (3.0 * mass / (4.0 * pi * _STEEL)) ** (2.0 / 3.0)


def _sensors(mechanism: Mechanism) -> Iterator[str]:
    """Yield texts about sensors that no filter reads."""
    sensors = mechanism.described.sensors
    if not sensors:
        yield 'sensors: none, and every filter needs one at least'
    for name, entry in sensors.items():
        if all(_is_zero(mechanism, entry.get(key, 0.0)) for key in ('sigma', 'resolution')):
            yield (f'sensors.{name}.sigma: 0: filters read sensors with noise only; expected its '
                   'standard deviation > 0, in the unit of the readings')


def _is_zero(mechanism: Mechanism, value: object) -> bool:
    """Return whether a value of the file, which another package has checked, is zero."""
    return isinstance(value, (int, float, str)) and mechanism.number(value) == 0.0


def _velocities(mechanism: Mechanism) -> Iterator[str]:
    """Yield texts about starts that are too fast for any step."""
    for name, rate, size in zip(mechanism.independent, mechanism.zd0, _sizes(mechanism),
                                strict=True):
        if abs(rate) * _STEP > _TURN * size:
            unit = mechanism.unit(name)
            yield (f'start_velocity.{name}: {rate:g} {unit}/s is {rate * _STEP:.3g} {unit} in a '
                   f'step of {1e3 * _STEP:g} ms; expected up to {_TURN * size / _STEP:.3g}')


def _rates(mechanism: Mechanism) -> Iterator[str]:
    """Yield texts about springs and dampers that are too stiff for what they move."""
    try:
        mobility = np.linalg.inv(analyse(mechanism, mechanism.q0).reduced_mass).diagonal()
    except np.linalg.LinAlgError:       # which the report of the mechanism says
        return
    for name, force in mechanism.described.forces.items():
        coordinate = getattr(force, 'coordinate', None)
        if coordinate not in mechanism.independent:
            continue
        by_force = abs(float(mobility[mechanism.independent.index(coordinate)]))
        for key, rate in (
                ('stiffness', sqrt(abs(_number(force, 'stiffness')) * by_force)),
                ('damping', abs(_number(force, 'damping')) * by_force),
                ('viscous', abs(_number(force, 'viscous')) * by_force)):
            if rate > _FASTEST:
                path = name if isinstance(force, Stop) else f'forces.{name}'
                yield (f'{path}.{key}: moves {coordinate} with {rate:.3g}/s, by the inertia '
                       f'there, expected up to {_FASTEST:g}/s: no step of a prototype or a filter '
                       'is as short; is it in N, m, rad and s, and has what it moves a mass?')


def _number(force: object, key: str) -> float:
    """Return a number of a force, 0 where it has none or a curve."""
    value = getattr(force, key, 0.0)
    return float(value) if isinstance(value, (int, float)) else 0.0


def _sizes(mechanism: Mechanism) -> FloatArray:
    """Return the sizes of the degrees of freedom (g): 1 rad, or of the mechanism [m]."""
    sizes: FloatArray = mechanism.model['scale'][0, mechanism.model['independent'][
        0, :mechanism.g]]
    return sizes
