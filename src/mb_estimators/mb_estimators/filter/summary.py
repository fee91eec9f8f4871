"""A filter in a few lines, for people: what it estimates, by what, tuned how."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, Protocol

from mb_estimators.filter.layout import Layout
from mb_model import Mechanism
from mb_sensors import Sensor


class Summarised(Protocol):
    """A filter around a mechanism with a layout of states; dt: its longest step [s]."""

    mechanism: Mechanism
    sensors: Sequence[Sensor]
    layout: Layout
    dt: float
    settings: Any


def summary(filter_: Summarised) -> str:
    """Return what a filter shows of itself: name, machine, sensors, states, settings chosen."""
    settings = filter_.settings
    defaults = settings.defaults()
    chosen = ', '.join(f'{name}={value!r}' for name, value in asdict(settings).items()
                       if value != defaults.get(name))
    states = ', '.join(f'{len(block)} {block.name}'
                       for block in filter_.layout.blocks if len(block))
    return '\n'.join([
        f'{type(filter_).__name__} of {filter_.mechanism.name}, steps of {1e3 * filter_.dt:g} ms',
        f'  sensors: {", ".join(sensor.name for sensor in filter_.sensors)}',
        f'  states: {states}',
        f'  settings: {chosen or "all as by default"}'])
