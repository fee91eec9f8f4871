"""Whether the entries of a mechanism file are those of the schema, told in the user's words."""

from functools import cache

from jsonschema import Draft202012Validator
from jsonschema.validators import extend

from mb_model.mechanism_file.schema import definition, kind_of, part_for
from mb_model.settings import shown

# Bounds hold for the values of expressions, see completion.  From Python, lists may be tuples.
_Validator = extend(
    Draft202012Validator, {'minimum': None, 'maximum': None, 'exclusiveMinimum': None},
    type_checker=Draft202012Validator.TYPE_CHECKER.redefine(
        'array', lambda _, value: isinstance(value, (list, tuple))))


def check_structure(entries, path, value, name):
    """Check a value against a definition of the schema: keys, kinds, types; not numbers' values.

    entries: Entries; path: where the value is, for messages.  Raises MechanismError.
    """
    try:
        error = _first(_validator(name).iter_errors(value))
    except ValueError:      # it writes values into its errors
        entries.fail(path, 'has a whole number of too many digits')
    while error is not None and error.validator == 'oneOf':
        path = _joined(path, *error.relative_path)
        error = _of_kind(entries, path, error)
    if error is not None:
        entries.fail(*_told(_joined(path, *error.relative_path), error))


@cache
def _validator(name):
    return _Validator(definition(name))


def _of_kind(entries, path, error):
    """Return the first error in that one of several alternatives that the value says it is."""
    parts, kind = error.schema['oneOf'], error.instance['kind']
    chosen = part_for(error.schema, error.instance)
    if chosen is None:
        entries.one_of(f'{path}.kind', kind, [kind_of(part) for part in parts],
                       f'kind of {error.schema["title"]}')
    return _first(found for found in error.context
                  if found.relative_schema_path[0] == parts.index(chosen))


def _first(errors):
    """Return the error to tell: an unknown key explains a missing one; None if there is none."""
    return min(errors, key=lambda error: error.validator != 'additionalProperties', default=None)


def _told(path, error):
    """Return (path, what is wrong there)."""
    value, schema, rule = error.instance, error.schema, error.validator
    if rule == 'required':
        return _joined(path, next(key for key in schema['required'] if key not in value)), 'missing'
    if rule == 'dependentRequired':
        key, (other,) = next((key, others) for key, others in schema[rule].items()
                             if key in value and others[0] not in value)
        return _joined(path, other), f'missing, it goes with {key}'
    if rule == 'additionalProperties':
        known = schema['properties']
        return (_joined(path, next(key for key in value if key not in known)),
                f'unknown key, expected one of {", ".join(known)}')
    if rule in ('minProperties', 'maxProperties') and 'properties' in schema:
        return path, f'must have {schema["title"]}'
    if 'pattern' in schema and 'propertyNames' in error.relative_schema_path:
        if rule == 'type':
            return path, f'the key {shown(value)} must be a name (in quotes, if it is meant so)'
        if rule == 'maxLength':
            return path, f'the name {shown(value)} has more than {schema[rule]} characters'
        return _joined(path, value), 'a name has letters, digits and _ only, no digit first'
    expected = 'a mapping' if schema.get('type') == 'object' else schema['title']
    return path, f'{shown(value)} must be {expected}'


def _joined(path, *keys):
    """Return a path such as 'bodies.crank.points[0]'."""
    for key in keys:
        path += f'[{key}]' if isinstance(key, int) else f'.{key}' if path else str(key)
    return path

