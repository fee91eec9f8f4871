"""How IMUs sit on their bodies, how late and how wrong they read, from a motion that is known."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any, NamedTuple

import numpy as np

from mb_estimators.fitting.fit_settings import FitError, FitSettings
from mb_estimators.fitting.fitted_number import FittedNumber
from mb_estimators.fitting.quality import Quality, quality_of_readings
from mb_model import Mechanism
from mb_model.arrays import FloatArray, IntArray
from mb_model.file_api import merged
from mb_sensors import (
    BodyMotion,
    ImuRecording,
    MountingFit,
    MountingFitSettings,
    RecordedMotion,
    Sensor,
    SensorError,
    fit_mounting,
    judged_mounting,
    mounting_overrides,
    sensors_of,
)

MOUNTING_GROUPS = {
    'mountings': 'position and direction of accelerometers and gyroscopes on their bodies',
    'delays': 'how late their stamps are against the motion',
    'biases': 'constant errors of their channels',
    'scales': 'relative errors of their sensitivity'}
_KEYS = {'at': ('mountings', 'position'), 'rpy': ('mountings', 'orientation'),
         'orientation': ('mountings', 'orientation'), 'delay': ('delays', 'delay'),
         'bias': ('biases', 'biases'), 'scale': ('scales', 'scales')}
_MOUNTING, _BESIDE = frozenset(('position', 'orientation')), frozenset(('biases', 'delay'))
_LATE, _SOON = 3.0, 1e-3         # deviations, and seconds, of stamps that are late
_KINDS = ('accelerometer', 'gyroscope')


class MountingRecording(NamedTuple):
    """The motion of a mechanism, and readings: sensor -> (stamps (k) [ns], values (k, channels)).
    """

    motion: RecordedMotion
    readings: Mapping[str, tuple[IntArray, FloatArray]]


class Imu(NamedTuple):
    """Sensors with the same axes and stamps on one body.

    wanted: what of them is to be found; named: whether one is meant by its name, rather than by a
    group.
    """

    sensors: tuple[Sensor, ...]
    wanted: frozenset[str]
    named: bool

    @property
    def free(self) -> frozenset[str]:
        """What is fitted: beside a position or direction biases and delay in any case."""
        return self.wanted | (_BESIDE if self.wanted & _MOUNTING else frozenset())


@dataclass(frozen=True)
class ImuFit:
    """The MountingFit of an Imu; how good it is, on all readings and on those held out."""

    imu: Imu
    fit: MountingFit
    quality: Quality
    held_out: Quality | None

    @property
    def units(self) -> list[str]:
        """The units of its channels."""
        return [sensor.unit for sensor in self.imu.sensors for _ in sensor.channels]


@dataclass(frozen=True)
class MountingsFit:
    """Fitted mountings, delays and biases of IMUs.

    numbers: FittedNumbers by path in the file; overrides of the mechanism file; mechanism: with
    them; imus: each by itself; calibration: mapping of a calibration file of drivers, with the
    biases and scales that were free; notes: sentences for the reader.
    """

    numbers: tuple[FittedNumber, ...]
    overrides: dict[str, Any]
    mechanism: Mechanism
    imus: tuple[ImuFit, ...]
    calibration: dict[str, dict[str, float]]
    notes: tuple[str, ...]


def takes_mounting(mechanism: Mechanism, word: str) -> bool:
    """Return whether a word of --free means a mounting, delay or bias of a sensor."""
    return word in MOUNTING_GROUPS or any(
        _means(word, name, key) for name, keys in _candidates(mechanism) for key in keys)


def chosen_imus(mechanism: Mechanism, words: Sequence[str]) -> list[Imu]:
    """Return the Imus of MOUNTING_GROUPS and of paths with wildcards; raises FitError, SensorError.
    """
    free: dict[str, set[str]] = {}
    named = set()
    for word in words:
        chosen = [(name, key) for name, keys in _candidates(mechanism) for key in keys
                  if _KEYS[key][0] == word or _means(word, name, key)]
        if not chosen:
            raise FitError(f'--free {word}: {mechanism.name} has no accelerometer or gyroscope '
                           'of which it is')
        for name, key in chosen:
            free.setdefault(name, set()).add(_KEYS[key][1])
            if word not in MOUNTING_GROUPS:
                named.add(name)
    devices: dict[Any, list[Sensor]] = {}
    for name, _ in _candidates(mechanism):
        sensor = sensors_of(mechanism, name)[0]
        turned = tuple(map(str, mechanism.sensors[name].get('rpy', [0.0] * 3)))
        devices.setdefault((sensor.body, sensor.topic, turned), []).append(sensor)
    imus = []
    for sensors in devices.values():
        own = {one for sensor in sensors for one in free.get(sensor.name, ())}
        if own:
            imus.append(Imu(tuple(sensors), frozenset(own),
                            any(sensor.name in named for sensor in sensors)))
    return imus


def _candidates(mechanism: Mechanism) -> Iterator[tuple[str, list[str]]]:
    """Yield (sensor, keys of it that can be free)."""
    space = mechanism.dimension == 3
    for name, entry in mechanism.sensors.items():
        kind = entry.get('kind') if isinstance(entry, Mapping) else None
        if kind in _KINDS:
            sits = kind == 'accelerometer'
            yield name, [*(['at'] if sits else []), *(['rpy'] if space else []),
                         *(['orientation'] if sits and not space else []),
                         'delay', 'bias', 'scale']


def _means(word: str, name: str, key: str) -> bool:
    path = f'sensors.{name}.{key}'
    return word.startswith(f'{path}.') or word == f'sensors.{name}' or fnmatchcase(path, word)


def fit_mountings(mechanism: Mechanism, free: Sequence[str],
                  recordings: Sequence[MountingRecording],
                  settings: FitSettings | None = None) -> MountingsFit:
    """Return the MountingsFit of IMUs to recordings of a motion.

    free: MOUNTING_GROUPS, or paths of sensors with wildcards.  What the readings do not show stays
    as in the file, and so does all of an IMU whose readings no mounting explains.  See
    mb_sensors.fit_mounting.  Raises FitError, SensorError, MechanismError.
    """
    settings = settings or FitSettings()
    imus, notes, wrong = [], [], []
    for imu in chosen_imus(mechanism, free):
        try:
            imus.append(_fit_one(mechanism, imu, recordings, settings))
        except SensorError as error:
            if imu.named:
                raise
            wrong.append(str(error))
    if not imus:
        raise FitError(f'{mechanism.file}: no IMU was fitted: {"; ".join(wrong)}')
    overrides: dict[str, Any] = {}
    for one in imus:
        overrides = dict(merged(overrides, mounting_overrides(
            mechanism, one.imu.sensors, one.fit, one.imu.wanted)))
        notes += [*one.fit.notes, *_late(one)]
    notes += [f'left as in the file: {text}' for text in wrong]
    numbers = tuple(FittedNumber(f'sensors.{one.path}', one.value, one.deviation, one.believed,
                                 one.is_known) for every in imus for one in every.fit.numbers)
    return MountingsFit(numbers, overrides, mechanism.replace(**overrides), tuple(imus),
                        _calibration(imus), tuple(notes))


def _fit_one(mechanism: Mechanism, imu: Imu, recordings: Sequence[MountingRecording],
             settings: FitSettings) -> ImuFit:
    """Return the ImuFit of an Imu; raises SensorError."""
    body, names = imu.sensors[0].body, [sensor.name for sensor in imu.sensors]
    of_imu = [ImuRecording(BodyMotion(mechanism, body, one.motion),
                           *_side_by_side(imu.sensors, one.readings))
              for one in recordings if all(name in one.readings for name in names)]
    if not of_imu:
        raise SensorError(f'{", ".join(names)}: no readings in the bags')
    believed = MountingFitSettings(block_time=settings.block_time,
                                   longest_delay=settings.longest_delay)
    fitted = fit_mounting(mechanism, imu.sensors, of_imu, believed, imu.free)
    held_out = None
    if settings.held_out > 0.0:
        parts = [_cut(one, 1.0 - settings.held_out) for one in of_imu]
        try:
            seen = fit_mounting(mechanism, imu.sensors, [one for one, _ in parts], believed,
                                imu.free)
            held_out = quality_of_readings(judged_mounting(
                mechanism, imu.sensors, [one for _, one in parts], seen))
        except SensorError:         # too short for two
            held_out = None
    return ImuFit(imu, fitted, quality_of_readings(fitted.residuals), held_out)


def _side_by_side(sensors: Sequence[Sensor],
                  readings: Mapping[str, tuple[IntArray, FloatArray]]
                  ) -> tuple[IntArray, FloatArray]:
    """Return stamps (k) [ns] and readings (k, channels) of sensors together, NaN for none."""
    stamps = np.unique(np.concatenate([readings[sensor.name][0] for sensor in sensors]))
    columns = []
    for sensor in sensors:
        own, values = readings[sensor.name]
        column = np.full((len(stamps), values.shape[1]), np.nan)
        column[np.searchsorted(stamps, own)] = values
        columns.append(column)
    return stamps, np.hstack(columns)


def _cut(recording: ImuRecording, share: float) -> tuple[ImuRecording, ImuRecording]:
    """Return a recording's first share, and the rest."""
    end = int(share * len(recording.stamps))
    return (ImuRecording(recording.motion, recording.stamps[:end], recording.readings[:end]),
            ImuRecording(recording.motion, recording.stamps[end:], recording.readings[end:]))


