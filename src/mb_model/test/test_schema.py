"""The schema of mechanism files: valid, complete, and what the shipped files keep to."""

import json
import subprocess
import sys

from jsonschema import Draft202012Validator
import pytest

from mb_model import mechanism_names
from mb_model.mechanism_file.file import read_mechanism_file
from mb_model.mechanism_file.schema import (
    definition,
    kind_of,
    load_schema,
    published_schema,
)
from mb_model.mechanism_file.schema.page import schema_page


def test_the_schema_is_one():
    Draft202012Validator.check_schema(published_schema())


@pytest.mark.parametrize('name', mechanism_names())
def test_any_validator_accepts_the_shipped_mechanisms(name):
    raw, _ = read_mechanism_file(name)
    Draft202012Validator(load_schema()).validate(raw)


@pytest.mark.parametrize('raw', [
    {'name': 'm', 'points': {}, 'bodies': {'b': {'mass': -1}}}, {'extends': 3}, [],
    {'name': 'm', 'points': {'A': {'fixed': [0]}}, 'bodies': {}, 'independent': []}])
def test_any_validator_refuses_what_is_wrong(raw):
    assert not Draft202012Validator(load_schema()).is_valid(raw)


def keys_of(part, path=''):
    """Yield (path, schema) of every key that a mechanism file may have."""
    for key, value in part.get('properties', {}).items():
        if 'const' not in value:
            yield f'{path}.{key}', value
            yield from keys_of(value, f'{path}.{key}')
    if isinstance(part.get('additionalProperties'), dict):
        yield from keys_of(part['additionalProperties'], f'{path}.*')
    for kind in part.get('oneOf', ()):
        yield from keys_of(kind, f'{path}({kind_of(kind)})')


@pytest.mark.parametrize(('dimension', 'name'), [(2, 'mechanism'), (3, 'spatial_mechanism')])
def test_every_key_is_described_on_the_page(dimension, name):
    page, keys = schema_page(dimension), dict(keys_of(definition(name, published=True)))
    assert len(keys) > 40
    for path, value in keys.items():
        assert value['description'].endswith('.'), path
        key = path.rsplit('.', 1)[1]        # of a mapping in an entry with that before it
        assert f'| `{key}` |' in page or f'.{key}` |' in page, path
        assert value['description'] in page
    for row in (line for line in page.splitlines() if line.startswith('|')):
        assert row.count('|') == 5, row


@pytest.mark.parametrize(('options', 'read'), [
    ([], lambda text: json.loads(text) == published_schema()),
    (['--markdown'], lambda text: text.strip() == schema_page().strip()),
    (['--markdown', '--space'], lambda text: text.strip() == schema_page(3).strip())])
def test_the_command_prints_schema_and_page(options, read):
    done = subprocess.run([sys.executable, '-m', 'mb_model.commands.schema', *options],
                          text=True, capture_output=True, check=True)
    assert read(done.stdout)
