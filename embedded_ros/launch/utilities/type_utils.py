"""Values with a type: from YAML text, from Python values, from substitutions.

Types are int, float, bool, str and lists of one of them (List[int], ...).
"""
from collections.abc import Iterable, Sequence
from typing import Any

import yaml

from ..some_substitutions_type import SomeSubstitutionsType
from ..substitution import Substitution
from .normalize_to_list_of_substitutions_impl import normalize_to_list_of_substitutions
from .perform_substitutions_impl import perform_substitutions

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


def extract_type(data_type: AllowedTypesType) -> tuple[Any, bool]:
    """Return (scalar type or None, whether it is a list of it); a ValueError if unsupported."""
    if data_type is None or data_type in ScalarTypesTuple:
        return data_type, False
    if data_type is list:
        return None, True
    if is_typing_list(data_type):
        item = (getattr(data_type, '__args__', None) or (None,))[0]
        if item in ScalarTypesTuple:
            return item, True
        if not isinstance(item, type):      # List, or List of a type variable
            return None, True
    raise ValueError(f'Unrecognized data type: {data_type}')


def is_instance_of(value: Any, data_type: AllowedTypesType, *, can_be_str: bool = False) -> bool:
    """Return whether a value has the type; a bool is no int, an int is no float."""
    scalar, is_list = extract_type(data_type)

    def fits(item):
        if can_be_str and isinstance(item, str):
            return True
        return type(item) in (ScalarTypesTuple if scalar is None else (scalar,))
    if not is_list:
        return fits(value) or (data_type is None and is_homogeneous_list(value))
    if not isinstance(value, list):
        return False
    return all(fits(item) for item in value) and (
        can_be_str or scalar is not None or is_homogeneous_list(value))


def is_homogeneous_list(value: Any) -> bool:
    """Return whether this is a list of scalars of one type."""
    return (isinstance(value, list) and len({type(item) for item in value}) <= 1
            and all(type(item) in ScalarTypesTuple for item in value))


def is_instance_of_valid_type(value: Any, *, can_be_str: bool = False) -> bool:
    """Return whether the value is of one of the supported types."""
    return is_instance_of(value, None, can_be_str=can_be_str)


def coerce_to_type(value: str, data_type: AllowedTypesType = None, *,
                   can_be_str: bool = False) -> ScalarValueType:
    """Return a YAML text as value of a scalar type; a ValueError if it is none.

    Without a type, YAML decides; a text that is no scalar is left as it is.
    """
    if data_type is str:
        return value
    if not isinstance(value, str):
        raise ValueError(f"Expected a string to convert to {data_type}, got '{value}'")
    try:
        loaded = yaml.safe_load(value)
    except yaml.YAMLError as error:
        if data_type is None or can_be_str:
            return value
        raise ValueError(f"Failed to convert '{value}' to {data_type.__name__}") from error
    if data_type is None:
        return loaded if type(loaded) in ScalarTypesTuple else value
    if data_type is float and type(loaded) in (int, str):
        loaded = number_or_text(loaded)
    if type(loaded) is data_type:
        return loaded
    if can_be_str:
        return value
    raise ValueError(f"Failed to convert '{value}' to {data_type.__name__}")


def number_or_text(loaded: int | str) -> float | str:
    """Return an int, or a number in a notation YAML 1.1 takes for a text (1e3), as float."""
    try:
        return float(loaded)
    except ValueError:
        return loaded


def coerce_list(value: Iterable[str], data_type: AllowedTypesType = None, *,
                can_be_str: bool = False) -> list[ScalarValueType]:
    """Return YAML texts as values of a scalar type; without a type, of one common type."""
    items = [coerce_to_type(item, data_type, can_be_str=can_be_str) for item in value]
    if data_type is None and len({type(item) for item in items}) > 1:
        if {type(item) for item in items} == {int, float}:
            return [float(item) for item in items]
        return list(value)
    return items


def get_typed_value(value: str | list[str], data_type: AllowedTypesType, *,
                    can_be_str: bool = False) -> AllowedValueType:
    """Return a text, or a list of texts, as a value of the type; a ValueError if it is none."""
    scalar, is_list = extract_type(data_type)
    if not is_list and not isinstance(value, list):
        if data_type is None:
            return untyped_value(value)
        return coerce_to_type(value, scalar, can_be_str=can_be_str)
    if not isinstance(value, list):
        value = texts_of_yaml_list(value, data_type)
        if value is None:
            raise ValueError(f"Cannot convert a scalar to a list of type '{data_type}'")
    elif not is_list and data_type is not None:
        raise ValueError(f"Cannot convert the list '{value}' to '{data_type}'")
    return coerce_list(value, scalar, can_be_str=can_be_str)


def untyped_value(text: str) -> AllowedValueType:
    """Return what YAML makes of a text if that is a scalar or a list of scalars."""
    try:
        loaded = yaml.safe_load(text)
    except yaml.YAMLError:
        return text
    if isinstance(loaded, list):
        kinds = {type(item) for item in loaded}
        if kinds == {int, float}:
            return [float(item) for item in loaded]
        return loaded if is_homogeneous_list(loaded) else text
    return loaded if type(loaded) in ScalarTypesTuple else text


def texts_of_yaml_list(text: str, data_type) -> list[str] | None:
    """Return the items of a YAML list as texts, or None if the text is no list."""
    try:
        loaded = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise ValueError(f"Failed to convert '{text}' to {data_type}") from error
    if not isinstance(loaded, list):
        return None
    return [item if isinstance(item, str) else yaml.safe_dump(item).replace('\n...', '').strip()
            for item in loaded]


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
    scalar, is_list = extract_type(data_type)
    if is_substitution(value):
        return normalize_to_list_of_substitutions(value)
    if not is_list and not isinstance(value, (list, tuple)):
        if scalar is float and type(value) is int:
            return float(value)
        if not is_instance_of(value, data_type):
            raise TypeError(f"value='{value}' is not an instance of {data_type}")
        return value
    if not isinstance(value, (list, tuple)) or (not is_list and data_type is not None):
        raise TypeError(f"value='{value}' is not an instance of {data_type}")
    items: list[Any] = []
    for item in value:
        if isinstance(item, (list, tuple, Substitution)):
            items.append(normalize_to_list_of_substitutions(item))
        elif scalar is not None and type(item) is not scalar:
            raise TypeError(f"value='{value}' is not an instance of {data_type}")
        else:
            items.append(item)
    if any(isinstance(item, list) for item in items):
        return [item if isinstance(item, list) else normalize_to_list_of_substitutions(str(item))
                for item in items]
    if data_type is None and not is_homogeneous_list(items):
        raise TypeError(f"value='{value}' is not a list of one type")
    return items


def perform_typed_substitution(context, value: NormalizedValueType,
                               data_type: AllowedTypesType) -> AllowedValueType:
    """Return the value of what normalize_typed_substitution() returned."""
    if is_normalized_substitution(value):
        return get_typed_value(perform_substitutions(context, value), data_type)
    if isinstance(value, list) and value and all(is_normalized_substitution(v) for v in value):
        return get_typed_value([perform_substitutions(context, v) for v in value], data_type)
    return value