def _late(one: ImuFit) -> Iterator[str]:
    """Yield that stamps are late, where that is not asked for."""
    for number in one.fit.numbers:
        late = number.value - number.believed
        if (number.path.endswith('.delay') and 'delay' not in one.imu.wanted and number.is_known
                and abs(late) > max(_LATE * number.deviation, _SOON)):
            yield (f'{number.path.removesuffix(".delay")}: stamps are {late:.4g} s late; --free '
                   'delays writes that to the file')
        if (number.path.endswith('.delay') and 'delay' in one.imu.wanted and number.is_known
                and number.value < 0.0):
            yield (f'{number.path.removesuffix(".delay")}: stamps are {-number.value:.4g} s early, '
                   'which no delay in the file can say: shift the stamps of the bag')


def _calibration(imus: Sequence[ImuFit]) -> dict[str, dict[str, float]]:
    """Return the mapping of a calibration file: reading = scale (value - bias)."""
    mapping: dict[str, dict[str, float]] = {}
    for one in imus:
        scales = {number.path.rpartition('.')[0]: number.value for number in one.fit.numbers
                  if number.path.endswith('.scale') and 'scales' in one.imu.wanted}
        for sensor in one.imu.sensors:
            for channel in sensor.channels:
                entry = {}
                if sensor.name in scales:
                    entry['scale'] = float(f'{1.0 / (1.0 + scales[sensor.name]):.6g}')
                if 'biases' in one.imu.wanted:
                    entry['bias'] = float(f'{one.fit.bias(channel):.6g}')
                if entry:
                    mapping[channel] = entry
    return mapping
