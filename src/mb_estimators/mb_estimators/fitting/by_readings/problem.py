"""Machine, sensors and recordings as FrozenSystems along the paths of a filter."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from mb_estimators.filter.sensor_channels import SensorChannels
from mb_estimators.filters.augmented_ekf import AugmentedEkf, AugmentedEkfSettings
from mb_estimators.filters.channels import biased_channels
from mb_estimators.filters.error_ekf_ej import ErrorEkfEj, ErrorEkfEjSettings
from mb_estimators.filters.parameters import KNOWN_FORCES, Parameters, ParameterSettings
from mb_estimators.fitting.by_readings.frozen import Begun, FrozenSystem
from mb_estimators.fitting.by_readings.noises import PLANT, Noises, noises_of, with_noises
from mb_estimators.fitting.by_readings.path import AccelerationTracer, Tracer, trace
from mb_estimators.fitting.by_readings.reading_settings import ReadingSettings
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

    filter_name = 'augmented_ekf'       # what a mechanism has to suit whose numbers are free
    resumes = False                     # with other noises, where it has come to with some

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

    @staticmethod
    def noises(mechanism: Mechanism, sensors: Sequence[Sensor], settings: ReadingSettings,
               words: Sequence[str]) -> Noises:
        """Return the Noises at first; words: patterns of free ones of sensors."""
        return noises_of({PLANT: mechanism.g * [settings.acceleration_psd]}, sensors, words)

    @cached_property
    def file(self) -> dict[str, float]:
        """The file's values of the numbers."""
        model = [name for name in self.names if not name.startswith(KNOWN_FORCES)]
        values = dict(zip(model, self.mechanism.parameter_records(model)['value'].tolist(),
                          strict=True))
        return {name: values.get(name, float(name.endswith('gain'))) for name in self.names}

    @property
    def densities(self) -> int:
        """How many noises are of the plant."""
        return self.mechanism.g

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
                              self.densities)
        filter_ = self._filter(mechanism, sensors, nominal)
        parts = []
        for recording, start, width in zip(self.recordings, nominal.starts, nominal.widths,
                                           strict=True):
            begin = self.start
            filter_.reset(begin[:g], begin[g:])
            believed = filter_.state_covariance
            if start is not None:
                filter_.reset(start[:g], start[g:], self._start_covariance(believed, width))
            path = trace(self._tracer(filter_, recording, nominal), recording, self.dt)
            mean, covariance = self._believed(nominal.numbers, believed, len(path.end))
            if start is not None:
                mean[:2 * g] = begin - start
            parts.append(Begun(path, mean, covariance))
        shared = np.arange(len(mean)) >= len(mean) - len(self.names)
        return FrozenSystem(tuple(parts), self.owner, shared)

    def _start_covariance(self, _: FloatArray, width: FloatArray | None) -> FloatArray | None:
        """Return the covariance with which a filter starts; width: of z, zd, None: as believed."""
        return width

    def _tracer(self, filter_: Any, recording: Recording, _: Nominal) -> Tracer:
        """Return the Tracer of a filter at its start."""
        return AccelerationTracer(filter_, len(recording.stamps))

    def _filter(self, mechanism: Mechanism, sensors: Sequence[Sensor], nominal: Nominal) -> Any:
        """Return the filter at the start of a mechanism."""
        common = {'coordinate_psds': tuple(nominal.noises[:mechanism.g].tolist()), 'gate': 0.0,
                  'initial_variance': self.initial_variance}
        if not self.names:
            return ErrorEkfEj(mechanism, sensors, self.dt, ErrorEkfEjSettings(**common))
        return AugmentedEkf(mechanism, sensors, self.dt, AugmentedEkfSettings(
            **common, parameters=self.names, parameter_walks=(0.0,),
            parameter_deviations=tuple(nominal.deviations.tolist())))

    def _believed(self, numbers: Mapping[str, float], of_states: FloatArray,
                  size: int) -> tuple[FloatArray, FloatArray]:
        """Return mean (l) and covariance (l, l) of errors at the start, the last ones of numbers s.

        of_states: covariance of states.
        """
        mean, covariance = np.zeros(size), np.zeros((size, size))
        covariance[:len(of_states), :len(of_states)] = of_states
        if self.names:
            span, parameters = slice(size - len(self.names), size), self.parameters(numbers)
            mean[span] = [parameters.number_of(name, self.file[name]) for name in self.names]
            covariance[span, span] = np.diag(np.square(self.believed_deviations(parameters)))
        return mean, covariance

    def believed_deviations(self, parameters: Any) -> FloatArray:
        """Return what is believed before of the numbers s (p) of Parameters, deviations."""
        e, count = parameters.estimated[0], len(self.names)
        units = np.array([abs(value) or 1.0 for value in self.file.values()])
        return self.shares * np.where(e['positive'][:count] == 1, 1.0,
                                      units / e['unit'][:count])

    def parameters(self, numbers: Mapping[str, float]) -> Any:
        """Return the Parameters of the machine with numbers."""
        machine = self.machine(numbers)
        return Parameters(machine, ParameterSettings(parameters=self.names), AUGMENTED,
                          sizes_of(machine.model), known_forces=True)
