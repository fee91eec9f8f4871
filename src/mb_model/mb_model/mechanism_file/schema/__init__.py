"""The JSON schema of mechanism files: what keys there are, what they take, what they mean."""

from collections.abc import Iterable, Mapping
from functools import cache
from importlib import resources
from importlib.metadata import entry_points
import json
from typing import Any

from mb_model.registry import spatial
from mb_model.registry.constraints import CONSTRAINTS, COORDINATES
from mb_model.registry.forces import FORCES
from mb_model.registry.joints import COORDINATES as SPATIAL_COORDINATES, JOINTS
from mb_model.shapes import SHAPES
from mb_model.space.joint import JointKind
from mb_model.space.shape import SCHEMA as SOLIDS
from mb_model.valves.kinds import VALVES

_GROUP = 'mb_model.schema'


@cache
def load_schema() -> dict[str, Any]:
    """Return the JSON schema (draft 2020-12) of mechanism files as a mapping; do not change it."""
    file = resources.files(__name__) / 'mechanism.schema.json'
    schema = json.loads(file.read_text(encoding='utf-8'))
    schema.pop('$comment')
    for name, kinds in (('coordinate', COORDINATES), ('constraint', CONSTRAINTS),
                        ('force', FORCES), ('shape', SHAPES), ('valve', VALVES)):
        schema['$defs'][name]['oneOf'] = _alternatives(kinds.values())
    schema['$defs'] |= _of_space()
    return schema


def _of_space() -> dict[str, Any]:
    """Return the definitions of files with `dimension: 3`."""
    file = resources.files(__name__) / 'spatial.schema.json'
    definitions = json.loads(file.read_text(encoding='utf-8'))['$defs']
    for name, alternatives in (
            ('joint', _joint_schemas(JOINTS.values())), ('solid', SOLIDS),
            ('spatial_coordinate', _alternatives(SPATIAL_COORDINATES.values())),
            ('spatial_constraint', _alternatives(kind for kind in CONSTRAINTS.values()
                                                 if kind.in_space)),
            ('spatial_force', _alternatives(spatial.FORCES.values()))):
        definitions[name]['oneOf'] = alternatives
    return definitions


def definition_for(raw: Mapping[str, Any], name: str) -> str:
    """Return what a definition is called for the mapping of a file, of its dimension."""
    return f'spatial_{name}' if raw.get('dimension') == 3 else name


def _alternatives(kinds: Iterable[Any]) -> list[dict[str, Any]]:
    """Return the schema of entries of every kind that entries may have."""
    return [{'description': kind.schema['description'],
             'required': ['kind', *kind.schema['required']], 'additionalProperties': False,
             'properties': {'kind': {'const': kind.name}} | kind.schema['properties']}
            for kind in kinds if kind.schema]


@cache
def published_schema() -> dict[str, Any]:
    """Return the schema with the definitions of other packages, as a mapping; do not change it.

    A package that reads entries itself, as sensors, describes them by an entry point of the group
    `mb_model.schema`: a function that returns definitions by name.
    """
    definitions = dict(load_schema()['$defs'])
    for entry in entry_points(group=_GROUP):
        definitions |= entry.load()()
    return load_schema() | {'$defs': definitions}


@cache
def definition(name: str, published: bool = False) -> dict[str, Any]:
    """Return a definition, such as 'body', with what it refers to put in place.

    published: with the definitions of other packages.
    """
    whole = published_schema() if published else load_schema()
    return _inlined({'$ref': f'#/$defs/{name}'}, whole)


def _inlined(schema: Any, root: dict[str, Any]) -> Any:
    """Return a part of a schema with every reference replaced by what it names."""
    if isinstance(schema, list):
        return [_inlined(part, root) for part in schema]
    if not isinstance(schema, dict):
        return schema
    whole = {key: _inlined(part, root) for key, part in schema.items() if key != '$ref'}
    if '$ref' in schema:
        target = root
        for key in schema['$ref'].removeprefix('#/').split('/'):
            target = target[key]
        whole |= {key: part for key, part in _inlined(target, root).items()
                  if key not in whole}
    return whole


def part_for(schema: dict[str, Any], value: Any) -> dict[str, Any] | None:
    """Return the schema of a value, of several kinds the one that the value says it is, or None."""
    if 'oneOf' not in schema:
        return schema
    kind = value.get('kind') if isinstance(value, dict) else None
    return next((part for part in schema['oneOf'] if kind_of(part) == kind), None)


def kind_of(part: dict[str, Any]) -> str:
    """Return the kind that one of several alternatives describes."""
    return part['properties']['kind']['const']


_BODIES = {
    'bodies': {'$ref': '#/$defs/two_names',
               'description': 'The bodies it ties; `ground` is one, and is at rest.'},
    'at': {'$ref': '#/$defs/two_points',
           'description': 'The point on each body, in its own frame [m] or by the name of a point; '
                          'one name if both have a point of that name.'}}
_AXIS = {'$ref': '#/$defs/vector3', 'description': 'Its direction, the same numbers in the frames '
                                                   'of both bodies.'}
_AXES = {'$ref': '#/$defs/two_vectors', 'description': 'Or its direction in the frame of each.'}
_REFERENCES = {
    '$ref': '#/$defs/two_vectors',
    'description': 'A direction in the frame of each body, across the axis, which agree at angle '
                   '0; without it the second is turned against the first by the least turn that '
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


def _joint_schemas(kinds: Iterable[JointKind]) -> list[dict[str, Any]]:
    """Return the schema of an entry of every kind of joints."""
    return [{'description': kind.schema['description'], 'additionalProperties': False,
             'required': ['kind', 'bodies', 'at', *_REQUIRED.get(kind.axis, ()),
                          *kind.schema.get('required', ())],
             'properties': {'kind': {'const': kind.name}, **_BODIES, **_BY_AXIS[kind.axis],
                            **kind.schema.get('properties', {})}}
            for kind in kinds if not kind.inner]
