"""Values with a type: from YAML text, from Python values, from substitutions.

Types are int, float, bool, str, lists of one of them (List[int], ...), or None for any of these.
"""
from collections.abc import Iterable, Sequence
from typing import Any

import yaml

from ..launch_description_entity import SomeSubstitutionsType, Substitution
from . import normalize_to_list_of_substitutions, perform_substitutions

ScalarTypesType = type[int] | type[float] | type[bool] | type[str]
ScalarValueType = int | float | bool | str
AllowedTypesType = Any
AllowedValueType = ScalarValueType | list[int] | list[float] | list[bool] | list[str]
SomeValueType = SomeSubstitutionsType | AllowedValueType | Sequence[ScalarValueType]
NormalizedValueType = AllowedValueType | list[Substitution] | list[list[Substitution]]
StrSomeValueType = str | SomeValueType

ScalarTypesTuple = (int, float, bool, str)
AllowedTypesTuple = (*ScalarTypesTuple, list[int], list[float], list[bool], list[str])


def is_typing_list(data_type: Any) -> bool:
    """Return whether this is List or List[...] (list is none of them)."""
    return getattr(data_type, '__origin__', None) is list


def is_valid_scalar_type(data_type: Any) -> bool:
    """Return whether this is one of int, float, bool and str."""
    return data_type in ScalarTypesTuple


def extract_type(data_type: AllowedTypesType) -> tuple[Any, bool]:
    """Return (scalar type, whether it is a list of it); a ValueError if unsupported."""
    item = data_type
    if is_typing_list(data_type):
        item = (getattr(data_type, '__args__', None) or (None,))[0]
    if not is_valid_scalar_type(item):
        raise ValueError(f'Unrecognized data type: {data_type}')
    return item, item is not data_type


def is_one_type(items: list, can_be_str: bool = False) -> bool:
    """Return whether these are scalars of one type (can_be_str: besides texts)."""
    kinds = {type(item) for item in items}
    if can_be_str:
        kinds.discard(str)
    return len(kinds) <= 1 and kinds <= set(ScalarTypesTuple)


def is_instance_of_valid_type(value: Any, can_be_str: bool = False) -> bool:
    """Return whether this is a scalar, or a list of scalars of one type (or of texts)."""
    if isinstance(value, list):
        return is_one_type(value, can_be_str)
    return type(value) in ScalarTypesTuple


def is_instance_of(value: Any, data_type: AllowedTypesType, can_be_str: bool = False) -> bool:
    """Return whether a value has the type; a bool is no int, an int is no float."""
    if data_type is None:
        return is_instance_of_valid_type(value, can_be_str)
    scalar, is_list = extract_type(data_type)
    kinds = (scalar, str) if can_be_str else (scalar,)
    if is_list:
        return isinstance(value, list) and all(type(item) in kinds for item in value)
    return type(value) in kinds


def coerce_to_type(value: str, data_type: AllowedTypesType = None,
                   can_be_str: bool = False) -> AllowedValueType:
    """Return a YAML text as value of the type; a ValueError if it is none.

    can_be_str: what does not fit remains a text, also an item of a list.
    """
    if not isinstance(value, str):
        raise TypeError(f'Expected a string to convert, got {value!r}')
    if data_type is str:
        return value
    if data_type is not None:
        extract_type(data_type)
    if data_type is bool and value in ('0', '1'):
        return value == '1'
    try:
        loaded = yaml.safe_load(value) if value.strip() else ''
    except yaml.YAMLError as error:
        if can_be_str:
            return value
        raise ValueError(f"Failed to convert '{value}': it is no valid YAML") from error
    if data_type is float and type(loaded) in (int, str):
        loaded = number_or_text(loaded)
    if is_instance_of(loaded, data_type, can_be_str):
        return value if isinstance(loaded, str) and data_type is not None else loaded
    if can_be_str:
        return value
    wanted = getattr(data_type, '__name__', data_type) if data_type is not None else (
        'int, float, bool, str or a list of one of them')
    raise ValueError(f"Failed to convert '{value}' to {wanted}")


