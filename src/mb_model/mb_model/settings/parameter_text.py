"""Parameters as YAML that ROS 2 and YAML's own rules read alike, see parameter_yaml.py."""

from collections.abc import Mapping
import sys
from typing import Any

import yaml

from mb_model.settings.parameter_yaml import (
    INTEGER_LIMIT,
    STRING_TAG,
    ParameterValueError,
    scalar_of,
)

_SCALARS = (bool, int, float, str)


class _Dumper(yaml.SafeDumper):
    """Writes values that rcl and YAML read alike."""

    def ignore_aliases(self, data):
        """Write what is there twice twice."""
        return True


def _string(dumper, text):
    plain = isinstance(scalar_of(text), str)
    return dumper.represent_scalar(STRING_TAG, text, style=None if plain else "'")


def _whole(dumper, value):
    if not -INTEGER_LIMIT <= value < INTEGER_LIMIT:
        raise ParameterValueError(f'{value} does not fit into 64 bits')
    return dumper.represent_int(value)


def _real(dumper, value):
    if 0.0 < abs(value) < sys.float_info.min:       # C takes such numbers exactly or not at all
        return dumper.represent_scalar(STRING_TAG, value.hex())    # tag: without quotes
    return dumper.represent_float(value)


def _list(dumper, values):
    if not values:
        return dumper.represent_list([])
    if {type(value) for value in values} == {int, float}:
        values = [float(value) for value in values]
    if len({type(value) for value in values}) > 1 or not isinstance(values[0], _SCALARS):
        raise ParameterValueError(f'values of a list must be of one type: {values}')
    return dumper.represent_list(values)


for _type, _represent in {str: _string, int: _whole, float: _real, list: _list,
                          tuple: _list}.items():
    _Dumper.add_representer(_type, _represent)


def value_text(value: Any) -> str:
    """Return a value on one line, as `-p name:=value` takes it.  Raises ParameterValueError."""
    text = yaml.dump(value, Dumper=_Dumper, default_flow_style=True, width=float('inf'))
    return text.removesuffix('...\n').strip()


def sections_text(sections: Mapping[str, Any]) -> str:
    """Return a parameter file of {node: values by name, nested or not}, without empty lists."""
    named = {node: {'ros__parameters': _with_values(values)} for node, values in sections.items()}
    return yaml.dump(named, Dumper=_Dumper, sort_keys=False, width=float('inf'))


def _with_values(values):
    kept = {name: _with_values(value) if isinstance(value, dict) else value
            for name, value in values.items()}
    return {name: value for name, value in kept.items()
            if not (isinstance(value, (list, tuple, dict)) and not value)}
