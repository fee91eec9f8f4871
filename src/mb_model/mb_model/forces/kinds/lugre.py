"""Friction with bristles that bend and slide, see forces.bristles: LuGre's, and elastoplastic.

Elastoplastic bristles only bend up to a share of the force of sliding.  A force below that share
moves a body elastically and does not let it creep, as LuGre's does.
"""

from dataclasses import dataclass

from mb_model.constraints.relation import Coordinate
from mb_model.forces import bristles
from mb_model.forces.acting import ON_TURN, read_coordinate
from mb_model.forces.bristles import LUGRE as BENDS_ALWAYS, SLOTS
from mb_model.forces.element import Element, ForceKind

ELEMENT = bristles.ELEMENT

_KEYS = ON_TURN | {
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
_REQUIRED = ['stiffness', 'coulomb']


@dataclass(frozen=True)
class BristleFriction:
    """Friction on a coordinate whose bristles have a coordinate of their own."""

    name: str
    kind: str
    coordinate: str
    bristles: str
    values: tuple[float, ...]


def _read_bristles(entries, name, value, coordinates, bodies, kind, breakaway):
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


def _element(layout, force):
    """Return the Element of a BristleFriction."""
    return Element('bristles', (layout.place(force.coordinate), layout.place(force.bristles)),
                   force.values)


def _parameters(key, value):
    """Return the places of a number of an entry in its element's values."""
    if key == 'coulomb' and 'static' not in value:
        return SLOTS['coulomb'], SLOTS['static']
    return (SLOTS[key],) if key in _KEYS and key in SLOTS else ()


def _read_lugre(entries, name, value, coordinates, points, bodies):
    return _read_bristles(entries, name, value, coordinates, bodies, 'lugre', BENDS_ALWAYS)


LUGRE = ForceKind('lugre', {
    'description': 'Friction of the LuGre model on a coordinate or about the joint of two bodies: '
                   'bristles bend before the surfaces slide.  Their deflection is the rate of a '
                   'coordinate that it adds, called after it with .bristles behind.',
    'required': _REQUIRED, 'properties': _KEYS,
}, _read_lugre, _element, _parameters)


def _read_elastoplastic(entries, name, value, coordinates, points, bodies):
    if not value['breakaway'] < 1.0:
        entries.fail(f'forces.{name}.breakaway', f'{value["breakaway"]:g} must be < 1')
    return _read_bristles(entries, name, value, coordinates, bodies, 'elastoplastic',
                         value['breakaway'])


def _elastoplastic_parameters(key, value):
    return (SLOTS[key],) if key == 'breakaway' else _parameters(key, value)


ELASTOPLASTIC = ForceKind('elastoplastic', {
    'description': 'Elastoplastic friction on a coordinate or about the joint of two bodies: as '
                   '`lugre`, but bristles only bend up to a share of the force of sliding.',
    'required': _REQUIRED,
    'properties': _KEYS | {
        'breakaway': {'$ref': '#/$defs/not_negative', 'default': 0.7,
                      'description': 'The share of the steady deflection up to which bristles only '
                                     'bend [0 to 1].'}},
}, _read_elastoplastic, _element, _elastoplastic_parameters)

FORCES = LUGRE, ELASTOPLASTIC
