"""Forces on a coordinate, or in the joint of two bodies by a coordinate that they add."""

from mb_model.constraints.relation import Coordinate
from mb_model.forces.acting import SCHEMA as ACTING

SCHEMA = {key: ACTING[key] for key in ('coordinate', 'bodies')}


def read_coordinate(entries, name, value, coordinates, bodies):
    """Return (the coordinate that a force acts on, Coordinates that it adds for this)."""
    path, given = f'forces.{name}', [key for key in SCHEMA if key in value]
    if len(given) != 1:
        entries.fail(path, 'must have one of coordinate and bodies')
    if 'coordinate' in value:
        return entries.one_of(f'{path}.coordinate', value['coordinate'], coordinates,
                              'coordinate'), ()
    names = entries.names(f'{path}.bodies', value['bodies'], bodies, 'body')
    added = Coordinate(f'{name}.angle', 'relative_angle', bodies=names)
    return added.name, (added,)