def number_or_text(loaded: int | str) -> float | str:
    """Return an int, or a number in a notation YAML 1.1 takes for a text (1e3), as float."""
    try:
        return float(loaded)
    except ValueError:
        return loaded


def coerce_list(value: Iterable[str], data_type: AllowedTypesType = None,
                can_be_str: bool = False) -> list[ScalarValueType]:
    """Return YAML texts as values of a scalar type; without a type, of one common type."""
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise TypeError(f'Expected a list of strings to convert, got {value!r}')
    items = [coerce_to_type(item, data_type, can_be_str) for item in value]
    if data_type is None and not is_one_type(items, can_be_str):
        raise ValueError(f'The items of {value} are not of one type')
    return items


def get_typed_value(value: str | list[str], data_type: AllowedTypesType = None,
                    can_be_str: bool = False) -> AllowedValueType:
    """Return a text, or a list of texts, as value of the type; a ValueError if it does not fit."""
    if isinstance(value, list):
        if data_type is None:
            return coerce_list(value, None, can_be_str)
        if not is_typing_list(data_type):
            raise TypeError(f"Cannot convert the list '{value}' to '{data_type}'")
        arguments = getattr(data_type, '__args__', (None,))
        item = arguments[0] if is_valid_scalar_type(arguments[0]) else None
        return coerce_list(value, item, can_be_str)
    return coerce_to_type(value, data_type, can_be_str)


def is_substitution(value: Any) -> bool:
    """Return whether this is a substitution, or a list that holds one besides texts."""
    if isinstance(value, Substitution):
        return True
    return (isinstance(value, (list, tuple)) and any(isinstance(v, Substitution) for v in value)
            and all(isinstance(v, (str, Substitution)) for v in value))


def is_normalized_substitution(value: Any) -> bool:
    """Return whether this is a list of substitutions and nothing else."""
    return (isinstance(value, list) and bool(value)
            and all(isinstance(v, Substitution) for v in value))


def normalize_typed_substitution(value: SomeValueType,
                                 data_type: AllowedTypesType) -> NormalizedValueType:
    """Return a value of the type, or substitutions which perform_typed_substitution() evaluates."""
    scalar, is_list = (None, True) if data_type is None else extract_type(data_type)
    if is_substitution(value):
        return normalize_to_list_of_substitutions(value)
    if isinstance(value, str) and scalar is not str and not (is_list and scalar is not None):
        return value if data_type is None else normalize_to_list_of_substitutions(value)
    if isinstance(value, (list, tuple)) and is_list:
        return normalize_items(value, scalar)
    if scalar is float and type(value) is int:
        return float(value)
    if is_instance_of(value, data_type):
        return value
    raise TypeError(f"value='{value}' is not an instance of {data_type}")


def normalize_items(value: Sequence, scalar: ScalarTypesType | None) -> list:
    """Return a list of values, in which substitutions are lists of substitutions."""
    items: list[Any] = []
    for item in value:
        if isinstance(item, Substitution) or is_substitution(item):
            items.append(normalize_to_list_of_substitutions(item))
        elif type(item) in (ScalarTypesTuple if scalar is None else (scalar,)):
            items.append(item)
        else:
            raise TypeError(f"value='{value}' is not a list of {scalar or 'scalars'}")
    if not is_one_type([item for item in items if not isinstance(item, list)]):
        raise TypeError(f"value='{value}' is not a list of one type")
    return items


def perform_typed_substitution(context, value: NormalizedValueType,
                               data_type: AllowedTypesType) -> AllowedValueType:
    """Return the value of what normalize_typed_substitution() returned."""
    if is_normalized_substitution(value):
        return get_typed_value(perform_substitutions(context, value), data_type)
    if isinstance(value, list) and any(is_normalized_substitution(item) for item in value):
        scalar = None if data_type is None else extract_type(data_type)[0]
        items = [coerce_to_type(perform_substitutions(context, item), scalar)
                 if is_normalized_substitution(item) else item for item in value]
        if not is_one_type(items):
            raise ValueError(f'The items of {items} are not of one type')
        return items
    if not is_instance_of(value, data_type):
        raise TypeError(f"value='{value}' is not an instance of {data_type}")
    return value
