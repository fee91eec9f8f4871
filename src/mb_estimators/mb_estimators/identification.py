"""Parameters of a mechanism from readings, by a graph of its whole motion."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import gtsam
import numpy as np

from mb_estimators.consistency.normalized import NORMAL_95
from mb_estimators.factor_graph.batch import MostLikely, solve
from mb_estimators.factor_graph.covariances import Covariances
from mb_estimators.factor_graph.factor import LossSettings
from mb_estimators.factor_graph.whole import instant_names, motion_graph, pass_over
from mb_estimators.filter.errors import in_full
from mb_estimators.filters.parameters import Parameters, ParameterSettings
from mb_estimators.filters.window_filters import FixedLagSmoother, FixedLagSmootherSettings
from mb_estimators.recording.recording import Recording
from mb_estimators.records.parameter import AUGMENTED
from mb_model import Mechanism, setting
from mb_model.arrays import FloatArray
from mb_model.jit import sizes_of
from mb_sensors import Sensor

_PARAMETERS = gtsam.symbol('s', 0)


@dataclass(frozen=True)
class IdentifySettings(LossSettings):
    """How parameters are identified."""

    parameters: tuple[str, ...] = setting(
        ('gravity.y',),
        help='Numbers of the mechanism file: paths such as bodies.crank.mass, or names of its '
             'parameters')
    parameter_deviations: tuple[float, ...] = setting(
        (0.5,), above=0.0, one_for_all=True,
        help='Prior standard deviation of each, or one for all: a share of its '
             'value; of what is 0, in its unit')
    initial_variance: float = setting(
        7.6e-3, unit='rad^2', above=0.0, help='Of position and velocity at the start')
    acceleration_psd: float = setting(
        1e-9, unit='rad^2/s^3', above=0.0,
        help='Power spectral density of the noise of the independent accelerations, which no '
             'parameter explains.  The larger, the less is learnt of them')
    iterations: int = setting(
        100, at_least=1, help='Of the optimiser, the most; a recording that needs more is an error')


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


def identify(mechanism: Mechanism, sensors: Sequence[Sensor], recording: Recording, dt: float,
             progress: bool = False, **settings: Any) -> Identified:
    """Return the Identified parameters by the readings of a Recording.

    mechanism: as the file has it, its start and t = 0 at the first stamp; sensors: Sensor objects;
    dt: longest step of the model [s]; progress: say on stderr how far it is; settings: of
    IdentifySettings.  Positive masses, sizes, stiffness and friction stay positive.
    Nodes: z, zd, biases at every instant, and the parameters.
    Raises FilterError, SettingError, MechanismError (all ValueError), NotConvergedError if the
    optimiser does not converge within its iterations, DivergenceError.
    """
    chosen = IdentifySettings.from_mapping(settings)
    mechanism = in_full(mechanism, 'a factor graph')
    mechanism.require_masses('a factor graph')
    parameters = Parameters(mechanism, ParameterSettings(
        parameters=chosen.parameters, parameter_deviations=chosen.parameter_deviations), AUGMENTED,
        sizes_of(mechanism.model))
    guess = FixedLagSmoother(mechanism, sensors, dt, FixedLagSmootherSettings(
        loss=chosen.loss, loss_scale=chosen.loss_scale,
        initial_variance=chosen.initial_variance))
    whole, readings = pass_over(guess, recording, dt, progress)
    motion = motion_graph(guess, whole, readings, chosen, parameters, (_PARAMETERS,))
    graph, values, nothing = motion.graph, motion.values, np.zeros(len(parameters.names))
    values.insert(_PARAMETERS, nothing)
    graph.add(gtsam.PriorFactorVector(
        _PARAMETERS, nothing, gtsam.noiseModel.Diagonal.Sigmas(parameters.deviations.copy())))
    names = instant_names(whole.instants) | {_PARAMETERS: 'the parameters'}
    solved = solve(MostLikely(graph, names), values, chosen.iterations).values
    covariance = Covariances(graph, solved).of(_PARAMETERS)
    return identified(parameters, solved.atVector(_PARAMETERS), covariance)


def identified(parameters: Parameters, s: FloatArray, covariance: FloatArray) -> Identified:
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
