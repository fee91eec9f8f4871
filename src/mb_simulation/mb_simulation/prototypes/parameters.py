"""Parameters of a mechanism file that change while a prototype of it runs."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from mb_model import Mechanism, require_sensible


def with_parameters(mechanism: Mechanism, values: Mapping[str, float]) -> Mechanism:
    """Return a mechanism with other values of its file's parameters, the geometry the same.

    values: name -> number.  Raises ValueError for unknown names, for values that the file cannot
    have or with which nothing can move, and for changed lengths or offsets: a running machine keeps
    its geometry.
    """
    for name, value in values.items():
        if name not in mechanism.parameters:
            raise ValueError(f'{mechanism.name}: {name}: unknown parameter, expected one of '
                             f'{", ".join(mechanism.parameters) or "none: the file has none"}')
        require_sensible(f'{mechanism.name}: {name}', value)
    try:
        changed = mechanism.replace(parameters=dict(values))
    except ArithmeticError as error:
        raise ValueError(f'{mechanism.name}: {", ".join(values)}: cannot be computed with: '
                         f'{error}') from error
    if _geometry(changed) != _geometry(mechanism):
        raise ValueError(f'{mechanism.name}: {", ".join(values)}: would change the geometry, which '
                         'a running prototype keeps')
    _require_motion(changed)
    return changed


def _require_motion(mechanism: Mechanism) -> None:
    """Raise ValueError for a mechanism that has no finite accelerations at its start."""
    with np.errstate(all='ignore'):
        zdd = mechanism.forward_dynamics(mechanism.z0, mechanism.zd0)
    if not np.isfinite(zdd).all():
        raise ValueError(f'{mechanism.name}: cannot move with these parameters: accelerations are '
                         'not finite')


def _geometry(mechanism: Mechanism) -> tuple[Any, ...]:
    """Return all data that determine the kinematics of a mechanism."""
    return ({name: point.position for name, point in mechanism.points.items() if point.fixed},
            {name: body.points for name, body in mechanism.bodies.items()},
            mechanism.described.constraints, _joints(mechanism))


def _joints(mechanism: Mechanism) -> tuple[list[Any], list[Any]]:
    """Return where a mechanism in space has its joints, and the offsets of its coordinates."""
    return ([(joint.name, joint.kind, joint.numbers, np.array(joint.offsets).tolist(),
              np.array(joint.frames).tolist()) for joint in mechanism.joints.values()],
            [(one.name, one.offsets) for one in mechanism.described.coordinates.values()]
            if mechanism.dimension == 3 else [])
