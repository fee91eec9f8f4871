"""Parameters of a mechanism from readings, by polynomials of them in place of the model."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.optimize import least_squares

from mb_estimators.consistency.normalized import NORMAL_95
from mb_estimators.filter import FilterError, NotConvergedError
from mb_estimators.filters.hermite import gauss_nodes, polynomials, powers_up_to
from mb_estimators.filters.parameters import Parameters, ParameterSettings
from mb_estimators.recording.recording import Recording
from mb_estimators.records.parameter import AUGMENTED
from mb_model import Mechanism, Settings, setting, simulate
from mb_model.arrays import FloatArray
from mb_model.jit import sizes_of
from mb_sensors import Sensor, measured, sensors_of

_MOST = 2000             # motions that are simulated
_EVEN = 1e-3             # of a step, that stamps may be beside instants
_WRONG = 0.5             # deviations of a reading, root mean square, that polynomials may be off
_AXES = {'x': 0, 'y': 1, 'z': 2}


@dataclass(frozen=True)
class ChaosSettings(Settings):
    """How parameters are identified by polynomial chaos."""

    parameters: tuple[str, ...] = setting(
        ('gravity.y',),
        help='Numbers of the mechanism file: paths such as bodies.crank.mass, or names of its '
             'parameters')
    parameter_deviations: tuple[float, ...] = setting(
        (0.1,), above=0.0, one_for_all=True,
        help='Prior standard deviation of each, or one for all: a share of its '
             'value; of what is 0, in its unit')
    degree: int = setting(
        4, at_least=1, at_most=12,
        help='Of the polynomials; the motion is simulated (degree + 1) times for each parameter, '
             'all combined')


@dataclass(frozen=True)
class Identified:
    """Parameters of a mechanism, by name, and how certain they are.

    values; deviations: standard ones; intervals: (low, high) with 95 %; covariance (p, p) in the
    order of values.
    """

    values: dict[str, float]
    deviations: dict[str, float]
    intervals: dict[str, tuple[float, float]]
    covariance: FloatArray


def identify_by_chaos(mechanism: Mechanism, sensors: Sequence[Sensor], recording: Recording,
                      dt: float, **settings: Any) -> Identified:
    """Return the Identified parameters by the readings of a Recording without unknown forces.

    What sensors read is expanded in Hermite polynomials of standard normal numbers, whose
    coefficients are projections over Gauss's quadrature; with them the most likely parameters
    (Bayes) take no simulation.  The motion is simulated at the result, too: NotConvergedError where
    the polynomials are wrong there.  It starts as in the file.  dt: step [s], of which
    stamps are multiples; settings: of ChaosSettings.  Raises FilterError, SettingError too.
    Source: Rodriguez et al. 2023, Sec. 9 [52], [53]; Blanchard, Sandu and Sandu 2010.
    """
    chosen = ChaosSettings.from_mapping(settings)
    parameters = Parameters(mechanism, ParameterSettings(
        parameters=chosen.parameters, parameter_deviations=chosen.parameter_deviations), AUGMENTED,
        sizes_of(mechanism.model))
    readings = _Readings(mechanism, sensors, recording, dt, parameters)
    surrogate = _Surrogate(readings, len(parameters.names), chosen.degree)
    solution = least_squares(
        lambda xi: np.concatenate([readings.residuals(surrogate(xi)), xi]),
        np.zeros(len(parameters.names)), x_scale=1.0)
    off = readings.residuals(surrogate(solution.x)) - readings.residuals(readings.of(solution.x))
    wrong = float(np.sqrt(np.mean(off ** 2)))
    if not (solution.success and wrong < _WRONG):
        raise NotConvergedError(
            f'polynomials of degree {chosen.degree} are off by {wrong:.2g} deviations of a reading '
            f'where parameters are most likely, {np.abs(solution.x).max():.2g} deviations of the '
            'prior away: expected a higher degree, a shorter recording, or other '
            'parameter_deviations')
    deviations = parameters.deviations
    covariance = np.linalg.inv(solution.jac.T @ solution.jac) * np.outer(deviations, deviations)
    return _identified(parameters, solution.x * deviations, covariance)


def _identified(parameters: Parameters, s: FloatArray, covariance: FloatArray) -> Identified:
    """Return the Identified of the numbers s (p), see mb_estimators.records.parameter."""
    value = parameters.values_of
    rate = parameters.rates_at(value(s))
    whole = covariance * np.outer(rate, rate)
    reach = NORMAL_95 * np.sqrt(np.diagonal(covariance))
    names = parameters.names
    ends = zip(value(s - reach).tolist(), value(s + reach).tolist(), strict=True)
    return Identified(
        dict(zip(names, value(s).tolist(), strict=True)),
        dict(zip(names, np.sqrt(np.diagonal(whole)).tolist(), strict=True)),
        dict(zip(names, ends, strict=True)), whole)


class _Readings:
    """What sensors would read with other parameters, and how far that is from a Recording."""

    def __init__(self, mechanism, sensors, recording, dt, parameters):
        """Set up.  Raises FilterError."""
        if recording.inputs is not None:
            raise FilterError('polynomial chaos: not with known forces or valves')
        self._mechanism, self._parameters, self._dt = mechanism, parameters, dt
        self._steps = np.round(recording.t / dt).astype(int)
        if np.abs(recording.t / dt - self._steps).max() > _EVEN:
            raise FilterError(f'stamps are no multiples of dt = {dt:g} s')
        self._sensors, self._values = sensors, recording.readings
        self._known = np.isfinite(recording.readings)
        self._weights = np.concatenate([
            np.full(len(sensor.channels), sensor.settings.variance ** -0.5) for sensor in sensors])

    def of(self, xi: FloatArray) -> FloatArray:
        """Return the readings (k, channels) with standard normal numbers (p)."""
        changed = _changed(self._mechanism, self._parameters.names,
                           self._parameters.values_of(xi * self._parameters.deviations))
        run = simulate(changed, self._steps[-1] * self._dt, self._dt, estimate_error=False)
        own = {sensor.name: sensor for sensor in sensors_of(
            changed, [sensor.name for sensor in self._sensors])}
        states = [part[self._steps] for part in (run.q, run.qd, run.qdd)]
        return np.hstack([measured(changed, own[sensor.name].records, *states)
                          for sensor in self._sensors])

    def residuals(self, readings: FloatArray) -> FloatArray:
        """Return how far readings that are there are off, in deviations."""
        return ((readings - self._values) * self._weights)[self._known]


class _Surrogate:
    """Readings as polynomials of standard normal numbers, of a total degree."""

    def __init__(self, readings, count, degree):
        """Project; count: of numbers.  Raises FilterError."""
        if (degree + 1) ** count > _MOST:
            raise FilterError(f'{count} parameters of degree {degree} need '
                              f'{(degree + 1) ** count} motions, expected at most {_MOST}')
        self._powers = powers_up_to(count, degree)
        self._coefficients = 0.0
        nodes, weights = gauss_nodes(count, degree)
        shares = weights * polynomials(self._powers, nodes)
        for k, node in enumerate(nodes):
            self._coefficients = self._coefficients + shares[:, k, np.newaxis, np.newaxis] * (
                readings.of(node))

    def __call__(self, xi: FloatArray) -> FloatArray:
        """Return the readings (k, channels) at numbers (p)."""
        values = polynomials(self._powers, xi[np.newaxis])[:, 0]
        return np.tensordot(values, self._coefficients, axes=1)


def _changed(mechanism: Mechanism, names: Sequence[str], values: Any) -> Mechanism:
    """Return a mechanism with other numbers in its file.  Raises FilterError."""
    changes: dict[str, Any] = {}
    for name, value in zip(names, values, strict=True):
        path = name.split('.')
        if name in mechanism.raw.get('parameters', {}):
            path = ['parameters', name]
        if path[0] == 'gravity' and len(path) == 2 and path[1] in _AXES:
            gravity = changes.get('gravity', list(np.asarray(mechanism.gravity, float)))
            gravity[_AXES[path[1]]] = float(value)
            changes['gravity'] = gravity
            continue
        inner = changes
        for key in path[:-1]:
            inner = inner.setdefault(key, {})
        inner[path[-1]] = float(value)
    return mechanism.replace(**changes)
