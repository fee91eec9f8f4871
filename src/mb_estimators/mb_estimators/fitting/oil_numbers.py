"""Numbers of the oil of a machine: which can be free, their values, and circuits with others."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fnmatch import fnmatchcase
from math import inf
from typing import Any

import numpy as np

from mb_model import Circuit, Mechanism
from mb_model.arrays import FloatArray
from mb_model.file_api import whole_mapping

OIL = 'oil'
OIL_GROUPS = {OIL: 'bulk moduli, volumes of lines, leakage, flows and time constants of valves'}
_OF_OIL = 'hydraulics.'
_KEYS = {'volumes': ('volume', 'bulk_modulus'), 'cylinders': ('bulk_modulus', 'leakage'),
         'valves': ('flow', 'time_constant')}
_ALONE = ('air', 'laminar_pressure')        # of no group, as supplies: little depends on them


def is_oil(path: str) -> bool:
    """Return whether a number is one of the oil, by its path."""
    return path.startswith(_OF_OIL)


def oil_paths(mechanism: Mechanism, word: str) -> list[str]:
    """Return the paths of numbers of the oil that a word of --free means, none if it is none."""
    if word != OIL and not is_oil(word):
        return []
    return [path for path in oil_values(mechanism) if (
        path.split('.')[1] != 'supplies' and path.rpartition('.')[2] not in _ALONE
        if word == OIL else fnmatchcase(path, word))]


def oil_values(mechanism: Mechanism) -> dict[str, float]:
    """Return path -> value of the numbers above zero that can be free, none without hydraulics."""
    return {f'{_OF_OIL}{path}': value for path, value in _values(mechanism) if value > 0.0}


def shortest_spool(mechanism: Mechanism) -> float:
    """Return the shortest time constant of a spool [s], infinite without valves."""
    described: Any = mechanism.described.hydraulics
    return min((valve.time_constant for valve in described.valves.values() if valve.commanded),
               default=inf)


def _values(mechanism: Mechanism) -> Iterator[tuple[str, float]]:
    """Yield path and value of the numbers of a circuit, paths without their beginning."""
    described: Any = mechanism.described.hydraulics
    if described is None:
        return
    for key in ('bulk_modulus', *_ALONE):
        yield f'oil.{key}', getattr(described.oil, key)
    for name, pressure in described.supplies.items():
        yield f'supplies.{name}', pressure
    valves = whole_mapping(mechanism.raw, mechanism.file)['hydraulics'].get('valves', {})
    for section, keys in _KEYS.items():
        for name, part in getattr(described, section).items():
            for key in keys:
                yield f'{section}.{name}.{key}', (mechanism.number(valves[name]['flow'])
                                                  if key == 'flow' else getattr(part, key))


class OilNumbers:
    """Numbers of the oil by path, all above zero, at values and near them.

    Numbers s (p) are logarithms of what values are of the present ones.
    """

    def __init__(self, mechanism: Mechanism, values: Mapping[str, float]) -> None:
        """Set up for numbers of a mechanism at values: path -> value."""
        self.names, self._now = tuple(values), np.array([*values.values()], float)
        self._mechanism, self._file = mechanism, oil_values(mechanism)

    def values_of(self, s: FloatArray) -> FloatArray:
        """Return the values (p) that numbers s mean."""
        return np.asarray(self._now * np.exp(s), np.float64)

    def number_of(self, name: str, value: float) -> float:
        """Return the number s of one of them at a value."""
        return float(np.log(value / self._now[self.names.index(name)]))

    def rates(self) -> FloatArray:
        """Return the derivatives of the values by s (p), here."""
        return self._now

    def rates_at(self, values: FloatArray) -> FloatArray:
        """Return the derivatives of the values by s at values (p)."""
        return values

    def described(self, s: FloatArray) -> Any:
        """Return the Hydraulics with numbers s."""
        described: Any = self._mechanism.described.hydraulics
        for path, value in zip(self.names, self.values_of(s).tolist(), strict=True):
            described = _with_number(described, path.split('.')[1:], value / self._file[path])
        return described

    def circuit(self, s: FloatArray) -> Circuit:
        """Return the Circuit with numbers s."""
        circuit: Any = self._mechanism.circuit
        return Circuit(self.described(s), self._mechanism.coordinates, circuit.p0)


def _with_number(described: Any, keys: list[str], factor: float) -> Any:
    """Return a Hydraulics of which the number at keys is so many times as large."""
    section, *rest = keys
    part = getattr(described, section)
    if section == 'oil':
        changed = replace(part, **{rest[0]: factor * getattr(part, rest[0])})
    elif section == 'supplies':
        changed = part | {rest[0]: factor * part[rest[0]]}
    else:
        name, key = rest
        field = 'coefficient' if key == 'flow' else key
        changed = part | {name: replace(part[name], **{field: factor * getattr(part[name],
                                                                                field)})}
    return replace(described, **{section: changed})
