"""Forces in space with the law of one in the plane: on a coordinate, or between two places."""

from typing import Any

from mb_model.forces.element import ForceKind
from mb_model.forces.kinds import (
    by_law,
    characteristic,
    directional_friction,
    load_friction,
    lugre,
)
from mb_model.space.body import TWO_PLACES, read_places
from mb_model.space.coordinate import SpatialCoordinate
from mb_model.space.force import SpatialForceKind


def _in_space_too(kind: ForceKind) -> SpatialForceKind:
    """Return the kind of forces in space with the law of one in the plane.

    Between two places it adds their distance to the coordinates and acts on that, which is called
    after the force with .distance behind.  States of the law are coordinates as in the plane.
    """
    needed = [key for key in kind.schema['required'] if key != 'coordinate']
    properties = {key: value for key, value in kind.schema['properties'].items()
                  if key not in ('points', 'bodies')}

    def read(entries: Any, name: str, value: Any, names: Any, bodies: Any) -> Any:
        path = f'forces.{name}'
        if ('coordinate' in value) == ('bodies' in value):
            entries.fail(path, 'must have one of coordinate and bodies')
        if 'bodies' not in value:
            force, states = kind.read(entries, name, value, names, {}, {})
            return force, _states_in_space(states)
        if 'at' not in value:
            entries.fail(f'{path}.at', 'missing: the places between which it acts')
        distance = f'{name}.distance'
        on, places = read_places(entries, path, value, bodies)
        law = {key: item for key, item in value.items() if key not in ('bodies', 'at')}
        force, states = kind.read(entries, name, law | {'coordinate': distance}, {distance: None},
                                  {}, {})
        return force, (SpatialCoordinate(distance, 'distance', 'm', bodies=on, places=places),
                       *_states_in_space(states))

    properties |= {'bodies': {'$ref': '#/$defs/two_names',
                              'description': 'Or the bodies between which it acts.'},
                   'at': TWO_PLACES}
    schema = kind.schema | {'required': needed, 'properties': properties}
    return SpatialForceKind(kind.name, schema, read, kind.element, kind.parameters)


def _states_in_space(states: Any) -> tuple[SpatialCoordinate, ...]:
    """Return the Coordinates that are states of a law as SpatialCoordinates."""
    return tuple(SpatialCoordinate(one.name, one.kind, one.unit, inertia=one.inertia, of=one.of)
                 for one in states)


FORCES = tuple(map(_in_space_too, (
    *by_law.FORCES, *characteristic.FORCES, *lugre.FORCES, directional_friction.FORCE,
    load_friction.FORCE)))
