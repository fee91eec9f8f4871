"""Values of parameters as overrides of a mechanism file."""

from collections.abc import Mapping
import re
from typing import TYPE_CHECKING, Any

from mb_model.mechanism_file.description import MechanismError
from mb_model.mechanism_file.overrides import merged

if TYPE_CHECKING:
    from mb_model.mechanism import Mechanism

_AXES = {'x': 0, 'y': 1, '0': 0, '1': 1}


def parameter_overrides(mechanism: 'Mechanism', values: Mapping[str, float]) -> dict[str, Any]:
    """Return {name: value} as overrides, for Mechanism.replace and overrides_text.

    Names as in Mechanism.parameter_records; an axis of two numbers ('gravity.y') replaces both.
    Raises MechanismError where these two are not written out in the file.
    """
    overrides: dict[str, Any] = {}
    for name, number in values.items():
        keys = (('parameters', name) if name in mechanism.parameters
                else tuple(re.sub(r'\[(\d+)\]', r'.\1', name).split('.')))
        given = _at(merged(mechanism.raw, overrides), keys[:-1])
        value: Any = float(number)
        if keys[-1] in _AXES and not isinstance(given, dict):
            value = _pair(mechanism, name, given, _AXES[keys[-1]], value)
            keys = keys[:-1]
        for key in reversed(keys):
            value = {key: value}
        overrides = merged(overrides, value)
    return overrides


def _at(entry, keys):
    """Return what a mapping has at a path, None if it has nothing there."""
    for key in keys:
        entry = entry.get(key) if isinstance(entry, dict) else None
    return entry


def _pair(mechanism, name, given, axis, value):
    """Return two numbers of the file with one replaced."""
    if not isinstance(given, (list, tuple)) or len(given) != 2:
        raise MechanismError(f'{mechanism.file}: {name}: two numbers that the file does not write '
                             'out there; give them a name in `parameters`')
    return [value if k == axis else number for k, number in enumerate(given)]
