"""What recordings say of the features of a fit: weighted linear equations."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import partial

import numpy as np

from mb_estimators.fitting.fit_settings import FitError, FitSettings
from mb_estimators.fitting.mass_properties import linear_slopes, raw_of
from mb_estimators.fitting.samples import DynamicsSamples, Rubbing, UnexplainedForces
from mb_estimators.fitting.scaled_equations import Equations
from mb_estimators.fitting.unknowns import Unknowns
from mb_model import Mechanism, MechanismError, Regressor
from mb_model.arrays import FloatArray
from mb_model.file_api import parameter_overrides

_PROBES = 50            # instants at which linearity is tried
_SINGULAR = 1e6          # condition of the drives' rates, beyond which forces are not theirs
_LINEAR = 1e-9          # what a linear change leaves, against the forces


@dataclass(frozen=True)
class FitRecording:
    """DynamicsSamples, and the numbers that are known of them alone, by path.

    A body whose mass is known as 0 is not there.
    """

    samples: DynamicsSamples
    known: Mapping[str, float] = field(default_factory=dict)

    def first(self, share: float) -> 'FitRecording':
        """Return the recording until a share of its time."""
        return replace(self, samples=self.samples[self.samples.t <= share * self.samples.t[-1]])


class Recordings:
    """Recordings of a machine, and the equations that they give at any values of the unknowns."""

    def __init__(self, unknowns: Unknowns, recordings: Sequence[FitRecording],
                 drives: Sequence[str], settings: FitSettings) -> None:
        """Set up for recordings; drives: coordinates that recorded forces act on (d)."""
        self._unknowns, self._recordings, self._settings = unknowns, recordings, settings
        mechanism = unknowns.mechanism
        self._drives, self._names = mechanism.indices(drives), tuple(drives)
        self.rows: tuple[str, ...] = ()         # what each row of an instant is about
        self._shifts = [np.zeros((len(one.samples), 3 * mechanism.g)) for one in recordings]
        self._readings = [unknowns.readings.of_bag(number, one.samples.encoders)
                          for number, one in enumerate(recordings)]
        self._last: list[UnexplainedForces] = []
        self._turned: list[FloatArray] = []
        self._paths = [path for part in unknowns.bodies for path in part.paths]
        self._absent = [self._bodies_absent(recording) for recording in recordings]
        self._regressors = []
        for recording in recordings:
            scalars = {path: value for path, value in recording.known.items()
                       if path not in self._paths}
            for path in scalars:
                _require_number(mechanism, path)
            own = (mechanism.replace(**parameter_overrides(mechanism, scalars)) if scalars
                   else mechanism)
            names = [*self._paths, *unknowns.scalars.paths]
            self._regressors.append(Regressor(own, names))

    def at(self, x: FloatArray) -> Equations:
        """Return the Equations with f0 the features at unknowns x.  Raises MechanismError.
        """
        forces, by_reading = [], []
        own = self._unknowns.features(x)[self._unknowns.of_readings]
        for recording, regressor, shift, readings in zip(
                self._recordings, self._regressors, self._shifts, self._readings, strict=True):
            regressor.values = self._values(x, recording.known)
            change, slopes = readings.at(own) or (0.0, None)
            by_reading.append(slopes)
            forces.append(UnexplainedForces(
                regressor, recording.samples.moved(shift + change), self._drives, self._settings,
                self._rubbing(x) if recording.samples.oil is not None else None))
        rates = [one.needed.R[:, self._drives] for one in forces]
        square = all(R.shape[1] == R.shape[2] and np.linalg.cond(R).max() < _SINGULAR
                     for R in rates)
        self.rows = self._names if square else self._unknowns.mechanism.independent
        self._last, self._turned = forces, []
        parts, first = [], 0
        for number, (one, R, slopes) in enumerate(zip(forces, rates, by_reading, strict=True)):
            turned: FloatArray = np.asarray(
                np.linalg.inv(np.swapaxes(R, 1, 2)) if square else
                np.broadcast_to(np.eye(R.shape[2]), (len(R), R.shape[2], R.shape[2])), np.float64)
            self._turned.append(turned)
            parts.append(self._of_one(number, one, turned, x, first, square, slopes))
            first = int(parts[-1].block[-1]) + 1
        return Equations(**{one.name: np.concatenate([getattr(part, one.name) for part in parts])
                            for one in fields(Equations)})

    def means(self, values: Callable[[UnexplainedForces, FloatArray], FloatArray]) -> FloatArray:
        """Return means (w, ...) over the windows of the last `at`.

        values: (k, ...) of the forces of a recording, and of what turns forces on degrees of
        freedom into its rows (k, g, g).
        """
        return np.concatenate([
            forces.mean(values(forces, turned))
            for forces, turned in zip(self._last, self._turned, strict=True)])

    def correct_motion(self, equations: Equations) -> bool:
        """Move the recorded motions by what residuals say of their errors, for the next equations.

        Returns whether there is any of which the errors are known.

        equations: of the last `at`, weighed, at fitted features.  Errors of the motion are in the
        residual and, times it, in the slopes, which would pull what is fitted towards zero
        (attenuation); where both are corrected, least squares have errors in all variables.
        """
        for number, (recording, forces, turned) in enumerate(
                zip(self._recordings, self._last, self._turned, strict=True)):
            motion = recording.samples.motion
            if motion.covariance is None:
                continue
            own = equations.recording == number
            factor = equations.factor[own]
            doubt = equations.doubt[own]
            explained = np.linalg.solve(np.swapaxes(factor, 1, 2), np.linalg.solve(
                factor, (equations.residual[own] / doubt)[:, :, np.newaxis]))[:, :, 0] / doubt
            by_state = turned @ forces.needed.by_state
            window = np.repeat(np.arange(len(explained)), forces.counts)
            self._shifts[number] = np.einsum('kij,khj,kh->ki', motion.covariance, by_state,
                                             explained[window], optimize=True)
        return any(one.samples.motion.covariance is not None for one in self._recordings)

    def is_linear(self, x: FloatArray, to: FloatArray) -> bool:
        """Return whether forces change between unknowns as the features say."""
        if self._unknowns.drives.has_gains or self._unknowns.readings.paths:
            return False
        if self._unknowns.cylinders.has_transitions:
            return False
        if not len(self._unknowns.scalars.paths):
            return True
        for recording, regressor in zip(self._recordings, self._regressors, strict=True):
            motion = recording.samples.motion
            some = motion[::1 + len(motion) // _PROBES]
            known = recording.known
            regressor.values = self._values(x, known)
            before = regressor.along(some.z, some.zd, some.zdd)
            start, count = regressor.values, len(self._paths)
            values = np.r_[start[:count], self._values(to, known)[count:]]
            try:
                regressor.values = values
                after = regressor.along(some.z, some.zd, some.zdd)
            except MechanismError:
                return False
            missed = after.force - before.force - before.by_parameter @ (values - start)
            if np.abs(missed).max() > _LINEAR * np.abs(after.force).max():
                return False
        return True

    def _values(self, x: FloatArray, known: Mapping[str, float]) -> FloatArray:
        """Return the raw numbers of regressors at unknowns x."""
        unknowns, numbers, start = self._unknowns, [], 0
        features = unknowns.features(x)
        for part in unknowns.bodies:
            numbers.append(raw_of(features[start:start + len(part.paths)]))
            start += len(part.paths)
        paths = unknowns.scalars.paths
        scalars = features[start:start + len(paths)]
        return np.concatenate([*numbers, [known.get(path, value) for path, value
                                          in zip(paths, scalars, strict=True)]])

    def _rubbing(self, x: FloatArray) -> Rubbing:
        """Return the friction of cylinders at unknowns x."""
        unknowns, features = self._unknowns, self._unknowns.features(x)
        end = unknowns.of_drives.start
        return partial(unknowns.cylinders.rubbing,
                       features[end - len(unknowns.cylinders.paths):end])

    def _bodies_absent(self, recording: FitRecording) -> set[str]:
        """Return the bodies that are not there in a recording; raises FitError."""
        absent = set()
        for path, value in recording.known.items():
            body = path.split('.')[1] if path in self._paths else ''
            if not body:
                continue
            if path != f'bodies.{body}.mass' or value != 0.0:
                raise FitError(f'--known {path}={value:g}: of a body whose numbers are free a bag '
                               'can know a mass of 0 alone, where it is not there')
            absent.add(body)
        return absent

    def _of_one(self, number: int, forces: UnexplainedForces, turned: FloatArray, x: FloatArray,
                first_block: int, foreseen: bool, by_reading: FloatArray | None) -> Equations:
        """Return the Equations of one recording.

        turned (k, g, g): from forces on degrees of freedom to forces of drives; foreseen: whether
        a gain changes the force which is needed, not the recorded one with its noise, which would
        shrink gains; by_reading (k, 3 g, p): of the motion, by what encoders read.
        """
        recording, unknowns, settings = self._recordings[number], self._unknowns, self._settings
        features, absent = unknowns.features(x), self._absent[number]
        R, drives = forces.needed.R[:, self._drives], unknowns.drives
        rates, of_drives = np.einsum('kdg,kg->kd', R, forces.motion.zd), unknowns.of_drives
        given = np.einsum('kdg,kd->kg', R, forces.torques)
        residual = np.einsum('kij,kj->ki', turned, forces.residual)
        by_raw, columns, count = turned @ forces.needed.by_parameter, [], 0
        for part in unknowns.bodies:
            own = slice(count, count + len(part.paths))
            slopes = by_raw[:, :, own] @ np.linalg.inv(linear_slopes(raw_of(features[own])))
            if part.body in absent:
                residual, slopes = residual + slopes @ features[own], 0.0 * slopes
            columns.append(slopes)
            count = own.stop
        scalars = by_raw[:, :, count:].copy()
        scalars[:, :, [path in recording.known for path in (
            *unknowns.scalars.paths, *unknowns.cylinders.paths)]] = 0.0
        residual = residual - turned @ drives.needed(R, forces.torques, rates) @ (
            features[of_drives] - drives.believed)
        gains = drives.gains(features[of_drives], R.shape[1])
        torques = forces.torques - residual / gains if foreseen else forces.torques
        by_state = turned @ forces.needed.by_state
        columns += [scalars, turned @ drives.needed(R, torques, rates),
                    np.zeros((*residual.shape, len(unknowns.readings.paths)))
                    if by_reading is None else by_state @ by_reading]
        of_gains = settings.torque_deviation ** 2 * np.einsum(
            'kdg,d,kdh->kgh', R, gains ** 2 - 1.0, R)
        residual = residual + np.einsum('kij,kj->ki', by_state,
                                        self._shifts[number])       # of the recorded motion again
        from_drives, of_motion = (
            forces.mean(turned @ part @ np.swapaxes(turned, 1, 2)) for part in (
                forces.of_drives + of_gains, forces.covariance - forces.of_drives))
        starts = forces.t[forces.starts]
        block = np.floor(starts / settings.block_time).astype(int)
        return Equations(
            forces.mean(residual), forces.mean(np.concatenate(columns, axis=2)),
            forces.mean(np.einsum('kij,kj->ki', turned, given)), from_drives, of_motion,
            np.asarray(np.linalg.cholesky(from_drives + of_motion), np.float64),
            np.ones((len(starts), residual.shape[1])), starts,
            np.full(len(starts), number),
            first_block + np.unique(block, return_inverse=True)[1])


def _require_number(mechanism: Mechanism, path: str) -> None:
    """Raise FitError unless there is a number of a mechanism at a path or by a name."""
    try:
        mechanism.parameter_records([path])
    except MechanismError as error:
        raise FitError(f'--known {path}: no number of {mechanism.name} ({error})') from None
