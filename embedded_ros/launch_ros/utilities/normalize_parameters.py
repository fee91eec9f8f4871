"""Parameters, given in any form, in one form."""
from collections.abc import Mapping, Sequence
from pathlib import Path

from launch.substitution import Substitution
from launch.substitutions import TextSubstitution
from launch.utilities import ensure_argument_type, normalize_to_list_of_substitutions
from launch.utilities.type_utils import is_substitution

from ..parameter_descriptions import Parameter, ParameterFile, ParameterValue
from .plain_value import PlainValue


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
