"""The JSON schema of joints: what all kinds have, and what a kind adds."""

from collections.abc import Iterable
from typing import Any

from mb_model.space.joint import JointKind

_BODIES = {
    'bodies': {'$ref': '#/$defs/two_names',
               'description': 'The bodies it ties; `ground` is one, and is at rest.'},
    'at': {'$ref': '#/$defs/two_places',
           'description': 'The place on each body, in its own frame [m] or by the name of a point; '
                          'one name if both have a point of that name.'}}
_AXIS = {'$ref': '#/$defs/vector3', 'description': 'Its direction, the same numbers in the frames '
                                                   'of both bodies.'}
_AXES = {'$ref': '#/$defs/two_vectors', 'description': 'Or its direction in the frame of each.'}
_REFERENCES = {
    '$ref': '#/$defs/two_vectors',
    'description': 'A direction in the frame of each body, across the axis, which agree at angle '
                   '0; without it the second is turned against the first in the least way that '
                   'makes the axes agree.'}
_BY_AXIS = {
    'common': {'axis': _AXIS, 'axes': _AXES, 'references': _REFERENCES},
    'two': {'axes': {'$ref': '#/$defs/two_vectors',
                     'description': 'The axis of each body, in its own frame.'},
            'references': {'$ref': '#/$defs/two_vectors',
                           'description': 'A direction in the frame of each body, across its axis, '
                                          'from which the angle of the other axis counts.'}},
    'first': {'axis': {'$ref': '#/$defs/vector3',
                       'description': 'Its direction in the frame of the first body.'}},
    '': {}}
_REQUIRED = {'two': ['axes'], 'first': ['axis']}


def joint_schemas(kinds: Iterable[JointKind]) -> list[dict[str, Any]]:
    """Return the schema of an entry of every kind of joints."""
    return [{'description': kind.schema['description'], 'additionalProperties': False,
             'required': ['kind', 'bodies', 'at', *_REQUIRED.get(kind.axis, ()),
                          *kind.schema.get('required', ())],
             'properties': {'kind': {'const': kind.name}, **_BODIES, **_BY_AXIS[kind.axis],
                            **kind.schema.get('properties', {})}}
            for kind in kinds if not kind.inner]
