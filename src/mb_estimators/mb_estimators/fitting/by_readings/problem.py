"""Machine, sensors and recordings as FrozenSystems along the paths of a filter."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from mb_estimators.filter.sensor_channels import SensorChannels
from mb_estimators.filters.augmented_ekf import AugmentedEkf, AugmentedEkfSettings
from mb_estimators.filters.channels import biased_channels
from mb_estimators.filters.error_ekf_ej import ErrorEkfEj, ErrorEkfEjSettings
from mb_estimators.filters.parameters import KNOWN_FORCES, Parameters, ParameterSettings
from mb_estimators.fitting.by_readings.frozen import Begun, FrozenSystem
from mb_estimators.fitting.by_readings.noises import with_noises
from mb_estimators.fitting.by_readings.path import trace
from mb_estimators.recording.recording import Recording
from mb_estimators.records.parameter import AUGMENTED
from mb_model import Mechanism, independent_orientations
from mb_model.arrays import FloatArray
from mb_model.file_api import parameter_overrides
from mb_model.jit import sizes_of
from mb_sensors import Sensor, sensors_of

_WIDEST = 0.3           # deviation of a number with which the first path begins, a share


@dataclass(frozen=True)
class Nominal:
    """Along what a filter goes.

    noises (n); numbers: path -> value; starts: z, zd (2g) of each recording, None: the file's;
    widths: variances of z, zd (2g) of each, None: as believed; deviations: of the numbers (p).
    """

    noises: FloatArray
    numbers: dict[str, float]
    starts: tuple[FloatArray | None, ...]
    widths: tuple[FloatArray | None, ...]
    deviations: FloatArray


class ReadingProblem:
    """What the readings of some Recordings are to say of a Mechanism and its Sensors."""

    def __init__(self, mechanism: Mechanism, sensors: Sequence[Sensor],
                 recordings: Sequence[Recording], dt: float, believed: Mapping[str, float],
                 initial_variance: float) -> None:
        """Set up.

        dt: longest step of the model [s]; believed: path -> deviation of a number before, a share,
        or in its unit where it is 0; initial_variance: of z, zd at the start.
        """
        self.mechanism, self.sensors, self.recordings = mechanism, tuple(sensors), tuple(recordings)
        self.names, self.dt, self.initial_variance = tuple(believed), dt, initial_variance
        self.shares = np.array([*believed.values()], float)
        self.owner = SensorChannels(sensors).owners
        self.biases = len(biased_channels(sensors))
        model = [name for name in self.names if not name.startswith(KNOWN_FORCES)]
        values = dict(zip(model, mechanism.parameter_records(model)['value'].tolist(), strict=True))
        self.file = {name: values.get(name, float(name.endswith('gain'))) for name in self.names}

    @property
    def widest(self) -> FloatArray:
        """Deviations of the numbers with which a path may begin (p)."""
        return np.minimum(self.shares, _WIDEST)

    @property
    def start(self) -> FloatArray:
        """z, zd (2g) at the start of the file."""
        return np.r_[self.mechanism.z0, self.mechanism.zd0]

    @property
    def turns(self) -> bool:
        """Whether orientations are degrees of freedom, whose errors are at references."""
        return bool(independent_orientations(self.mechanism))

    def first(self, noises: FloatArray) -> Nominal:
        """Return the Nominal of what the file says."""
        nothing = (None,) * len(self.recordings)
        return Nominal(noises, dict(self.file), nothing, nothing, self.widest)

    def machine(self, numbers: Mapping[str, float]) -> Mechanism:
        """Return the mechanism with numbers."""
        own = {name: value for name, value in numbers.items() if not name.startswith(KNOWN_FORCES)}
        return self.mechanism.replace(**parameter_overrides(self.mechanism, own)) if (
            own) else self.mechanism

    def system(self, nominal: Nominal) -> FrozenSystem:
        """Return the FrozenSystem along a Nominal.  Raises DivergenceError."""
        mechanism, g = self.machine(nominal.numbers), self.mechanism.g
        names = [one.name for one in self.sensors]
        named = (sensors_of(mechanism, names) if self.names and {*names} <= {*mechanism.sensors}
                 else self.sensors)
        sensors = with_noises([one.with_settings(own.settings) for one, own in
                               zip(named, self.sensors, strict=True)], nominal.noises, self.biases,
                              g)
        filter_ = self._filter(mechanism, sensors, nominal)
        parts = []
        for recording, start, width in zip(self.recordings, nominal.starts, nominal.widths,
                                           strict=True):
            begin = self.start
            filter_.reset(begin[:g], begin[g:])
            covariance, mean = filter_.state_covariance, np.zeros(len(filter_.layout))
            if start is not None:
                mean[:2 * g] = begin - start
                filter_.reset(start[:g], start[g:], width)
            if self.names:
                self._believe(filter_.layout['parameter'], nominal.numbers, mean, covariance)
            parts.append(Begun(trace(filter_, recording, self.dt), mean, covariance))
        shared = np.zeros(len(filter_.layout), bool)
        shared[filter_.layout['parameter']] = True
        return FrozenSystem(tuple(parts), self.owner, shared)

    def _filter(self, mechanism, sensors, nominal):
        """Return the filter at the start of a mechanism."""
        common = {'coordinate_psds': tuple(nominal.noises[:mechanism.g].tolist()), 'gate': 0.0,
                  'initial_variance': self.initial_variance}
        if not self.names:
            return ErrorEkfEj(mechanism, sensors, self.dt, ErrorEkfEjSettings(**common))
        return AugmentedEkf(mechanism, sensors, self.dt, AugmentedEkfSettings(
            **common, parameters=self.names, parameter_walks=(0.0,),
            parameter_deviations=tuple(nominal.deviations.tolist())))

    def _believe(self, span, numbers, mean, covariance):
        """Write what is believed of the numbers s to a mean (l) and covariance (l, l)."""
        parameters = self.parameters(numbers)
        mean[span] = [parameters.number_of(name, self.file[name]) for name in self.names]
        covariance[span, span] = np.diag(np.square(self.believed_deviations(parameters)))

    def believed_deviations(self, parameters: Parameters) -> FloatArray:
        """Return what is believed before of the numbers s (p) of Parameters, deviations."""
        e, count = parameters.estimated[0], len(self.names)
        units = np.array([abs(value) or 1.0 for value in self.file.values()])
        return self.shares * np.where(e['positive'][:count] == 1, 1.0,
                                      units / e['unit'][:count])

    def parameters(self, numbers: Mapping[str, float]) -> Parameters:
        """Return the Parameters of the machine with numbers."""
        machine = self.machine(numbers)
        return Parameters(machine, ParameterSettings(parameters=self.names), AUGMENTED,
                          sizes_of(machine.model), known_forces=True)
