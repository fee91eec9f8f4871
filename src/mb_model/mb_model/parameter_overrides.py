"""Values of parameters as overrides of a mechanism file."""

from collections.abc import Mapping
import re
from typing import TYPE_CHECKING, Any

from mb_model.mechanism_file.description import MechanismError
from mb_model.mechanism_file.overrides import merged

if TYPE_CHECKING:
    from mb_model.mechanism import Mechanism

_AXES = {'x': 0, 'y': 1, 'z': 2}


def parameter_overrides(mechanism: 'Mechanism', values: Mapping[str, float]) -> dict[str, Any]:
    """Return {name: value} as overrides, for Mechanism.replace and overrides_text.

    Names as in Mechanism.parameter_records; one number of a list ('gravity.y') replaces the list.
    Raises MechanismError where such a list is not written out in the file.
    """
    overrides: dict[str, Any] = {}
    for name, number in values.items():
        keys = (('parameters', name) if name in mechanism.parameters
                else tuple(re.sub(r'\[(\d+)\]', r'.\1', name).split('.')))
        given = merged(mechanism.raw, overrides)
        overrides = merged(overrides, _replacement(mechanism, name, given, keys, float(number)))
    return overrides


def _replacement(mechanism, name, given, keys, number):
    """Return what replaces a part of a file, whose number at a path of keys is another one."""
    if not keys:
        return number
    key, *rest = keys
    if isinstance(given, (list, tuple)):
        place = _AXES[key] if key in _AXES else int(key)
        return [_replacement(mechanism, name, one, rest, number) if k == place else one
                for k, one in enumerate(given)]
    if not isinstance(given, dict) and key in (*_AXES, '0', '1', '2'):
        raise MechanismError(f'{mechanism.file}: {name}: numbers that the file does not write out '
                             'there; give them a name in `parameters`')
    within = given.get(key) if isinstance(given, dict) else None
    return {key: _replacement(mechanism, name, within, rest, number)}
