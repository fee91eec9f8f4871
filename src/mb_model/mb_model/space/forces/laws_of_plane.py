"""Forces in space with the law of one in the plane: on a coordinate, or between two points."""

from typing import Any

from mb_model.constraints.relation import Coordinate
from mb_model.forces.element import ForceKind
from mb_model.forces.kinds import (
    by_law,
    characteristic,
    directional_friction,
    load_friction,
    lugre,
    stop,
)
from mb_model.space.body import TWO_OFFSETS, read_offsets


def _in_space_too(kind: ForceKind) -> ForceKind:
    """Return the kind of forces in space with the law of one in the plane.

    Between two points it adds their distance to the coordinates and acts on that, which is called
    after the force with .distance behind.  States of the law are coordinates as in the plane.
    """
    needed = [key for key in kind.schema['required'] if key != 'coordinate']
    properties = {key: value for key, value in kind.schema['properties'].items()
                  if key not in ('points', 'bodies')}

    def read(entries: Any, name: str, value: Any, coordinates: Any, points: Any,
             bodies: Any) -> Any:
        path = f'forces.{name}'
        if ('coordinate' in value) == ('bodies' in value):
            entries.fail(path, 'must have one of coordinate and bodies')
        if 'bodies' not in value:
            return kind.read(entries, name, value, coordinates, {}, {})
        if 'at' not in value:
            entries.fail(f'{path}.at', 'missing: the points between which it acts')
        distance = f'{name}.distance'
        on, offsets = read_offsets(entries, path, value, bodies)
        law = {key: item for key, item in value.items() if key not in ('bodies', 'at')}
        force, states = kind.read(entries, name, law | {'coordinate': distance}, {distance: None},
                                  {}, {})
        return force, (Coordinate(distance, 'distance', 'm', bodies=on, offsets=offsets), *states)

    properties |= {'bodies': {'$ref': '#/$defs/two_names',
                              'description': 'Or the bodies between which it acts.'},
                   'at': TWO_OFFSETS}
    schema = kind.schema | {'required': needed, 'properties': properties}
    return ForceKind(kind.name, schema, read, kind.element, kind.parameters, kind.follows)


FORCES = (*map(_in_space_too, (
    *by_law.FORCES, *characteristic.FORCES, *lugre.FORCES, directional_friction.FORCE,
    load_friction.FORCE)), stop.FORCE)
