"""The results of tuning, as a table in the terminal."""

from mb_estimators.plugins import filter_class
from mb_model.command_api import table
from mb_sensors import NoiseSettings

_PER_TIME = {'velocity_rmse': '/s', 'acceleration_rmse': '/s²'}     # of criteria
_LIKE_READINGS = ('sigma', 'bias_sigma')        # settings of noise with the unit of the readings


def tuned_table(found, criterion, name, mechanism, sensors):
    """Return the table of a Tuned filter, by its name, beside the values before."""
    own = {sensor.name: sensor.unit for sensor in sensors}
    likely = criterion == 'likelihood'
    sign = -1.0 if likely else 1.0
    units = dict.fromkeys(mechanism.unit(one) for one in mechanism.independent)
    error = ' or '.join(f'{unit}{_PER_TIME.get(criterion, "")}' for unit in units)
    judged = ('log-likelihood per reading' if likely else f'{criterion} [{error}]',
              f'{sign * found.loss_before:.5g}', f'{sign * found.loss:.5g}')
    tuned = [(_with_unit(setting, filter_class(name).Settings, own), _text(found.before[setting]),
              _text(value)) for setting, value in found.values.items()]
    return table(('', 'before', 'tuned'), [[judged], tuned])


def in_words(values):
    """Return settings in one line."""
    return ', '.join(f'{name} = {_text(value)}' for name, value in values.items())


def _with_unit(setting, settings_class, own):
    """Return the name of a setting, of a filter or of the noise of a sensor, with its unit.

    own: units of the readings of sensors, by name.
    """
    sensor, _, name = setting.rpartition('.')
    described = (NoiseSettings if sensor else settings_class).describe()
    unit = next((one.unit for key, _, one in described if key == name), '')
    if name in _LIKE_READINGS:
        unit = own.get(sensor, unit)
    return f'{setting} [{unit}]' if unit else setting


def _text(value):
    return f'{value:.4g}' if isinstance(value, float) else str(value)
