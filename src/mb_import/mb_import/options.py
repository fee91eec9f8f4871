"""Section `import` of a mechanism file that extends a description: what the description lacks."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import isfinite
from typing import Any

from mb_model import MechanismError

FIXED, FLOATING = 'fixed', 'floating'
_KEYS_OF_LOOP = 'kind', 'frames', 'at', 'axis', 'second_axis'
CLOSURES = 'spherical', 'revolute', 'cylindrical', 'in_line', 'prismatic', 'universal', 'weld'


@dataclass(frozen=True)
class Loop:
    """A closure that the description does not have: points of two frames, or links, that meet.

    at: the points, in each frame [m]; axis: in the first frame, of kinds that have one;
    second_axis: of a universal joint, in the second frame, None if it is not said.
    """

    kind: str
    frames: tuple[str, str]
    at: tuple[tuple[float, ...], tuple[float, ...]] = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    axis: tuple[float, ...] = (0.0, 0.0, 1.0)
    second_axis: tuple[float, ...] | None = None


@dataclass(frozen=True)
class ImportOptions:
    """What completes a description.

    base: fixed or floating, '' as the description says; gravity (3) [m/s^2]; pose: joint -> value
    near which the machine starts [rad or m]; packages: ROS package -> folder; arguments: of xacro;
    model: which one of several in a file; loops: name -> Loop; repairs: whether rounded axes and
    impossible inertias are mended, with a note; strict: whether leaving something out is an error.
    """

    base: str = ''
    gravity: tuple[float, ...] | None = None
    pose: Mapping[str, float] = field(default_factory=dict)
    packages: Mapping[str, str] = field(default_factory=dict)
    arguments: Mapping[str, str] = field(default_factory=dict)
    model: str = ''
    loops: Mapping[str, Loop] = field(default_factory=dict)
    repairs: bool = True
    strict: bool = False


def read_options(section: Any, file: str) -> ImportOptions:
    """Return the ImportOptions of a mapping; raises MechanismError naming key and expectation."""
    if not isinstance(section, Mapping):
        raise MechanismError(f'{file}: import: must be a mapping')
    values: dict[str, Any] = {}
    for key, value in section.items():
        if key not in _READERS:
            raise MechanismError(f'{file}: import.{key}: unknown key, expected one of '
                                 f'{", ".join(_READERS)}')
        values[key] = _READERS[key](f'{file}: import.{key}', value)
    return ImportOptions(**values)


def _base(where: str, value: Any) -> str:
    if value not in (FIXED, FLOATING):
        raise MechanismError(f'{where}: {value!r} must be {FIXED} or {FLOATING}')
    return str(value)


def _text(where: str, value: Any) -> str:
    if not isinstance(value, str):
        raise MechanismError(f'{where}: {value!r} must be a text')
    return value


def _flag(where: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise MechanismError(f'{where}: {value!r} must be true or false')
    return value


def _number(where: str, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
        raise MechanismError(f'{where}: {value!r} must be a number')
    return float(value)


def _vector(where: str, value: Any) -> tuple[float, ...]:
    if not isinstance(value, list | tuple) or len(value) != 3:
        raise MechanismError(f'{where}: {value!r} must be three numbers [x, y, z]')
    return tuple(_number(where, one) for one in value)


def _mapping(where: str, value: Any) -> Mapping[str, Any]:
    if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
        raise MechanismError(f'{where}: must be a mapping of names')
    return value


def _numbers(where: str, value: Any) -> dict[str, float]:
    return {key: _number(f'{where}.{key}', one) for key, one in _mapping(where, value).items()}


def _texts(where: str, value: Any) -> dict[str, str]:
    return {key: str(one).lower() if isinstance(one, bool) else str(one)
            for key, one in _mapping(where, value).items()}


def _loops(where: str, value: Any) -> dict[str, Loop]:
    return {name: _loop(f'{where}.{name}', one) for name, one in _mapping(where, value).items()}


def _loop(where: str, value: Any) -> Loop:
    value = _mapping(where, value)
    for key in value:
        if key not in _KEYS_OF_LOOP:
            raise MechanismError(f'{where}.{key}: unknown key, expected one of '
                                 f'{", ".join(_KEYS_OF_LOOP)}')
    kind, frames = value.get('kind', 'spherical'), value.get('frames')
    if kind not in CLOSURES:
        raise MechanismError(f'{where}.kind: {kind!r} must be one of {", ".join(CLOSURES)}')
    if (not isinstance(frames, list | tuple) or len(frames) != 2
            or not all(isinstance(one, str) for one in frames)):
        raise MechanismError(f'{where}.frames: {frames!r} must be two names of links or frames')
    at = value.get('at', [[0.0, 0.0, 0.0]] * 2)
    if not isinstance(at, list | tuple) or len(at) != 2:
        raise MechanismError(f'{where}.at: {at!r} must be two points [[x, y, z], [x, y, z]]')
    if kind != 'universal' and 'second_axis' in value:
        raise MechanismError(f'{where}.second_axis: a {kind} joint has none')
    axes = [_direction(f'{where}.{key}', value[key]) if key in value else None
            for key in ('axis', 'second_axis')]
    return Loop(kind, (frames[0], frames[1]),
                (_vector(f'{where}.at[0]', at[0]), _vector(f'{where}.at[1]', at[1])),
                axes[0] or (0.0, 0.0, 1.0), axes[1])


def _direction(where: str, value: Any) -> tuple[float, ...]:
    axis = _vector(where, value)
    if not any(axis):
        raise MechanismError(f'{where}: {list(axis)} is no direction')
    return axis


_READERS = {'base': _base, 'gravity': _vector, 'pose': _numbers, 'packages': _texts,
            'arguments': _texts, 'model': _text, 'loops': _loops, 'repairs': _flag,
            'strict': _flag}
