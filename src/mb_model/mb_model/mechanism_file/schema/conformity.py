"""Whether the entries of a mechanism file conform to the schema, in the user's words."""

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.validators import extend

from mb_model.mechanism_file.schema import definition, kind_of, part_for
from mb_model.settings import shown

_one_of = Draft202012Validator.VALIDATORS['oneOf']


def _of_its_kind(validator: Any, parts: Any, value: Any, schema: dict[str, Any]) -> Iterator[Any]:
    """Yield the errors of a value that must conform to one of several parts.

    Where the part of its kind takes it no other one does: there are many parts, each slow.
    """
    chosen = part_for(schema, value) if isinstance(value, dict) and 'kind' in value else None
    if chosen is None or not validator.evolve(schema=chosen).is_valid(value):
        yield from _one_of(validator, parts, value, schema)


# Bounds hold for the values of expressions, see completion.  From Python, lists may be tuples.
_Validator = extend(
    Draft202012Validator, {'minimum': None, 'maximum': None, 'exclusiveMinimum': None,
                           'oneOf': _of_its_kind},
    type_checker=Draft202012Validator.TYPE_CHECKER.redefine(
        'array', lambda _, value: isinstance(value, (list, tuple))))
_NO_OTHER_KEYS = 'additionalProperties', 'unevaluatedProperties'


def note_structure(entries: Any, path: str, value: Any, name: str, published: bool = False) -> None:
    """Check a value against a definition of the schema: keys, kinds, types; not numbers' values.

    entries: Entries, which notes the mistakes; path: where the value is, for messages; published:
    with the definitions of other packages.
    """
    try:
        errors = list(_validator(name, published).iter_errors(value))
    except ValueError:      # it writes values into its errors
        with entries.noted(path):
            entries.fail(path, 'has a whole number of too many digits')
        return
    for at, message in _all_wrong(path, errors):
        with entries.noted(at):
            entries.fail(at, message)


@cache
def _validator(name: str, published: bool) -> Any:
    return _Validator(definition(name, published))


def _all_wrong(path: str, errors: Iterable[Any]) -> Iterator[tuple[str, str]]:
    """Yield (path, what is wrong there) of errors: an unknown key explains a missing one."""
    errors = sorted(errors, key=lambda error: error.validator not in _NO_OTHER_KEYS)
    explained = set()
    for error in errors:
        at = _joined(path, *error.relative_path)
        if error.validator in _NO_OTHER_KEYS:
            unknown = list(_unknown_keys(at, error))
            yield from unknown
            explained |= {at for _ in unknown}
        elif error.validator == 'oneOf':
            yield from _wrong_in_kind(at, error)
        elif error.validator == 'required':
            missing = (key for key in error.schema['required'] if key not in error.instance)
            yield from ((_joined(at, key), 'missing') for key in missing if at not in explained)
        elif error.validator == 'dependentRequired':
            yield from ((_joined(at, other), f'missing, it goes with {key}')
                        for key, (other,) in error.schema[error.validator].items()
                        if key in error.instance and other not in error.instance)
        else:
            yield _wrong(at, error)


def _wrong_in_kind(path: str, error: Any) -> Iterator[tuple[str, str]]:
    """Yield what is wrong in that one of several alternatives that the value says it is."""
    if not isinstance(error.instance, dict) or 'kind' not in error.instance:
        return      # which another error is about
    parts, chosen = error.schema['oneOf'], part_for(error.schema, error.instance)
    if chosen is None:
        yield f'{path}.kind', (
            f'{shown(error.instance["kind"])}: unknown kind of {error.schema["title"]}, expected '
            f'one of {", ".join(kind_of(part) for part in parts)}')
    else:
        yield from _all_wrong(path, [inner for inner in error.context
                                    if inner.relative_schema_path[0] == parts.index(chosen)])


def _unknown_keys(path: str, error: Any) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with the keys of a mapping that its schema does not have."""
    known = dict(error.schema['properties'])
    if 'oneOf' in error.schema:
        chosen = part_for(error.schema, error.instance)
        if chosen is None:
            return
        known |= chosen['properties']
    for key in error.instance:
        if key not in known:
            yield _joined(path, key), f'unknown key, expected one of {", ".join(known)}'


def _wrong(path: str, error: Any) -> tuple[str, str]:
    """Return (path, what is wrong there)."""
    value, schema, rule = error.instance, error.schema, error.validator
    if rule in ('minProperties', 'maxProperties') and 'properties' in schema:
        return path, f'must have {schema["title"]}'
    if 'pattern' in schema and 'propertyNames' in error.relative_schema_path:
        if rule == 'type':
            return path, f'the key {shown(value)} must be a name (in quotes, if it is meant so)'
        if rule == 'maxLength':
            return path, f'the name {shown(value)} has more than {schema[rule]} characters'
        messages = f'; joint_name: {value} is what messages call it' * (path == 'sensors')
        return _joined(path, value), ('a name has letters, digits and _ only, no digit first'
                                      + messages)
    return path, f'{shown(value)} must be {_expected(schema, rule)}'


def _expected(schema: dict[str, Any], rule: str) -> str:
    """Return what a value must be by the rule of its schema; schemas of other packages say less."""
    if schema.get('type') == 'object':
        return 'a mapping'
    if 'title' in schema:
        return schema['title']
    known = ', '.join(map(str, schema['enum'])) if rule == 'enum' else ''
    return f'one of {known}' if known else f'as its schema has it ({rule})'


def _joined(path: str, *keys: str | int) -> str:
    """Return a path such as 'bodies.crank.points[0]'."""
    for key in keys:
        path += f'[{key}]' if isinstance(key, int) else f'.{key}' if path else str(key)
    return path
