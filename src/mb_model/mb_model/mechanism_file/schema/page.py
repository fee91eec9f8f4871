"""The schema of mechanism files as a page, for people."""

import json
from typing import Any

from mb_model.mechanism_file.schema import (
    definition,
    kind_of,
    load_schema,
)

_INTRODUCTION = """# Mechanism files{of}

{description}
This page is written from the schema that checks them, which `ros2 run mb_model schema` prints.

Every number may be an expression: `+ - * / **`, parentheses, `pi`, the `parameters`, `sqrt sin cos
tan asin acos atan atan2 hypot exp log radians degrees abs min max`.
"""


def schema_page(dimension: int = 2) -> str:
    """Return the schema as a page of Markdown: a table for every kind of entry.

    dimension: 2 for mechanisms in a plane, 3 for those in space.
    """
    whole = definition('spatial_mechanism' if dimension == 3 else 'mechanism', published=True)
    lines = [_INTRODUCTION.format(description=load_schema()['description'],
                                  of=' in space' if dimension == 3 else ''), *_table(whole)]
    return '\n'.join([*lines, *_sections(whole, '')]) + '\n'


def _sections(part: dict[str, Any], path: str) -> list[str]:
    """Return the lines about each key of a mapping whose values have keys of their own."""
    lines = []
    for key, value in part['properties'].items():
        entry = value if {'oneOf', 'properties'} & value.keys() else value.get(
            'additionalProperties') or value.get('items')
        if isinstance(entry, dict) and {'oneOf', 'properties'} & entry.keys():
            lines += ['', f'## {path}{key}', '', value['description'], *_section(entry)]
            if 'properties' in entry and key != 'repeat':      # it gives what has its own sections
                lines += _sections(entry, f'{path}{key}.')
    return lines


def _section(entry: dict[str, Any]) -> list[str]:
    """Return the table of one kind of entry, or of its several kinds and of what they share."""
    lines = [line for part in entry.get('oneOf', ())
             for line in ('', f'### kind: {kind_of(part)}', '', part['description'],
                          *_table(part, nested=True))]
    if lines and 'properties' in entry:
        lines += ['', '### every kind']
    return lines + (_table(entry) if 'properties' in entry else [])


def _table(part: dict[str, Any], nested: bool = False) -> list[str]:
    """Return the keys of a mapping, one a row; nested: with the keys of mappings in it."""
    return ['', '| key | takes | default | |', '| --- | --- | --- | --- |', *_rows(
        part, nested)]


def _rows(part: dict[str, Any], nested: bool, before: str = '') -> list[str]:
    """Return the rows of a table, of keys behind those before."""
    rows = []
    for key, value in part['properties'].items():
        if 'const' not in value:
            rows.append(f'| `{before}{key}` | {_taken(value)} '
                        f'| {_default(value, key in part.get("required", ()))} '
                        f'| {value["description"]} |')
            if nested and 'properties' in value:
                rows += _rows(value, nested, f'{before}{key}.')
    return rows


def _taken(value: dict[str, Any]) -> str:
    """Return what a value must be."""
    if 'title' not in value:
        return 'a mapping'
    bounds = [f'{sign} {value[keyword]}' for keyword, sign in (
        ('exclusiveMinimum', '>'), ('minimum', '>='), ('maximum', '<=')) if keyword in value]
    return f'{value["title"]} {" and ".join(bounds)}'.rstrip()


def _default(value: dict[str, Any], required: bool) -> str:
    if required:
        return 'required'
    return f'`{json.dumps(value["default"])}`' if value.get('default') not in (None, '', {}) else ''
