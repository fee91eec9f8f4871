"""Names of settings of an estimator, so that misspelt ones do not pass without effect."""

from collections.abc import Iterable
from difflib import get_close_matches

from mb_estimators.consistency import ConsistencySettings
from mb_estimators.estimator_setup import EstimatorSettings
from mb_estimators.plugins import available_filters, filter_class
from mb_estimators.stream import StreamSettings
from mb_estimators.watches.gating import GateSettings
from mb_model import Mechanism, ModelErrors, SettingError
from mb_sensors import FaultSettings, NoiseSettings

_OF_NODES = 'autostart', 'use_sim_time', 'start_time', 'stamps'      # every node has them
_OF_ROS = 'qos_overrides.'


def check_names(names: Iterable[str], mechanism: Mechanism, estimator: str, source: str) -> None:
    """Raise SettingError for a name that no estimator of a Mechanism has a setting of.

    A file may be for several filters and choices of sensors: settings of every filter and of every
    sensor of the mechanism are known, also the faults that a driver simulates: recorded runs have
    what was given to all nodes.  estimator: name of the filter that is to run.  Others are looked
    at for what it does not have alone: to import a filter loads its compiled kernels.  source: of
    the names, for errors.
    """
    known = _names_of(_of_all(mechanism)) | set(_OF_NODES)
    unknown = [name for name in names if not name.startswith(_OF_ROS)]
    for filter_ in (estimator, *available_filters()):
        unknown = [name for name in unknown if name not in known]
        if not unknown:
            return
        known |= _names_of([('filter.', filter_class(filter_).Settings)])
    for name in unknown:
        if name not in known:
            raise SettingError(f'{source}: {name}: no such setting of an estimator'
                               f'{_meant(name, known)}')


def _of_all(mechanism):
    """Return [(prefix, Settings class)] of what estimators have whatever their filter."""
    return [('', EstimatorSettings), ('', StreamSettings), ('model_errors.', ModelErrors),
            ('consistency.', ConsistencySettings), *(
                (f'{sensor}.{prefix}', settings) for sensor in mechanism.sensors
                for prefix, settings in (('', NoiseSettings), ('', GateSettings),
                                         ('fault.', FaultSettings)))]


def _names_of(classes):
    """Return all names of settings by [(prefix, Settings class)]."""
    return {prefix + name for prefix, settings in classes for name, _, _ in settings.describe()}


def _meant(name, known):
    """Return in words which known name may be meant."""
    ends = [one for one in sorted(known) if one.rpartition('.')[2] == name.rpartition('.')[2]]
    close = [one for one in ends if one.startswith('filter.')] or get_close_matches(
        name, sorted(known), 1, 0.6) or ends
    return f', is {close[0]} meant?' if close else ''
