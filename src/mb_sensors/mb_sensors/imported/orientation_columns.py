"""Orientations in logs: quaternions, matrices, Euler angles and rotation vectors."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
import re
from typing import Any

import numpy as np

from mb_model import Settings, setting
from mb_model.arrays import BoolArray, FloatArray
from mb_model.file_api import UNITS

FORMS = {'quaternion': 4, 'matrix': 9, 'euler': 3, 'rotation_vector': 3}   # -> number of columns
_TOLERANCE = 0.05       # of lengths and squareness: logs have few digits
_AXES = {'roll': 'x', 'pitch': 'y', 'yaw': 'z', 'heading': 'z'}
_EXPECTED = ('expected quaternion: [...] with order: wxyz or xyzw; matrix: [...] with order: rows '
             'or columns; euler: [...] with order, such as ZYX, and unit; or rotation_vector: '
             '[...] with unit')


@dataclass(frozen=True)
class OrientationSettings(Settings):
    """Columns of an orientation, which takes the axes of a sensor to the mechanism's."""

    quaternion: tuple[str, ...] = setting((), help='Its four columns')
    matrix: tuple[str, ...] = setting((), help='Its nine columns')
    euler: tuple[str, ...] = setting((), help='Its three columns')
    rotation_vector: tuple[str, ...] = setting((), help='Its three columns')
    order: str = setting('', help='wxyz or xyzw; rows or columns; axes of the angles in turn: ZYX '
                                  'about axes that turn, xyz about fixed ones, as in scipy')
    unit: str = setting('', help='Of angles', choices=('', *UNITS['rad']))
    inverse: bool = setting(False, help="Whether it takes the mechanism's axes to the sensor's")


class RowError(ValueError):
    """A number that cannot be; row: of the array (k) it is in."""

    def __init__(self, row: int, message: str) -> None:
        """Set up with the row."""
        super().__init__(message)
        self.row = row


@dataclass(frozen=True)
class OrientationColumns:
    """names: of the columns; rotations: numbers (k, names) -> scipy's Rotation of k."""

    names: list[str]
    rotations: Callable[[FloatArray], Any]


def orientation_of_list(names: Sequence[str], fail: Callable[[str], Any]) -> OrientationColumns:
    """Return the columns of a list without more words, where their names say which is which."""
    form = {4: 'quaternion', 9: 'matrix'}.get(len(names))
    if form is None or not (_quaternion_order(names) if form == 'quaternion'
                            else _matrix_indices(names)):
        fail(f'{len(names)} columns of an orientation: {_EXPECTED}')
    return orientation_columns(OrientationSettings(**{str(form): tuple(names)}), fail)


def orientation_columns(given: OrientationSettings, fail: Callable[[str], Any],
                        ) -> OrientationColumns:
    """Return the columns of settings; fail: called with a message where they do not fit."""
    forms = [form for form in FORMS if getattr(given, form)]
    if len(forms) != 1:
        fail(_EXPECTED)
    form, = forms
    names = list(getattr(given, form))
    if len(names) != FORMS[form]:
        fail(f'{form}: {len(names)} columns, expected {FORMS[form]}')
    read = {'quaternion': _quaternion, 'matrix': _matrix}.get(form, _angles)(
        form, names, given, fail)

    def rotations(numbers: FloatArray):
        turned = read(numbers)
        return turned.inv() if given.inverse else turned
    return OrientationColumns(names, rotations)


def _quaternion(form: str, names: Sequence[str], given: OrientationSettings,
                fail: Callable[[str], Any]):
    by_name = _quaternion_order(names)
    order = given.order or by_name
    if sorted(order) != sorted('wxyz') or (by_name and order != by_name):
        fail(f'order: {given.order!r} of {", ".join(names)}: expected wxyz or xyzw'
             + (f', by their names {by_name}' if by_name else ''))
    indices = [order.index(axis) for axis in 'xyzw']

    def read(numbers: FloatArray):
        lengths = np.linalg.norm(numbers, axis=1)
        _check(abs(lengths - 1.0) < _TOLERANCE, lambda row: (
            f'a quaternion of length {lengths[row]:.4g}, expected 1'))
        return _rotation().from_quat(numbers[:, indices])
    return read


