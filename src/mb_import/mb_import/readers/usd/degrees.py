"""What joints of UsdPhysics leave free: a kind of joint, its axes and limits."""

from dataclasses import dataclass
from math import inf, isfinite, radians
from typing import Any

import numpy as np

from mb_import.readers.usd.stage import Stage
from mb_import.readers.usd.values import number, word
from mb_model.arrays import FloatArray

_AXES = {'X': np.array([1.0, 0.0, 0.0]), 'Y': np.array([0.0, 1.0, 0.0]),
         'Z': np.array([0.0, 0.0, 1.0])}
_TYPES = {'PhysicsFixedJoint': 'weld', 'PhysicsSphericalJoint': 'spherical',
          'PhysicsRevoluteJoint': 'revolute', 'PhysicsPrismaticJoint': 'prismatic',
          'PhysicsDistanceJoint': 'distance'}


@dataclass(frozen=True)
class Freedom:
    """kind: of LinkJoint; limits [rad or m]; length: of a distance [m]."""

    kind: str
    axis: FloatArray | None = None
    second_axis: FloatArray | None = None
    lower: float = -inf
    upper: float = inf
    length: float = 0.0


def freedom_of(prim: Any, stage: Stage, item: str) -> Freedom | None:
    """Return the Freedom of a joint, None with a note if it is none of a mechanism.

    Raises MechanismError.
    """
    type_ = str(prim.GetTypeName())
    kind = _TYPES.get(type_)
    if type_ == 'PhysicsJoint':
        return _of_limits(prim, stage, item)
    if kind is None:
        stage.notes.left_out(item, f'{type_} is no joint of a mechanism')
        return None
    if kind == 'distance':
        return _distance(prim, stage, item)
    if kind in ('weld', 'spherical'):
        if any(number(prim, f'physics:coneAngle{index}Limit', stage, -1.0) >= 0.0
               for index in (0, 1)):
            stage.notes.left_out(item, 'its cone of limits: coordinates alone have limits')
        return Freedom(kind)
    axis = word(prim, 'physics:axis', 'X')
    if axis not in _AXES:
        raise stage.notes.error(item, f'axis {axis[:20]!r} must be X, Y or Z')
    lower, upper = _limits(prim, 'physics:lowerLimit', 'physics:upperLimit', stage,
                           turns=kind == 'revolute')
    if lower >= upper:
        stage.notes.changed(item, f'its limits {lower:g} and {upper:g} have nothing between them: '
                                  'read as none')
        lower, upper = -inf, inf
    return Freedom(kind, _AXES[axis], lower=lower, upper=upper)


def _limits(prim: Any, low: str, high: str, stage: Stage, *,
            turns: bool) -> tuple[float, float]:
    """Return limits in radians or metres, infinite where there are none."""
    pair = []
    for name, default in ((low, -inf), (high, inf)):
        value = number(prim, name, stage, default, infinite=True)
        pair.append(value if not isfinite(value) else radians(value) if turns
                    else stage.metre * value)
    return pair[0], pair[1]


def _distance(prim: Any, stage: Stage, item: str) -> Freedom | None:
    """Return a rod between two points; a rope between two lengths is none."""
    least, most = (number(prim, f'physics:{name}Distance', stage, -1.0) for name in ('min', 'max'))
    if least < 0.0 or least != most:
        stage.notes.left_out(item, f'a distance from {least:g} to {most:g} holds nothing always')
        return None
    if least == 0.0:
        return Freedom('spherical')
    return Freedom('distance', length=stage.metre * least)


def _of_limits(prim: Any, stage: Stage, item: str) -> Freedom | None:
    """Return what a joint of six axes leaves free: not axes with a low limit above the high one.

    Source: UsdPhysicsLimitAPI.
    """
    free: dict[str, tuple[float, float]] = {}
    for name in ('transX', 'transY', 'transZ', 'rotX', 'rotY', 'rotZ'):
        at = f'limit:{name}:physics'
        lower, upper = _limits(prim, f'{at}:low', f'{at}:high', stage,
                               turns=name.startswith('rot'))
        if lower <= upper:
            free[name] = lower, upper
    slides = [name[-1] for name in free if name.startswith('trans')]
    turns = [name[-1] for name in free if name.startswith('rot')]
    freedom = _kind(slides, turns, free)
    if freedom is None:
        what = ' and '.join(free) or 'nothing'
        stage.notes.left_out(item, f'leaves {what} free: no joint of a mechanism does')
    elif len(free) > 1 and any(map(isfinite, (one for pair in free.values() for one in pair))):
        stage.notes.left_out(item, 'limits of several axes: coordinates alone have limits')
    return freedom


def _kind(slides: list[str], turns: list[str],
          free: dict[str, tuple[float, float]]) -> Freedom | None:
    if not free:
        return Freedom('weld')
    if len(free) == 1:
        (lower, upper), = free.values()
        axis = _AXES[(slides + turns)[0]]
        return Freedom('revolute' if turns else 'prismatic', axis, lower=lower, upper=upper)
    if slides == turns and len(turns) == 1:
        return Freedom('cylindrical', _AXES[turns[0]])
    if not slides and len(turns) == 3:
        return Freedom('spherical')
    if not slides:
        return Freedom('universal', _AXES[turns[0]], _AXES[turns[1]])
    if len(slides) == 2 and len(turns) == 1 and turns[0] not in slides:
        return Freedom('planar', _AXES[turns[0]])
    return None
