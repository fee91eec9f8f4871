"""Filters by name, also of other packages.

A package offers a filter by an entry point of the group `mb_estimators.filters`, naming a class.
"""

from collections.abc import Iterable
from functools import cache
from typing import Any
import warnings

from mb_estimators.filter import (
    Filter,
    FilterError,
    follows_rolling,
    moves_prescribed,
    needs_hydraulics,
    needs_masses,
    refuses_orientations,
)
from mb_estimators.filter.errors import in_full
from mb_estimators.filters.machine_noise import machine_defaults
from mb_estimators.filters.start import StartWarning, bent_start
from mb_estimators.papers import settings_as_in
from mb_model import Mechanism, SettingError, independent_orientations, load_mechanism
from mb_model.kind_api import plugin_class, plugin_names
from mb_sensors import Sensor, SensorError, sensors_of

GROUP = 'mb_estimators.filters'


def available_filters(mechanism: Mechanism | None = None) -> list[str]:
    """Return the names of all installed filters, sorted; of a Mechanism, the ones that may suit it.

    A filter with a true `needs_hydraulics` suits mechanisms with a hydraulic circuit only; one
    without a true `moves_prescribed`, mechanisms without prescribed coordinates only; one without a
    false `needs_masses`, mechanisms whose bodies have masses; one without a true
    `follows_rolling`, mechanisms on which nothing rolls; one that says why it
    `refuses_orientations`, or does not say, mechanisms without them as degrees of freedom.
    """
    names = plugin_names(GROUP)
    if mechanism is None:
        return names
    if mechanism.circuit is None:
        names = [name for name in names if not needs_hydraulics(filter_class(name))]
    if mechanism.described.prescribed:
        names = [name for name in names if moves_prescribed(filter_class(name))]
    if mechanism.described.unweighed:
        names = [name for name in names if not needs_masses(filter_class(name))]
    if mechanism.rolling:
        names = [name for name in names if follows_rolling(filter_class(name))]
    if independent_orientations(mechanism):
        names = [name for name in names if not refuses_orientations(filter_class(name))]
    return names


@cache      # a search through the metadata of all packages takes as long as hundreds of steps
def filter_class(name: str) -> type[Any]:
    """Return the class of a filter.  Raises FilterError for an unknown or broken plugin."""
    return plugin_class(GROUP, name, 'filter', FilterError)


def check_suits(name: str, mechanism: Mechanism) -> None:
    """Raise FilterError, naming what does, unless a filter, by its name, suits a Mechanism."""
    plugin = filter_class(name)
    mechanism = in_full(mechanism, 'a filter')
    why = ''
    if needs_hydraulics(plugin) and mechanism.circuit is None:
        why = 'needs a mechanism with hydraulics, its file has no such section'
    elif mechanism.described.prescribed and not moves_prescribed(plugin):
        why = f'not with prescribed coordinates: {", ".join(mechanism.described.prescribed)}'
    elif (unweighed := mechanism.described.unweighed) and needs_masses(plugin):
        why = f'needs masses, and the file has none of bodies.{", bodies.".join(unweighed)}'
    elif mechanism.rolling and not follows_rolling(plugin):
        why = f'not with bodies that roll: joints.{", joints.".join(mechanism.rolling)}'
    elif orientations := independent_orientations(mechanism):
        refused = refuses_orientations(plugin)
        why = refused and f'not with orientations ({", ".join(orientations)}): {refused}'
    if why:
        raise FilterError(f'{name}: {mechanism.name}: {why}; filters that suit it are '
                          f'{", ".join(available_filters(mechanism)) or "none"}')


def make_filter(name: str, mechanism: Mechanism | str, sensors: Iterable[str | Sensor], dt: float,
                as_in: str = '', **settings: Any) -> Filter:
    """Return a filter by its name.

    mechanism: a Mechanism, or its name; sensors: names of its sensors or sensor groups, or Sensor
    objects; dt: longest step of the model [s]; as_in: a paper whose settings it has, see papers;
    settings: that differ from these, or from the plugin's defaults on this machine, see
    filters.machine_noise.
    Raises FilterError, SensorError, SettingError (all ValueError); issues a StartWarning where a
    body that bends does not hang at the start, and the filter is sure that it does.
    """
    if isinstance(mechanism, str):
        mechanism = load_mechanism(mechanism)
    made, problem = filter_and_start(
        name, mechanism, sensors, dt, settings_as_in(as_in, name).settings | settings)
    if problem:
        warnings.warn(f'{name}: {problem}', StartWarning, stacklevel=2)
    return made


def filter_and_start(name: str, mechanism: Mechanism, sensors: Iterable[str | Sensor], dt: float,
                     settings: dict[str, Any]) -> tuple[Filter, str]:
    """Return a filter as make_filter does, and what it would warn of, '' for nothing."""
    plugin = filter_class(name)
    check_suits(name, mechanism)
    mechanism = in_full(mechanism, 'a filter')
    if not dt > 0.0:
        raise FilterError(f'dt: {dt!r} must be > 0')
    try:
        values = plugin.Settings.from_mapping(
            machine_defaults(plugin, mechanism, settings) | settings)
    except SettingError as error:
        raise SettingError(f'{name}: {error}') from None
    chosen = sensors_of(mechanism, sensors)
    if not chosen:
        raise SensorError(f'{name}: needs at least one sensor')
    made = plugin(mechanism, chosen, dt, values)
    return made, bent_start(made, mechanism)
