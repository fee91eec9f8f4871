"""The kinds of sensors: every file of this folder is one, and other packages may add theirs.

Each file ends with its SensorKind, `KIND`.  Another package offers one by an entry point of the
group `mb_sensors.kinds` that names a SensorKind.
"""

from enum import IntEnum
from functools import cache
from hashlib import sha256
from importlib import import_module
from pkgutil import iter_modules
from typing import Any
import warnings

import numpy as np

from mb_model.jit import source_stamp
from mb_model.kind_api import plugin_class, plugin_names
from mb_sensors.kind_parts.channel import channel_of
from mb_sensors.kind_parts.sensor_kind import SensorKind

GROUP = 'mb_sensors.kinds'


@cache
def sensor_kinds() -> dict[str, SensorKind]:
    """Return the SensorKinds by name: of this folder, then of other packages.

    Not gathered before they are asked for: a kind elsewhere imports mb_sensors itself.
    """
    kinds = [import_module(f'{__name__}.{file.name}').KIND for file in iter_modules(__path__)]
    by_name = {kind.name: kind for kind in kinds}
    for name in plugin_names(GROUP):
        try:
            kind = plugin_class(GROUP, name, 'sensor kind', ImportError)
        except ImportError as error:
            warnings.warn(str(error), stacklevel=2)
            continue
        if kind.name in by_name:
            warnings.warn(f'{name}: there is a sensor kind {kind.name} already', stacklevel=2)
        by_name.setdefault(kind.name, kind)
    return by_name


@cache
def channel_kinds() -> Any:
    """Return the IntEnum of measured quantities, a member for each kind with equations.

    And one for each kind whose equations differ in space.  NOTHING, 0, reads zero, as across the
    plane of a planar mechanism.
    """
    return IntEnum('ChannelKind', ['NOTHING', *_described()], start=0)


def channel_record(kind: str, dimension: int = 2, **fields: Any) -> np.ndarray:
    """Return the CHANNEL record (1) of a quantity of a kind of sensors; fields: not zero."""
    described = sensor_kinds()[kind]
    return channel_of(
        channel_kinds()[_name(described, dimension)], reads_velocities=described.reads_velocities,
        reads_accelerations=described.reads_accelerations,
        whole_turns_unknown=described.whole_turns_unknown, **fields)


def nothing_record() -> np.ndarray:
    """Return the CHANNEL record (1) of a reading that is always zero."""
    return channel_of(channel_kinds().NOTHING)


def driven_by(driver: str) -> tuple[str, ...]:
    """Return the names of the kinds whose devices a driver reads, by the name of its node."""
    return tuple(name for name, kind in sensor_kinds().items() if kind.driver == driver)


def equations(dimension: int) -> dict[int, tuple[Any, Any]]:
    """Return {number: (value, jacobian)} of the kinds that the motion determines.

    dimension: 2: in the plane, and where those in space are the same; 3: for space alone.
    """
    return {int(channel_kinds()[name]): (value, jacobian)
            for name, (first, value, jacobian) in _described().items() if first == dimension}


def _described():
    """Return {name of the quantity: (first dimension, value, jacobian)} of all kinds."""
    described_by_name: dict[str, tuple[int, Any, Any]] = {}
    for kind in sensor_kinds().values():
        for dimension in (2, 3):
            if kind.known_in(dimension) and kind.of(dimension).value is not None:
                described = kind.of(dimension)
                described_by_name.setdefault(
                    _name(kind, dimension), (dimension, described.value, described.jacobian))
    return described_by_name


def _name(kind, dimension):
    """Return what the quantity of a kind is called; kinds may have the same in both dimensions."""
    own = dimension == 3 and kind.of(3).value is not kind.value
    return kind.name.upper() + ('_IN_SPACE' if own else '')


def equations_stamp() -> str:
    """Return a digest of the numbers of all equations and of their sources."""
    sources = [(number, value.__module__, source_stamp(value.__module__),
                source_stamp(jacobian.__module__))
               for number, (value, jacobian) in (equations(2) | equations(3)).items()]
    return sha256(repr(sources).encode()).hexdigest()[:16]
