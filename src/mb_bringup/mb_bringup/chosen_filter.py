"""Filters that cannot serve a mechanism or read its sensors, refused before anything starts."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from mb_estimators import check_suits, filter_class
from mb_estimators.command_api import check_names, settings_as_in
from mb_model import Mechanism
from mb_model.file_api import GivenParameters, read_parameters
from mb_sensors import NoiseSettings, Sensor

ESTIMATOR = 'estimator'
_OTHER = 'another_node'     # gets only what all nodes get


def check_launched(name: str, mechanism: Mechanism, sensors: Sequence[Sensor],
                   files: Sequence[str]) -> None:
    """Check a filter with the parameters that it gets from files; see the others here."""
    check_settings(files, mechanism, name)
    check_filter(name, mechanism, sensors, read_parameters(files, ESTIMATOR))


def check_filter(name: str, mechanism: Mechanism, sensors: Sequence[Sensor],
                 parameters: Mapping[str, Any]) -> None:
    """Raise ValueError unless a filter, by its name, suits a Mechanism and can read its Sensors.

    parameters: of the estimator by name; they may replace the noise of sensors.
    """
    check_suits(name, mechanism)
    settings_as_in(parameters.get('as_in', ''), name)
    given = GivenParameters(parameters, 'config')
    for sensor in sensors:
        if not len(sensor.records) and not reads_oil(name):
            raise ValueError(f'{name}: {sensor.name}: a {sensor.kind} sensor says nothing about '
                             'the motion that this filter estimates')
        noise = given.settings_of(NoiseSettings, f'{sensor.name}.', asdict(sensor.settings))
        if not noise.variance > 0.0:
            raise ValueError(f'{sensor.name}.sigma: must be > 0 for a sensor that a filter reads')


def check_settings(files: Sequence[str], mechanism: Mechanism, name: str) -> None:
    """Raise ValueError for settings in parameter files that no estimator of a Mechanism has.

    name: of the filter.  Sections for all nodes are left out: they hold settings of other nodes,
    too.
    """
    shared = read_parameters(files, _OTHER)
    check_names([key for key in read_parameters(files, ESTIMATOR) if key not in shared],
                mechanism, name, f'config: {ESTIMATOR}')


def reads_oil(name: str) -> bool:
    """Return whether a filter, by its name, estimates hydraulics, too."""
    return getattr(filter_class(name), 'needs_hydraulics', False)