def _matrix(form: str, names: Sequence[str], given: OrientationSettings,
            fail: Callable[[str], Any]):
    indices = _matrix_indices(names)
    if given.order not in ('rows', 'columns') and (given.order or not indices):
        fail(f'order: {given.order!r}: expected rows or columns')
    by_order = [3 * row + column if given.order == 'rows' else 3 * column + row
                for row in range(3) for column in range(3)]
    if indices and given.order and indices != by_order:
        fail(f'order: {given.order!r}: {", ".join(names)} are another by their names')
    indices = indices or by_order

    def read(numbers: FloatArray):
        matrices = numbers[:, indices].reshape(-1, 3, 3)
        off = abs(matrices @ matrices.transpose(0, 2, 1) - np.eye(3)).max(axis=(1, 2))
        _check((off < _TOLERANCE) & (np.linalg.det(matrices) > 0), lambda row: (
            'no matrix of a rotation: its rows must have length 1 and be square'))
        return _rotation().from_matrix(matrices)
    return read


def _angles(form: str, names: Sequence[str], given: OrientationSettings,
            fail: Callable[[str], Any]):
    if given.unit not in UNITS['rad']:
        fail(f'{form}: unit: missing: expected one of {", ".join(UNITS["rad"])}')
    factor = UNITS['rad'][given.unit]
    if form == 'rotation_vector':
        if given.order:
            fail('order: a rotation vector has none')
        return lambda numbers: _rotation().from_rotvec(factor * numbers)
    if not re.fullmatch('[xyz]{3}|[XYZ]{3}', given.order) or any(
            a == b for a, b in zip(given.order, given.order[1:], strict=False)):
        fail(f'euler: order: {given.order!r}: expected the axes of the angles in turn, such as ZYX '
             '(about axes that turn with it) or xyz (about fixed axes)')
    by_name = [_axis(name) for name in names]
    if set(by_name) == set('xyz') and ''.join(by_name) != given.order.lower():
        fail(f'euler: order: {given.order!r} is not of {", ".join(names)}, which are about '
             f'{", ".join(by_name)} by their names')
    return lambda numbers: _rotation().from_euler(given.order, factor * numbers)


def _rotation():
    """Return scipy's class: imported when it is used."""
    from scipy.spatial.transform import Rotation
    return Rotation


def _check(good: BoolArray, message: Callable[[int], str]):
    if not good.all():
        row = int(np.flatnonzero(~good)[0])
        raise RowError(row, message(row))


def _axis(name: str):
    """Return the axis that a name ends with, '' for none."""
    for word in reversed(re.split(r'[\s_\-.\[\]()]+', name.lower())):
        if word in _AXES or word in ('w', 'x', 'y', 'z'):
            return _AXES.get(word, word)
    return name[-1:].lower() if name[-1:].lower() in 'wxyz' else ''


def _quaternion_order(names: Sequence[str]):
    """Return the order that names say, such as wxyz; '' for none."""
    order = ''.join(map(_axis, names))
    return order if sorted(order) == sorted('wxyz') else ''


def _matrix_indices(names: Sequence[str]):
    """Return which name each element is, row by row, of names such as m21; empty for none."""
    ends = [re.search(r'(\d)\D?\D?(\d)\D?$', name) for name in names]
    if not all(ends):
        return []
    indices = [(int(end[1]), int(end[2])) for end in ends]       # type: ignore[index]
    least = min(min(pair) for pair in indices)
    wanted = [(row + least, column + least) for row in range(3) for column in range(3)]
    return [indices.index(one) for one in wanted] if sorted(indices) == wanted else []
