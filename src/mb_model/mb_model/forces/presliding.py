"""Friction with bristles in mechanism files: what its kinds share."""

from dataclasses import dataclass

from mb_model.constraints.relation import Coordinate
from mb_model.forces.bristles import SLOTS
from mb_model.forces.element import Element
from mb_model.forces.turning import SCHEMA, read_coordinate

KEYS = SCHEMA | {
    'stiffness': {'$ref': '#/$defs/positive',
                  'description': 'Of the bristles, sigma0 [N/m or N m/rad].'},
    'damping': {'$ref': '#/$defs/not_negative', 'default': 0.0,
                'description': 'Of the bristles, sigma1 [N s/m or N m s/rad].'},
    'viscous': {'$ref': '#/$defs/not_negative', 'default': 0.0,
                'description': 'Viscous friction, sigma2 [N s/m or N m s/rad].'},
    'coulomb': {'$ref': '#/$defs/positive',
                'description': 'Dry friction while sliding [N or N m].'},
    'static': {'$ref': '#/$defs/positive',
               'description': 'Friction of very slow sliding [N or N m], at least `coulomb`, which '
                              'is the default.'},
    'stribeck_velocity': {
        '$ref': '#/$defs/positive',
        'description': 'Velocity at which friction falls from `static` to `coulomb` [m/s or '
                       'rad/s]; needed where these differ.'}}
REQUIRED = ['stiffness', 'coulomb']


@dataclass(frozen=True)
class BristleFriction:
    """Friction on a coordinate whose bristles have a coordinate of their own."""

    name: str
    kind: str
    coordinate: str
    bristles: str
    values: tuple[float, ...]


def read_bristles(entries, name, value, coordinates, bodies, kind, breakaway):
    """Return (BristleFriction, Coordinates that it adds) of an entry of a kind."""
    coordinate, added = read_coordinate(entries, name, value, coordinates, bodies)
    path, coulomb = f'forces.{name}', value['coulomb']
    static = value.get('static', coulomb)
    if static < coulomb:
        entries.fail(f'{path}.static', f'{static:g} must be >= {coulomb:g}')
    if static > coulomb and 'stribeck_velocity' not in value:
        entries.fail(f'{path}.stribeck_velocity', 'missing: beyond it friction falls from static '
                                                  'to coulomb')
    stiffness = value['stiffness']
    own = Coordinate(f'{name}.bristles', 'bristles', inertia=stiffness, of=coordinate)
    return BristleFriction(name, kind, coordinate, own.name, (
        stiffness, value['damping'], value['viscous'], coulomb, static,
        value.get('stribeck_velocity', 1.0), breakaway, stiffness)), (*added, own)


def bristle_element(layout, force):
    """Return the Element of a BristleFriction."""
    return Element('bristles', (layout.place(force.coordinate), layout.place(force.bristles)),
                   force.values)


def bristle_parameters(key, value):
    """Return the places of a number of an entry in its element's values."""
    if key == 'coulomb' and 'static' not in value:
        return SLOTS['coulomb'], SLOTS['static']
    return (SLOTS[key],) if key in KEYS and key in SLOTS else ()
