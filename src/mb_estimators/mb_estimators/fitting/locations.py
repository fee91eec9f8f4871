"""Where points are, among the numbers that a fit to readings can find: kinematic calibration."""

from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any

from mb_estimators.fitting.fit_settings import FitError
from mb_model import Mechanism, MechanismError
from mb_model.arrays import FloatArray
from mb_model.file_api import whole_mapping

LOCATIONS = 'places'
_NAMED = 'points', 'ground', 'length'       # one of which a pattern has
_SHARE = 0.02           # deviation of what the file says, a share of the largest of all


def location_paths(mechanism: Mechanism, word: str) -> list[str]:
    """Return the paths or names of the lengths and points that a word or pattern of --free means.

    A number that is a name of the file's `parameters` is found by that name.  Left out is what
    follows other expressions, and what nothing depends on, such as origins of bodies.  [] for
    another word.  Raises FitError where a machine in space has none that can be free.
    """
    chosen: dict[str, None] = {}
    several = word == LOCATIONS or ('*' in word and any(one in word for one in _NAMED))
    meant = [(path, value) for path, value in _numbers(mechanism)
             if word in (LOCATIONS, path, value) or (several and fnmatchcase(path, word))]
    if meant and mechanism.dimension == 3 and several:
        raw = whole_mapping(mechanism.raw, mechanism.file)['bodies']
        fixed = {name for name in raw if not raw[name].get('variable_places')}
        if fixed == {*raw}:
            raise FitError(f'--free {word}: {mechanism.name} has no body with variable_places: '
                           'true, without which points of machines in space stay where they are')
        meant = [one for one in meant if one[0].split('.')[1] not in fixed]
    for path, value in meant:
        name = value if isinstance(value, str) else path
        if name not in mechanism.parameters and name != path:
            continue
        try:
            mechanism.parameter_records([name])
            chosen[name] = None
        except MechanismError:      # nothing depends on it
            continue
    return list(chosen)


def location_deviations(mechanism: Mechanism, paths: Sequence[str]) -> Mapping[str, float]:
    """Return path -> deviation before of points and lengths, a share of the value, or in m of 0."""
    values: FloatArray = mechanism.parameter_records(paths)['value']
    size = max((abs(value) for value in _sizes(mechanism)), default=1.0)
    return {path: _SHARE * size / (abs(value) or 1.0)
            for path, value in zip(paths, values.tolist(), strict=True)}


def _sizes(mechanism: Mechanism) -> Iterator[float]:
    """Yield coordinates of points and lengths [m]."""
    for body in mechanism.bodies.values():
        for at in body.points.values():
            yield from map(float, at)
    yield from (value for _, value in _numbers(mechanism) if not isinstance(value, str))


def _numbers(mechanism: Mechanism) -> Iterator[tuple[str, Any]]:
    """Yield (path, what the file has there) of lengths and points."""
    raw = whole_mapping(mechanism.raw, mechanism.file)
    for name, entry in raw.get('points', {}).items():
        yield from _point(f'points.{name}.fixed', entry.get('fixed', ()))
    for name, at in raw.get('ground', {}).items():
        yield from _point(f'ground.{name}', at)
    for name, body in raw.get('bodies', {}).items():
        if 'length' in body:
            yield f'bodies.{name}.length', body['length']
        points = body.get('points')
        for point, at in (points.items() if isinstance(points, Mapping) else ()):
            yield from _point(f'bodies.{name}.points.{point}', at)


def _point(path: str, at: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(at, (list, tuple)):
        yield from ((f'{path}.{axis}', value) for axis, value in zip('xyz', at, strict=False))
