"""The JSON schema of mechanism files: what keys there are, what they take, what they mean."""

from collections.abc import Mapping
from functools import cache
from importlib import resources
from importlib.metadata import entry_points
import json
from typing import Any

from mb_model.registry import spatial
from mb_model.registry.constraints import CONSTRAINTS, COORDINATES
from mb_model.registry.forces import FORCES
from mb_model.registry.joints import COORDINATES as SPATIAL_COORDINATES, JOINTS
from mb_model.shapes.kinds import SHAPES
from mb_model.space.joint_schema import joint_schemas
from mb_model.space.shape import SCHEMA as SOLIDS
from mb_model.valves.kinds import VALVES

_GROUP = 'mb_model.schema'


@cache
def load_schema():
    """Return the JSON schema (draft 2020-12) of mechanism files as a mapping; do not change it."""
    file = resources.files(__name__) / 'mechanism.schema.json'
    schema = json.loads(file.read_text(encoding='utf-8'))
    schema.pop('$comment')
    for name, kinds in (('coordinate', COORDINATES), ('constraint', CONSTRAINTS),
                        ('force', FORCES), ('shape', SHAPES), ('valve', VALVES)):
        schema['$defs'][name]['oneOf'] = [_alternative(kind) for kind in kinds.values()]
    schema['$defs'] |= _of_space()
    return schema


def _of_space():
    """Return the definitions of files with `dimension: 3`."""
    file = resources.files(__name__) / 'spatial.schema.json'
    definitions = json.loads(file.read_text(encoding='utf-8'))['$defs']
    for name, alternatives in (
            ('joint', joint_schemas(JOINTS.values())), ('solid', SOLIDS),
            ('spatial_coordinate', map(_alternative, SPATIAL_COORDINATES.values())),
            ('spatial_constraint', (_alternative(kind) for kind in CONSTRAINTS.values()
                                    if kind.in_space)),
            ('spatial_force', map(_alternative, spatial.FORCES.values()))):
        definitions[name]['oneOf'] = list(alternatives)
    return definitions


def definition_for(raw: Mapping[str, Any], name: str) -> str:
    """Return what a definition is called for the mapping of a file, of its dimension."""
    return f'spatial_{name}' if raw.get('dimension') == 3 else name


def _alternative(kind):
    """Return the schema of entries of a kind."""
    return {'description': kind.schema['description'],
            'required': ['kind', *kind.schema['required']], 'additionalProperties': False,
            'properties': {'kind': {'const': kind.name}} | kind.schema['properties']}


@cache
def published_schema():
    """Return the schema with the definitions of other packages, as a mapping; do not change it.

    A package that reads entries itself, as sensors, describes them by an entry point of the group
    `mb_model.schema`: a function that returns definitions by name.
    """
    definitions = dict(load_schema()['$defs'])
    for entry in entry_points(group=_GROUP):
        definitions |= entry.load()()
    return load_schema() | {'$defs': definitions}


@cache
def definition(name, published=False):
    """Return a definition, such as that of a 'body', with what it refers to put in place.

    published: with the definitions of other packages.
    """
    whole = published_schema() if published else load_schema()
    return _inlined({'$ref': f'#/$defs/{name}'}, whole)


def _inlined(schema, root):
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


def part_for(schema, value):
    """Return the schema of a value, of several kinds the one that the value says it is, or None."""
    if 'oneOf' not in schema:
        return schema
    kind = value.get('kind') if isinstance(value, dict) else None
    return next((part for part in schema['oneOf'] if kind_of(part) == kind), None)


def kind_of(part):
    """Return the kind that one of several alternatives describes."""
    return part['properties']['kind']['const']
