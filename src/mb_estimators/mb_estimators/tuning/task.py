"""The task of tuning: a filter of a mechanism and its sensors, on recordings."""

from dataclasses import dataclass, field, replace

import numpy as np

from mb_estimators.filter import FilterError
from mb_estimators.likelihood import log_likelihood
from mb_estimators.observation import observe
from mb_estimators.plugins import filter_class, make_filter
from mb_estimators.recording.recording import Recording
from mb_estimators.recording.result import Track
from mb_estimators.tuning.dimension import dimension
from mb_model import Mechanism, SettingError
from mb_sensors import NoiseSettings, Sensor

ERRORS = ('position_rmse', 'position_rmse_after_2s', 'velocity_rmse', 'acceleration_rmse')
CRITERIA = ('likelihood', *ERRORS)


@dataclass(frozen=True)
class Task:
    """A search for settings with a small loss.  Can be sent to other processes and machines.

    settings: of the filter that differ from its defaults; criterion: one of CRITERIA.
    A setting is called by its name, noise that the filter expects of a sensor by
    `<sensor>.<setting>`.  Raises FilterError where the criterion cannot be judged.
    """

    filter: str
    mechanism: Mechanism
    sensors: tuple[Sensor, ...]
    dt: float
    recordings: tuple[Recording, ...]
    criterion: str = 'likelihood'
    settings: dict = field(default_factory=dict)

    def __post_init__(self):
        if self.criterion not in CRITERIA:
            raise FilterError(f'criterion: {self.criterion}: unknown, expected one of '
                              f'{", ".join(CRITERIA)}')
        if not self.recordings:
            raise FilterError('recordings: at least one is needed')
        if self.criterion in ERRORS and any(r.truth is None for r in self.recordings):
            raise FilterError(f'criterion: {self.criterion}: needs the true motion, which is not '
                              'recorded')

    def loss(self, values, place):
        """Return the loss with values of settings on the recording at a place.

        The error, or minus the log-likelihood per reading; infinite if the filter diverges.
        """
        try:
            return self.checked_loss(values, place)
        except (ArithmeticError, ValueError):      # filters of other packages may raise anything
            return np.inf

    def checked_loss(self, values, place):
        """Return the loss; raises ValueError in the user's words, DivergenceError."""
        sensors, tuning = self._with(values)
        recording = self.recordings[place]
        observer = make_filter(self.filter, self.mechanism, sensors, self.dt, **tuning)
        observed = observe(observer, recording.stamps, recording.readings, self.dt,
                           recording.inputs)
        if self.criterion == 'likelihood':
            return -log_likelihood(recording.readings, observed)
        track = recording.judge(Track(observed.z, observed.zd, observed.zdd, observed.turns))
        error = float(np.mean(getattr(track, self.criterion)))
        if np.isnan(error):
            raise FilterError(f'criterion: {self.criterion}: the recording is too short')
        return error

    def _with(self, values):
        """Return the Sensors and the settings of the filter with values of settings."""
        noise, tuning = {}, dict(self.settings)
        for name, value in values.items():
            sensor, dot, quantity = name.rpartition('.')
            if dot:
                noise.setdefault(sensor, {})[quantity] = value
            else:
                tuning[name] = value
        return [s.with_settings(replace(s.settings, **noise.get(s.name, {})))
                for s in self.sensors], tuning

    def dimensions(self, vary):
        """Return the Dimensions of settings, {name: limits or None}.  Raises SettingError."""
        return [dimension(name, *self._description(name), limits)
                for name, limits in vary.items()]

    def value(self, name):
        """Return the value that a setting has before it is tuned."""
        return self._description(name)[2]

    def _description(self, name):
        """Return type, Description and present value of a setting."""
        sensor, dot, quantity = name.rpartition('.')
        if dot:
            owners = {s.name: (NoiseSettings, vars(s.settings)) for s in self.sensors}
            if sensor not in owners:
                raise SettingError(f'{name}: {sensor}: expected one of {", ".join(owners)}')
            owner, values = owners[sensor]
        else:
            owner = filter_class(self.filter).Settings
            values = owner.defaults() | self.settings
        for known, kind, description in owner.describe():
            if known == quantity:
                return kind, description, values.get(known)
        raise SettingError(f'{name}: unknown setting, expected one of '
                           f'{", ".join(known for known, _, _ in owner.describe())}')
