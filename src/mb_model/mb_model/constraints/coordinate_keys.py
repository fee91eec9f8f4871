"""Keys that entries of coordinates share: inertia behind a gear, and limits."""

from dataclasses import replace
from math import inf
from typing import Any

from mb_model.constraints.relation import Coordinate

# Of coordinates that are one angle or length.
SCHEMA = {
    'armature': {
        '$ref': '#/$defs/not_negative', 'default': 0.0,
        'description': 'Inertia that the rate of the coordinate moves beside bodies, as of a rotor '
                       'behind a gear: its own times the square of the ratio [kg m^2 or kg].'},
    'limits': {
        'type': 'object', 'title': 'lower, upper or both', 'additionalProperties': False,
        'minProperties': 1,
        'properties': {
            'lower': {'$ref': '#/$defs/number', 'description': 'The least value [rad or m].'},
            'upper': {'$ref': '#/$defs/number', 'description': 'The largest value [rad or m].'},
            'stiffness': {
                '$ref': '#/$defs/positive',
                'description': 'Of the stop at each limit [N m/rad or N/m]; without it limits are '
                               'information, and no force keeps them.'},
            'damping': {
                '$ref': '#/$defs/not_negative', 'default': 0.0,
                'description': 'Of the stops [N m s/rad or N s/m], which never pull.'}},
        'description': 'Between what it stays: branches of the assembly are chosen by it, and a '
                       'start or an estimate outside of it is reported.'}}


def with_keys(entries: Any, path: str, coordinate: Coordinate, value: dict[str, Any]) -> Coordinate:
    """Return a coordinate with the numbers of SCHEMA in its entry; raises MechanismError."""
    limits = value.get('limits', {})
    lower, upper = limits.get('lower', -inf), limits.get('upper', inf)
    if limits and not lower < upper:
        entries.fail(f'{path}.limits.lower', f'{lower:g} must be < upper, {upper:g}')
    if limits and lower == -inf and upper == inf:
        entries.fail(f'{path}.limits', 'must have lower, upper or both')
    damping = limits.get('damping', 0.0)
    if damping > 0.0 and 'stiffness' not in limits:
        entries.fail(f'{path}.limits.stiffness', 'missing, it goes with damping')
    return replace(coordinate, armature=value.get('armature', 0.0), lower=lower, upper=upper,
                   stop=(limits.get('stiffness', 0.0), damping))
