"""Parameters, given in any form, in one form and evaluated; namespaces; remappings."""
from collections.abc import Mapping, Sequence
from pathlib import Path

from launch import Substitution
from launch.substitutions import TextSubstitution
from launch.utilities import (
    ensure_argument_type,
    normalize_to_list_of_substitutions,
    perform_substitutions,
)
from launch.utilities.type_utils import (
    is_normalized_substitution,
    is_one_type,
    is_substitution,
)
import yaml

from .parameter_descriptions import STRING_HINT, Parameter, ParameterFile, ParameterValue

SCALARS = (bool, int, float, str, bytes)
UNIFORM = ('Expected a non-empty sequence, with items of uniform type. '
           'Allowed sequence item types are bool, int, float, str.')
ALLOWED = ('Allowed value types are bytes, bool, int, float, str, Sequence[bool], Sequence[int], '
           'Sequence[float], Sequence[str]')


class PlainValue(ParameterValue):
    """A value without a given type: what substitutions yield is read as YAML."""

    def __init__(self, value):
        super().__init__(value)
        self.__given = value

    def evaluate(self, context):
        """Return a scalar, or a tuple of scalars of one type; a TypeError if it is neither."""
        value = self.__given
        if is_normalized_substitution(value):
            value = from_yaml(perform_substitutions(context, value))
        elif isinstance(value, list):
            value = [from_yaml(perform_substitutions(context, item))
                     if is_normalized_substitution(item) else item for item in value]
        if isinstance(value, list):
            if not value or not is_one_type(value):
                raise TypeError(UNIFORM)
            return tuple(value)
        if type(value) not in SCALARS:
            raise TypeError(f'{ALLOWED}. Got {type(value)}{STRING_HINT}')
        return value


def from_yaml(text):
    """Return what YAML makes of a text; a TypeError if it is no YAML."""
    try:
        return yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise TypeError(f"Unable to parse the value '{text}' as yaml{STRING_HINT}") from error


def normalize_parameters(parameters):
    """Return files as ParameterFile, dicts with substitutions as keys, Parameters as they are."""
    if isinstance(parameters, str) or not isinstance(parameters, Sequence):
        raise TypeError(f"Expecting list of parameters, got '{parameters}'")
    normalized = []
    for item in parameters:
        if isinstance(item, Mapping):
            normalized.append(normalize_parameter_dict(item))
        elif isinstance(item, (Parameter, ParameterFile)):
            normalized.append(item)
        else:
            ensure_argument_type(item, (str, Path, Substitution, list, tuple), 'parameters')
            normalized.append(ParameterFile(item))
    return tuple(normalized)


def normalize_parameter_dict(parameters, *, _prefix=None):
    """Return {names as tuples of substitutions: ParameterValue}; nested names get dots."""
    if not isinstance(parameters, Mapping):
        raise TypeError(f"Expected a dict of parameters, got '{type(parameters)}'")
    normalized = {}
    for name, value in parameters.items():
        key = normalize_to_list_of_substitutions(name)
        if _prefix:
            key = [*_prefix, TextSubstitution(text='.'), *key]
        if isinstance(value, Mapping):
            normalized.update(normalize_parameter_dict(value, _prefix=key))
        elif isinstance(value, ParameterValue):
            normalized[tuple(key)] = value
        else:
            normalized[tuple(key)] = parameter_value(value, shown(key))
    return normalized


def shown(key):
    """Return a parameter's name as a reader would write it."""
    return ''.join(part.text if isinstance(part, TextSubstitution) else part.describe()
                   for part in key)


def parameter_value(value, name):
    """Return a Python value or substitutions as PlainValue; a TypeError names the parameter."""
    if is_substitution(value):
        return PlainValue(normalize_to_list_of_substitutions(value))
    if hasattr(value, 'tolist'):                # numpy
        value = value.tolist()
    if isinstance(value, (int, float, str, bytes)):
        return PlainValue(value)
    if not isinstance(value, Sequence):
        raise TypeError(f"Parameter '{name}': a value cannot be of type {type(value).__name__}: "
                        f'{value!r}')
    items = [normalize_to_list_of_substitutions(item) if is_substitution(item) else item
             for item in value]
    kinds = {type(item) for item in items}
    if kinds == {int, float}:
        items, kinds = [float(item) for item in items], {float}
    if kinds not in ({int}, {float}, {bool}, {str}, {list}, {str, list}):
        raise TypeError(f"Parameter '{name}': Expected a non-empty sequence of values of one type "
                        f'(int, float, bool or str), got {value!r}')
    if list in kinds and not all(isinstance(item, str) or is_substitution(item)
                                 for item in items):
        raise TypeError(f"Parameter '{name}': Expected a non-empty sequence without sequences "
                        f'in it, got {value!r}')
    return PlainValue(items)


def evaluate_parameter_dict(context, parameters):
    """Return {name: value} of what normalize_parameter_dict() returned."""
    if not isinstance(parameters, Mapping):
        raise TypeError('expected dict')
    evaluated = {}
    for name, value in parameters.items():
        ensure_argument_type(name, tuple, 'parameter name')
        text = perform_substitutions(context, name)
        if not isinstance(value, ParameterValue):
            raise TypeError(f"expected a ParameterValue for '{text}', got '{type(value)}'")
        try:
            evaluated[text] = value.evaluate(context)
        except (TypeError, ValueError) as error:
            raise type(error)(f"Parameter '{text}': {error}") from error
    return evaluated


def evaluate_parameters(context, parameters):
    """Return paths of files, dicts {name: value}, and evaluated Parameters."""
    evaluated = []
    for item in parameters:
        if isinstance(item, ParameterFile):
            evaluated.append(item.evaluate(context))
        elif isinstance(item, Mapping):
            evaluated.append(evaluate_parameter_dict(context, item))
        elif isinstance(item, Parameter):
            item.evaluate(context)
            evaluated.append(item)
        else:
            raise TypeError(f"unexpected parameter of type '{type(item)}'")
    return tuple(evaluated)


def make_namespace_absolute(ns):
    """Return the namespace with a leading '/'."""
    if ns is None:
        return None
    return ns if ns.startswith('/') else '/' + ns


def prefix_namespace(base_ns, ns):
    """Return ns inside base_ns: None if both are, ns itself if it is absolute."""
    if ns is None:
        return base_ns
    if not base_ns or ns.startswith('/'):
        return ns if ns == '/' else ns.rstrip('/')
    if not ns:
        return base_ns
    return ('/' if base_ns == '/' else base_ns.rstrip('/') + '/') + ns.rstrip('/')


def normalize_remap_rule(remap_rule):
    """Return (from, to) as tuples of substitutions."""
    ensure_argument_type(remap_rule, (tuple,), 'remap_rule')
    if len(remap_rule) != 2:
        raise TypeError(f'remap_rule must be a tuple of length 2, got length {len(remap_rule)}')
    source, target = remap_rule
    return (tuple(normalize_to_list_of_substitutions(source)),
            tuple(normalize_to_list_of_substitutions(target)))


def normalize_remap_rules(remap_rules):
    """Yield each rule as normalize_remap_rule() gives it."""
    yield from map(normalize_remap_rule, remap_rules)
