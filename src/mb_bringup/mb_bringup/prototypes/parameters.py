"""Parameters of a mechanism file that change while a prototype of it runs."""

from math import isfinite


def with_parameters(mechanism, values):
    """Return a mechanism with other values of its file's parameters, the geometry the same.

    values: name -> number.  Raises ValueError for unknown names, for values that the file cannot
    have, and where lengths or places would change: a running machine keeps those.
    """
    for name, value in values.items():
        if name not in mechanism.parameters:
            raise ValueError(f'{mechanism.name}: {name}: unknown parameter, expected one of '
                             f'{", ".join(mechanism.parameters) or "none: the file has none"}')
        if not isfinite(value):
            raise ValueError(f'{mechanism.name}: {name}: {value} must be finite')
    changed = mechanism.replace(parameters=dict(values))
    if _geometry(changed) != _geometry(mechanism):
        raise ValueError(f'{mechanism.name}: {", ".join(values)}: would change the geometry, which '
                         'a running prototype keeps')
    return changed


def _geometry(mechanism):
    """Return what decides the kinematics of a mechanism."""
    return ({name: point.position for name, point in mechanism.points.items() if point.fixed},
            {name: body.points for name, body in mechanism.bodies.items()},
            mechanism.described.constraints)
