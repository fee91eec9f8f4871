"""Values of attributes of prims, of the types that they are expected to have."""

from typing import Any

import numpy as np

from mb_import.readers.usd.stage import Stage
from mb_model.arrays import FloatArray


def value_of(prim: Any, name: str) -> Any:
    """Return the value of an attribute, None where there is none."""
    attribute = prim.GetAttribute(name)
    return attribute.Get() if attribute else None


def number(prim: Any, name: str, stage: Stage, default: float, *, infinite: bool = False) -> float:
    """Return a number of a prim, the default where there is none; raises MechanismError.

    infinite: whether it may be.
    """
    value = value_of(prim, name)
    if value is None:
        return default
    if (isinstance(value, bool) or not isinstance(value, int | float)
            or not (np.isfinite(value) or infinite) or np.isnan(value)):
        raise stage.notes.error(f'{prim.GetPath()}: {name}', f'{str(value)[:40]} must be a '
                                                             'finite number')
    return _shortest(value)


def vector(prim: Any, name: str, stage: Stage) -> FloatArray | None:
    """Return three numbers of a prim (3), None where there are none.

    Infinite ones are none, as USD has it.  Raises MechanismError.
    """
    value = value_of(prim, name)
    if value is None:
        return None
    try:
        array = np.array(value, float)
    except (TypeError, ValueError):
        array = np.zeros(0)
    if array.shape != (3,) or np.isnan(array).any():
        raise stage.notes.error(f'{prim.GetPath()}: {name}', f'{str(value)[:40]} must be three '
                                                             'numbers')
    return np.array([_shortest(one) for one in array]) if np.isfinite(array).all() else None


def turn(prim: Any, name: str, stage: Stage) -> FloatArray:
    """Return the matrix (3, 3) of a quaternion of a prim, (1) for none and for 0 0 0 0.

    Raises MechanismError.
    """
    value = value_of(prim, name)
    if value is None:
        return np.eye(3)
    if not hasattr(value, 'GetImaginary'):
        raise stage.notes.error(f'{prim.GetPath()}: {name}', f'{str(value)[:40]} must be a '
                                                             'quaternion')
    values = np.array([value.GetReal(), *value.GetImaginary()], float)
    size = float(np.linalg.norm(values))
    if not np.isfinite(size) or size < 1e-12:
        return np.eye(3)
    w, x, y, z = values / size
    cross = np.cross(np.eye(3), [x, y, z])
    turned: FloatArray = np.eye(3) + 2.0 * w * cross + 2.0 * cross @ cross
    return turned


def word(prim: Any, name: str, default: str) -> str:
    """Return a text of a prim, the default where there is none."""
    value = value_of(prim, name)
    return default if value is None else str(value)


def _shortest(value: float) -> float:
    """Return what a number of 32 bits was written as: 0.04, not 0.03999999910593033."""
    with np.errstate(over='ignore'):
        single = np.float32(value)
    return float(str(single)) if float(single) == value else float(value)
